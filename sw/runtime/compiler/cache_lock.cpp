#include "sw/runtime/compiler/cache_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

namespace tvp::runtime {

CacheLock::CacheLock(const std::string& path, Kind kind, double seconds)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0 && kind == Kind::kShared) file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) return;
  // flock() waits forever or not at all. A time limit therefore needs polling.
  constexpr std::chrono::milliseconds kPause{5};
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const int operation = (kind == Kind::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (!(held_ = flock(file_, operation) == 0) && (errno == EWOULDBLOCK || errno == EINTR) &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kPause);
  }
}

CacheLock::~CacheLock() {
  if (file_ >= 0) close(file_);
}

std::string CacheLock::text() const {
  std::array<char, 256> part;
  const ssize_t bytes = held_ ? pread(file_, part.data(), part.size(), 0) : 0;
  return {part.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0};
}

void CacheLock::set_text(const std::string& text) const {
  if (!held_ || ftruncate(file_, 0) != 0) return;
  // The reader ignores a truncated text.
  [[maybe_unused]] const ssize_t written = pwrite(file_, text.data(), text.size(), 0);
}

}  // namespace tvp::runtime
