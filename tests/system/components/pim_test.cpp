// PIM modules on the memory bus of a user: results and times equal those of the C ABI. Random
// accesses see the bytes that earlier ones wrote, and wrong ones are refused.

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "tensix_vp/systemc/ddr_channel.h"
#include "tensix_vp/systemc/pim_dimm.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"

namespace {

using sc_core::sc_time;
using tensix_vp::PimDimm;

constexpr std::uint32_t kWords = 4096;  // firmware/vector_add.c
constexpr std::uint32_t kBytes = 4 * kWords;
constexpr std::uint32_t kEntry = 0xFFC00000;
const std::vector<unsigned> kUnits = {0, 9, 77, 127};

std::uint64_t transactions() { return tvp::test::fuzz_cases(5'000); }

std::vector<std::uint32_t> vector_of(unsigned unit, std::uint32_t step) {
  std::vector<std::uint32_t> words(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = unit * 100 + step * i;
  return words;
}

bool is_sum(unsigned unit, const std::vector<std::uint32_t>& words) {
  for (std::uint32_t i = 0; i < kWords; ++i)
    if (words[i] != unit * 200 + 8 * i) return false;
  return true;
}

/// The times and results of a run.
struct Outcome {
  std::map<unsigned, std::vector<std::uint32_t>> sums;
  std::vector<std::uint64_t> cycles;  ///< start and end of each unit
  std::vector<std::uint64_t> ps;      ///< time after each step of the host
  std::string digest;
};

std::string digest_in(const std::string& report) {
  const std::size_t at = report.find("\"state_digest\"");
  return at == std::string::npos ? "none" : report.substr(at, 40);
}

/// A loosely timed initiator whose job runs in a thread.
class Host : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<Host> bus;
  std::function<void()> job = [] {};

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    SC_HAS_PROCESS(Host);
    bus.register_nb_transport_bw(this, &Host::nb_transport_bw);
    SC_THREAD(run);
  }
  void run() { job(); }
  void sleep(const sc_time& time) { wait(time); }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  std::uint32_t bytes, sc_time& delay,
                                  std::vector<std::uint8_t>* enables = nullptr,
                                  std::uint32_t width = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(width == 0 ? bytes : width);
    if (enables != nullptr) {
      payload.set_byte_enable_ptr(enables->data());
      payload.set_byte_enable_length(static_cast<unsigned>(enables->size()));
    }
    bus->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  std::uint32_t bytes) {
    sc_time delay;
    return access(command, address, data, bytes, delay);
  }
  /// The same with phases; returns at BEGIN_RESP.
  tlm::tlm_response_status access_in_phases(tlm::tlm_command command, std::uint64_t address,
                                            void* data, std::uint32_t bytes) {
    tlm::tlm_generic_payload payload(this);
    payload.acquire();
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay(3, sc_core::SC_NS);
    EXPECT_NE(bus->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    wait(answered_);
    return payload.get_response_status();
  }
  void read(std::uint64_t address, void* data, std::uint32_t bytes) {
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, data, bytes), tlm::TLM_OK_RESPONSE);
  }
  void write(std::uint64_t address, const void* data, std::uint32_t bytes) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes),
              tlm::TLM_OK_RESPONSE);
  }
  template <typename T = std::uint32_t>
  T load(std::uint64_t address) {
    T value{};
    read(address, &value, sizeof value);
    return value;
  }
  void store(std::uint64_t address, std::uint32_t word) { write(address, &word, 4); }
  unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<std::uint8_t*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return bus->transport_dbg(payload);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered_.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void free(tlm::tlm_generic_payload*) override {}

  sc_core::sc_event answered_;
};

PimDimm::Parameters timed(bool timed) {
  PimDimm::Parameters parameters;
  if (timed) parameters.settings = {{"host.timed", "true"}};
  return parameters;
}

/// A module with a host and a checker between them.
struct Bench {
  PimDimm dimm;
  Host host;
  tvp::tests::TlmChecker<> checker;

  Bench(const std::string& name, const PimDimm::Parameters& parameters)
      : dimm((name + "_dimm").c_str(), parameters),
        host((name + "_host").c_str()),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }) {
    host.bus.bind(checker.from_initiator);
    checker.to_target.bind(dimm.memory);
  }

  std::uint64_t reg(unsigned unit, PimDimm::UnitRegister which) const {
    return dimm.address(unit, which);
  }
  static std::vector<char> program() {
    std::ifstream stream(FIRMWARE ".bin", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void prepare(unsigned unit) {
    const std::vector<char> code = program();
    host.write(dimm.iram(unit), code.data(), static_cast<std::uint32_t>(code.size()));
    host.store(reg(unit, PimDimm::UnitRegister::kEntry), kEntry);
    host.store(reg(unit, PimDimm::UnitRegister::kOwner), 1);
    host.store(reg(unit, PimDimm::UnitRegister::kSelected), 1);
  }
  void start() { host.store(dimm.address(PimDimm::CommonRegister::kStart), 1); }
  std::uint32_t running() { return host.load(dimm.address(PimDimm::CommonRegister::kRunning)); }

  /// The accesses of run_c_abi() below.
  Outcome add_vectors() {
    Outcome outcome;
    const auto note = [&] { outcome.ps.push_back(sc_core::sc_time_stamp().value()); };
    for (const unsigned unit : kUnits) {
      host.write(dimm.bank(unit), vector_of(unit, 1).data(), kBytes);
      note();
      host.write(dimm.bank(unit) + kBytes, vector_of(unit, 7).data(), kBytes);
      prepare(unit);
    }
    host.sleep(sc_time(1, sc_core::SC_US));
    start();
    while (running() != 0) host.sleep(sc_time(1, sc_core::SC_US));
    note();
    for (const unsigned unit : kUnits) {
      EXPECT_EQ(host.load(reg(unit, PimDimm::UnitRegister::kState)), 2u);
      EXPECT_EQ(host.load(reg(unit, PimDimm::UnitRegister::kExitStatus)), kWords);
      for (const auto which : {PimDimm::UnitRegister::kStarted, PimDimm::UnitRegister::kEnded})
        outcome.cycles.push_back(host.load<std::uint64_t>(reg(unit, which)));
      host.store(reg(unit, PimDimm::UnitRegister::kOwner), 0);
      outcome.sums[unit].resize(kWords);
      host.read(dimm.bank(unit) + 2 * kBytes, outcome.sums[unit].data(), kBytes);
      note();
    }
    outcome.digest = digest_in(dimm.report());
    return outcome;
  }
};

Outcome run_c_abi(const char* settings) {
  Outcome outcome;
  const auto note = [&] { outcome.ps.push_back(tensix_vp_time_ps()); };
  EXPECT_EQ(tensix_vp_configure(settings), 0);
  libttsim_init();
  const auto bank = [](unsigned unit, std::uint64_t address, const void* data, bool write) {
    EXPECT_EQ(tensix_vp_pim_bank(unit, address, const_cast<void*>(data), kBytes, write ? 1 : 0), 0);
  };
  for (const unsigned unit : kUnits) {
    bank(unit, 0, vector_of(unit, 1).data(), true);
    note();
    bank(unit, kBytes, vector_of(unit, 7).data(), true);
    EXPECT_EQ(tensix_vp_pim_load(unit, FIRMWARE ".elf"), 0);
    EXPECT_EQ(tensix_vp_pim_own(unit, TENSIX_VP_PIM_PROCESSOR), 0);
  }
  libttsim_clock(350);  // 1 us
  EXPECT_EQ(tensix_vp_pim_start(kUnits.data(), static_cast<std::uint32_t>(kUnits.size())), 0);
  tensix_vp_pim_unit state{};
  const auto is_running = [&](unsigned unit) {
    tensix_vp_pim_state(unit, &state);
    return state.state == TENSIX_VP_PIM_RUNNING;
  };
  while (std::any_of(kUnits.begin(), kUnits.end(), is_running)) libttsim_clock(350);
  note();
  for (const unsigned unit : kUnits) {
    tensix_vp_pim_state(unit, &state);
    outcome.cycles.insert(outcome.cycles.end(), {state.started_cycle, state.ended_cycle});
    EXPECT_EQ(tensix_vp_pim_own(unit, TENSIX_VP_PIM_HOST), 0);
    outcome.sums[unit].resize(kWords);
    bank(unit, 2 * kBytes, outcome.sums[unit].data(), false);
    note();
  }
  std::string report(tensix_vp_report(nullptr, 0) + 1, '\0');
  tensix_vp_report(report.data(), static_cast<std::uint32_t>(report.size()));
  outcome.digest = digest_in(report);
  libttsim_exit();
  return outcome;
}

std::string complaint(const PimDimm::Parameters& parameters) {
  try {
    const PimDimm dimm("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

tvp::tests::TrafficRules rules_of(const PimDimm& dimm) {
  tvp::tests::TrafficRules rules;
  rules.memory = {{dimm.bank(6), 0x8000, false},
                  {dimm.bank(7) - 2048, 4096, false},
                  {dimm.bank(dimm.units()) - 0x8000, 0x8000, false},
                  {dimm.wram(6), 65536, false},
                  {dimm.iram(7), 24576, true}};
  rules.absent = {dimm.bytes(), dimm.iram(6) + 24576, ~0ULL - 0x1000};
  rules.wild = {{dimm.wram(5), 0x20000},
                {dimm.address(PimDimm::CommonRegister::kUnits), 16},
                {dimm.address(6, PimDimm::UnitRegister::kOwner), 64}};
  rules.maximal = 20'000;
  return rules;
}

/// A module with random traffic of the base protocol.
struct TrafficBench {
  PimDimm dimm;
  tvp::tests::RandomTraffic traffic;
  TrafficBench(const std::string& name, bool is_timed)
      : dimm((name + "_dimm").c_str(), timed(is_timed)),
        traffic((name + "_traffic").c_str(), rules_of(dimm), tvp::test::fuzz_seed(),
                transactions()) {
    traffic.socket.bind(dimm.memory);
  }
};

/// A user's controller writes and reads the banks over a channel of its own, with commands.
struct ChannelBench : sc_core::sc_module {
  static constexpr unsigned kRank = 1;
  static constexpr unsigned kBank = 2;
  static constexpr unsigned kChips = 8;
  static constexpr unsigned kRowBytes = 1024;  ///< the part of a row in one chip

  Bench bench{"commanded", timed(false)};
  tensix_vp::DdrChannel channel{
      "channel", {.preset = "ddr4_2400", .ranks = 2, .strict = false, .foreign_ranks = {0, 1}}};
  tlm_utils::simple_initiator_socket<ChannelBench, 32, tensix_vp::DdrProtocol> controller{
      "controller"};
  std::vector<std::uint32_t> wrong_units;
  bool done = false;

  explicit ChannelBench(const sc_core::sc_module_name& name) : sc_module(name) {
    channel.rank(0).bind(bench.dimm.rank(0));
    channel.rank(1).bind(bench.dimm.rank(1));
    controller.bind(channel.commands);
    bench.host.job = [this] { run(); };
  }
  static unsigned unit(unsigned chip) { return (kRank * kChips + chip) * 8 + kBank; }

  tensix_vp::DdrStatus send(tensix_vp::DdrCommand command) {
    sc_time delay;
    command.ranks = 1U << kRank;
    controller->b_transport(command, delay);
    bench.host.sleep(delay);
    return command.status;
  }
  /// Moves kBytes of each chip, whose bytes alternate on the bus, from `row` on.
  void move(bool write, std::uint64_t row, std::vector<std::vector<std::uint32_t>>& of_chips) {
    using tensix_vp::DdrOperation;
    std::vector<std::uint8_t> burst(64);
    for (unsigned at = 0; at < kBytes; at += 8) {
      const auto byte_of = [&](unsigned i) -> std::uint8_t& {
        return reinterpret_cast<std::uint8_t*>(of_chips[i % kChips].data())[at + i / kChips];
      };
      if (at % kRowBytes == 0) {
        EXPECT_EQ(
            send(
                {.operation = DdrOperation::kActivate, .bank = kBank, .row = row + at / kRowBytes}),
            tensix_vp::DdrStatus::kOk);
      }
      for (unsigned i = 0; write && i < 64; ++i) burst[i] = byte_of(i);
      const bool last = at % kRowBytes == kRowBytes - 8;
      const auto operation = write ? last ? DdrOperation::kWriteAutoPrecharge : DdrOperation::kWrite
                             : last ? DdrOperation::kReadAutoPrecharge
                                    : DdrOperation::kRead;
      EXPECT_EQ(send({.operation = operation,
                      .bank = kBank,
                      .column = at % kRowBytes,
                      .data = burst.data(),
                      .bytes = 64}),
                tensix_vp::DdrStatus::kOk);
      for (unsigned i = 0; !write && i < 64; ++i) byte_of(i) = burst[i];
    }
  }
  void run() {
    std::vector<std::vector<std::uint32_t>> vectors(kChips);
    for (unsigned chip = 0; chip < kChips; ++chip) vectors[chip] = vector_of(unit(chip), 1);
    move(true, 0, vectors);
    for (unsigned chip = 0; chip < kChips; ++chip) vectors[chip] = vector_of(unit(chip), 7);
    move(true, kBytes / kRowBytes, vectors);
    for (unsigned chip = 0; chip < kChips; ++chip) bench.prepare(unit(chip));
    bench.start();
    refuse();
    while (bench.running() != 0) bench.host.sleep(sc_time(1, sc_core::SC_US));
    for (unsigned chip = 0; chip < kChips; ++chip)
      bench.host.store(bench.reg(unit(chip), PimDimm::UnitRegister::kOwner), 0);
    move(false, 2 * kBytes / kRowBytes, vectors);
    for (unsigned chip = 0; chip < kChips; ++chip)
      if (!is_sum(unit(chip), vectors[chip])) wrong_units.push_back(unit(chip));
    done = true;
  }
  /// Commands for banks of running units and without units, masks, and debug accesses.
  void refuse() {
    using tensix_vp::DdrOperation;
    using tensix_vp::DdrStatus;
    std::vector<std::uint8_t> burst(64, 0xEE);
    const std::vector<std::uint8_t> mask = {0xFF, 0, 0xFF};
    std::vector<std::uint8_t> masks(64);
    std::copy(mask.begin(), mask.end(), masks.begin() + 8);
    for (const unsigned bank : {kBank, 3U, 9U})
      EXPECT_EQ(send({.operation = DdrOperation::kActivate, .bank = bank, .row = 64}),
                DdrStatus::kOk);
    const auto access = [&](DdrOperation operation, unsigned bank) {
      return send({.operation = operation,
                   .bank = bank,
                   .column = 16,
                   .data = burst.data(),
                   .bytes = 64,
                   .mask = operation == DdrOperation::kWrite ? masks.data() : nullptr});
    };
    EXPECT_EQ(access(DdrOperation::kRead, kBank), DdrStatus::kNotOwned);
    EXPECT_EQ(access(DdrOperation::kRead, 9), DdrStatus::kNoSuchPlace);
    EXPECT_EQ(access(DdrOperation::kWrite, 3), DdrStatus::kOk);
    // The second beat: byte 0 of chip 0 and byte 0 of chip 2.
    for (unsigned chip = 0; chip < 3; ++chip) {
      const std::uint64_t at = bench.dimm.bank(unit(chip) + 1) + 64 * kRowBytes + 16 + 1;
      std::uint8_t byte = 0;
      bench.host.read(at, &byte, 1);
      EXPECT_EQ(byte, chip == 1 ? 0 : 0xEE) << chip;
    }
    tensix_vp::DdrCommand peek{.operation = DdrOperation::kRead,
                               .ranks = 1U << kRank,
                               .bank = kBank,
                               .row = 0,
                               .column = 1016,
                               .data = burst.data(),
                               .bytes = 64};
    EXPECT_EQ(controller->transport_dbg(peek), 64u);
    EXPECT_EQ(burst[9],
              reinterpret_cast<const std::uint8_t*>(vector_of(unit(1), 1).data())[1016 + 1]);
    peek.bank = 12;
    EXPECT_EQ(controller->transport_dbg(peek), 0u);
    for (const unsigned bank : {kBank, 3U, 9U})
      EXPECT_EQ(send({.operation = DdrOperation::kPrecharge, .bank = bank}), DdrStatus::kOk);
  }
};

/// SystemC elaborates once: all modules and jobs are there from the start.
struct Simulation {
  tvp::tests::ReportRecorder reports;
  TrafficBench traffic{"traffic", false};
  TrafficBench timed_traffic{"timed_traffic", true};
  Bench plain{"plain", timed(false)};
  Bench slow{"slow", timed(true)};
  Bench random{"random", timed(true)};
  Bench wrong{"wrong", timed(false)};
  Bench alone{"alone",
              {.system = "pim_rank",
               .settings = {
                   {"pim.hierarchy", "bank=1 chip=1"}, {"mesh.width", "1"}, {"mesh.height", "1"}}}};
  std::vector<std::uint32_t> sum_alone = std::vector<std::uint32_t>(kWords);
  ChannelBench commanded{"commanded_bench"};
  Outcome plain_outcome;
  Outcome slow_outcome;
  std::uint64_t wrong_bytes = 0;
  std::vector<tlm::tlm_response_status> statuses;
  std::vector<tlm::tlm_response_status> expected;
  std::vector<std::string> complaints;

  void complain_about_parameters() {
    PimDimm::Parameters parameters;
    parameters.system = "single_chip";
    complaints.push_back(complaint(parameters));
    parameters = {};
    parameters.settings = {{"pim.packet_byte", "64"}};
    complaints.push_back(complaint(parameters));
    parameters.settings = {{"pim.ca_barrier", "rtl"}};
    complaints.push_back(complaint(parameters));
  }
  void run_alone() {
    alone.host.write(alone.dimm.bank(0), vector_of(0, 1).data(), kBytes);
    alone.host.write(alone.dimm.bank(0) + kBytes, vector_of(0, 7).data(), kBytes);
    alone.prepare(0);
    alone.start();
    while (alone.running() != 0) alone.host.sleep(sc_time(1, sc_core::SC_US));
    alone.host.store(alone.reg(0, PimDimm::UnitRegister::kOwner), 0);
    alone.host.read(alone.dimm.bank(0) + 2 * kBytes, sum_alone.data(), kBytes);
  }
  void run_random();
  void run_wrong();

  Simulation() {
    complain_about_parameters();
    plain.host.job = [&] { plain_outcome = plain.add_vectors(); };
    slow.host.job = [&] { slow_outcome = slow.add_vectors(); };
    random.host.job = [&] { run_random(); };
    alone.host.job = [&] { run_alone(); };
    wrong.host.job = [&] { run_wrong(); };
    sc_core::sc_start();
  }
};

/// Legal and illegal accesses around the borders of all parts while a program runs. A byte map
/// holds the expected content.
void Simulation::run_random() {
  PimDimm& dimm = random.dimm;
  Host& host = random.host;
  std::mt19937 generator(3);
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::uint64_t>(generator()) % bound;
  };
  std::map<std::uint64_t, std::uint8_t> shadow;
  const std::uint64_t control = dimm.wram(0);
  constexpr unsigned kRunningUnit = 5;
  random.prepare(kRunningUnit);
  random.start();
  // Banks 6 to 8 belong to the host all the time; WRAM and instruction memory of units 6 to 7.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> legal = {{dimm.bank(6), 4096},
                                                                      {dimm.bank(7) - 2048, 4096},
                                                                      {dimm.bank(9) - 4096, 4096},
                                                                      {dimm.wram(6), 65536},
                                                                      {dimm.iram(7), 24576}};
  std::vector<std::uint8_t> data(256);
  for (std::uint64_t n = transactions(); n > 0; --n) {
    sc_time delay(double(below(3)), sc_core::SC_NS);
    const bool write = below(2) == 0;
    const auto command = write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
    const auto bytes = static_cast<std::uint32_t>(1 + below(data.size()));
    for (auto& byte : data) byte = static_cast<std::uint8_t>(generator());
    if (below(4) == 0) {  // anywhere: refused, or a register, or the bank of the running unit
      const std::uint64_t bases[] = {dimm.bank(5),
                                     control,
                                     dimm.iram(5) + 24576,
                                     dimm.address(6, PimDimm::UnitRegister::kState),
                                     dimm.address(PimDimm::CommonRegister::kUnits),
                                     dimm.bytes(),
                                     ~0ULL - 200};
      const std::uint64_t base = bases[below(std::size(bases))];
      const std::uint64_t address = base + below(64) * (below(2) == 0 ? 4 : 1);
      if (address >= dimm.bank(6) && address < control) continue;
      const bool is_wram_of_0 = address >= control && address < control + 65536;
      const auto status = host.access(is_wram_of_0 ? tlm::TLM_READ_COMMAND : command, address,
                                      data.data(), bytes, delay, nullptr, below(8) == 0 ? 1 : 0);
      EXPECT_NE(status, tlm::TLM_INCOMPLETE_RESPONSE);
      // Only reads, and writes of rw registers of unit 6 that hold a legal value, may succeed.
      continue;
    }
    const auto& [base, size] = legal[below(legal.size())];
    const std::uint64_t at = base + below(size - bytes + 1);
    std::vector<std::uint8_t> enables(1 + below(8));
    for (auto& enable : enables) enable = below(2) == 0 ? 0 : 0xFF;
    const bool enabled = below(4) == 0;
    std::vector<std::uint8_t> want(data.begin(), data.begin() + bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (enabled && enables[i % enables.size()] == 0) continue;
      if (write) {
        shadow[at + i] = data[i];
      } else {
        want[i] = shadow[at + i];
      }
    }
    EXPECT_EQ(host.access(command, at, data.data(), bytes, delay, enabled ? &enables : nullptr),
              tlm::TLM_OK_RESPONSE);
    if (!std::equal(want.begin(), want.end(), data.begin())) ++wrong_bytes;
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  }
  while (random.running() != 0) host.sleep(sc_time(1, sc_core::SC_US));
}

void Simulation::run_wrong() {
  PimDimm& dimm = wrong.dimm;
  Host& host = wrong.host;
  std::vector<std::uint8_t> data(65536);
  const auto expect = [&](tlm::tlm_response_status status, tlm::tlm_command command,
                          std::uint64_t address, std::uint32_t bytes, std::uint32_t width = 0,
                          std::vector<std::uint8_t>* enables = nullptr) {
    sc_time delay;
    statuses.push_back(host.access(command, address, data.data(), bytes, delay, enables, width));
    expected.push_back(status);
  };
  constexpr auto kRead = tlm::TLM_READ_COMMAND;
  constexpr auto kWrite = tlm::TLM_WRITE_COMMAND;
  using Unit = PimDimm::UnitRegister;
  std::vector<std::uint8_t> enables = {0xFF};
  expect(tlm::TLM_OK_RESPONSE, kRead, dimm.bank(127) + dimm.bank_bytes() - 4, 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kRead, dimm.bank(127) + dimm.bank_bytes() - 4, 8);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kRead, dimm.bytes(), 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kRead, ~0ULL - 3, 8);
  expect(tlm::TLM_BURST_ERROR_RESPONSE, kRead, 0, 8, 4);
  expect(tlm::TLM_OK_RESPONSE, kWrite, dimm.wram(3) + 65532, 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kWrite, dimm.wram(3) + 65533, 4);
  expect(tlm::TLM_OK_RESPONSE, kWrite, dimm.iram(3) + 24572, 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kWrite, dimm.iram(3) + 24576, 4);
  const std::uint64_t state = dimm.address(3, Unit::kState);
  expect(tlm::TLM_OK_RESPONSE, kRead, state, 8);
  expect(tlm::TLM_COMMAND_ERROR_RESPONSE, kWrite, state, 4);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kRead, state + 2, 4);
  expect(tlm::TLM_BURST_ERROR_RESPONSE, kRead, state, 2);
  expect(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, kRead, state, 4, 0, &enables);
  expect(tlm::TLM_ADDRESS_ERROR_RESPONSE, kRead, dimm.address(3, Unit::kEnded) + 8, 4);
  expect(tlm::TLM_COMMAND_ERROR_RESPONSE, kRead, dimm.address(PimDimm::CommonRegister::kStart), 4);
  expect(tlm::TLM_COMMAND_ERROR_RESPONSE, kWrite, dimm.address(PimDimm::CommonRegister::kUnits), 4);
  // A unit without a program cannot start.
  host.store(dimm.address(3, Unit::kSelected), 1);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.address(PimDimm::CommonRegister::kStart), 4);
  host.store(dimm.address(3, Unit::kSelected), 0);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.address(3, Unit::kEntry), 4);  // 0
  // The host reaches a bank and memories of a running unit only like a debugger.
  wrong.prepare(4);
  wrong.start();
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kRead, dimm.bank(4), 4);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.wram(4), 4);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.iram(4), 4);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.address(4, Unit::kOwner), 4);
  host.store(dimm.address(4, Unit::kSelected), 1);
  expect(tlm::TLM_GENERIC_ERROR_RESPONSE, kWrite, dimm.address(PimDimm::CommonRegister::kStart), 4);
  host.store(dimm.address(4, Unit::kSelected), 0);
  std::uint32_t word = 0x12345678;
  EXPECT_EQ(host.access_in_phases(kWrite, dimm.bank(9) + 5, &word, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(host.load(dimm.bank(9) + 5), word);
  EXPECT_EQ(host.access_in_phases(kRead, dimm.bytes(), &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(wrong.checker.open(), 0u);
  EXPECT_EQ(host.debug(kWrite, dimm.bank(4) + (1 << 20), &word, 4), 4u);
  std::uint32_t back = 0;
  EXPECT_EQ(host.debug(kRead, dimm.bank(4) + (1 << 20), &back, 4), 4u);
  EXPECT_EQ(back, word);
  EXPECT_EQ(host.debug(kRead, dimm.wram(4), &back, 4), 4u);
  EXPECT_EQ(host.debug(kWrite, dimm.wram(4), &back, 4), 0u);
  EXPECT_EQ(host.debug(kRead, dimm.iram(4), &back, 4), 4u);
  EXPECT_EQ(std::memcmp(&back, Bench::program().data(), 4), 0);
  EXPECT_EQ(host.debug(kRead, dimm.address(4, Unit::kState), &back, 4), 4u);
  EXPECT_EQ(back, 1u);
  EXPECT_EQ(host.debug(kWrite, dimm.address(4, Unit::kOwner), &back, 4), 0u);
  EXPECT_EQ(host.debug(kRead, dimm.bank(127) + dimm.bank_bytes() - 2, &back, 4), 2u);
  EXPECT_EQ(host.debug(kRead, dimm.bytes(), &back, 4), 0u);
}

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

void expect_equal(const Outcome& component, const Outcome& abi) {
  ASSERT_EQ(component.sums.size(), kUnits.size());
  for (const auto& [unit, words] : component.sums) EXPECT_TRUE(is_sum(unit, words)) << unit;
  EXPECT_EQ(component.sums, abi.sums);
  EXPECT_EQ(component.cycles, abi.cycles);
  EXPECT_EQ(component.ps, abi.ps);
  EXPECT_EQ(component.digest, abi.digest);
}

TEST(PimDimmTest, RunsAsFastAsBehindTheCAbi) {
  expect_equal(simulation().plain_outcome, run_c_abi("system=pim_dimm\n"));
}

TEST(PimDimmTest, TimedAccessesTakeTheTimesOfTheCAbi) {
  expect_equal(simulation().slow_outcome, run_c_abi("system=pim_dimm\nhost.timed=true\n"));
  EXPECT_GT(simulation().slow_outcome.ps.front(), simulation().plain_outcome.ps.front());
}

TEST(PimDimmTest, RandomAccessesSeeEarlierOnes) {
  EXPECT_EQ(simulation().wrong_bytes, 0u);
  EXPECT_GT(simulation().random.checker.calls(), transactions());
  EXPECT_TRUE(simulation().random.dimm.idle());
}

TEST(PimDimmTest, RunsAUnitAlone) {
  EXPECT_EQ(simulation().alone.dimm.units(), 1u);
  EXPECT_TRUE(is_sum(0, simulation().sum_alone));
}

TEST(PimDimmTest, ChannelOfTheUserReachesTheBanks) {
  EXPECT_TRUE(simulation().commanded.done);
  EXPECT_EQ(simulation().commanded.wrong_units, std::vector<std::uint32_t>());
}

TEST(PimDimmTest, ServesRandomTraffic) {
  for (const TrafficBench* bench : {&simulation().traffic, &simulation().timed_traffic}) {
    EXPECT_TRUE(bench->traffic.finished());
    const auto& counts = bench->traffic.counts();
    EXPECT_GT(counts.blocking, transactions() / 10);
    EXPECT_GT(counts.phased, transactions() / 10);
    EXPECT_GT(counts.refused, transactions() / 100);
    EXPECT_GT(counts.wrong_phases, transactions() / 200);
    EXPECT_GT(counts.debug, transactions() / 100);
  }
  for (const auto& report : tvp::tests::ReportRecorder::reports())
    EXPECT_NE(report.severity, sc_core::SC_ERROR) << report.text;
  // Each warning names socket and unit.
  EXPECT_GT(tvp::tests::ReportRecorder::count(sc_core::SC_WARNING, {"_dimm.memory: unit"}), 10u);
}

TEST(PimDimmTest, RefusesWrongAccesses) {
  ASSERT_EQ(simulation().statuses.size(), simulation().expected.size());
  for (std::size_t i = 0; i < simulation().expected.size(); ++i)
    EXPECT_EQ(simulation().statuses[i], simulation().expected[i]) << "access " << i;
}

TEST(PimDimmTest, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"a system of kind pim", "pim.packet_bytes", "expected tlm"};
  ASSERT_EQ(simulation().complaints.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(simulation().complaints[i].find(expected[i]), std::string::npos)
        << simulation().complaints[i];
}

}  // namespace
