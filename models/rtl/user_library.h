#pragma once

#include <cstdint>
#include <string>

namespace tvp::rtl {

/// A library of a user that a key selects.
struct UserLibrary {
  const char* key;    ///< the key, for messages
  std::string name;   ///< a path, or NAME for libNAME.so
  const char* kind;   ///< KIND of tensix_vp_add_rtl()
  const char* entry;  ///< name of its function
};

/// Returns the description of a library's module, which has pins of `kVersion`. A name stands for a
/// file in the current folder, beside our libraries, or in LD_LIBRARY_PATH. Throws
/// Fault(kDescription) if there is none.
const void* load_user_library(const UserLibrary& library, std::uint32_t version);

/// The same for the structure `Module` of a header of tensix_vp/rtl.
template <typename Module>
const Module& user_module(const char* key, const std::string& name, const char* kind) {
  return *static_cast<const Module*>(
      load_user_library({key, name, kind, Module::kEntry}, Module::kVersion));
}

}  // namespace tvp::rtl
