// link.h - objects to one position-independent image, through lld.
#ifndef TARGET_LINK_H
#define TARGET_LINK_H
#include "target/target.h"

// As target_link, for devices whose objects are ELF.
bool link_objects(const arch *a, const compiled *object, uint32_t count, const char *const *export, uint32_t exports,
                  compiled *image, diag *d);
#endif
