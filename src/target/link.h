// link.h - objects to one position-independent image, through lld.
#ifndef TARGET_LINK_H
#define TARGET_LINK_H
#include "target/target.h"

// As target_linker_start and target_link, for devices whose objects are ELF.
target_linker *linker_start(const arch *a, const target_options *o);
bool linker_link(target_linker *l, const arch *a, const compiled *object, uint32_t count, const char *const *export,
                 uint32_t exports, compiled *image, diag *d);
// Removes the folders that linkers of this process have, whatever they do: for a program that ends at once.
void linker_sweep(void);
#endif
