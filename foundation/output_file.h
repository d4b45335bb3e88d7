#pragma once

#include <fcntl.h>

#include <string>
#include <string_view>

namespace tvp::foundation {

/// A file that is written once from begin to end. If the operating system refuses a byte, at once
/// or at the end, a HostError names the file and the reason.
class OutputFile {
 public:
  OutputFile() = default;
  /// Creates or truncates the file. Throws Fault(kDescription) if the name cannot be that of a file
  /// to write.
  explicit OutputFile(const std::string& path) : OutputFile(path, O_TRUNC) {}
  /// Creates a new file named `path` plus random letters.
  static OutputFile create_beside(const std::string& path);
  /// Closes without reporting errors, so call close() before.
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  bool is_open() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  void write(std::string_view text);
  /// Passes all bytes written so far to the operating system.
  void flush();
  /// Waits until the bytes are on the storage device, if there is one.
  void sync();
  void close();

 private:
  OutputFile(const std::string& path, int flags);
  void drop();
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  int file_ = -1;
  std::string buffer_;
};

/// Throws now what writing `what` to the file would throw after a long run. Leaves no new file
/// behind.
void check_writable(const std::string& file, const char* what);

void write_file(const std::string& path, std::string_view text);
/// Replaces the file in one step (ScratchFile).
void replace_file(const std::string& path, std::string_view text);

}  // namespace tvp::foundation
