#pragma once

#include <string>

namespace tvp::foundation {

/// A new folder in the system's temporary folder, with a random name and accessible to its owner
/// only. The destructor removes it with its content.
class ScratchFolder {
 public:
  /// Throws HostError if the folder cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tvp::foundation
