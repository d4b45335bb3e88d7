#pragma once

#include <sys/types.h>

#include <string>

namespace tvp::runtime {

/// A folder in a cache for what is not finished yet, of this process alone; locked while it lives,
/// so that others see that somebody works there, and what a killed process has left is told from
/// that.
class CacheScratch {
 public:
  /// Throws HostError.
  explicit CacheScratch(const std::string& cache);
  ~CacheScratch();
  CacheScratch(const CacheScratch&) = delete;
  CacheScratch& operator=(const CacheScratch&) = delete;

  /// A new path in it.
  std::string new_path();

 private:
  bool make(const std::string& cache);

  std::string path_;
  int lock_ = -1;
  pid_t owner_ = -1;
  unsigned count_ = 0;
};

/// Removes what processes that are gone have left in a cache.
void remove_leftovers(const std::string& cache);

}  // namespace tvp::runtime
