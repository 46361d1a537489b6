// agree.h - nouns that agree with their counts: sentences write "%u dims" whatever the number is.
#ifndef BASE_AGREE_H
#define BASE_AGREE_H

// Makes the nouns behind a count of one agree with it, in place: "1 dims" becomes "1 dim". Every sentence about numbers
// goes through here once it is written (diag_error, why_fail, vm_fail, cli_error), so that none has to care. Returns
// `sentence`.
char *text_agree(char *sentence);
#endif
