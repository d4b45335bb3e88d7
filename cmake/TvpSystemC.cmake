# Debian's libsystemc has pkg-config data but no CMake config, and its ABI symbol is C++17's:
# code compiled as C++20 must say so, or linking fails.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED systemc)

add_library(tvp_systemc INTERFACE)
add_library(tvp::systemc ALIAS tvp_systemc)
target_include_directories(tvp_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIRS})
target_compile_definitions(tvp_systemc INTERFACE SC_CPLUSPLUS=201703L)
target_link_libraries(tvp_systemc INTERFACE ${SYSTEMC_LINK_LIBRARIES})

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${SYSTEMC_INCLUDE_DIRS})
set(CMAKE_REQUIRED_LIBRARIES ${SYSTEMC_LINK_LIBRARIES})
set(CMAKE_REQUIRED_DEFINITIONS -DSC_CPLUSPLUS=201703L)
check_cxx_source_compiles("#include <systemc>
int sc_main(int, char**) { sc_core::sc_start(); return 0; }" TVP_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_DEFINITIONS)
if(NOT TVP_SYSTEMC_LINKS)
  message(FATAL_ERROR "SystemC was found but a program does not link with it. "
    "Install Debian's libsystemc-dev (2.3.4), or build SystemC with the C++17 ABI "
    "and point PKG_CONFIG_PATH at its systemc.pc.")
endif()
