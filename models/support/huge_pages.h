#pragma once

#include <cstddef>

namespace tvp::support {

/// Memory for the objects that a run touches all the time, side by side on the host's big pages:
/// with 64 busy tiles, small pages of theirs are more than the host's translation buffers hold.
///
/// For any thread: chips that run at the same time get new objects from the same pages.
class HugePages {
 public:
  /// Size of a page. Larger objects come from the heap.
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;
  static constexpr std::size_t kAlignment = 64;

  /// Throws std::bad_alloc when there is none.
  static void* allocate(std::size_t bytes);
  static void release(void* object, std::size_t bytes) noexcept;
  /// Big pages in use.
  static std::size_t pages();
};

/// Base of classes whose objects, where `new` makes them, lie there.
struct OnHugePages {
  static void* operator new(std::size_t bytes) { return HugePages::allocate(bytes); }
  static void* operator new(std::size_t, void* place) noexcept { return place; }
  static void operator delete(void* object, std::size_t bytes) noexcept {
    HugePages::release(object, bytes);
  }
};

}  // namespace tvp::support
