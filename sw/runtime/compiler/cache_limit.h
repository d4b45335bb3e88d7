#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/compiler/cache_lock.h"
#include "sw/runtime/compiler/cache_scratch.h"

namespace tvp::runtime {

/// Keeps a cache below a size. It removes the least recently used entries, but none that a living
/// process has used. Processes count the bytes that they add, so a process scans the whole cache
/// only after it has grown by a good part of the limit.
class CacheLimit {
 public:
  static constexpr std::uint64_t kUsualBytes = std::uint64_t{4} << 30;

  /// $TENSIX_VP_CACHE_LIMIT, or nothing for "none". Throws Fault(kDescription).
  static std::optional<std::uint64_t> from_environment();
  /// "4 GiB", "1.5 GB", "none". Throws Fault(kDescription) with `where`.
  static std::optional<std::uint64_t> parse(const std::string& text, const std::string& where);

  CacheLimit(std::string cache, std::optional<std::uint64_t> bytes);

  /// While it lives, no entry is removed: for the time between the lookup of an entry and its mark.
  CacheLock lookup() const;
  /// Marks the entry as used by this process, which began at that time.
  void mark(const std::string& entry, std::int64_t since_ns) const;
  /// Counts bytes that were added to the cache.
  void add(std::uint64_t bytes) const;
  /// Removes entries if the cache has grown beyond the limit. `trash` returns a new folder name of
  /// a process that is marked as a user. `waiting` is called regularly and may throw.
  void hold(const std::function<std::string()>& trash, const std::function<void()>& waiting) const;

  /// Bytes on the medium.
  static std::uint64_t bytes_of(const std::string& entry);

 private:
  struct Entry {
    std::int64_t used_ns;
    std::uint64_t bytes;
    std::string path;
  };
  /// Size of the cache, stored in a file there.
  struct Count {
    std::uint64_t bytes = 0;
    std::uint64_t limit = 0;       ///< limit of the process that scanned last
    std::uint64_t look_again = 0;  ///< size at which the next scan is due
  };

  std::string count_path() const { return cache_ + "/size"; }
  static std::optional<Count> read_count(const CacheLock& file);
  static void write_count(const CacheLock& file, const Count& count);
  std::vector<Entry> entries(const std::function<void()>& waiting) const;
  /// Moves the oldest entries to the trash until `most` bytes are left. Returns the remaining
  /// bytes.
  std::uint64_t take_away(std::vector<Entry> entries, std::uint64_t bytes, std::uint64_t most,
                          const std::function<std::string()>& trash,
                          std::vector<std::string>& taken) const;

  std::string cache_;
  std::optional<std::uint64_t> bytes_;
};

}  // namespace tvp::runtime
