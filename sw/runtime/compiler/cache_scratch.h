#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace tvp::runtime {

/// A folder in a cache for what is not finished yet, of this process alone; locked while it lives,
/// so that others see that somebody works there and since when, and what a killed process has left
/// is told from that.
class CacheScratch {
 public:
  /// Throws HostError.
  explicit CacheScratch(const std::string& cache);
  ~CacheScratch();
  CacheScratch(const CacheScratch&) = delete;
  CacheScratch& operator=(const CacheScratch&) = delete;

  /// A new path in it.
  std::string new_path();
  /// When it was made, by this machine's clock.
  std::int64_t since_ns() const { return since_ns_; }

 private:
  bool make(const std::string& cache);

  std::int64_t since_ns_;
  std::string path_;
  int lock_ = -1;
  pid_t owner_ = -1;
  unsigned count_ = 0;
};

/// Removes what processes that are gone have left in a cache.
void remove_leftovers(const std::string& cache);

/// When the first of those began that are at work in a cache now; 0 when one of them does not tell,
/// the largest number when there is none.
std::int64_t oldest_user_ns(const std::string& cache);

}  // namespace tvp::runtime
