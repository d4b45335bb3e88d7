#include "sw/replay/played_host.h"

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::replay {

PlayedHost* PlayedHost::self_ = nullptr;

PlayedHost::PlayedHost(runtime::DeviceLibrary& library) {
  self_ = this;
  if (library.functions().set_dma_callbacks != nullptr) {
    library.functions().set_dma_callbacks(&PlayedHost::read, &PlayedHost::write);
  }
}

PlayedHost::~PlayedHost() { self_ = nullptr; }

void PlayedHost::hold(const foundation::HostMessage& message, const std::string& where) {
  memory_.write(message.address, message.data.data(), message.size);
  constexpr std::size_t kMost = foundation::KnownBytes::kMostPages;
  if (memory_.pages() <= kMost) return;
  throw foundation::Fault(
      foundation::FaultKind::kDescription, where,
      "HOST: expected at most " + std::to_string(kMost) + " different pages of 4 KiB");
}

void PlayedHost::check(const std::string& where) const {
  if (missing_.empty()) return;
  throw foundation::Fault(foundation::FaultKind::kDescription, where, missing_);
}

void PlayedHost::read(std::uint64_t address, void* to, std::uint32_t bytes) {
  auto* data = static_cast<std::uint8_t*>(to);
  if (self_ != nullptr && self_->memory_.read(address, data, bytes)) return;
  if (self_ == nullptr || !self_->missing_.empty()) return;
  self_->missing_ = "the chips read " + std::to_string(bytes) + " bytes of the host's memory at " +
                    foundation::hex(address) + ": expected an earlier HOST line that gives them";
}

void PlayedHost::write(std::uint64_t address, const void* from, std::uint32_t bytes) {
  if (self_ != nullptr)
    self_->memory_.write(address, static_cast<const std::uint8_t*>(from), bytes);
}

}  // namespace tvp::replay
