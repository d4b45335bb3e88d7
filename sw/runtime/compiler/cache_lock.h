#pragma once

#include <string>

namespace tvp::runtime {

/// A lock of a file in a cache, made when it is missing, while this object lives. Who cannot have
/// it in time goes on without: a stopped process is no reason for others to wait for ever, nor is a
/// folder that can only be read.
class CacheLock {
 public:
  enum class Kind { kShared, kAlone };
  CacheLock(const std::string& path, Kind kind, double seconds);
  ~CacheLock();
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;

  bool held() const { return held_; }
  /// The whole content; "" when it is not held.
  std::string text() const;
  /// Replaces the content; what the machine refuses is left.
  void set_text(const std::string& text) const;

 private:
  int file_;
  bool held_ = false;
};

}  // namespace tvp::runtime
