#include "platform/cli/process/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "foundation/host_error.h"

namespace tvp::cli {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  path_ = (fs::temp_directory_path() / "tensix-vp-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    throw foundation::HostError(path_, "cannot be created: " + foundation::reason_of(errno) +
                                           "; TMPDIR may name another folder");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tvp::cli
