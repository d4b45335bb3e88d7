// A crossbar between modules of a user: data arrive whole, times are those of busy inputs and
// outputs, and debug, direct access and multicasts reach the right targets.

#include "tensix_vp/systemc/crossbar.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "tensix_vp/systemc/dram_memory.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"

namespace {

using sc_core::sc_time;
using tensix_vp::Crossbar;
using Payload = tlm::tlm_generic_payload;

constexpr unsigned kPorts = 4;
constexpr std::uint64_t kWindow = 4096;
// A link moves two bytes in a cycle of 1 ns; the way takes 4 ns.
const Crossbar::Parameters kParameters = {.ports = kPorts,
                                          .window_bytes = kWindow,
                                          .link_bits = 16,
                                          .clock_mhz = 1000,
                                          .latency_cycles = 4};

std::uint64_t transactions() { return tvp::test::fuzz_cases(2'000); }

sc_time ns(unsigned count) { return sc_time(double(count), sc_core::SC_NS); }

/// A memory that annotates or waits a latency, and notes when writes come.
class Memory : public sc_core::sc_module {
 public:
  struct Write {
    sc_time at;
    unsigned bytes;
  };
  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kWindow / 2);
  std::vector<Write> writes;
  sc_time latency = ns(10);
  bool waits = false;
  bool dmi = false;

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
  }

 private:
  void b_transport(Payload& payload, sc_time& delay) {
    if (payload.is_write())
      writes.push_back({sc_core::sc_time_stamp() + delay, payload.get_data_length()});
    if (waits) {
      wait(latency);
    } else {
      delay += latency;
    }
    payload.set_response_status(transport_dbg(payload) != 0 ? tlm::TLM_OK_RESPONSE
                                                            : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  unsigned transport_dbg(Payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address >= bytes.size() || length > bytes.size() - address) return 0;
    for (unsigned i = 0; i < length; ++i) {
      const std::uint8_t* const enables = payload.get_byte_enable_ptr();
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == 0) continue;
      if (payload.is_write()) {
        bytes[address + i] = payload.get_data_ptr()[i];
      } else {
        payload.get_data_ptr()[i] = bytes[address + i];
      }
    }
    return length;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& granted) {
    granted.init();
    granted.set_start_address(0);
    granted.set_end_address(dmi ? bytes.size() - 1 : ~0ULL);
    granted.set_dmi_ptr(bytes.data());
    if (dmi) granted.allow_read_write();
    return dmi;
  }
};

/// An initiator whose thread runs a job.
class Initiator : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(work);
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &Initiator::invalidate);
  }
  void set_job(std::function<void()> job) {
    job_ = std::move(job);
    go_.notify(sc_core::SC_ZERO_TIME);
  }
  void sleep(const sc_time& time) { wait(time); }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  unsigned bytes, sc_time delay = sc_core::SC_ZERO_TIME,
                                  std::vector<std::uint8_t>* enables = nullptr,
                                  std::uint64_t multicast = 0) {
    Payload payload;
    set(payload, command, address, data, bytes, enables);
    tensix_vp::Multicast more;
    more.outputs = multicast;
    if (multicast != 0) payload.set_extension(&more);
    socket->b_transport(payload, delay);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(payload.get_address(), address);
    payload.clear_extension(&more);
    return payload.get_response_status();
  }
  /// The same with phases; returns at BEGIN_RESP.
  tlm::tlm_response_status access_in_phases(tlm::tlm_command command, std::uint64_t address,
                                            void* data, unsigned bytes) {
    Payload payload(this);
    payload.acquire();
    set(payload, command, address, data, bytes, nullptr);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    EXPECT_NE(socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    wait(answered_);
    return payload.get_response_status();
  }

 private:
  static void set(Payload& payload, tlm::tlm_command command, std::uint64_t address, void* data,
                  unsigned bytes, std::vector<std::uint8_t>* enables) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    if (enables == nullptr) return;
    payload.set_byte_enable_ptr(enables->data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables->size()));
  }
  void work() {
    while (true) {
      wait(go_);
      job_();
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered_.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated.push_back({start, end}); }
  void free(Payload*) override {}

  std::function<void()> job_;
  sc_core::sc_event go_;
  sc_core::sc_event answered_;
};

std::string complaint(const Crossbar::Parameters& parameters) {
  try {
    const Crossbar crossbar("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// Three initiators with random traffic of the base protocol and two DRAM modules. Output 2 stays
/// unbound.
struct TrafficBench {
  static constexpr std::uint64_t kGiB = 1 << 30;
  static constexpr unsigned kInitiators = 3;
  static constexpr unsigned kMemories = 2;

  Crossbar crossbar{"traffic_crossbar", {.ports = 3, .window_bytes = 16 * kGiB}};
  std::vector<std::unique_ptr<tensix_vp::DramMemory>> memories;
  std::vector<std::unique_ptr<tvp::tests::RandomTraffic>> traffic;

  TrafficBench() {
    for (unsigned i = 0; i < kMemories; ++i) {
      memories.push_back(std::make_unique<tensix_vp::DramMemory>(
          ("traffic_memory" + std::to_string(i)).c_str(),
          tensix_vp::DramMemory::Parameters{.preset = "ddr4_2400", .settings = {}, .dmi = true}));
      crossbar.out(i).bind(memories[i]->socket);
    }
    for (unsigned i = 0; i < kInitiators; ++i) {
      tvp::tests::TrafficRules rules;
      rules.memory = {{crossbar.window(0) + i * 0x10000, 0x10000, false},
                      {crossbar.window(1) + i * 0x10000, 0x10000, false}};
      rules.absent = {crossbar.window(1) - 256, crossbar.window(2), crossbar.window(3),
                      ~0ULL - 0x1000};
      rules.maximal = 3000;
      rules.dmi = true;
      traffic.push_back(std::make_unique<tvp::tests::RandomTraffic>(
          ("traffic" + std::to_string(i)).c_str(), rules, tvp::test::fuzz_seed() + i,
          transactions()));
      traffic.back()->socket.bind(crossbar.in(i));
    }
  }
};

/// Three initiators and three memories, each behind a checker; port 3 stays unbound on both sides.
struct Bench {
  Crossbar crossbar{"crossbar", kParameters};
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<tvp::tests::TlmChecker<>>> checkers;
  std::vector<std::string> complaints;

  Bench() {
    const auto now = [] { return sc_core::sc_time_stamp(); };
    for (unsigned i = 0; i < kPorts - 1; ++i) {
      const std::string number = std::to_string(i);
      initiators.push_back(std::make_unique<Initiator>(("initiator" + number).c_str()));
      memories.push_back(std::make_unique<Memory>(("memory" + number).c_str()));
      for (const char* side : {"before", "behind"})
        checkers.push_back(
            std::make_unique<tvp::tests::TlmChecker<>>((side + number).c_str(), now));
      auto& before = *checkers[checkers.size() - 2];
      initiators[i]->socket.bind(before.from_initiator);
      before.to_target.bind(crossbar.in(i));
      crossbar.out(i).bind(checkers.back()->from_initiator);
      checkers.back()->to_target.bind(memories[i]->socket);
    }
    Crossbar::Parameters parameters = kParameters;
    parameters.ports = 65;
    complaints.push_back(complaint(parameters));
    parameters = kParameters;
    parameters.window_bytes = ~0ULL;
    complaints.push_back(complaint(parameters));
    try {
      crossbar.in(kPorts);
    } catch (const std::runtime_error& error) {
      complaints.push_back(error.what());
    }
  }
};

Bench& bench() {
  static auto& bench = *new Bench();
  return bench;
}

TrafficBench& traffic_bench() {
  static auto& bench = *new TrafficBench();
  return bench;
}

class CrossbarTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench();
    traffic_bench();
    // The threads of bench() wait for their jobs, and the random traffic runs to its end.
    const tvp::tests::ReportRecorder reports;
    sc_core::sc_start();
    EXPECT_EQ(tvp::tests::ReportRecorder::count(sc_core::SC_ERROR, {}), 0u);
    align();
  }
  static void align() {
    sc_core::sc_start(ns(100) - sc_time::from_value(sc_core::sc_time_stamp().value() % 100'000));
  }
  void TearDown() override {
    for (const auto& checker : bench().checkers) EXPECT_EQ(checker->open(), 0u);
  }
  /// Runs a job in each of the first initiators at the same time; returns the times of their ends.
  static std::vector<sc_time> run(const std::vector<std::function<void(Initiator&)>>& jobs) {
    std::vector<sc_time> ends(jobs.size());
    const sc_time start = sc_core::sc_time_stamp();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Initiator& initiator = *bench().initiators[i];
      initiator.set_job([&ends, &initiator, job = jobs[i], start, i] {
        job(initiator);
        ends[i] = sc_core::sc_time_stamp() - start;
      });
    }
    sc_core::sc_start();
    align();  // the next test begins at an edge of the clock
    return ends;
  }
};

std::function<void(Initiator&)> write_to(std::uint64_t address, unsigned bytes,
                                         unsigned later = 0) {
  return [=](Initiator& initiator) {
    initiator.sleep(ns(later));
    std::vector<std::uint8_t> data(bytes);
    EXPECT_EQ(initiator.access(tlm::TLM_WRITE_COMMAND, address, data.data(), bytes),
              tlm::TLM_OK_RESPONSE);
  };
}

TEST_F(CrossbarTest, TransfersTakeTheirWidthAndTheWay) {
  // 64 bytes: 32 cycles, 4 on the way, 10 in the memory.
  EXPECT_EQ(run({write_to(0, 64)}), std::vector<sc_time>{ns(46)});
  const auto read = [](Initiator& initiator) {
    std::array<std::uint8_t, 7> data{};
    initiator.access(tlm::TLM_READ_COMMAND, kWindow + 1, data.data(), 7, ns(3));
  };
  // The delay, the way, the memory, 4 cycles of data and the way back.
  EXPECT_EQ(run({read}), std::vector<sc_time>{ns(3 + 4 + 10 + 4 + 4)});
}

TEST_F(CrossbarTest, BusyOutputsBlock) {
  const Crossbar::Statistics before = bench().crossbar.statistics();
  // The first to ask gets the output; the second waits for 31 cycles, the third has another one.
  const std::vector<sc_time> ends =
      run({write_to(0, 64), write_to(128, 32, 1), write_to(2 * kWindow, 64)});
  EXPECT_EQ(ends, (std::vector<sc_time>{ns(46), ns(32 + 16 + 4 + 10), ns(46)}));
  const Crossbar::Statistics after = bench().crossbar.statistics();
  EXPECT_EQ(after.connections - before.connections, 3u);
  EXPECT_EQ(after.blocked - before.blocked, 1u);
  EXPECT_EQ(after.blocked_cycles - before.blocked_cycles, 31u);
}

TEST_F(CrossbarTest, MulticastsTakeTheirCyclesOnce) {
  std::vector<std::uint8_t> data(64, 0x3C);
  const auto send = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(tlm::TLM_WRITE_COMMAND, 256, data.data(), 64, sc_core::SC_ZERO_TIME,
                               nullptr, 0b111),
              tlm::TLM_OK_RESPONSE);
  };
  bench().memories[1]->latency = ns(25);
  EXPECT_EQ(run({send}), std::vector<sc_time>{ns(32 + 4 + 25)});
  bench().memories[1]->latency = ns(10);
  for (const auto& memory : bench().memories) {
    EXPECT_TRUE(std::equal(data.begin(), data.end(), memory->bytes.begin() + 256));
    EXPECT_EQ(memory->writes.back().at, bench().memories[0]->writes.back().at);
  }
  // An output without a target refuses the whole write. Reads ignore the extension.
  const auto refused = [&](Initiator& initiator) {
    const auto multicast = [&](tlm::tlm_command command, std::uint64_t outputs) {
      return initiator.access(command, 256, data.data(), 64, sc_core::SC_ZERO_TIME, nullptr,
                              outputs);
    };
    const std::size_t writes = bench().memories[0]->writes.size();
    EXPECT_EQ(multicast(tlm::TLM_WRITE_COMMAND, 0b1000), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(multicast(tlm::TLM_WRITE_COMMAND, 1ULL << 40), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench().memories[0]->writes.size(), writes);
    EXPECT_EQ(multicast(tlm::TLM_READ_COMMAND, 0b1000), tlm::TLM_OK_RESPONSE);
  };
  run({refused});
}

TEST_F(CrossbarTest, RefusesAddressesWithoutTarget) {
  const auto job = [](Initiator& initiator) {
    std::array<std::uint8_t, 16> data{};
    const auto read = [&](std::uint64_t address) {
      return initiator.access(tlm::TLM_READ_COMMAND, address, data.data(), 16);
    };
    EXPECT_EQ(read(kPorts * kWindow), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(~0ULL - 7), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read(3 * kWindow), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // unbound
    EXPECT_EQ(read(kWindow - 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // two windows
    EXPECT_EQ(read(kWindow / 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // the memory's own answer
    EXPECT_EQ(read(kWindow / 2 - 16), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read(kWindow * 5 / 2 - 15), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  };
  run({job});
}

TEST_F(CrossbarTest, DebugAndDirectAccessReachTheTarget) {
  Initiator& initiator = *bench().initiators[1];
  Memory& memory = *bench().memories[2];
  Payload payload;
  std::uint32_t word = 0xCAFE;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(2 * kWindow + 100);
  payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 4u);
  EXPECT_EQ(std::memcmp(&memory.bytes[100], &word, 4), 0);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_end_address(), 3 * kWindow - 1);
  memory.dmi = true;
  ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_start_address(), 2 * kWindow);
  EXPECT_EQ(dmi.get_end_address(), 2 * kWindow + kWindow / 2 - 1);
  EXPECT_EQ(dmi.get_dmi_ptr()[payload.get_address() - dmi.get_start_address()], 0xFE);
  memory.socket->invalidate_direct_mem_ptr(16, ~0ULL);
  for (const auto& each : bench().initiators)
    EXPECT_EQ(each->invalidated, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                                     {2 * kWindow + 16, 3 * kWindow - 1}}));
  memory.dmi = false;
  payload.set_address(3 * kWindow);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 0u);
  EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
}

/// Each initiator has a part of each memory to itself. Writes of an output come at least their
/// cycles apart, since its link moves one at a time.
TEST_F(CrossbarTest, RandomTransfersArriveWhole) {
  constexpr unsigned kPart = kWindow / 2 / (kPorts - 1);
  for (const auto& memory : bench().memories) {
    std::ranges::fill(memory->bytes, std::uint8_t{0});
    memory->writes.clear();
  }
  bench().memories[1]->waits = true;
  unsigned wrong = 0;
  const auto traffic = [&](unsigned number) {
    return [&wrong, number](Initiator& initiator) {
      std::mt19937 random(number);
      std::vector<std::uint8_t> shadow((kPorts - 1) * kPart);
      std::vector<std::uint8_t> data(200);
      for (std::uint64_t n = transactions(); n > 0; --n) {
        const auto below = [&](std::size_t bound) {
          return static_cast<unsigned>(random() % bound);
        };
        const unsigned bytes = 1 + below(data.size());
        const unsigned output = below(kPorts - 1);
        const unsigned at = below(kPart - bytes + 1);
        const std::uint64_t address = output * kWindow + number * kPart + at;
        const bool write = below(2) == 0;
        const auto command = write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
        if (below(8) == 0) {
          if (initiator.access(command, address + kWindow / 2, data.data(), bytes) !=
              tlm::TLM_ADDRESS_ERROR_RESPONSE)
            ++wrong;
          continue;
        }
        std::vector<std::uint8_t> enables(1 + below(5));
        for (auto& enable : enables) enable = below(2) == 0 ? 0 : 0xFF;
        const bool phases = below(3) == 0;
        const bool enabled = !phases && below(3) == 0;
        std::vector<std::uint8_t> expected(data.begin(), data.begin() + bytes);
        for (unsigned i = 0; i < bytes; ++i) {
          if (enabled && enables[i % enables.size()] == 0) continue;
          std::uint8_t& byte = shadow[output * kPart + at + i];
          if (write) {
            byte = data[i];
          } else {
            expected[i] = byte;
          }
        }
        const auto status = phases
                                ? initiator.access_in_phases(command, address, data.data(), bytes)
                                : initiator.access(command, address, data.data(), bytes,
                                                   ns(below(5)), enabled ? &enables : nullptr);
        if (status != tlm::TLM_OK_RESPONSE ||
            !std::equal(expected.begin(), expected.end(), data.begin()))
          ++wrong;
      }
    };
  };
  run({traffic(0), traffic(1), traffic(2)});
  bench().memories[1]->waits = false;
  EXPECT_EQ(wrong, 0u);
  for (const auto& memory : bench().memories) {
    EXPECT_GT(memory->writes.size(), transactions() / 4);
    for (std::size_t i = 1; i < memory->writes.size(); ++i) {
      const auto& write = memory->writes[i];
      EXPECT_GE(write.at - memory->writes[i - 1].at, ns((write.bytes + 1) / 2));
    }
  }
  EXPECT_GT(bench().crossbar.statistics().blocked, transactions() / 20);
}

TEST_F(CrossbarTest, ServesRandomTraffic) {
  for (const auto& traffic : traffic_bench().traffic) {
    EXPECT_TRUE(traffic->finished());
    const auto& counts = traffic->counts();
    EXPECT_GT(counts.blocking, transactions() / 10);
    EXPECT_GT(counts.phased, transactions() / 10);
    EXPECT_GT(counts.refused, transactions() / 100);
    EXPECT_GT(counts.wrong_phases, transactions() / 200);
    EXPECT_GT(counts.debug, transactions() / 100);
    EXPECT_GT(counts.direct, 0u);
  }
}

TEST_F(CrossbarTest, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"ports 65: expected 1 to 64", "window_bytes",
                                  "crossbar: in(4) expects a port below 4"};
  ASSERT_EQ(bench().complaints.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(bench().complaints[i].find(expected[i]), std::string::npos) << bench().complaints[i];
}

}  // namespace
