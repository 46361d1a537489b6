# Libraries of others: which folder uses which. A row is looked up only when its folder has a file, so that the
# runtime builds on a machine without LLVM.
# A name is libc (libm, threads, dl), llvm or a pkg-config module.
find_package(Threads REQUIRED)

function(relax_use_llvm target)
    find_program(LLVM_CONFIG llvm-config-22 REQUIRED)
    execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE include OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE libdir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    target_include_directories(${target} SYSTEM INTERFACE ${include})
    target_link_libraries(${target} INTERFACE ${libdir}/libLLVM-22.so)
endfunction()

# Makes the interface library ext_<name> once.
function(relax_find_external name)
    if(TARGET ext_${name})
        return()
    endif()
    add_library(ext_${name} INTERFACE)
    if(name STREQUAL "libc")
        target_link_libraries(ext_libc INTERFACE Threads::Threads m ${CMAKE_DL_LIBS})
    elseif(name STREQUAL "llvm")
        relax_use_llvm(ext_llvm)
    else()
        find_package(PkgConfig REQUIRED)
        pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${name})
        target_link_libraries(ext_${name} INTERFACE PkgConfig::${name})
    endif()
endfunction()

set(RELAX_EXTERNAL_base libc)
set(RELAX_EXTERNAL_target llvm)
set(RELAX_EXTERNAL_llm libpcre2-8 libutf8proc) # pre-tokenizers; Unicode
set(RELAX_EXTERNAL_checkpoint libzip) # .npz
set(RELAX_EXTERNAL_cli libedit) # line editing in conversations
# For the tests of a folder only.
set(RELAX_TEST_EXTERNAL_expr z3)
