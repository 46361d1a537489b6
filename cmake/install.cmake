# cmake --install build --prefix DIR: the programs, the runtime library, its headers and relax-runtime.pc.
include(GNUInstallDirs)
foreach(name IN ITEMS relax relax-run relax-runtime relax-runtime-static)
    if(TARGET ${name})
        install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endforeach()
install(DIRECTORY include/relax DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH RELAX_INCLUDE_FROM_LIB ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/relax-runtime.pc.in relax-runtime.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/relax-runtime.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
