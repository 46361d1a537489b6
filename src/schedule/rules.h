// rules.h - what the schedule rules share.
#ifndef SCHEDULE_RULES_H
#define SCHEDULE_RULES_H
#include "schedule/inside.h"

#define RULE(name) extern const schedule_rule rule_##name;
#include "schedule/rules.def"
#endif
