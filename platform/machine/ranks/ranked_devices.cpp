#include "platform/machine/ranks/ranked_devices.h"

#include <algorithm>
#include <vector>

namespace tvp::platform {

const ChipDescription* RankedDevices::chip_of(unsigned device) const {
  const auto found = std::ranges::find_if(
      system_.chips, [&](const ChipDescription& chip) { return chip.pci_device == device; });
  return found == system_.chips.end() ? nullptr : &*found;
}

unsigned RankedDevices::rank_of(unsigned device) const {
  const ChipDescription* const chip = chip_of(device);
  return chip == nullptr ? ranks_.rank() : ranks_.owner_of(chip->id);
}

void RankedDevices::access_bar0(unsigned device, std::uint64_t offset, std::uint8_t* data,
                                std::uint32_t bytes, bool write) {
  const unsigned rank = rank_of(device);
  if (rank == ranks_.rank()) return mine_.access_bar0(device, offset, data, bytes, write);
  Message arguments;
  arguments.put(device).put(offset);
  access(rank, RankCall::kBar0, arguments, data, bytes, write);
}

void RankedDevices::access_bar2(unsigned device, std::uint64_t offset, std::uint8_t* data,
                                std::uint32_t bytes, bool write) {
  const unsigned rank = rank_of(device);
  if (rank == ranks_.rank()) return mine_.access_bar2(device, offset, data, bytes, write);
  Message arguments;
  arguments.put(device).put(offset);
  access(rank, RankCall::kBar2, arguments, data, bytes, write);
}

void RankedDevices::access_tile(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                                std::uint8_t* data, std::uint32_t bytes, bool write) {
  const unsigned rank = rank_of(device);
  if (rank == ranks_.rank()) return mine_.access_tile(device, x, y, address, data, bytes, write);
  Message arguments;
  arguments.put(device).put(address).put(x).put(y);
  access(rank, RankCall::kTile, arguments, data, bytes, write);
}

void RankedDevices::access(unsigned rank, RankCall call, Message& arguments, std::uint8_t* data,
                           std::uint32_t bytes, bool write) {
  arguments.put(write).put(bytes);
  if (write) {
    arguments.put_bytes(data, bytes);
    ranks_.changed();
    ranks_.post(rank, call, arguments);
  } else {
    ranks_.ask(rank, call, arguments).get_bytes(data, bytes);
  }
}

void RankedDevices::serve(DeviceAccess& mine, RankCall call, Message& arguments, Message& result,
                          bool& has_answer) {
  const auto device = arguments.get<unsigned>();
  const auto at = arguments.get<std::uint64_t>();
  unsigned x = 0, y = 0;
  if (call == RankCall::kTile) {
    x = arguments.get<unsigned>();
    y = arguments.get<unsigned>();
  }
  const bool write = arguments.get<bool>();
  has_answer = !write;
  const auto bytes = arguments.get<std::uint32_t>();
  std::vector<std::uint8_t> read(write ? 0 : bytes);
  std::uint8_t* const data = write ? arguments.take(bytes) : read.data();
  if (call == RankCall::kBar0) {
    mine.access_bar0(device, at, data, bytes, write);
  } else if (call == RankCall::kBar2) {
    mine.access_bar2(device, at, data, bytes, write);
  } else {
    mine.access_tile(device, x, y, at, data, bytes, write);
  }
  result.put_bytes(read.data(), read.size());
}

}  // namespace tvp::platform
