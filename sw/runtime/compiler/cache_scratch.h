#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace tvp::runtime {

/// A folder in a cache for the unfinished files of this process. It is locked while the process
/// lives. Other processes therefore see that it is in use and since when, and recognize the folder
/// of a killed process.
class CacheScratch {
 public:
  /// Throws HostError.
  explicit CacheScratch(const std::string& cache);
  ~CacheScratch();
  CacheScratch(const CacheScratch&) = delete;
  CacheScratch& operator=(const CacheScratch&) = delete;

  /// A new path in the folder.
  std::string new_path();
  /// Creation time by this machine's clock.
  std::int64_t since_ns() const { return since_ns_; }

 private:
  bool make(const std::string& cache);

  std::int64_t since_ns_;
  std::string path_;
  int lock_ = -1;
  pid_t owner_ = -1;
  unsigned count_ = 0;
};

/// Removes the folders of dead processes from a cache.
void remove_leftovers(const std::string& cache);

/// Start time of the oldest process that uses a cache now. Returns 0 if it is unknown for one of
/// them, and the largest number if there is none.
std::int64_t oldest_user_ns(const std::string& cache);

}  // namespace tvp::runtime
