#pragma once

#include <fcntl.h>

#include <string>
#include <string_view>

namespace tvp::foundation {

/// A file that is written from its beginning to its end. No byte is lost without a word: whatever
/// the operating system refuses, at once or at the end, throws HostError with the file and the
/// reason.
class OutputFile {
 public:
  OutputFile() = default;
  /// Creates the file, or empties the one that is there. Throws Fault(kDescription) when the name
  /// cannot be one of a file to write.
  explicit OutputFile(const std::string& path) : OutputFile(path, O_TRUNC) {}
  /// Creates a file that did not exist, named `path` and random letters.
  static OutputFile create_beside(const std::string& path);
  /// Closes; what is lost then is lost silently, so call close() before.
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;

  bool is_open() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  void write(std::string_view text);
  /// Hands all bytes written so far to the operating system.
  void flush();
  /// Waits until it is on the medium, where there is one.
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

/// Before a run that may take long: throws what writing `what` there would. Leaves no file behind
/// that was not there.
void check_writable(const std::string& file, const char* what);

/// The whole content of a file.
void write_file(const std::string& path, std::string_view text);
/// The whole content of a file, in one step (ScratchFile).
void replace_file(const std::string& path, std::string_view text);

}  // namespace tvp::foundation
