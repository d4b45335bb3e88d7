#pragma once

#include <string>

namespace tvp::cli {

/// A folder of its own, gone at the end. Throws HostError if there can be none.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tvp::cli
