#pragma once

#include <string>

namespace tvp::runtime {

/// A lock of a file in a cache for the lifetime of this object. It creates a missing file. A
/// process that cannot get the lock in time continues without it. It must not wait forever for a
/// stopped process or in a read-only folder.
class CacheLock {
 public:
  enum class Kind { kShared, kAlone };
  CacheLock(const std::string& path, Kind kind, double seconds);
  ~CacheLock();
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;

  bool held() const { return held_; }
  /// The whole content, or "" if the lock is not held.
  std::string text() const;
  /// Replaces the content. Ignores failures of the machine.
  void set_text(const std::string& text) const;

 private:
  int file_;
  bool held_ = false;
};

}  // namespace tvp::runtime
