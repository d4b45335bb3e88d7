#pragma once

#include <array>
#include <cstdint>

#include "models/support/probe.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/pack/packers.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Reports configuration that changes while an unpacker or a packer still works with it. The model
/// looks at all of it when an instruction starts; hardware's data path looks as long as data flows.
///
/// Only what that path needs: formats, how data is routed and treated. Addresses, sizes and strides
/// are taken at the start, which published firmware builds on.
class ConfigReports {
 public:
  enum Reader : unsigned { kUnpacker0, kUnpacker1, kPackers, kReaders };

  ConfigReports(const L1Port& l1, const Unpackers& unpackers, const Packers& packers,
                const BackendConfig& config)
      : l1_(l1), unpackers_(unpackers), packers_(packers), config_(config) {}

  /// The reader has begun with the instruction.
  void started(Reader reader, std::uint32_t instruction, unsigned thread) {
    latest_[reader] = {.instruction = instruction, .thread = thread};
  }
  /// A word is about to become `value` at `now`.
  void changes(unsigned bank, unsigned index, std::uint32_t value, Cycle now) const {
    const std::uint32_t changed = config_.bank[bank][index] ^ value;
    if ((changed & kReadByAny[index]) == 0) [[likely]]
      return;
    const support::Probe* const probe = l1_.probe();
    if (probe != nullptr && probe->wants(support::ProbeEvent::Kind::kReconfigured))
      report(*probe, bank, index, changed, now);
  }

 private:
  using Bits = std::array<std::uint32_t, BackendConfig::kBankWords>;

  void report(const support::Probe& probe, unsigned bank, unsigned index, std::uint32_t changed,
              Cycle now) const;
  Cycle busy_until(unsigned reader, unsigned thread) const;

  static const std::array<Bits, kReaders> kRead;
  static const Bits kReadByAny;

  const L1Port& l1_;
  const Unpackers& unpackers_;
  const Packers& packers_;
  const BackendConfig& config_;
  std::array<support::Offered, kReaders> latest_;
};

}  // namespace tvp::tensix::coprocessor
