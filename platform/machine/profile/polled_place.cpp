#include "platform/machine/profile/polled_place.h"

#include "foundation/regs/overlay.h"
#include "foundation/regs/pim.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::platform {

namespace {

namespace overlay_regs = regs::overlay;
namespace unit_regs = regs::pim;
namespace tensix_regs = regs::tensix_tile;

constexpr std::uint32_t kRegisters = 0xFF000000;  ///< memory lies below
constexpr std::uint32_t kCircularBuffers = 32;
constexpr std::uint32_t kNiuBytes = 0x10000;
constexpr std::uint32_t kConfigEnd = 0xFFF00000;

Spent spent_in_unit(std::uint32_t address) {
  switch (address / unit_regs::kWindowBytes * unit_regs::kWindowBytes) {
    case unit_regs::kDma:
      return Spent::kDma;
    case unit_regs::kStop:
      return Spent::kNoc;
    case unit_regs::kBarrier:
      return Spent::kSemaphore;
    default:
      return Spent::kOther;
  }
}

/// The streams of circular buffers count pages. Others count the free slots of a receiver.
Spent spent_at_stream(std::uint32_t offset) {
  const std::uint32_t index = offset % overlay_regs::kStreamStride / 4;
  const bool counts_pages =
      index == overlay_regs::kRemoteDestBufSize || index == overlay_regs::kRemoteDestBufStart;
  return counts_pages && offset / overlay_regs::kStreamStride < kCircularBuffers ? Spent::kBuffer
                                                                                 : Spent::kCredit;
}

}  // namespace

Spent spent_at(std::uint32_t address, bool is_pim) {
  if (address < kRegisters) return Spent::kSemaphore;
  if (is_pim) return spent_in_unit(address);
  if (address >= tensix_regs::kNiu0 && address < tensix_regs::kNiu1 + kNiuBytes) return Spent::kNoc;
  if (address >= tensix_regs::kOverlay && address < tensix_regs::kOverlayEnd)
    return spent_at_stream(address - tensix_regs::kOverlay);
  if (address >= tensix_regs::kMopConfig &&
      address < tensix_regs::kMopConfig + tensix_regs::kMopConfigBytes)
    return Spent::kCoprocessor;
  // Registers of ethernet tiles lie between the coprocessor's.
  if (address > tensix_regs::kMopConfig && address < tensix_regs::kIram) return Spent::kCredit;
  if (address >= tensix_regs::kGprs && address < kConfigEnd) return Spent::kCoprocessor;
  return address / unit_regs::kWindowBytes * unit_regs::kWindowBytes == tensix_regs::kTdma
             ? Spent::kCoprocessor
             : Spent::kOther;
}

}  // namespace tvp::platform
