#include "models/support/huge_pages.h"

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tvp::support {

namespace {

/// Header of a page; objects follow it.
struct alignas(HugePages::kAlignment) Page {
  std::size_t used = sizeof(Page);
  std::size_t objects = 0;
};

constexpr std::size_t kLargest = HugePages::kPageBytes - sizeof(Page);

std::mutex using_pages;
Page* current = nullptr;  ///< receives the new objects
std::size_t count = 0;

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + HugePages::kAlignment - 1) / HugePages::kAlignment * HugePages::kAlignment;
}

Page* page_of(void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  return reinterpret_cast<Page*>(address / HugePages::kPageBytes * HugePages::kPageBytes);
}

Page* new_page() {
  void* memory = std::aligned_alloc(HugePages::kPageBytes, HugePages::kPageBytes);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(memory, HugePages::kPageBytes, MADV_HUGEPAGE);  // only a hint: small pages work too
#endif
  ++count;
  return new (memory) Page;
}

void free_page(Page* page) {
  --count;
  std::free(page);
}

}  // namespace

void* HugePages::allocate(std::size_t bytes) {
  if (rounded(bytes) > kLargest) return ::operator new (bytes, std::align_val_t{kAlignment});
  const std::lock_guard lock(using_pages);
  if (current == nullptr || current->used + rounded(bytes) > kPageBytes) {
    Page* const full = current;
    current = new_page();
    if (full != nullptr && full->objects == 0) free_page(full);
  }
  void* object = reinterpret_cast<char*>(current) + current->used;
  current->used += rounded(bytes);
  ++current->objects;
  return object;
}

void HugePages::release(void* object, std::size_t bytes) noexcept {
  if (object == nullptr) return;
  if (rounded(bytes) > kLargest) return ::operator delete (object, std::align_val_t{kAlignment});
  const std::lock_guard lock(using_pages);
  Page* const page = page_of(object);
  if (--page->objects != 0) return;
  if (page == current) current = nullptr;
  free_page(page);
}

std::size_t HugePages::pages() {
  const std::lock_guard lock(using_pages);
  return count;
}

}  // namespace tvp::support
