#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

struct tensix_vp_circular_buffer;
struct tensix_vp_pim_unit;
struct tensix_vp_program;

namespace tvp::runtime {

/// A library with the C ABI of foundation/abi/tensix_vp/libttsim.h, opened by dlopen. All accesses
/// of the host to a chip go through it. The has_*() functions show which optional functions of the
/// ABI exist.
class DeviceLibrary {
 public:
  /// The ABI as a table; null where an optional symbol is missing.
  struct Functions {
    void (*init)() = nullptr;
    void (*exit)() = nullptr;
    std::uint32_t (*pci_config_rd32)(std::uint32_t, std::uint32_t) = nullptr;
    void (*pci_config_wr32)(std::uint32_t, std::uint32_t, std::uint32_t) = nullptr;
    void (*pci_mem_rd_bytes)(std::uint64_t, void*, std::uint32_t) = nullptr;
    void (*pci_mem_wr_bytes)(std::uint64_t, const void*, std::uint32_t) = nullptr;
    void (*clock)(std::uint32_t) = nullptr;
    // Optional functions.
    void (*set_dma_callbacks)(void (*read)(std::uint64_t, void*, std::uint32_t),
                              void (*write)(std::uint64_t, const void*, std::uint32_t)) = nullptr;
    std::uint32_t (*abi_version)() = nullptr;
    std::int32_t (*configure)(const char*) = nullptr;
    std::uint64_t (*time_ps)() = nullptr;
    std::uint32_t (*status)() = nullptr;
    void (*interrupt)() = nullptr;
    std::uint32_t (*last_error)(std::uint32_t*, char*, std::uint32_t) = nullptr;
    std::uint32_t (*system)(char*, std::uint32_t) = nullptr;
    std::uint32_t (*report)(char*, std::uint32_t) = nullptr;
    std::uint32_t (*settings)(char*, std::uint32_t) = nullptr;
    std::int32_t (*symbols)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                            const char*) = nullptr;
    std::int32_t (*circular_buffers)(std::uint32_t, std::uint32_t, std::uint32_t,
                                     const tensix_vp_circular_buffer*, std::uint32_t) = nullptr;
    std::int32_t (*kernel_arguments)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                     const std::uint32_t*, std::uint32_t) = nullptr;
    std::int32_t (*given_words)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                std::uint32_t, std::uint32_t, const char*, std::int32_t) = nullptr;
    std::int32_t (*dram_buffer)(std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t,
                                std::uint32_t, std::uint32_t) = nullptr;
    std::int32_t (*l1_buffer)(std::uint32_t, std::uint32_t, std::uint32_t, const std::uint32_t*,
                              std::uint32_t) = nullptr;
    std::uint32_t (*origin)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, char*,
                            std::uint32_t) = nullptr;
    std::int32_t (*load_program)(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                 const char*, const char*) = nullptr;
    std::int32_t (*program_result)(std::int32_t, tensix_vp_program*) = nullptr;
    void (*times)(std::uint32_t, std::uint32_t, std::uint32_t) = nullptr;
    void (*phase)(const char*, std::int32_t) = nullptr;
    void (*span)(const char*, const char*, std::uint64_t, std::uint64_t) = nullptr;
    std::int32_t (*pim_own)(std::uint32_t, std::uint32_t) = nullptr;
    std::int32_t (*pim_bank)(std::uint32_t, std::uint64_t, void*, std::uint64_t,
                             std::uint32_t) = nullptr;
    std::int32_t (*pim_wram)(std::uint32_t, std::uint32_t, void*, std::uint32_t,
                             std::uint32_t) = nullptr;
    std::int32_t (*pim_peek)(std::uint32_t, std::uint32_t, void*, std::uint32_t) = nullptr;
    std::int32_t (*pim_load)(std::uint32_t, const char*) = nullptr;
    std::int32_t (*pim_start)(const std::uint32_t*, std::uint32_t) = nullptr;
    std::int32_t (*pim_state)(std::uint32_t, tensix_vp_pim_unit*) = nullptr;
    std::uint32_t (*pim_route)(std::uint32_t, std::uint32_t, std::uint32_t*,
                               std::uint32_t) = nullptr;
    std::uint32_t (*pim_output)(std::uint32_t, char*, std::uint32_t) = nullptr;
  };

  /// Throws Fault(kDescription) if the file cannot be opened or lacks a required symbol.
  static std::unique_ptr<DeviceLibrary> open(const std::string& path);
  /// For a linked library, and for tests.
  DeviceLibrary(const Functions& functions, std::string name);
  /// Ends the simulation if it runs. The file stays open, because simulation kernels cannot be
  /// unloaded.
  ~DeviceLibrary();
  DeviceLibrary(const DeviceLibrary&) = delete;
  DeviceLibrary& operator=(const DeviceLibrary&) = delete;

  const std::string& name() const { return name_; }
  /// The file of its code: a shared library, or the program that contains it. Empty if the loader
  /// does not know it.
  std::string file() const;
  bool initialized() const { return initialized_; }

  /// True if the library has the configuration function, which the public ABI lacks.
  bool takes_settings() const { return functions_.configure != nullptr; }
  /// Call before init. Throws Fault(kDescription) with the library's reason, or if it takes no
  /// settings.
  void configure(const std::string& text);
  /// Describes the system in place of tensix_vp_system. Call before init.
  void describe_system(std::string text) { described_system_ = std::move(text); }
  /// Sets a time limit for a library without one; 0: none.
  void limit_time(std::uint64_t ps) { limit_ps_ = ps; }
  void init();
  void exit();

  std::uint32_t config_read(unsigned pci_device, std::uint32_t offset) const;
  void read(std::uint64_t paddr, void* destination, std::uint32_t bytes) const;
  void write(std::uint64_t paddr, const void* source, std::uint32_t bytes) const;
  /// Lets cycles pass; throws the fault that stopped the simulation, if one did.
  void clock(std::uint32_t cycles);
  /// Sets a function that is called before time passes. An exception from it ends the wait
  /// (Ctrl-C).
  void set_clock_hook(std::function<void()> hook) { clock_hook_ = std::move(hook); }
  /// Calls the hook from another wait of the host.
  void call_clock_hook() const {
    if (clock_hook_) clock_hook_();
  }

  bool has_time() const { return functions_.time_ps != nullptr; }
  bool has_status() const { return functions_.status != nullptr; }
  bool has_system() const { return functions_.system != nullptr || !described_system_.empty(); }
  /// True if the caller has described the system because the library did not.
  bool system_is_described() const { return functions_.system == nullptr && has_system(); }
  bool has_report() const { return functions_.report != nullptr; }
  /// For signal handlers; null if the library never waits for a debugger.
  void (*interrupt_function() const)() { return functions_.interrupt; }
  bool has_settings() const { return functions_.settings != nullptr; }

  /// Simulated time of the library, or one nanosecond a cycle of clock() when the library has no
  /// time.
  std::uint64_t time_ps() const;
  /// Simulated time at which a cycle of clock() begins.
  std::uint64_t ps_of(std::uint64_t cycle) const;
  /// Notes that an event for which the host waited happened at this time. The host notices it only
  /// after the step of its clock() call. The last of these times is the end of the run.
  void note_end(std::uint64_t ps) { ended_ps_ = std::max(ended_ps_, ps); }
  std::uint64_t ended_ps() const { return ended_ps_; }  ///< 0 without a noted event
  /// Calls tensix_vp_state. Returns TENSIX_VP_RUNNING if the library does not have it.
  std::uint32_t status() const;
  /// JSON texts; empty if the library has none.
  std::string system() const;
  std::string report() const;
  std::string settings() const;
  /// The value of a key; nothing if the library has no such key.
  std::optional<std::string> setting(const std::string& key) const;
  /// True if the key kernel.optimize asks for kernels that gdb can follow.
  bool wants_debuggable_kernels() const { return setting("kernel.optimize") == "debug"; }
  void symbols(unsigned chip, unsigned x, unsigned y, unsigned core, const std::string& elf) const;
  /// Registers the circular buffers of a tile, for checks of kernels' accesses.
  void circular_buffers(unsigned chip, unsigned x, unsigned y,
                        std::span<const tensix_vp_circular_buffer> buffers) const;
  /// Registers a kernel's arguments, for libraries that report accesses to buffers of other
  /// programs.
  void kernel_arguments(unsigned chip, unsigned x, unsigned y, unsigned core,
                        std::span<const std::uint32_t> words) const {
    if (functions_.kernel_arguments != nullptr)
      functions_.kernel_arguments(chip, x, y, core, words.data(),
                                  static_cast<std::uint32_t>(words.size()));
  }
  /// Registers bytes of L1 that belong to a program, for checks of writes to them.
  void given_words(unsigned chip, unsigned x, unsigned y, std::uint32_t address,
                   std::uint32_t bytes, std::uint32_t each, const std::string& what,
                   std::int32_t use) const {
    if (functions_.given_words != nullptr)
      functions_.given_words(chip, x, y, address, bytes, each, what.c_str(), use);
  }
  /// Registers a buffer in DRAM, for checks of accesses beyond it (tensix_vp_dram_buffer).
  void dram_buffer(unsigned chip, std::uint64_t address, std::uint64_t bank_bytes,
                   std::uint32_t banks, std::uint32_t page_bytes, std::uint32_t pages) const {
    if (functions_.dram_buffer != nullptr)
      functions_.dram_buffer(chip, address, bank_bytes, banks, page_bytes, pages);
  }
  /// Registers a buffer in the L1 of tiles (tensix_vp_l1_buffer), for the same checks.
  void l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                 const std::vector<std::uint32_t>& tiles) const {
    if (functions_.l1_buffer != nullptr)
      functions_.l1_buffer(chip, address, bytes, tiles.data(),
                           static_cast<std::uint32_t>(tiles.size()));
  }
  /// Describes the last writer of an address of a tile (tensix_vp_origin). Empty if the library
  /// does not support this.
  std::string origin(unsigned chip, unsigned x, unsigned y, std::uint64_t address) const;
  /// Starts a bare program (tensix_vp_load_program) and returns its number. Throws
  /// Fault(kDescription) with the library's reason, or if it supports no bare programs.
  std::int32_t load_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                            const std::string& elf, const std::string& options) const;
  tensix_vp_program program_result(std::int32_t number) const;
  /// Marks the next reads as times (tensix_vp_times), for recordings.
  void times(std::uint32_t period, std::uint32_t first, std::uint32_t bytes) const;
  void phase(const std::string& name, bool end) const;
  /// A row `path` of the wave file shows `name` between two cycles.
  void span(const std::string& path, const std::string& name, std::uint64_t begin,
            std::uint64_t end) const;
  /// Throws the fault that stopped the simulation, if one did.
  void check() const;
  /// The function table, for users of a special part of the ABI (PimSystem).
  const Functions& functions() const { return functions_; }

 private:
  Functions functions_;
  std::string name_;
  bool initialized_ = false;
  std::uint64_t clocked_cycles_ = 0;
  std::uint64_t ended_ps_ = 0;
  std::uint64_t limit_ps_ = 0;
  std::string described_system_;
  std::function<void()> clock_hook_;
};

}  // namespace tvp::runtime
