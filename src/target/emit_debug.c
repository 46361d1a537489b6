// emit_debug.c - debug information by LLVM's builder for it (DWARF 4).
#include "target/emit_debug.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { DWARF_VERSION = 4 };

static LLVMMetadataRef file_of(emitter *e, loc at) {
    const char *name = at.src && at.src->name ? at.src->name : "relax";
    const char *folder = name[0] == '/' ? "" : ".";
    return LLVMDIBuilderCreateFile(e->debug, name, strlen(name), folder, strlen(folder));
}

static void add_flag(emitter *e, const char *name, unsigned value) {
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(e->c), value, false));
    LLVMAddModuleFlag(e->module, LLVMModuleFlagBehaviorWarning, name, strlen(name), number);
}

void debug_open(emitter *e) {
    if (!e->options->debug_info) return;
    e->debug = LLVMCreateDIBuilder(e->module);
    add_flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(e, "Dwarf Version", DWARF_VERSION);
}

// One unit for the module, of the first program's file: others name their own.
static void open_unit(emitter *e, LLVMMetadataRef file) {
    if (e->debug_unit) return;
    e->debug_unit = LLVMDIBuilderCreateCompileUnit(e->debug, LLVMDWARFSourceLanguageC11, file, "relax", 5, true, "", 0,
                                                   0, "", 0, LLVMDWARFEmissionFull, 0, false, false, "", 0, "", 0);
}

void debug_close(emitter *e) {
    if (!e->debug) return;
    LLVMDIBuilderFinalize(e->debug);
    LLVMDisposeDIBuilder(e->debug);
    e->debug = NULL;
}

void debug_function(emitter *e, LLVMValueRef fn, const char *name) {
    if (!e->debug) return;
    loc at = e->func->at;
    unsigned line = at.src && at.line ? at.line : 1;
    LLVMMetadataRef file = file_of(e, at);
    open_unit(e, file);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(e->debug, file, NULL, 0, LLVMDIFlagZero);
    e->debug_scope = LLVMDIBuilderCreateFunction(e->debug, file, name, strlen(name), name, strlen(name), file, line,
                                                 type, true, true, line, LLVMDIFlagZero, true);
    LLVMSetSubprogram(fn, e->debug_scope);
    LLVMSetCurrentDebugLocation2(e->b, LLVMDIBuilderCreateDebugLocation(e->c, line, 0, e->debug_scope, NULL));
}

void debug_at(emitter *e, loc at) {
    if (!e->debug || !at.line || at.src != e->func->at.src) return;
    LLVMSetCurrentDebugLocation2(e->b, LLVMDIBuilderCreateDebugLocation(e->c, at.line, at.col, e->debug_scope, NULL));
}

void debug_nowhere(emitter *e) {
    if (e->debug) LLVMSetCurrentDebugLocation2(e->b, NULL);
}
