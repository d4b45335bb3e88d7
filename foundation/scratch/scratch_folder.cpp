#include "foundation/scratch/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "foundation/host_error.h"

namespace tvp::foundation {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) throw HostError("temporary folder", "cannot be used: " + error.message());
  path_ = (parent / "tensix-vp-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    throw HostError(path_,
                    "cannot be created: " + reason_of(errno) + "; TMPDIR may name another folder");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tvp::foundation
