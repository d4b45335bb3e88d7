#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/fault.h"
#include "platform/debug/debugger.h"
#include "platform/library/configuration.h"
#include "platform/library/dma_callbacks.h"
#include "platform/library/host_recorder.h"
#include "platform/library/kernel.h"
#include "platform/library/pci_bus.h"
#include "platform/machine/machine.h"
#include "platform/ranks/ranks.h"

namespace tvp::platform {

/// The state behind the C ABI: the machine and the first error. A library has one session. After
/// libttsim_exit or an error, libttsim_init starts again and keeps only the host's callbacks. The
/// session knows the machine's interface, not its kind.
class Session {
 public:
  static Session& instance();
  /// The host uses this library's own symbols, so it can query errors. Other hosts only read ones
  /// after an error, so errors are written to standard error for them.
  static void host_asks() { host_asks_ = true; }

  /// The work of a process of another rank. Returns an exit code.
  static int serve() noexcept;

  // Call these in this order; libttsim_exit permits the next round.
  bool configure(const std::string& text);
  void init();
  void exit();

  void clock(std::uint32_t cycles);
  std::uint64_t time_ps() const { return machine_ ? machine_->now_ps() : 0; }
  /// A tensix_vp_status.
  std::uint32_t status() const;

  /// A tensix_vp_error: of the first error, which stopped the session, or of the last call that was
  /// refused without stopping it.
  std::uint32_t error_kind() const {
    const bool only_refused = error_kind_ == TENSIX_VP_ERROR_NONE && !refusal_.empty();
    return only_refused ? static_cast<std::uint32_t>(TENSIX_VP_ERROR_USAGE) : error_kind_;
  }
  const std::string& error_text() const { return error_text_.empty() ? refusal_ : error_text_; }
  /// Records the current exception as an error that stops the session.
  void record_current() noexcept;

  // Chips.
  DmaCallbacks& dma() { return dma_; }
  std::uint32_t config_read(std::uint32_t bus_device_function, std::uint32_t offset) const;
  void config_write(std::uint32_t offset);
  void mem_access(std::uint64_t physical, std::uint8_t* data, std::uint32_t bytes, bool write);
  void tile_access(unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
                   std::uint32_t bytes, bool write);
  /// False if there is no such core or file; the last error gives the reason, and the session
  /// continues.
  bool register_symbols(const CorePlace& place, const std::string& elf_path);
  bool set_buffers(const CorePlace& place, std::span<const tensix_vp_circular_buffer> buffers);
  bool set_given(const CorePlace& place, const checks::TileContext::Given& given,
                 std::uint32_t address, std::uint32_t bytes);
  bool set_arguments(const CorePlace& place, std::span<const std::uint32_t> words);
  bool set_dram_buffer(unsigned chip, std::uint64_t address,
                       const checks::DramBuffers::Buffer& buffer);
  bool set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                     std::span<const checks::L1Buffers::Tile> tiles);
  std::string origin(unsigned chip, unsigned x, unsigned y, std::uint64_t address);
  /// The program's number, or -1.
  std::int32_t load_program(const CorePlace& place, const std::string& elf_path,
                            const std::string& options);
  std::optional<tensix_vp_program> program_result(std::int32_t number);

  // Units of PIM systems; false if the call was refused, which also stops the session.
  template <typename Work>
  bool with_units(const Work& work) {
    return guarded([&] { work(units()); });
  }
  bool load_unit(unsigned unit, const std::string& elf_path);
  /// Reads the WRAM of a unit, also after an error. False if the unit has no such address.
  bool peek_wram(unsigned unit, std::uint32_t address, std::uint8_t* data, std::uint32_t bytes);

  void times(std::uint32_t period, std::uint32_t first, std::uint32_t bytes);
  void phase(const std::string& name, bool end);
  void span(const std::string& path, const std::string& name, std::uint64_t begin,
            std::uint64_t end);

  std::string system_json() const {
    return machine_ ? machine_->system_json() : configuration_->read_system().to_json();
  }
  std::string settings_json() const { return configuration_->to_json(); }
  /// Creates the report when a host asks for its length, and returns it once. The next query
  /// creates it again.
  std::string report_length_first(bool asks_for_length);

 private:
  Session();
  /// Runs `work` unless an earlier error stopped the session; false if it did not complete.
  template <typename Work>
  bool guarded(const Work& work) {
    if (error_kind_ != TENSIX_VP_ERROR_NONE) return false;
    if (busy_) {
      record(TENSIX_VP_ERROR_USAGE, "a call from inside another one, e.g. from a DMA callback");
      return false;
    }
    busy_ = true;
    const bool done = keep(work);
    busy_ = false;
    return done;
  }
  /// Runs `work` and records its exception; false if it did not complete.
  template <typename Work>
  bool keep(const Work& work) {
    const Kernel::Inside inside(kernel_.get());
    try {
      work();
      return true;
    } catch (...) {
      record_current();
    }
    return false;
  }
  void record(std::uint32_t kind, const std::string& text);
  /// Drops machine and error, and applies `texts_` again.
  void begin_anew();
  std::string explained(const foundation::Fault& fault) const;
  /// Reads of absent addresses return ones, as on PCI Express.
  static void answer_with_ones(std::uint8_t* data, std::uint32_t bytes);
  UnitAccess& units() const;
  /// That of `vp run`, as far as the library knows it.
  int exit_code() const;
  /// Reports the end of the run to the debugger.
  void say_goodbye();
  void listen_to_warnings();
  /// Writes the file record.report if the settings ask for it. The host may end without
  /// libttsim_exit, so this is also done when the process exits or terminates.
  void write_report();
  static void report_at_process_end();
  /// Starts the recording if the settings ask for it.
  void start_recorder();
  void end_recorder();
  std::uint32_t cycles_to_time_limit() const;
  /// The processes that share the simulation; null: this one only.
  Ranks* ranks();
  void make_machine_of_ranks(Ranks& ranks);

  static inline std::atomic<bool> host_asks_ = false;
  std::unique_ptr<Ranks> ranks_;    ///< from the first simulation on, if there are any
  std::vector<std::string> texts_;  ///< the host's configuration texts
  std::unique_ptr<Configuration> configuration_;
  std::unique_ptr<Kernel> kernel_;             ///< the machine's kernel
  std::unique_ptr<Machine> machine_;           ///< set by libttsim_init
  PciBus pci_{nullptr};                        ///< bus of the machine's devices
  std::unique_ptr<debug::Debugger> debugger_;  ///< null without gdb.port
  DmaCallbacks dma_;
  std::unique_ptr<HostRecorder> recorder_;  ///< null without record.file
  bool ended_ = false;
  bool report_written_ = false;
  bool time_limit_reached_ = false;
  std::uint32_t error_kind_ = TENSIX_VP_ERROR_NONE;
  std::string error_text_;
  std::string refusal_;  ///< reason of the last call that was refused without stopping the session
  bool busy_ = false;    ///< true inside a call
  std::optional<std::string> report_;
};

}  // namespace tvp::platform
