# The programs: relax (everything) and relax-run (the runtime alone).
if(EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
    add_executable(relax src/cli/main.c)
    target_link_libraries(relax PRIVATE relax_cli)
    # The prints-its-version and finds-its-files parts of the command line need to know the version from one place.
    target_compile_definitions(relax PRIVATE RELAX_VERSION="${PROJECT_VERSION}")
endif()

if(EXISTS ${PROJECT_SOURCE_DIR}/tools/relax-run.c AND TARGET relax-runtime)
    add_executable(relax-run tools/relax-run.c)
    target_link_libraries(relax-run PRIVATE relax_flags relax-runtime-static)
    # The same program against the .so: it links only if the exported names suffice.
    add_executable(relax-run-shared tools/relax-run.c)
    target_link_libraries(relax-run-shared PRIVATE relax_flags relax-runtime)
endif()
