#include "platform/cli/process/scratch_folder.h"

#include <cstdlib>
#include <filesystem>

#include "foundation/fault.h"

namespace tvp::cli {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  path_ = (fs::temp_directory_path() / "tensix-vp-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    throw foundation::Fault(foundation::FaultKind::kDescription, path_, "cannot be made");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tvp::cli
