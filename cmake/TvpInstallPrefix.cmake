# Part of cmake --install: writes the prefix into the section .tvp_prefix of the installed libraries (see
# foundation/source_root.cpp).
set(size 1024)
string(LENGTH "${CMAKE_INSTALL_PREFIX}" length)
if(NOT length LESS size)
  message(FATAL_ERROR "The install prefix has ${length} characters: expected less than ${size}")
endif()
math(EXPR rest "${size} - ${length}")
string(REPEAT "\n" ${rest} padding)
foreach(library ${libraries})
  set(file "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${library}")
  file(WRITE "${file}.prefix" "${CMAKE_INSTALL_PREFIX}${padding}")
  execute_process(COMMAND "${objcopy}" --update-section ".tvp_prefix=${file}.prefix" "${file}"
                  RESULT_VARIABLE code ERROR_VARIABLE error)
  file(REMOVE "${file}.prefix")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "The install prefix cannot be written into ${file}: ${error}")
  endif()
endforeach()
