#include "models/support/wave_files/memory_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

namespace tvp::support {

namespace {

/// Descriptors by the name under which the library opened them.
std::map<std::string, int>& files() {
  static std::map<std::string, int> all;
  return all;
}

/// True if a write since the last take_memory_file() failed, for example at a size limit.
bool lost = false;

void forget(const std::string& name) {
  const auto found = files().find(name);
  if (found == files().end()) return;
  close(found->second);
  files().erase(found);
}

/// errno of the last file that could not be created.
int refused = ENOMEM;

int new_memory() {
  const int memory = memfd_create("tensix-vp", MFD_CLOEXEC);
  if (memory < 0) refused = errno;
  return memory;
}

std::FILE* open_memory(int memory) {
  if (memory < 0) return nullptr;
  std::FILE* const file = fdopen(memory, "w+b");
  if (file == nullptr) close(memory);
  return file;
}

}  // namespace

foundation::HostError no_memory_file(const std::string& name) {
  return {name, "the waves cannot be kept: " + foundation::reason_of(refused)};
}

std::string take_memory_file(const std::string& name) {
  const auto found = files().find(name);
  struct stat info {};
  if (found == files().end() || fstat(found->second, &info) != 0) {
    throw no_memory_file(name);
  }
  if (std::exchange(lost, false)) {
    forget(name);
    throw foundation::HostError(name, std::string("the waves do not fit: ") + std::strerror(EFBIG));
  }
  std::string content(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = pread(found->second, content.data() + done, content.size() - done,
                            static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw foundation::HostError(name, std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
  forget(name);
  return content;
}

}  // namespace tvp::support

// Replacements of C library functions for the FST library (CMakeLists.txt).
extern "C" {

std::FILE* tvp_fst_fopen(const char* name, const char* mode) {
  if (*mode == 'r') return std::fopen(name, mode);
  const int memory = tvp::support::new_memory();
  if (memory < 0) return nullptr;
  tvp::support::forget(name);
  const int kept = fcntl(memory, F_DUPFD_CLOEXEC, 0);
  if (kept < 0) {
    tvp::support::refused = errno;
    close(memory);
    return nullptr;
  }
  tvp::support::files()[name] = kept;
  return tvp::support::open_memory(memory);
}

std::FILE* tvp_fst_tmpfile() { return tvp::support::open_memory(tvp::support::new_memory()); }

int tvp_fst_fclose(std::FILE* file) {
  const bool whole = std::ferror(file) == 0;
  const int result = std::fclose(file);
  if (!whole || result != 0) tvp::support::lost = true;
  return result;
}

/// A file that could not grow has no memory to map.
void* tvp_fst_mmap(void* address, std::size_t bytes, int protection, int flags, int file,
                   off_t offset) {
  struct stat info {};
  if (fstat(file, &info) == 0 && info.st_size < offset + static_cast<off_t>(bytes)) {
    tvp::support::lost = true;
    return mmap(address, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  return mmap(address, bytes, protection, flags, file, offset);
}

int tvp_fst_unlink(const char* name) {
  tvp::support::forget(name);
  return 0;
}

}  // extern "C"
