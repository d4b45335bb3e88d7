# Part of cmake --install: copies the Python module to the folder in which Debian's python3 looks below the prefix.
set(folder lib/python3)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr/local" AND python)
  execute_process(COMMAND "${python}" -c "import sys; print('lib/python%d.%d' % sys.version_info[:2])"
                  OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
file(INSTALL "${module}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${folder}/dist-packages" TYPE DIRECTORY
     FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
