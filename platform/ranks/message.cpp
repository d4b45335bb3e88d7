#include "platform/ranks/message.h"

#include "foundation/fault.h"

namespace tvp::platform {

std::string Message::get_text() {
  const auto size = get<std::uint32_t>();
  return {reinterpret_cast<const char*>(take(size)), size};
}

std::uint8_t* Message::take(std::size_t size) {
  if (size > bytes_.size() - read_)
    throw foundation::Fault(foundation::FaultKind::kInternal, "mpi",
                            "a message of " + std::to_string(bytes_.size()) +
                                " bytes ends too early: expected " + std::to_string(size) +
                                " more at " + std::to_string(read_));
  std::uint8_t* const at = bytes_.data() + read_;
  read_ += size;
  return at;
}

}  // namespace tvp::platform
