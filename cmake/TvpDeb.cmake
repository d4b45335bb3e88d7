# cpack makes a Debian package of program, libraries, headers, Python module and run-time data. dpkg-shlibdeps finds the
# libraries that it depends on. The cross compiler is also a dependency, because kernels are compiled when they run.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tensix-vp)
set(CPACK_PACKAGE_CONTACT "tensix-vp")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_SET_DESTDIR ON)  # lets the library know its prefix (TvpInstallPrefix)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libtensix_vp.so is found beside the program, not by dpkg.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/platform)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf, libstdc++-arm-none-eabi-dev, libjs-d3, python3 (>= 3.9)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gtkwave, gdb-multiarch, python3-numpy, python3-pandas")
# cpack builds what it installs, but not the tests.
set(CPACK_INSTALL_COMMANDS "\\\"${CMAKE_COMMAND}\\\" --build \\\"${PROJECT_BINARY_DIR}\\\" --target tvp_installed")
include(CPack)
