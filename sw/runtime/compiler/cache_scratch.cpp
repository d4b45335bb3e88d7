#include "sw/runtime/compiler/cache_scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "foundation/host_error.h"
#include "sw/runtime/compiler/file_time.h"

namespace tvp::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "scratch-";

/// Results of lock() other than a lock: another process has it, or the folder is gone.
constexpr int kTaken = -1;
constexpr int kNoLocks = -2;     ///< the file system has no locks; errno has the reason
constexpr int kCannotOpen = -3;  ///< perhaps no folder can be opened; errno has the reason

int lock(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? kTaken : kCannotOpen;
  int result = kTaken;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) {
    struct stat info {};
    // The link count is zero if another process removed the file between the two calls.
    if (fstat(file, &info) == 0 && info.st_nlink > 0) return file;
  } else if (errno != EWOULDBLOCK && errno != EINTR) {
    result = kNoLocks;
  }
  const int error = errno;
  close(file);
  errno = error;
  return result;
}

[[noreturn]] void cannot_write(const std::string& cache, const char* what) {
  throw foundation::HostError(cache, std::string("the kernel cache cannot be ") + what + ": " +
                                         foundation::reason_of(errno) +
                                         " (TENSIX_VP_CACHE names another)");
}

/// Time in the name of a folder, or 0.
std::int64_t since_of(const std::string& name) {
  const char* const begin = name.data() + std::string(kPrefix).size();
  const char* const end = name.data() + name.size();
  std::int64_t ns = 0;
  const auto [stop, error] = std::from_chars(begin, end, ns);
  return error == std::errc() && stop != end && *stop == '-' ? ns : 0;
}

/// Names of scratch folders among the thousands of entries of a cache. It runs at every start of a
/// program, so it does not create std::filesystem paths.
std::vector<std::string> scratch_folders(const std::string& cache) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(cache.c_str()), closedir);
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder.get())) {
    if (std::string_view(entry->d_name).starts_with(kPrefix)) names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

CacheScratch::CacheScratch(const std::string& cache)
    : since_ns_(file_time_now_ns()), owner_(getpid()) {
  while (!make(cache)) {
  }
}

/// Returns false if another process has taken the new folder for that of a dead process.
bool CacheScratch::make(const std::string& cache) {
  path_ = cache + "/" + kPrefix + std::to_string(since_ns_) + "-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) cannot_write(cache, "written");
  lock_ = lock(path_);
  if (lock_ == kNoLocks || lock_ == kCannotOpen) {
    const int error = errno;
    rmdir(path_.c_str());
    errno = error;
    cannot_write(cache, lock_ == kNoLocks ? "kept where folders cannot be locked" : "opened");
  }
  return lock_ >= 0;
}

CacheScratch::~CacheScratch() {
  // A forked process has a copy of this object and must not remove the folder.
  if (getpid() == owner_) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  close(lock_);
}

std::string CacheScratch::new_path() { return path_ + "/" + std::to_string(count_++); }

void remove_leftovers(const std::string& cache) {
  for (const std::string& name : scratch_folders(cache)) {
    const std::string path = cache + "/" + name;
    const int locked = lock(path);
    if (locked < 0) continue;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    close(locked);
  }
}

std::int64_t oldest_user_ns(const std::string& cache) {
  std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
  for (const std::string& name : scratch_folders(cache)) {
    const int locked = lock(cache + "/" + name);
    if (locked >= 0) {
      close(locked);
    } else {
      oldest = std::min(oldest, since_of(name));
    }
  }
  return oldest;
}

}  // namespace tvp::runtime
