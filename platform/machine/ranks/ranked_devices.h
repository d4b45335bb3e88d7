#pragma once

#include "platform/machine/device_access.h"
#include "platform/machine/ranks/chip_ranks.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// The devices of all ranks, for the host at rank 0.
class RankedDevices : public DeviceAccess {
 public:
  /// `mine`: the devices of rank 0.
  RankedDevices(DeviceAccess& mine, ChipRanks& ranks, const SystemDescription& system)
      : mine_(mine), ranks_(ranks), system_(system) {}

  bool has_device(unsigned device) const override { return chip_of(device) != nullptr; }
  const foundation::ChipSpec::Pcie& bars_of(unsigned device) const override {
    return chip_of(device)->spec->bars;
  }
  void set_host_memory(host::HostMemory& memory) override { mine_.set_host_memory(memory); }
  void set_listener(unsigned device, host::AccessListener& listener) override {
    mine_.set_listener(device, listener);
  }
  void pass_host_time(unsigned device, std::uint32_t bytes, bool write) override {
    mine_.pass_host_time(device, bytes, write);
  }
  void access_bar0(unsigned device, std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write) override;
  void access_bar2(unsigned device, std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write) override;
  void access_tile(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                   std::uint8_t* data, std::uint32_t bytes, bool write) override;

  /// Does an access of rank 0, which waits for an answer to a read only.
  static void serve(DeviceAccess& mine, RankCall call, Message& arguments, Message& result,
                    bool& has_answer);

 private:
  const ChipDescription* chip_of(unsigned device) const;
  /// The rank of a device that is not here; the own one otherwise.
  unsigned rank_of(unsigned device) const;
  void access(unsigned rank, RankCall call, Message& arguments, std::uint8_t* data,
              std::uint32_t bytes, bool write);

  DeviceAccess& mine_;
  ChipRanks& ranks_;
  const SystemDescription& system_;
};

}  // namespace tvp::platform
