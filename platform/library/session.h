#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "foundation/fault.h"
#include "platform/debug/debugger.h"
#include "platform/include/tensix_vp/libttsim.h"
#include "platform/library/dma_callbacks.h"
#include "platform/machine/machine.h"
#include "platform/machine/pim_machine.h"
#include "platform/machine/platform_config.h"
#include "platform/machine/wormhole_machine.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// What stands behind the C ABI: settings, the machine, the first error. One a process, since
/// SystemC has one simulation a process.
class Session {
 public:
  static Session& instance();

  bool configure(const std::string& text);
  void init();
  void exit();
  DmaCallbacks& dma() { return dma_; }
  std::uint32_t config_read(std::uint32_t bus_device_function, std::uint32_t offset);
  void config_write(std::uint32_t bus_device_function, std::uint32_t offset, std::uint32_t value);
  void mem_access(std::uint64_t paddr, std::uint8_t* data, std::uint32_t bytes, bool write);
  void tile_access(unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
                   std::uint32_t bytes, bool write);
  void clock(std::uint32_t cycles);
  bool register_symbols(unsigned chip, unsigned x, unsigned y, unsigned core,
                        const std::string& elf_path);
  /// The program's number, or -1.
  std::int32_t load_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                            const std::string& elf_path, const std::string& options);
  bool program_result(std::int32_t number, tensix_vp_program& result);
  // Units of PIM systems; false when the call was refused, and the session has stopped then.
  bool pim_own(unsigned unit, unsigned owner);
  bool pim_bank(unsigned unit, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                bool write);
  bool pim_wram(unsigned unit, std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                bool write);
  bool pim_load(unsigned unit, const std::string& elf_path);
  bool pim_start(const std::uint32_t* units, std::uint32_t count);
  bool pim_state(unsigned unit, tensix_vp_pim_unit& state);
  std::vector<std::uint32_t> pim_route(unsigned source, unsigned destination);
  std::string pim_output(unsigned unit);
  void phase(const std::string& name, bool end);
  void stretch(const std::string& path, const std::string& name, std::uint64_t begin,
               std::uint64_t end);

  std::uint64_t time_ps() const { return machine_ ? machine_->now_ps() : 0; }
  std::uint32_t status() const;
  std::uint32_t error_kind() const;
  const std::string& error_text() const { return error_text_; }
  std::string system_json() const { return machine_ ? machine_->system_json() : "{}"; }
  /// Made when a host asks for its length, and handed out once; then made anew.
  std::string report_length_first(bool asks_for_length);
  /// Every key with its value, default, unit, doc and source.
  std::string settings_json();

 private:
  Session();
  template <typename Work>
  void guarded(const Work& work);
  template <typename Work>
  bool guarded_pim(const Work& work);
  void record(std::uint32_t kind, const std::string& text);
  void apply_system_settings();
  void say_goodbye();
  std::uint32_t cycles_to_time_limit() const;

  /// Where the BARs of chip device i lie in host physical address space.
  static constexpr std::uint64_t kBarStride = 1ULL << 32;
  static constexpr std::uint64_t kBar2Offset = 0x40000000;
  static constexpr std::uint64_t kBar4Offset = 0x50000000;
  static std::uint64_t bar0_base(unsigned device) { return (device + 1) * kBarStride; }
  Chip* chip_of_device(unsigned device);

  PlatformConfig config_;
  std::string system_name_ = "single_chip";
  std::optional<SystemDescription> system_;
  std::unique_ptr<Machine> machine_;
  WormholeMachine* wormhole_ = nullptr;        ///< the same, when it is of that kind
  PimMachine* pim_ = nullptr;                  ///< the same
  std::unique_ptr<debug::Debugger> debugger_;  ///< null while nobody asked for one
  DmaCallbacks dma_;
  bool ended_ = false;
  std::uint32_t error_kind_ = TENSIX_VP_ERROR_NONE;
  std::string error_text_;
  std::optional<std::string> report_;
  bool time_limit_reached_ = false;
};

}  // namespace tvp::platform
