#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/core_mailboxes.h"
#include "models/tensix/tile/device_window.h"
#include "models/tensix/tile/pc_buffers.h"
#include "models/tensix/tile/tile_control.h"
#include "models/tensix/tile/tile_cores.h"

namespace tvp::tensix {

/// The targets of a Tensix tile's control registers (ISA SoftReset.md).
class ControlTargets : public TileControlClient {
 public:
  struct Connections {
    TileCores& cores;
    coprocessor::Coprocessor& coprocessor;
    CoreMailboxes& mailboxes;
    PcBuffers& pc_buffers;
    foundation::FaultPolicy& faults;
  };

  ControlTargets(const std::string& where, const Connections& to) : where_(where), to_(to) {}
  void connect(DeviceWindow& devices) { devices_ = &devices; }

  void soft_reset_changed(std::uint32_t before, std::uint32_t after, support::Cycle now,
                          unsigned order) override;
  void set_pc_buf_override(std::uint32_t value, support::Cycle now, unsigned order) override {
    to_.pc_buffers.set_override(value, now, order);
  }
  std::uint32_t pc_buf_override() const override { return to_.pc_buffers.override_bits(); }
  void set_feature_disable(std::uint32_t value) override;
  std::uint32_t config_word(std::uint32_t index) const override {
    return to_.coprocessor.config_word(index);
  }
  std::uint32_t* reset_pc_register(std::uint32_t offset) override;
  std::uint32_t dst_word(std::uint32_t row, std::uint32_t index) const override;

 private:
  void enter_reset(TileCore core, support::Cycle now, unsigned order);
  void leave_reset(TileCore core, support::Cycle now, unsigned order);
  std::uint32_t reset_pc(TileCore core) const;

  const std::string where_;
  const Connections to_;
  DeviceWindow* devices_ = nullptr;
};

}  // namespace tvp::tensix
