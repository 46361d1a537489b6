# cmake --install build --prefix DIR: the programs, the runtime library, its headers and relax-runtime.pc.
include(GNUInstallDirs)
foreach(name IN ITEMS relax relax-run relax-runtime relax-runtime-static relax-compiler relax-compiler-static relax-llm relax-llm-static)
    if(TARGET ${name})
        install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endforeach()
install(DIRECTORY include/relax DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH RELAX_INCLUDE_FROM_LIB ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(name IN ITEMS relax-runtime relax-compiler relax-llm)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
