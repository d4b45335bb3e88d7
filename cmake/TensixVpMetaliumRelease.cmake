# A program can name the release of tt-metal that it is written for: TENSIX_VP_METALIUM_RELEASE. A
# release that is not in the tested table (sw/metalium/releases.txt) is refused before anything is
# built. Sets `refusal` to the reason, or to nothing.
function(tensix_vp_metalium_refusal table)
  set(refusal "" PARENT_SCOPE)
  if("${TENSIX_VP_METALIUM_RELEASE}" STREQUAL "")
    return()
  endif()
  file(STRINGS ${table} lines REGEX "^release ")
  list(TRANSFORM lines REPLACE "^release +([^ ]+).*" "\\1")
  string(REGEX REPLACE "^v" "" release "${TENSIX_VP_METALIUM_RELEASE}")
  if(NOT release IN_LIST lines)
    list(JOIN lines ", " releases)
    set(refusal "TENSIX_VP_METALIUM_RELEASE: release ${TENSIX_VP_METALIUM_RELEASE} of tt-metal is not \
supported: expected one of ${releases}" PARENT_SCOPE)
  endif()
endfunction()

# Gives the headers of `target` the meaning of that release: before 0.63, bfloat16(std::uint16_t) took
# bits.
function(tensix_vp_metalium_meaning target)
  string(REGEX REPLACE "^v" "" release "${TENSIX_VP_METALIUM_RELEASE}")
  if(release MATCHES "^[0-9]" AND release VERSION_LESS 0.63)
    target_compile_definitions(${target} INTERFACE TENSIX_VP_BFLOAT16_OF_BITS)
  endif()
endfunction()
