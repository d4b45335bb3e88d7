# tvp_registry(FILE f.cpp HEADER f.h NAMESPACE n FUNCTION f INTERFACE Class
#              ENTRIES "header|Class" "header|Class(arguments)"… [LISTS "header|function"…])
#              [PARAMETER "const Type& name"]
# Writes a source file with a function that creates one object of each class, in their order, and the objects of the
# LISTS functions. The function has the parameter, which arguments of classes may use. One list serves CMake and C++.
function(tvp_registry)
  cmake_parse_arguments(R "" "FILE;HEADER;NAMESPACE;FUNCTION;INTERFACE;PARAMETER" "ENTRIES;LISTS" ${ARGN})
  set(includes)
  set(objects)
  foreach(entry ${R_ENTRIES})
    string(REGEX MATCH "^([^|]+)\\|([^(]+)(\\(.*\\))?$" parts ${entry})
    set(header ${CMAKE_MATCH_1})
    set(class ${CMAKE_MATCH_2})
    set(arguments "${CMAKE_MATCH_3}")
    if(NOT arguments)
      set(arguments "()")
    endif()
    list(APPEND includes "#include \"${header}\"\n")
    string(APPEND objects "  all.push_back(std::make_unique<${class}>${arguments});\n")
  endforeach()
  foreach(list ${R_LISTS})
    string(REGEX MATCH "^([^|]+)\\|(.+)$" parts ${list})
    list(APPEND includes "#include \"${CMAKE_MATCH_1}\"\n")
    string(APPEND objects "  for (auto& object : ${CMAKE_MATCH_2}()) all.push_back(std::move(object));\n")
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "" includes)
  file(CONFIGURE OUTPUT ${R_FILE} @ONLY CONTENT [[
#include "@R_HEADER@"

@includes@
namespace @R_NAMESPACE@ {

std::vector<std::unique_ptr<@R_INTERFACE@>> @R_FUNCTION@(@R_PARAMETER@) {
  std::vector<std::unique_ptr<@R_INTERFACE@>> all;
@objects@  return all;
}

}  // namespace @R_NAMESPACE@
]])
endfunction()
