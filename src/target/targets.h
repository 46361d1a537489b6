// targets.h - the code generators, for the files of this folder.
#ifndef TARGET_TARGETS_H
#define TARGET_TARGETS_H
#include "target/target.h"

#define TARGET(name) extern const target_backend target_##name;
#include "target/targets.def"
#endif
