# The programs: relax (everything) and relax-run (the runtime alone). Both and src/cli see RELAX_VERSION.
get_target_property(type relax_cli TYPE)
if(type STREQUAL "STATIC_LIBRARY")
    target_compile_definitions(relax_cli PRIVATE RELAX_VERSION="${PROJECT_VERSION}")
endif()
# By glob, so that the file is noticed when it comes.
file(GLOB main CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/main.c)
if(main)
    add_executable(relax src/cli/main.c)
    target_link_libraries(relax PRIVATE relax_cli)
    target_compile_definitions(relax PRIVATE RELAX_VERSION="${PROJECT_VERSION}")
endif()

file(GLOB main CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/relax-run.c)
if(main AND TARGET relax-runtime)
    add_executable(relax-run tools/relax-run.c)
    target_compile_definitions(relax-run PRIVATE RELAX_VERSION="${PROJECT_VERSION}")
    target_link_libraries(relax-run PRIVATE relax_flags relax-runtime-static)
    # The same program against the .so: it links only if the exported names suffice.
    add_executable(relax-run-shared tools/relax-run.c)
    target_compile_definitions(relax-run-shared PRIVATE RELAX_VERSION="${PROJECT_VERSION}")
    target_link_libraries(relax-run-shared PRIVATE relax_flags relax-runtime)
endif()

# The Python package's short way into the runtime (python/native.c), where Python's headers are.
find_path(RELAX_PYTHON_INCLUDE Python.h PATHS /usr/include/python3 /usr/include/python3.14 /usr/include/python3.13
    /usr/include/python3.12 /usr/include/python3.11)
if(TARGET relax-runtime AND RELAX_PYTHON_INCLUDE AND NOT CMAKE_CROSSCOMPILING AND NOT RELAX_SANITIZE)
    add_library(relax-native MODULE python/native.c)
    set_target_properties(relax-native PROPERTIES PREFIX "" OUTPUT_NAME relax_native.abi3 BUILD_RPATH $ORIGIN
        BUILD_RPATH_USE_ORIGIN ON)
    target_include_directories(relax-native SYSTEM PRIVATE ${RELAX_PYTHON_INCLUDE})
    target_link_libraries(relax-native PRIVATE relax_flags relax-runtime)
endif()

# All that a user gets, without the tests.
add_custom_target(product)
foreach(name IN LISTS RELAX_FOLDERS)
    add_dependencies(product relax_${name})
endforeach()
foreach(name IN ITEMS relax relax-run relax-run-shared relax-native)
    if(TARGET ${name})
        add_dependencies(product ${name})
    endif()
endforeach()
