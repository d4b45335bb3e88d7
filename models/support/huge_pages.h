#pragma once

#include <cstddef>

namespace tvp::support {

/// Memory on huge pages for the objects that a run uses all the time. With 64 busy tiles on small
/// pages, the objects exceed the host's TLBs.
///
/// Thread-safe: chips that run at the same time allocate from the same pages.
class HugePages {
 public:
  /// Size of a page. Larger objects come from the heap.
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;
  static constexpr std::size_t kAlignment = 64;

  /// Throws std::bad_alloc if there is no memory.
  static void* allocate(std::size_t bytes);
  static void release(void* object, std::size_t bytes) noexcept;
  /// Number of huge pages in use.
  static std::size_t pages();
};

/// Base of classes whose objects `new` allocates there.
struct OnHugePages {
  static void* operator new(std::size_t bytes) { return HugePages::allocate(bytes); }
  static void* operator new(std::size_t, void* place) noexcept { return place; }
  static void operator delete(void* object, std::size_t bytes) noexcept {
    HugePages::release(object, bytes);
  }
};

}  // namespace tvp::support
