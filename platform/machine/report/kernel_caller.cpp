#include "platform/machine/report/kernel_caller.h"

#include "models/riscv/core.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

std::optional<riscv::SourceLocation> kernel_caller(riscv::Core& core,
                                                   const checks::CodeOwner& owner,
                                                   const SymbolTable& symbols) {
  constexpr unsigned kRa = 1, kSp = 2;
  constexpr std::uint32_t kMostOfStack = 1024;
  const auto call_before = [&](std::uint32_t at) -> std::optional<riscv::SourceLocation> {
    constexpr std::uint32_t kJal = 0x6F, kJalr = 0x67, kOpcode = 0x7F;
    std::uint32_t word = 0;
    if (at % 4 != 0 || !core.debug_read(at - 4, &word, sizeof word)) return {};
    const bool links = (word >> 7 & 31) == kRa;
    if (!links || ((word & kOpcode) != kJal && (word & kOpcode) != kJalr)) return {};
    auto place = symbols.place_of(owner, at - 4);
    return place && place->own() != nullptr ? place : std::nullopt;
  };
  if (auto place = call_before(core.reg(kRa))) return place;
  for (std::uint32_t offset = 0; offset < kMostOfStack; offset += 4) {
    std::uint32_t word = 0;
    if (!core.debug_read(core.reg(kSp) + offset, &word, sizeof word)) break;
    if (auto place = call_before(word)) return place;
  }
  return {};
}

}  // namespace tvp::platform
