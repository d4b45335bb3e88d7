#include "foundation/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "foundation/host_error.h"
#include "foundation/scratch/scratch_file.h"

namespace tvp::foundation {

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

}  // namespace

OutputFile::OutputFile(const std::string& path, int flags) : path_(path) {
  do {
    file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  } while (file_ < 0 && errno == EINTR);
  if (file_ < 0) throw_errno(path, "cannot be written", errno);
}

OutputFile OutputFile::create_beside(const std::string& path) {
  OutputFile file;
  file.path_ = path + ".XXXXXX";
  file.file_ = mkostemp(file.path_.data(), O_CLOEXEC);
  if (file.file_ < 0) throw_errno(path, "cannot be written", errno);
  // mkostemp gives rights to the owner only. A published file has the usual rights.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file.file_, 0666 & ~mask);
  return file;
}

OutputFile::~OutputFile() { drop(); }

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

void OutputFile::drop() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void OutputFile::fail(const char* what) const {
  throw HostError(path_, std::string(what) + ": " + reason_of(errno));
}

void OutputFile::write(std::string_view text) {
  if (buffer_.empty() && text.size() < kBufferBytes) buffer_.reserve(kBufferBytes);
  buffer_.append(text);
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t n = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      buffer_.clear();  // a second close() must not write them again
      fail("cannot be written to its end");
    }
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void OutputFile::sync() {
  flush();
  // Pipes and devices cannot be synchronized.
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot be written to its end");
}

void OutputFile::close() {
  if (file_ < 0) return;
  try {
    flush();
  } catch (...) {
    drop();
    throw;
  }
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0 && errno != EINTR) fail("cannot be written to its end");
}

void check_writable(const std::string& file, const char* what) {
  const int created = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = errno;
  int opened = created;
  if (created < 0 && error == EEXIST) {
    opened = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    error = errno;
  }
  if (opened >= 0) close(opened);
  if (created >= 0) unlink(file.c_str());
  if (opened >= 0 || error == ENXIO) return;  // ENXIO: a pipe without a reader yet
  throw_errno("", std::string("cannot write ") + what + " to " + file, error);
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

void replace_file(const std::string& path, std::string_view text) {
  ScratchFile file(path);
  file.write(text);
  file.publish();
}

}  // namespace tvp::foundation
