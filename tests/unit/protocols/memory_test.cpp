// Memory controllers behind the checker: random requests, many in flight, every answer compared
// with a reference memory.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "models/dram/controller/controller_registry.h"
#include "models/noc/noc_protocol.h"
#include "models/support/calendar.h"
#include "models/support/tile_scheduler.h"
#include "tests/support/tlm_checker.h"

namespace tvp::dram {
namespace {

using support::Cycle;

constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;

/// Sixteen clients, each with its own region and at most one request in flight.
class Clients : public sc_core::sc_module, public support::EventTarget {
 public:
  static constexpr unsigned kClients = 16;
  static constexpr std::uint32_t kRegion = 0x4000;
  static constexpr std::uint32_t kLongest = 2048;

  Clients(const sc_core::sc_module_name& name, const char* kind) : sc_module(name) {
    config_.controller.set(kind);
    controller_ = make_controller("controller", config_, kBytes, calendar_, Period::of_mhz(1000));
    tile_ = calendar_.add_tile(scheduler_);
    if (support::Agent* agent = controller_->agent()) scheduler_.add(*agent);
    port_.register_nb_transport_bw(this, &Clients::backward);
    port_.bind(checker.from_initiator);
    checker.to_target.bind(controller_->port);
    for (auto& region : golden_) region.fill(0);
  }

  void run(unsigned requests) {
    for (auto& left : left_) left = requests;
    for (unsigned client = 0; client < kClients; ++client) next(client, calendar_.now());
    calendar_.run_until(1'000'000);
  }
  /// A debug read sees all writes of the clients.
  void expect_golden() {
    for (unsigned client = 0; client < kClients; ++client) {
      std::array<std::uint8_t, kRegion> bytes{};
      EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, std::uint64_t{client} * 0x100000, bytes), kRegion);
      EXPECT_EQ(bytes, golden_[client]) << "client " << client;
    }
  }
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::span<std::uint8_t> data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(payload.get_data_length());
    return port_->transport_dbg(payload);
  }
  /// The response of a request that must end at once without a change of its data.
  tlm::tlm_response_status response_of(tlm::tlm_command command, std::uint64_t address,
                                       unsigned streaming_width) {
    noc::Packet& packet = pool_.allocate(64);
    packet.set_command(command);
    packet.set_address(address);
    packet.set_data_ptr(packet.data());
    packet.set_data_length(64);
    packet.set_streaming_width(streaming_width);
    packet.set_byte_enable_ptr(nullptr);
    packet.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    std::memset(packet.data(), 0x5A, 64);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(port_->nb_transport_fw(packet, phase, delay), tlm::TLM_COMPLETED);
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(packet.data()[i], 0x5A);
    const auto response = packet.get_response_status();
    packet.release();
    return response;
  }
  unsigned done() const { return done_; }
  const Controller& controller() const { return *controller_; }

 private:
  struct Request {
    noc::Packet* packet = nullptr;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    std::vector<std::uint8_t> enables;
    std::vector<std::uint8_t> expected;
  };

 public:
  tests::TlmChecker<> checker{"checker", [this] { return noc::to_time(calendar_.now()); }};

  void fire(Cycle, std::uint64_t token) override {
    const auto client = static_cast<unsigned>(token);
    Request& request = open_[client];
    request.bytes = 1 + static_cast<std::uint32_t>(random_() % kLongest);
    request.offset = static_cast<std::uint32_t>(random_() % (kRegion - request.bytes));
    request.packet = &pool_.allocate(request.bytes);
    noc::Packet& packet = *request.packet;
    const bool write = random_() % 2 == 0;
    packet.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    packet.set_address(std::uint64_t{client} * 0x100000 + request.offset);
    packet.set_data_ptr(packet.data());
    packet.set_data_length(request.bytes);
    packet.set_streaming_width(request.bytes);
    packet.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    packet.header().tag = static_cast<std::uint16_t>(client);
    // A quarter of the requests has byte enables of the data's length or shorter, which repeat.
    request.enables.clear();
    if (random_() % 4 == 0) {
      request.enables.resize(random_() % 2 == 0 ? request.bytes : 1 + random_() % request.bytes);
      for (auto& enable : request.enables) {
        enable = random_() % 2 == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      }
    }
    packet.set_byte_enable_ptr(request.enables.empty() ? nullptr : request.enables.data());
    packet.set_byte_enable_length(static_cast<unsigned>(request.enables.size()));
    request.expected.resize(request.bytes);
    for (std::uint32_t i = 0; i < request.bytes; ++i) {
      packet.data()[i] = static_cast<std::uint8_t>(random_());
      std::uint8_t& golden = golden_[client][request.offset + i];
      const bool enabled = request.enables.empty() ||
                           request.enables[i % request.enables.size()] == TLM_BYTE_ENABLED;
      if (write && enabled) golden = packet.data()[i];
      // A read keeps bytes without enable.
      request.expected[i] = write || !enabled ? packet.data()[i] : golden;
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (port_->nb_transport_fw(packet, phase, delay) == tlm::TLM_COMPLETED) finish(client, delay);
    calendar_.tile_woken(tile_);
  }

 private:
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    finish(noc::packet_of(payload).header().tag, delay);
    return tlm::TLM_COMPLETED;
  }
  void finish(unsigned client, const sc_core::sc_time& delay) {
    Request& request = open_[client];
    EXPECT_TRUE(request.packet->is_response_ok());
    EXPECT_EQ(std::memcmp(request.packet->data(), request.expected.data(), request.bytes), 0)
        << "client " << client << ", request " << done_;
    request.packet->release();
    ++done_;
    next(client, calendar_.now() + noc::to_cycles(delay));
  }
  void next(unsigned client, Cycle after) {
    if (left_[client]-- == 0) return;
    calendar_.post(after + 1 + random_() % 200,
                   {.phase = 3, .block = static_cast<std::uint16_t>(client)}, *this, client);
  }

  DramConfig config_;
  support::Calendar calendar_{support::Calendar::Lookahead{}};
  support::TileScheduler scheduler_;
  unsigned tile_ = 0;
  std::unique_ptr<Controller> controller_;
  tlm_utils::simple_initiator_socket<Clients> port_{"port"};
  noc::PacketPool pool_;
  std::mt19937 random_{7};
  std::array<Request, kClients> open_{};
  std::array<unsigned, kClients> left_{};
  std::array<std::array<std::uint8_t, kRegion>, kClients> golden_{};
  unsigned done_ = 0;
};

struct Benches {
  Clients service{"service", "service"};
  Clients banked{"banked", "banked"};
  Benches() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
Benches& benches() {
  static Benches all;
  return all;
}

TEST(MemoryProtocol, ManyOpenRequestsKeepTheRules) {
  for (Clients* clients : {&benches().service, &benches().banked}) {
    SCOPED_TRACE(clients->name());
    constexpr unsigned kRequests = 300;
    clients->run(kRequests);
    EXPECT_EQ(clients->done(), kRequests * Clients::kClients);
    EXPECT_EQ(clients->checker.open(), 0u);
    const Controller::Stats stats = clients->controller().stats();
    EXPECT_EQ(stats.reads + stats.writes, clients->done());
    clients->expect_golden();
  }
}

TEST(MemoryProtocol, WhatAChannelDoesNotDoIsRefusedAtOnce) {
  for (Clients* clients : {&benches().service, &benches().banked}) {
    SCOPED_TRACE(clients->name());
    const Controller::Stats before = clients->controller().stats();
    constexpr std::uint64_t kEnd = kBytes;
    constexpr std::uint64_t kHighest = ~std::uint64_t{0};
    for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      for (const std::uint64_t at : {kEnd, kEnd - 63, kHighest, kHighest - 63}) {
        EXPECT_EQ(clients->response_of(command, at, 64), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
      }
      EXPECT_EQ(clients->response_of(command, 0, 32), tlm::TLM_BURST_ERROR_RESPONSE);
    }
    EXPECT_EQ(clients->response_of(tlm::TLM_IGNORE_COMMAND, 0, 64), tlm::TLM_OK_RESPONSE);
    const Controller::Stats after = clients->controller().stats();
    EXPECT_EQ(after.reads + after.writes, before.reads + before.writes);
    EXPECT_EQ(clients->checker.open(), 0u);
  }
}

TEST(MemoryProtocol, DebugAccessesEndWithTheChannel) {
  for (Clients* clients : {&benches().service, &benches().banked}) {
    SCOPED_TRACE(clients->name());
    std::array<std::uint8_t, 8> data = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(clients->debug(tlm::TLM_WRITE_COMMAND, kBytes - 8, data), 8u);
    std::array<std::uint8_t, 8> found{};
    EXPECT_EQ(clients->debug(tlm::TLM_READ_COMMAND, kBytes - 5, found), 5u);
    EXPECT_EQ(found, (std::array<std::uint8_t, 8>{4, 5, 6, 7, 8}));
    EXPECT_EQ(clients->debug(tlm::TLM_READ_COMMAND, kBytes, found), 0u);
    EXPECT_EQ(clients->debug(tlm::TLM_IGNORE_COMMAND, 0, found), 0u);
  }
}

}  // namespace
}  // namespace tvp::dram
