#include "platform/library/session.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "foundation/host_error.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/recording/message_reader.h"
#include "foundation/same_file.h"
#include "platform/library/key_values.h"
#include "platform/library/rank_server.h"
#include "platform/machine/ranks/rank_call.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

std::uint32_t abi_kind(FaultKind kind) {
  switch (kind) {
    case FaultKind::kFirmware:
      return TENSIX_VP_ERROR_FIRMWARE;
    case FaultKind::kUnmodelled:
      return TENSIX_VP_ERROR_UNMODELLED;
    case FaultKind::kDescription:
      return TENSIX_VP_ERROR_USAGE;
    case FaultKind::kInternal:
      break;
  }
  return TENSIX_VP_ERROR_INTERNAL;
}

void require_memory(const void* data, std::uint64_t bytes) {
  if (data != nullptr || bytes == 0) return;
  throw Fault(FaultKind::kDescription, "host",
              "a null pointer as " + std::to_string(bytes) + " bytes of memory");
}

void print_warning(const std::string& text) {
  std::fprintf(stderr, "libtensix_vp: warning: %s\n", text.c_str());
}

ProgramOptions parse_program_options(const std::string& text, const std::string& elf_path) {
  ProgramOptions options;
  for (const auto& [key, value] : parse_key_values(text)) {
    if (key == "commitlog") {
      options.commit_log = value;
    } else if (key == "signature") {
      options.signature = value;
    } else {
      throw Fault(FaultKind::kDescription, elf_path,
                  "unknown option '" + key + "': expected commitlog or signature");
    }
  }
  if (!options.commit_log.empty() && foundation::same_file(options.commit_log, options.signature)) {
    throw Fault(FaultKind::kDescription, elf_path,
                "commit log and signature are both to be written to " + options.commit_log);
  }
  return options;
}

}  // namespace

Session& Session::instance() {
  // Never destroyed: SystemC's own globals may already be gone when statics are.
  static Session* session = new Session();
  return *session;
}

Session::Session() { begin_anew(); }

void Session::begin_anew() {
  {
    const Kernel::Inside inside(kernel_.get());
    debugger_.reset();
    machine_.reset();
  }
  kernel_.reset();
  recorder_.reset();
  pci_ = PciBus(nullptr);
  ended_ = false;
  report_written_ = false;
  time_limit_reached_ = false;
  error_kind_ = TENSIX_VP_ERROR_NONE;
  error_text_.clear();
  refusal_.clear();
  debug::Debugger::forget_interrupt();
  report_.reset();
  configuration_ = std::make_unique<Configuration>();
  // Settings of the launcher (`vp exec`). They are the user's current choice and take precedence
  // over the program's.
  const char* launcher = std::getenv("TENSIX_VP_CONFIGURE");
  keep([&] {
    if (launcher != nullptr) configuration_->apply_launcher(launcher);
    for (const std::string& text : texts_) configuration_->apply(text);
  });
}

void Session::record(std::uint32_t kind, const std::string& text) {
  if (error_kind_ != TENSIX_VP_ERROR_NONE) return;
  error_kind_ = kind;
  error_text_ = text;
  if (!host_asks_) std::fprintf(stderr, "libtensix_vp: %s\n", text.c_str());
}

void Session::record_current() noexcept try {
  try {
    throw;
  } catch (const debug::Ended& end) {
    record(TENSIX_VP_ERROR_INTERRUPTED, end.what());
  } catch (const Fault& fault) {
    record(abi_kind(fault.kind()), explained(fault));
  } catch (const sc_core::sc_report& report) {
    record(TENSIX_VP_ERROR_INTERNAL, report.what());
  } catch (const std::exception& error) {
    const auto failure = foundation::host_failure(error);
    record(failure ? TENSIX_VP_ERROR_HOST : TENSIX_VP_ERROR_INTERNAL,
           failure.value_or(error.what()));
  } catch (...) {
    record(TENSIX_VP_ERROR_INTERNAL, "an exception of an unknown kind");
  }
} catch (...) {
  // There is no memory for the text, either.
  if (error_kind_ == TENSIX_VP_ERROR_NONE) error_kind_ = TENSIX_VP_ERROR_HOST;
}

/// Adds what is known about the place. A failure of this, for example broken debug information,
/// must not hide the fault.
std::string Session::explained(const Fault& fault) const {
  try {
    if (machine_) return machine_->explain(fault);
  } catch (const std::exception&) {
  }
  return fault.what();
}

bool Session::configure(const std::string& text) {
  const bool stopped = error_kind_ != TENSIX_VP_ERROR_NONE;
  // A running machine keeps the settings that it started with.
  if (busy_) {
    refusal_ = "tensix_vp_configure from inside another call";
    return false;
  }
  if (machine_ && !ended_ && !stopped) {
    refusal_ = "tensix_vp_configure before libttsim_exit: the simulation is running";
    return false;
  }
  try {
    if (machine_ && stopped) exit();
    // The settings of an ended or refused run do not apply to the next one.
    if (ended_) texts_.clear();
    if (ended_ || stopped) begin_anew();
    for (const std::string& pair : configuration_->apply(text)) {
      std::fprintf(stderr, "libtensix_vp: %s of the program gives way to what launched it\n",
                   pair.c_str());
    }
    texts_.push_back(text);
    return true;
  } catch (const std::exception& error) {
    const auto failure = foundation::host_failure(error);
    error_kind_ = failure ? TENSIX_VP_ERROR_HOST : TENSIX_VP_ERROR_USAGE;
    error_text_ = failure.value_or(error.what());
  } catch (...) {
    record_current();
  }
  return false;
}

void Session::init() {
  if (busy_) {
    record(TENSIX_VP_ERROR_USAGE, "libttsim_init from inside another call");
    return;
  }
  const bool stopped = machine_ && error_kind_ != TENSIX_VP_ERROR_NONE;
  if (machine_ && !ended_ && !stopped) {
    record(TENSIX_VP_ERROR_USAGE, "libttsim_init before libttsim_exit: the simulation is running");
    return;
  }
  if (stopped) exit();
  if (ended_) begin_anew();
  kernel_ = std::make_unique<Kernel>();
  guarded([&] {
    const SystemDescription& system = configuration_->load_system();
    configuration_->platform().between = debug::Debugger::check_interrupt_wait;
    if (Ranks* const others = ranks()) {
      make_machine_of_ranks(*others);
    } else {
      machine_ = make_machine(system, configuration_->platform());
    }
    pci_ = PciBus(machine_->devices());
    if (machine_->devices() != nullptr) machine_->devices()->set_host_memory(dma_);
    listen_to_warnings();
    if (!configuration_->platform().record.report.value().empty()) report_at_process_end();
    start_recorder();
    machine_->start();
    const GdbConfig& gdb = configuration_->platform().gdb;
    if (gdb.port != 0) {
      debugger_ = std::make_unique<debug::Debugger>(*machine_, gdb);
    }
  });
}

int Session::serve() noexcept try {
  const std::unique_ptr<Ranks> ranks =
      std::getenv(Ranks::kVariable) == nullptr ? nullptr : Ranks::open();
  if (ranks == nullptr || ranks->rank() == 0)
    throw Fault(FaultKind::kDescription, "tensix_vp_serve",
                "is called outside of mpirun or by rank 0: expected another rank of an MPI job");
  RankServer(*ranks).serve();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "libtensix_vp: %s\n", error.what());
  const auto* const fault = dynamic_cast<const Fault*>(&error);
  return fault != nullptr && fault->kind() == FaultKind::kDescription ? 2
         : foundation::host_failure(error)                            ? 71
                                                                      : 70;
}

Ranks* Session::ranks() {
  if (ranks_ || std::getenv(Ranks::kVariable) == nullptr) return ranks_.get();
  ranks_ = Ranks::open();
  if (ranks_->rank() != 0)
    throw Fault(FaultKind::kDescription, "mpirun",
                "rank " + std::to_string(ranks_->rank()) +
                    " runs a host program: expected mpirun -n RANKS tensix-vp exec -- PROGRAM, "
                    "which runs it on rank 0 only");
  std::atexit([] {
    Ranks& ranks = *instance().ranks_;
    if (ranks.is_broken()) return;
    for (unsigned rank = 1; rank < ranks.size(); ++rank)
      ranks.send(rank, Message().put(RankCall::kEnd));
    ranks.close();
  });
  return ranks_.get();
}

/// Other ranks make their chips at the same time, and have answered in any case.
void Session::make_machine_of_ranks(Ranks& ranks) {
  const char* const launcher = std::getenv("TENSIX_VP_CONFIGURE");
  RankServer::start_others(ranks, launcher == nullptr ? "" : launcher, texts_);
  configuration_->platform().ranks = &ranks;
  std::exception_ptr failure;
  try {
    machine_ = make_machine(configuration_->system(), configuration_->platform());
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    RankServer::await_others(ranks, *configuration_);
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (!failure) {
    std::string chips;
    const ChipPlacement placement(configuration_->system(), ranks.size(),
                                  configuration_->platform().mpi.placement.value());
    for (unsigned rank = 0; rank < ranks.size(); ++rank)
      chips += (rank == 0 ? "" : " | ") + placement.chips_of(rank);
    std::fprintf(stderr, "libtensix_vp: %u ranks: %s\n", ranks.size(), chips.c_str());
    return;
  }
  machine_.reset();
  std::rethrow_exception(failure);
}

void Session::start_recorder() {
  const std::string& file = configuration_->platform().record.file.value();
  if (file.empty() || machine_->devices() == nullptr) return;
  recorder_ = std::make_unique<HostRecorder>(
      file, std::string(foundation::kToPlayAgain) + configuration_->options(), dma_);
  recorder_->listen(*machine_->devices());
  machine_->devices()->set_host_memory(*recorder_);
}

void Session::end_recorder() {
  if (!recorder_) return;
  keep([&] {
    machine_->settle();
    if (error_kind_ != TENSIX_VP_ERROR_NONE) recorder_->comment("stopped: " + error_text_);
    recorder_->comment("ended at " + std::to_string(machine_->now_ps()) + " ps, state " +
                       foundation::hex(machine_->state_digest(), 16));
    recorder_->ended();
  });
}

void Session::exit() {
  if (busy_) {
    record(TENSIX_VP_ERROR_USAGE, "libttsim_exit from inside another call");
    return;
  }
  if (machine_ && !ended_) {
    guarded([&] { machine_->check_at_end(); });
    if (configuration_->platform().run.warnings == "at_once")
      for (const std::string& text : machine_->faults().repetitions()) print_warning(text);
    end_recorder();
    write_report();
    if (debugger_) say_goodbye();
    keep([&] { machine_->finish(); });
  }
  ended_ = true;
}

/// Warnings are printed when they arise, since a host may end without libttsim_exit.
void Session::listen_to_warnings() {
  if (configuration_->platform().run.warnings == "at_once")
    machine_->faults().set_listener(print_warning);
}

void Session::write_report() {
  if (report_written_ || !machine_) return;
  const std::string& file = configuration_->platform().record.report.value();
  if (file.empty()) return;
  report_written_ = true;
  keep([&] {
    const nlohmann::ordered_json json = {
        {"system", configuration_->system_name()},
        {"exit_code", exit_code()},
        {"error", error_text_},
        {"report", nlohmann::ordered_json::parse(machine_->report())},
        {"settings", nlohmann::ordered_json::parse(configuration_->to_json())}};
    foundation::write_file(file, foundation::json_text(json) + "\n");
  });
}

void Session::report_at_process_end() {
  static const std::terminate_handler before = std::get_terminate();
  static const auto write = [] {
    Session& session = instance();
    if (!session.busy_ && !session.ended_) session.write_report();
  };
  [[maybe_unused]] static const bool registered = [] {
    std::set_terminate([] {
      write();
      before();
    });
    // A host that unloads the library also comes here.
    return std::atexit([] {
             write();
             std::set_terminate(before);
           }) == 0;
  }();
}

int Session::exit_code() const {
  switch (error_kind_) {
    case TENSIX_VP_ERROR_NONE:
      return time_limit_reached_ ? 5 : 0;
    case TENSIX_VP_ERROR_USAGE:
      return 2;
    case TENSIX_VP_ERROR_FIRMWARE:
      return 3;
    case TENSIX_VP_ERROR_HOST:
      return 71;
    case TENSIX_VP_ERROR_INTERRUPTED:
      return 130;
    default:
      return 70;
  }
}

void Session::say_goodbye() {
  try {
    debugger_->finish(exit_code());
  } catch (const debug::Ended&) {
    // The debugger killed a run that had already ended.
  }
}

void Session::clock(std::uint32_t cycles) {
  if (!machine_ || ended_ || error_kind_ != TENSIX_VP_ERROR_NONE) return;
  std::uint32_t n = 0;
  guarded([&] {
    const std::uint64_t limit_ps = configuration_->platform().run.max_time_ns * 1000;
    if (limit_ps != 0 && machine_->now_ps() >= limit_ps) {
      time_limit_reached_ = true;
      return;
    }
    n = std::min(cycles, cycles_to_time_limit());
    if (debugger_) {
      debugger_->clock(n);
    } else {
      machine_->clock(n);
    }
  });
  // Recorded also after a fault in these cycles, since a replay meets the fault again.
  if (recorder_ && n != 0) keep([&] { recorder_->clocked(n); });
}

std::uint32_t Session::cycles_to_time_limit() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t limit_ns = configuration_->platform().run.max_time_ns;
  if (limit_ns == 0) return kMost;
  using Wide = unsigned __int128;
  const Wide limit = (Wide{limit_ns} * machine_->clock_mhz() + 999) / 1000;
  return static_cast<std::uint32_t>(std::min<Wide>(limit - machine_->now(), kMost));
}

std::uint32_t Session::status() const {
  if (error_kind_ != TENSIX_VP_ERROR_NONE) return TENSIX_VP_FAULT;
  if (!machine_ || ended_) return TENSIX_VP_NOT_STARTED;
  if (time_limit_reached_) return TENSIX_VP_TIME_LIMIT;
  return machine_->idle() ? TENSIX_VP_IDLE : TENSIX_VP_RUNNING;
}

std::uint32_t Session::config_read(std::uint32_t bus_device_function, std::uint32_t offset) const {
  return pci_.config_read(bus_device_function, offset);
}

void Session::config_write(std::uint32_t offset) {
  // Memory and bus master enable; both are always on.
  if (offset == 0x04) return;
  record(TENSIX_VP_ERROR_USAGE, "write to PCI configuration offset " + std::to_string(offset) +
                                    ": BARs are fixed, nothing else can be written");
}

void Session::mem_access(std::uint64_t physical, std::uint8_t* data, std::uint32_t bytes,
                         bool write) {
  const bool done = guarded([&] {
    require_memory(data, bytes);
    pci_.access(physical, data, bytes, write);
  });
  if (!done && !write) answer_with_ones(data, bytes);
}

void Session::answer_with_ones(std::uint8_t* data, std::uint32_t bytes) {
  // A length beyond any window is a mistake, since the size of the host's memory is unknown.
  constexpr std::uint32_t kLargestWindow = 16U << 20;
  if (data != nullptr && bytes <= kLargestWindow) std::memset(data, 0xFF, bytes);
}

void Session::tile_access(unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
                          std::uint32_t bytes, bool write) {
  const bool done = guarded([&] {
    require_memory(data, bytes);
    DeviceAccess* devices = machine_ ? machine_->devices() : nullptr;
    if (devices == nullptr || !devices->has_device(0)) {
      throw Fault(FaultKind::kDescription, "host", "the system has no PCI device 0 with tiles");
    }
    devices->access_tile(0, x, y, address, data, bytes, write);
  });
  if (!done && !write) answer_with_ones(data, bytes);
}

bool Session::register_symbols(const CorePlace& place, const std::string& elf_path) {
  bool added = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    added = programs != nullptr && programs->add_symbols(place, elf_path);
    if (added && debugger_) {
      debugger_->loaded(place.chip, place.x, place.y, place.core, elf_path);
    }
    if (added && recorder_) {
      recorder_->comment("symbols chip=" + std::to_string(place.chip) +
                         " core=" + std::to_string(place.x) + "," + std::to_string(place.y) +
                         " processor=" + std::to_string(place.core) + " " + elf_path);
    }
  });
  if (!added)
    refusal_ =
        elf_path + ": expected an ELF file, and a core that the system has, after libttsim_init";
  return added;
}

bool Session::set_buffers(const CorePlace& place,
                          std::span<const tensix_vp_circular_buffer> buffers) {
  bool set = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    set = programs != nullptr && programs->set_buffers(place, buffers);
  });
  if (!set)
    refusal_ = "circular buffers of chip " + std::to_string(place.chip) + " (" +
               std::to_string(place.x) + ", " + std::to_string(place.y) +
               "): expected a Tensix tile that the system has, after libttsim_init, and 32 of them "
               "at the most";
  return set;
}

bool Session::set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) {
  bool set = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    set = programs != nullptr && programs->set_arguments(place, words);
  });
  if (!set)
    refusal_ = "arguments of core " + std::to_string(place.core) + " of chip " +
               std::to_string(place.chip) + " (" + std::to_string(place.x) + ", " +
               std::to_string(place.y) +
               "): expected a core that the system has, after libttsim_init";
  return set;
}

bool Session::set_given(const CorePlace& place, const checks::TileContext::Given& given,
                        std::uint32_t address, std::uint32_t bytes) {
  bool set = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    set = programs != nullptr && programs->set_given(place, given, address, bytes);
  });
  if (!set)
    refusal_ = "data for the program of chip " + std::to_string(place.chip) + " (" +
               std::to_string(place.x) + ", " + std::to_string(place.y) +
               "): expected a Tensix tile that the system has, after libttsim_init, and "
               "bytes of its L1";
  return set;
}

bool Session::set_dram_buffer(unsigned chip, std::uint64_t address,
                              const checks::DramBuffers::Buffer& buffer) {
  bool set = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    set = programs != nullptr && programs->set_dram_buffer(chip, address, buffer);
  });
  if (!set)
    refusal_ = "a buffer in the DRAM of chip " + std::to_string(chip) +
               ": expected a chip that the system has, after libttsim_init, and of pages their "
               "size and the number of banks";
  return set;
}

bool Session::set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                            std::span<const checks::L1Buffers::Tile> tiles) {
  bool set = false;
  guarded([&] {
    ProgramAccess* programs = machine_ && !ended_ ? machine_->programs() : nullptr;
    set = programs != nullptr && programs->set_l1_buffer(chip, address, bytes, tiles);
  });
  if (!set)
    refusal_ = "a buffer in the L1 of chip " + std::to_string(chip) +
               ": expected a chip and Tensix tiles that the system has, after libttsim_init, and "
               "bytes of their L1";
  return set;
}

/// Available also after an error has stopped the session.
std::string Session::origin(unsigned chip, unsigned x, unsigned y, std::uint64_t address) {
  std::string text;
  keep([&] {
    ProgramAccess* programs = machine_ ? machine_->programs() : nullptr;
    UnitAccess* units = machine_ ? machine_->units() : nullptr;
    if (programs != nullptr)
      text = programs->origin(chip, x, y, address);
    else if (units != nullptr && chip == 0 && y <= 1)
      text = units->origin(x, address, y != 0);
  });
  return text;
}

std::int32_t Session::load_program(const CorePlace& place, const std::string& elf_path,
                                   const std::string& options) {
  std::int32_t number = -1;
  guarded([&] {
    if (!machine_ || ended_) {
      throw Fault(FaultKind::kDescription, elf_path, "loaded before init or after exit");
    }
    ProgramAccess* programs = machine_->programs();
    if (programs == nullptr) {
      throw Fault(
          FaultKind::kDescription, elf_path,
          "the system " + configuration_->system().name + " has no Tensix or ethernet cores");
    }
    if (recorder_) {
      throw Fault(FaultKind::kDescription, "record.file",
                  "a bare program is started beside the chip's own ways: it cannot be recorded");
    }
    number = static_cast<std::int32_t>(
        programs->start_program(place, elf_path, parse_program_options(options, elf_path)));
    if (debugger_) {
      debugger_->loaded(place.chip, place.x, place.y, place.core, elf_path);
      if (options.find("commitlog") != std::string::npos)
        debugger_->refuse_going_back("the run writes a commit log");
    }
  });
  return number;
}

std::optional<tensix_vp_program> Session::program_result(std::int32_t number) {
  std::optional<ProgramResult> r;
  if (machine_ && machine_->programs() != nullptr && number >= 0) {
    r = machine_->programs()->program_result(static_cast<unsigned>(number));
  }
  if (!r) {
    refusal_ = "there is no program " + std::to_string(number);
    return std::nullopt;
  }
  return tensix_vp_program{.ended = r->ended ? 1U : 0U,
                           .tohost = r->tohost,
                           .instructions = r->instructions,
                           .slept_instructions = r->slept_instructions,
                           .cycles = r->cycles,
                           .duration_ps = machine_->to_ps(r->cycles)};
}

UnitAccess& Session::units() const {
  if (!machine_ || ended_) {
    throw Fault(FaultKind::kDescription, "host", "PIM units used before init or after exit");
  }
  if (machine_->units() == nullptr) {
    throw Fault(FaultKind::kDescription, "host",
                "the system " + configuration_->system().name + " has no PIM units");
  }
  return *machine_->units();
}

bool Session::load_unit(unsigned unit, const std::string& elf_path) {
  return with_units([&](UnitAccess& units) {
    units.load(unit, elf_path);
    if (debugger_) debugger_->loaded(0, unit, 0, 0, elf_path);
  });
}

bool Session::peek_wram(unsigned unit, std::uint32_t address, std::uint8_t* data,
                        std::uint32_t bytes) {
  if (busy_ || !machine_ || ended_ || machine_->units() == nullptr) return false;
  return machine_->units()->peek_wram(unit, address, data, bytes);
}

void Session::times(std::uint32_t period, std::uint32_t first, std::uint32_t bytes) {
  guarded([&] {
    std::optional<foundation::MeasuredTimes> times;
    if (bytes != 0) times = foundation::MeasuredTimes::checked(period, first, bytes, "host");
    if (recorder_) recorder_->mark(times);
  });
}

void Session::phase(const std::string& name, bool end) {
  guarded([&] {
    if (machine_ && !ended_) machine_->phase(name, end);
  });
}

void Session::span(const std::string& path, const std::string& name, std::uint64_t begin,
                   std::uint64_t end) {
  guarded([&] {
    if (begin > end) {
      throw Fault(FaultKind::kDescription, "host",
                  "span " + name + " of " + path + " ends at " + std::to_string(end) +
                      ", before it begins");
    }
    if (machine_ && !ended_) machine_->span(path, name, begin, end);
  });
}

std::string Session::report_length_first(bool asks_for_length) {
  if (!machine_) return "{}";
  if (busy_) throw Fault(FaultKind::kDescription, "host", "a report from inside another call");
  if (asks_for_length || !report_) report_ = machine_->report();
  if (asks_for_length) return *report_;
  return *std::exchange(report_, std::nullopt);
}

}  // namespace tvp::platform
