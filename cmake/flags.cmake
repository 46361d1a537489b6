# What every file of ours is compiled with. The build type gives the optimisation level only: asserts stay on.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

add_library(relax_flags INTERFACE)
target_include_directories(relax_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_options(relax_flags INTERFACE
    -pedantic-errors -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wswitch-enum
    -Wstrict-prototypes -Wmissing-prototypes -Werror
    -ffunction-sections -fdata-sections -fno-semantic-interposition -ffp-contract=off)
# Debug builds verify the module after each pass.
target_compile_definitions(relax_flags INTERFACE $<$<CONFIG:Debug>:RELAX_DEBUG>)
target_link_options(relax_flags INTERFACE -Wl,--gc-sections -Wl,--as-needed)
# lld links the many test programs in a third of the time; cross builds keep their own linker.
find_program(LLD ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
if(LLD AND NOT CMAKE_CROSSCOMPILING)
    get_filename_component(lld_folder ${LLD} DIRECTORY)
    target_link_options(relax_flags INTERFACE -B${lld_folder} -fuse-ld=lld)
endif()

if(RELAX_SANITIZE)
    target_compile_options(relax_flags INTERFACE -fsanitize=${RELAX_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(relax_flags INTERFACE -fsanitize=${RELAX_SANITIZE})
endif()
if(RELAX_LIBFUZZER)
    target_compile_options(relax_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
