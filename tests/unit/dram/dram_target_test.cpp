// A DRAM module behind a socket of the base protocol: bytes, phases, times, errors, direct access.

#include "models/dram/dram_target.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "tests/support/tlm_checker.h"

namespace tvp::dram::dram_target_test {
namespace {

using sc_core::sc_time;
using Payload = tlm::tlm_generic_payload;

/// An initiator whose thread runs one job after the other, and which counts what comes back.
class Initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  static constexpr unsigned kMost = 64;  ///< bytes of a transaction
  struct Transaction : Payload {
    explicit Transaction(tlm::tlm_mm_interface* manager) : Payload(manager) {}
    std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kMost);
    std::vector<std::uint8_t> enables;
    std::vector<std::uint8_t> expected;  ///< data of a read
    sc_time asked;
  };

  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::vector<std::uint8_t> shadow = std::vector<std::uint8_t>(1 << 20);
  std::uint64_t answered = 0;
  unsigned open = 0;
  sc_time last_latency;
  std::uint64_t invalidated = 0;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(work);
    socket.register_nb_transport_bw(this, &Initiator::backward);
    socket.register_invalidate_direct_mem_ptr(this, &Initiator::invalidate);
  }

  /// Runs the job in the thread, and all that it has begun to its end.
  void run(std::function<void()> job) {
    job_ = std::move(job);
    go_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    EXPECT_EQ(open, 0u);
  }
  void sleep(const sc_time& time) { wait(time); }

  Transaction& make(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    if (free_.empty()) {
      tlm::tlm_mm_interface* const manager = this;
      all_.push_back(std::make_unique<Transaction>(manager));
      free_.push_back(all_.back().get());
    }
    Transaction& t = *free_.back();
    free_.pop_back();
    t.acquire();
    t.expected.clear();
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  /// A random access of the first MiB.
  Transaction& draw(std::mt19937& random) {
    const unsigned bytes = 1 + static_cast<unsigned>(random() % kMost);
    const std::uint64_t address = random() % (shadow.size() - bytes);
    Transaction& t =
        make(random() % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, bytes);
    t.enables.clear();
    if (random() % 4 == 0) {
      const unsigned length = 1 + static_cast<unsigned>(random() % bytes);
      for (unsigned i = 0; i < length; ++i) t.enables.push_back(random() % 2 == 0 ? 0xFF : 0);
      t.set_byte_enable_ptr(t.enables.data());
      t.set_byte_enable_length(length);
    }
    const auto enabled = [&](unsigned i) {
      return t.enables.empty() || t.enables[i % t.enables.size()] != 0;
    };
    for (unsigned i = 0; i < bytes; ++i) t.data[i] = static_cast<std::uint8_t>(random());
    t.expected.assign(t.data.begin(), t.data.begin() + bytes);
    for (unsigned i = 0; i < bytes; ++i) {
      if (!enabled(i)) continue;
      if (t.is_write()) {
        shadow[address + i] = t.data[i];
      } else {
        t.expected[i] = shadow[address + i];
      }
    }
    return t;
  }
  void blocking(Transaction& t, sc_time& delay) {
    socket->b_transport(t, delay);
    finish(t);
  }
  /// Sends with BEGIN_REQ and waits for the END_REQ.
  void send(Transaction& t, sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    ++open;
    requesting_ = &t;
    t.asked = sc_core::sc_time_stamp() + delay;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(t, phase, delay);
    if (status == tlm::TLM_COMPLETED) {
      requesting_ = nullptr;
      --open;
      finish(t);
    } else if (requesting_ != nullptr) {
      wait(taken_);
    }
  }

 private:
  void work() {
    while (true) {
      wait(go_);
      job_();
    }
  }
  tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase& phase, sc_time&) {
    if (phase == tlm::END_REQ) {
      requesting_ = nullptr;
      taken_.notify();
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    last_latency = sc_core::sc_time_stamp() - static_cast<Transaction&>(payload).asked;
    --open;
    finish(static_cast<Transaction&>(payload));
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void finish(Transaction& t) {
    ++answered;
    if (t.is_response_ok() && t.is_read() && !t.expected.empty()) {
      EXPECT_TRUE(std::equal(t.expected.begin(), t.expected.end(), t.data.begin()))
          << "address " << t.get_address();
    }
    t.release();
  }
  void invalidate(sc_dt::uint64, sc_dt::uint64) { ++invalidated; }
  void free(Payload* payload) override { free_.push_back(static_cast<Transaction*>(payload)); }

  std::function<void()> job_;
  sc_core::sc_event go_;
  sc_core::sc_event taken_;
  Transaction* requesting_ = nullptr;
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> free_;
};

DramConfig& with_preset(DramConfig& config, const char* preset) {
  config.preset.set(preset);
  return config;
}

/// A module with an initiator of its own and a checker between them.
struct Bench {
  explicit Bench(const std::string& name, const char* preset)
      : target((name + "_dram").c_str(), with_preset(config, preset)),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }),
        initiator((name + "_initiator").c_str()) {
    initiator.socket.bind(checker.from_initiator);
    checker.to_target.bind(target.socket);
  }
  DramConfig config;
  DramTarget target;
  tests::TlmChecker<> checker;
  Initiator initiator;
};

/// SystemC elaborates once: all modules are there from the start.
struct Benches {
  Bench ddr4{"ddr4", "ddr4_2400"};
  Bench ddr5{"ddr5", "ddr5_4800"};
  Bench gddr6{"gddr6", "gddr6_14"};
  std::vector<Bench*> all{&ddr4, &ddr5, &gddr6};
};

Benches& benches() {
  static auto& benches = *new Benches();
  return benches;
}

class DramTargetTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    benches();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the threads wait for their jobs
  }
};

TEST_F(DramTargetTest, BlockingAccessesSeeEarlierOnes) {
  constexpr unsigned kTransactions = 20'000;
  for (Bench* bench : benches().all) {
    Initiator& initiator = bench->initiator;
    const std::uint64_t before = initiator.answered;
    initiator.run([&] {
      std::mt19937 random(1);
      sc_time delay;
      for (unsigned i = 0; i < kTransactions; ++i) {
        const sc_time start = delay;
        initiator.blocking(initiator.draw(random), delay);
        EXPECT_GT(delay, start);
        if (i % 64 == 0) {
          initiator.sleep(delay);
          delay = sc_core::SC_ZERO_TIME;
        }
      }
      initiator.sleep(delay);
    });
    EXPECT_EQ(initiator.answered - before, kTransactions);
  }
}

/// Several are open at once, in any order of their addresses. Reads and writes of one burst keep
/// their order.
TEST_F(DramTargetTest, OpenAccessesKeepTheirOrder) {
  constexpr unsigned kTransactions = 20'000;
  for (Bench* bench : benches().all) {
    Initiator& initiator = bench->initiator;
    const std::uint64_t before = initiator.answered;
    initiator.run([&] {
      std::mt19937 random(2);
      for (unsigned i = 0; i < kTransactions; ++i) {
        initiator.send(initiator.draw(random), sc_time(double(random() % 3), sc_core::SC_NS));
        if (random() % 8 == 0) initiator.sleep(sc_time(double(random() % 200), sc_core::SC_NS));
      }
    });
    EXPECT_EQ(initiator.answered - before, kTransactions);
    EXPECT_EQ(bench->checker.open(), 0u);
  }
}

/// JEDEC: ACT, tRCD, RD, CL, data; then the controller's own cycles.
TEST_F(DramTargetTest, ReadOfAClosedRowTakesItsCommands) {
  for (Bench* bench : benches().all) {
    const Timing& t = find_preset(bench->config.preset.value())->timing;
    const auto cycles = t.trcd_rd + t.cl + t.bl + bench->config.response_cycles;
    Initiator& initiator = bench->initiator;
    initiator.run([&] {
      // Longer than any open row is kept without a refresh, at an edge of the clock.
      initiator.sleep(sc_time(1, sc_core::SC_MS));
      const std::uint64_t edge = t.tck.edge_at_or_after(sc_core::sc_time_stamp().value());
      const std::uint64_t now = sc_core::sc_time_stamp().value();
      const sc_time start = sc_time::from_value(t.tck.time_ps(edge) - now);
      sc_time delay = start;
      initiator.blocking(initiator.make(tlm::TLM_READ_COMMAND, 1 << 26, 32), delay);
      EXPECT_EQ((delay + sc_core::sc_time_stamp()).value(), t.tck.time_ps(edge + cycles));
    });
    initiator.run([&] {
      initiator.sleep(sc_time(1, sc_core::SC_MS));
      const std::uint64_t edge = t.tck.edge_at_or_after(sc_core::sc_time_stamp().value());
      initiator.sleep(sc_time::from_value(t.tck.time_ps(edge) - sc_core::sc_time_stamp().value()));
      initiator.send(initiator.make(tlm::TLM_READ_COMMAND, 1 << 26, 32));
      initiator.sleep(sc_time(1, sc_core::SC_US));
      EXPECT_EQ(initiator.last_latency.value(), t.tck.time_ps(edge + cycles) - t.tck.time_ps(edge));
    });
  }
}

TEST_F(DramTargetTest, BlockingAccessWaitsForOpenOnes) {
  Bench& bench = benches().ddr4;
  Initiator& initiator = bench.initiator;
  initiator.run([&] {
    auto& write = initiator.make(tlm::TLM_WRITE_COMMAND, 4096, 64);
    std::fill(write.data.begin(), write.data.end(), 0x5A);
    initiator.send(write);
    auto& read = initiator.make(tlm::TLM_READ_COMMAND, 4096, 64);
    read.expected.assign(64, 0x5A);
    sc_time delay;
    initiator.blocking(read, delay);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  });
  std::fill_n(initiator.shadow.begin() + 4096, 64, 0x5A);
}

TEST_F(DramTargetTest, RefusesWhatItCannotServe) {
  Bench& bench = benches().ddr4;
  Initiator& initiator = bench.initiator;
  const std::uint64_t end = bench.target.bytes();
  const auto status = [&](std::uint64_t address, unsigned bytes, unsigned width) {
    tlm::tlm_response_status result{};
    initiator.run([&] {
      auto& t = initiator.make(tlm::TLM_READ_COMMAND, address, bytes);
      t.set_streaming_width(width);
      sc_time delay;
      t.acquire();
      initiator.blocking(t, delay);
      result = t.get_response_status();
      t.release();
      auto& again = initiator.make(tlm::TLM_READ_COMMAND, address, bytes);
      again.set_streaming_width(width);
      again.acquire();
      initiator.send(again);
      initiator.sleep(sc_time(1, sc_core::SC_US));
      EXPECT_EQ(again.get_response_status(), result);
      again.release();
    });
    return result;
  };
  EXPECT_EQ(status(end - 4, 4, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(status(end - 3, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(~0ULL - 1, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(0, 8, 4), tlm::TLM_BURST_ERROR_RESPONSE);
}

/// The ways to the bytes of a target.
enum class Path { kBlocking, kPhased, kDebug, kDirect };
constexpr Path kPaths[] = {Path::kBlocking, Path::kPhased, Path::kDebug, Path::kDirect};

/// Moves the bytes; inside a job of the initiator.
void move(Initiator& initiator, Path path, tlm::tlm_command command, std::uint64_t address,
          std::vector<std::uint8_t>& bytes) {
  const auto size = static_cast<unsigned>(bytes.size());
  if (path == Path::kDirect) {
    for (unsigned i = 0; i < size; ++i) {
      Payload payload;
      payload.set_address(address + i);
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(payload, dmi));
      std::uint8_t& byte = dmi.get_dmi_ptr()[address + i - dmi.get_start_address()];
      (command == tlm::TLM_WRITE_COMMAND ? byte : bytes[i]) =
          command == tlm::TLM_WRITE_COMMAND ? bytes[i] : byte;
    }
    return;
  }
  auto& t = initiator.make(command, address, size);
  t.acquire();
  if (command == tlm::TLM_WRITE_COMMAND) std::copy(bytes.begin(), bytes.end(), t.data.begin());
  sc_time delay;
  if (path == Path::kBlocking) {
    initiator.blocking(t, delay);
  } else if (path == Path::kPhased) {
    initiator.send(t);
    while (initiator.open > 0) initiator.sleep(sc_time(1, sc_core::SC_US));
  } else {
    EXPECT_EQ(initiator.socket->transport_dbg(t), size);
    t.release();
  }
  std::copy_n(t.data.begin(), size, bytes.begin());
  t.release();
}

/// Each path reads the bytes that another one writes: any width, at both ends, over edges of bursts
/// and pages.
TEST_F(DramTargetTest, EveryPathSeesTheBytesOfTheOthers) {
  for (Bench* bench : benches().all) {
    bench->target.allow_dmi(true);
    Initiator& initiator = bench->initiator;
    initiator.run([&] {
      std::uint8_t value = 0;
      for (const unsigned width : {1U, 2U, 3U, 4U, 7U, 8U, 16U, 31U, 32U, 33U, 63U, 64U}) {
        const std::uint64_t end = bench->target.bytes();
        for (const std::uint64_t address :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{64} - width / 2,
              2 * Storage::kPageBytes - width, 2 * Storage::kPageBytes - width / 2,
              2 * Storage::kPageBytes, end / 2 + 5, end - width}) {
          for (const Path writer : kPaths) {
            std::vector<std::uint8_t> bytes(width);
            for (std::uint8_t& byte : bytes) byte = ++value;
            move(initiator, writer, tlm::TLM_WRITE_COMMAND, address, bytes);
            for (const Path reader : kPaths) {
              std::vector<std::uint8_t> seen(width);
              move(initiator, reader, tlm::TLM_READ_COMMAND, address, seen);
              ASSERT_EQ(seen, bytes) << width << " bytes at " << address;
            }
          }
        }
      }
    });
    bench->target.allow_dmi(false);
  }
}

TEST_F(DramTargetTest, GrantsArePagesWithTheTimesOfAClosedRow) {
  for (Bench* bench : benches().all) {
    bench->target.allow_dmi(true);
    const Timing& t = find_preset(bench->config.preset.value())->timing;
    const std::uint64_t end = bench->target.bytes();
    for (const std::uint64_t address :
         {std::uint64_t{0}, Storage::kPageBytes - 1, Storage::kPageBytes, end - 1}) {
      Payload payload;
      payload.set_address(address);
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(bench->initiator.socket->get_direct_mem_ptr(payload, dmi));
      EXPECT_EQ(dmi.get_start_address(), address / Storage::kPageBytes * Storage::kPageBytes);
      EXPECT_EQ(dmi.get_end_address(), dmi.get_start_address() + Storage::kPageBytes - 1);
      EXPECT_TRUE(dmi.is_read_write_allowed());
      EXPECT_EQ(dmi.get_read_latency().value(), t.tck.time_ps(t.trcd_rd + t.cl + t.bl));
      EXPECT_EQ(dmi.get_write_latency().value(), t.tck.time_ps(t.trcd_wr + t.cwl + t.bl));
    }
    Payload behind;
    behind.set_address(end);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench->initiator.socket->get_direct_mem_ptr(behind, dmi));
    EXPECT_EQ(dmi.get_start_address(), end);
    EXPECT_EQ(dmi.get_end_address(), ~0ULL);
    bench->target.allow_dmi(false);
  }
}

TEST_F(DramTargetTest, DirectAccessIsGrantedAndWithdrawn) {
  Bench& bench = benches().ddr4;
  Initiator& initiator = bench.initiator;
  Payload payload;
  payload.set_address(70'000);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  bench.target.allow_dmi(true);
  ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  ASSERT_LE(dmi.get_start_address(), 70'000u);
  ASSERT_GE(dmi.get_end_address(), 70'000u);
  dmi.get_dmi_ptr()[70'000 - dmi.get_start_address()] = 0xC3;
  std::uint8_t byte = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 0xC3);
  initiator.shadow[70'000] = 0xC3;
  const std::uint64_t before = initiator.invalidated;
  bench.target.allow_dmi(false);
  EXPECT_EQ(initiator.invalidated, before + 1);
  EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
}

}  // namespace
}  // namespace tvp::dram::dram_target_test
