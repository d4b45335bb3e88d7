#include "sw/runtime/cache_scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "foundation/host_error.h"

namespace tvp::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "scratch-";

/// The folder, locked; -1 when somebody else has it, or it is gone.
int lock(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat info {};
  // Gone when somebody removed it between the two calls.
  if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &info) == 0 && info.st_nlink > 0) {
    return file;
  }
  close(file);
  return -1;
}

}  // namespace

CacheScratch::CacheScratch(const std::string& cache) : owner_(getpid()) {
  while (!make(cache)) {
  }
}

/// False when another process has taken the new folder for one of a process that is gone.
bool CacheScratch::make(const std::string& cache) {
  path_ = cache + "/" + kPrefix + "XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    throw foundation::HostError(cache, std::string("the kernel cache cannot be written: ") +
                                           std::strerror(errno) +
                                           " (TENSIX_VP_CACHE names another)");
  }
  lock_ = lock(path_);
  return lock_ >= 0;
}

CacheScratch::~CacheScratch() {
  // A process that was forked has a copy of this object, and no right to the folder.
  if (getpid() == owner_) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  close(lock_);
}

std::string CacheScratch::new_path() { return path_ + "/" + std::to_string(count_++); }

void remove_leftovers(const std::string& cache) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache, error)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const int locked = lock(entry.path().string());
    if (locked < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
    close(locked);
  }
}

}  // namespace tvp::runtime
