#pragma once

#include <string>
#include <string_view>

#include "foundation/output_file.h"

namespace tvp::foundation {

/// A new file beside `path`, which becomes `path` when it is complete. Its name is random and the
/// file did not exist before, so no other process can prepare a file or symbolic link there. The
/// destructor removes a file that was not published.
class ScratchFile {
 public:
  /// Throws HostError or Fault(kDescription) like OutputFile.
  explicit ScratchFile(std::string path);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void write(std::string_view text) { file_.write(text); }
  /// Renames the file to `path` after its last byte is written. A reader of `path` sees either the
  /// old or the new content. The rename replaces a symbolic link at `path` and does not follow it.
  void publish();

 private:
  std::string path_;
  OutputFile file_;
};

}  // namespace tvp::foundation
