#pragma once
// Calls `Release` at the end of a scope.

template <typename Release>
class Lock {
 public:
  explicit Lock(Release release) : release_(release) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { release_(); }

 private:
  Release release_;
};
