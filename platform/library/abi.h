#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "platform/library/kernel.h"
#include "platform/library/session.h"

#define TVP_EXPORT __attribute__((visibility("default")))

namespace tvp::platform {

/// The body of an exported function. An exception stops the session, becomes the text of
/// tensix_vp_last_error and makes the function return `refused`. Calls of several threads take
/// turns. A nested call of one thread, for example from a DMA callback, does not wait.
template <typename Result, typename Work>
Result answer(Result refused, const Work& work) noexcept {
  try {
    const Kernel::Inside turn(nullptr);
    try {
      return work();
    } catch (...) {
      Session::instance().record_current();
    }
  } catch (...) {
    // No session could be made.
  }
  return refused;
}

/// The same for a function without a result.
template <typename Work>
void act(const Work& work) noexcept {
  answer(0, [&] {
    work();
    return 0;
  });
}

/// A string of the host's. Throws Fault(kDescription) for a null pointer.
inline std::string text_from(const char* text, const char* what) {
  if (text != nullptr) return text;
  throw foundation::Fault(foundation::FaultKind::kDescription, "host",
                          std::string("a null pointer as ") + what);
}

/// Throws Fault(kDescription) for a null or misaligned pointer.
template <typename Object>
void require(const Object* pointer, const char* what) {
  using foundation::Fault, foundation::FaultKind;
  if (pointer == nullptr)
    throw Fault(FaultKind::kDescription, "host", std::string("a null pointer as ") + what);
  if constexpr (!std::is_void_v<Object>) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(Object) != 0)
      throw Fault(FaultKind::kDescription, "host",
                  std::string("a pointer as ") + what + " that is no multiple of " +
                      std::to_string(alignof(Object)));
  }
}

/// Copies as much of a text as fits into the host's buffer, with a zero at the end. Returns the
/// length of the whole text.
inline std::uint32_t copy_out(const std::string& text, char* buffer, std::uint32_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t n = std::min<std::size_t>(text.size(), size - 1);
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  return static_cast<std::uint32_t>(text.size());
}

}  // namespace tvp::platform
