#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "foundation/regs/pim.h"
#include "models/pim/network/star_network.h"

namespace tvp::pim::test {

/// Participants of a star that send as fast as the network accepts.
class StarBench {
 public:
  struct Unit : NetworkEndpoint {
    void deliver(const Packet& packet, support::Cycle when) override {
      packets.push_back(packet);
      times.push_back(when);
    }
    void injection_credit(support::Cycle) override {}
    void lost(const Packet&, const std::string& why) override { lost_why.push_back(why); }
    std::uint64_t tag_of_copy(const Packet& packet, unsigned destination) override {
      ++tags;
      return packet.tag + destination;
    }
    void combined(const Packet&, std::span<const std::uint8_t> result) override {
      results.emplace_back(result.begin(), result.end());
    }
    void absorbed(const Packet&) override { ++absorbed_packets; }

    std::deque<Packet> to_send;
    std::vector<Packet> packets;
    std::vector<support::Cycle> times;
    std::vector<std::vector<std::uint8_t>> results;
    std::vector<std::string> lost_why;
    unsigned absorbed_packets = 0;
    unsigned tags = 0;  ///< number of requested tags
    std::uint32_t reductions = 0;
  };

  /// A cycle is a nanosecond. `settings`: names of the group `switch`.
  explicit StarBench(unsigned count,
                     const std::vector<std::pair<std::string, std::string>>& settings = {}) {
    config.clock_mhz.set("1000");
    config.packet_bytes.set("512");
    config.network.set("star");
    for (const auto& [name, value] : settings) {
      for (foundation::SettingBase* setting : switches.settings())
        if (setting->info().name == name) setting->set(value);
    }
    const PimHierarchy hierarchy = PimHierarchy::parse("bank=1 chip=" + std::to_string(count));
    network = std::make_unique<StarNetwork>(config, switches, hierarchy, calendar);
    units = std::vector<Unit>(count);
    for (unsigned unit = 0; unit < count; ++unit) network->connect(unit, units[unit]);
  }

  unsigned count() const { return static_cast<unsigned>(units.size()); }
  std::uint32_t everybody() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << count()) - 1);
  }

  void pass(unsigned from, unsigned to, const std::vector<std::uint8_t>& data) {
    cut(from, data, {.source = from, .destination = to, .payload = {}});
  }
  void multicast(unsigned from, std::uint32_t to, const std::vector<std::uint8_t>& data,
                 bool ranges = false) {
    cut(from, data,
        {.source = from,
         .payload = {},
         .tag = 1000,
         .order = {.kind = SwitchOrder::Kind::kMulticast, .ranges = ranges, .to_chips = to}});
  }
  void reduce(unsigned from, std::uint32_t contributors, std::uint32_t to,
              const std::vector<std::uint8_t>& data, std::uint32_t op = regs::pim::stop::kOpSum,
              std::uint32_t type = regs::pim::stop::kTypeInt32, bool ranges = false) {
    cut(from, data,
        {.source = from,
         .destination = from,
         .payload = {},
         .order = {.kind = SwitchOrder::Kind::kReduce,
                   .op = static_cast<std::uint8_t>(op),
                   .type = static_cast<std::uint8_t>(type),
                   .ranges = ranges,
                   .from_chips = contributors,
                   .to_chips = to,
                   .number = units[from].reductions++}});
  }

  /// Runs until nothing moves. Returns the ns from the first sent packet to the last arrival.
  double run() {
    const support::Cycle begin = calendar.now();
    for (;;) {
      bool more = false;
      for (Unit& unit : units) {
        while (!unit.to_send.empty() && network->may_inject(unit.to_send.front())) {
          network->inject(unit.to_send.front(), calendar.now());
          unit.to_send.pop_front();
        }
        more = more || !unit.to_send.empty();
      }
      if (calendar.next() == support::kNever) break;  // finished or deadlocked
      calendar.run_until(std::max(calendar.now(), calendar.next()) + 1);
    }
    network->check_conservation();
    support::Cycle last = begin;
    for (const Unit& unit : units)
      for (const support::Cycle when : unit.times) last = std::max(last, when);
    return static_cast<double>(last - begin);
  }

  template <typename T>
  static std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  /// Results of a participant, one after the other.
  template <typename T>
  std::vector<T> result_of(unsigned unit) const {
    std::vector<T> values;
    for (const std::vector<std::uint8_t>& part : units[unit].results) {
      std::vector<T> some(part.size() / sizeof(T));
      std::memcpy(some.data(), part.data(), part.size());
      values.insert(values.end(), some.begin(), some.end());
    }
    return values;
  }

  PimConfig config;
  switching::SwitchConfig switches;
  support::Calendar calendar{{.tile_to_tile = 1, .event_to_tile = 1}};
  std::unique_ptr<StarNetwork> network;
  std::vector<Unit> units;

 private:
  void cut(unsigned from, const std::vector<std::uint8_t>& data, Packet packet) {
    kept_.push_back(data);
    const std::span<const std::uint8_t> all = kept_.back();
    for (std::size_t at = 0; at < all.size(); at += config.packet_bytes) {
      packet.payload = all.subspan(at, std::min<std::size_t>(config.packet_bytes, all.size() - at));
      units[from].to_send.push_back(packet);
      ++packet.order.part;
    }
  }
  std::deque<std::vector<std::uint8_t>> kept_;
};

}  // namespace tvp::pim::test
