# Target `tidy`: clang-tidy over what is compiled, with the checks of .clang-tidy. Debian: clang-tidy.
find_program(TVP_RUN_CLANG_TIDY run-clang-tidy)
if(TVP_RUN_CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${TVP_RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
            "${PROJECT_SOURCE_DIR}/(platform|models|sw)/.*\\.cpp$"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL VERBATIM)
endif()
