// contract.h - checks before a pass that the module is what the pass needs.
#ifndef PASS_CONTRACT_H
#define PASS_CONTRACT_H
#include "pass/pass.h"

// False after reporting which statement of p->needs fails, where, and which pass makes it true.
bool contract_check(const module *m, const pass *p, diag *d);
#endif
