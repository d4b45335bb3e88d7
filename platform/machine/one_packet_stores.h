#pragma once

#include <vector>

#include "models/noc/packet_promise.h"
#include "models/riscv/core.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Knows the cores of a tile and what they execute: a store of `noc_send_one_packet`
/// (firmware/api/internal/noc_nonblocking_api.h) starts a request that counts as one packet. The
/// debug information tells, so that no instruction of the firmware is spent on it.
class OnePacketStores : public noc::PacketPromise {
 public:
  OnePacketStores(const SymbolTable& symbols, unsigned chip, unsigned x, unsigned y)
      : symbols_(symbols), chip_(chip), x_(x), y_(y) {}
  /// `kind` is its tensix_vp_core.
  void add(const riscv::Core& core, unsigned kind) { cores_.push_back({&core, kind}); }

  bool counts_one_packet(support::BusMaster core) const override;

 private:
  struct KnownCore {
    const riscv::Core* core;
    unsigned kind;
  };
  const SymbolTable& symbols_;
  const unsigned chip_;
  const unsigned x_;
  const unsigned y_;
  std::vector<KnownCore> cores_;
};

}  // namespace tvp::platform
