#include "sw/runtime/devices/device_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/host_error.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

template <typename F>
void resolve(void* handle, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(handle, symbol));
}

template <typename F>
void require(void* handle, const std::string& path, const char* symbol, F& function) {
  resolve(handle, symbol, function);
  if (function == nullptr)
    bad_use(path, std::string("is not a device library: it has no symbol ") + symbol);
}

/// The loader accesses the missing part of a truncated file and crashes.
void require_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(ElfW(Phdr))) {
    return;  // the loader reports it
  }
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  for (unsigned i = 0; !error && i < header.e_phnum; ++i) {
    ElfW(Phdr) part{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof part));
    const bool there = !file.read(reinterpret_cast<char*>(&part), sizeof part).fail();
    const bool whole = there && part.p_offset <= bytes && part.p_filesz <= bytes - part.p_offset;
    if (!there || (part.p_type == PT_LOAD && !whole)) {
      bad_use(path, "cannot be opened: it is cut short, at " + std::to_string(bytes) + " bytes");
    }
  }
}

bool lies_here(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

void* load(const std::string& path) {
  if (path.find('/') != std::string::npos && lies_here(path)) require_whole(path);
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string text_of(std::uint32_t (*function)(char*, std::uint32_t)) {
  if (function == nullptr) return {};
  std::string text(function(nullptr, 0) + 1, '\0');
  const std::uint32_t length = function(text.data(), static_cast<std::uint32_t>(text.size()));
  text.resize(std::min<std::size_t>(length, text.size() - 1));
  return text;
}

foundation::FaultKind kind_of(std::uint32_t error) {
  switch (error) {
    case TENSIX_VP_ERROR_USAGE:
      return foundation::FaultKind::kDescription;
    case TENSIX_VP_ERROR_FIRMWARE:
      return foundation::FaultKind::kFirmware;
    case TENSIX_VP_ERROR_UNMODELLED:
      return foundation::FaultKind::kUnmodelled;
    default:
      return foundation::FaultKind::kInternal;
  }
}

}  // namespace

std::unique_ptr<DeviceLibrary> DeviceLibrary::open(const std::string& path) {
  void* handle = load(path);
  // Without a slash the name is one of the system's libraries, or a file in the working directory.
  if (handle == nullptr && path.find('/') == std::string::npos && lies_here(path)) {
    handle = load("./" + path);
  }
  if (handle == nullptr) bad_use(path, std::string("cannot be opened: ") + dlerror());
  Functions f;
  require(handle, path, "libttsim_init", f.init);
  require(handle, path, "libttsim_exit", f.exit);
  require(handle, path, "libttsim_pci_config_rd32", f.pci_config_rd32);
  require(handle, path, "libttsim_pci_mem_rd_bytes", f.pci_mem_rd_bytes);
  require(handle, path, "libttsim_pci_mem_wr_bytes", f.pci_mem_wr_bytes);
  require(handle, path, "libttsim_clock", f.clock);
  resolve(handle, "libttsim_pci_config_wr32", f.pci_config_wr32);
  resolve(handle, "libttsim_set_pci_dma_mem_callbacks", f.set_dma_callbacks);
  resolve(handle, "tensix_vp_abi_version", f.abi_version);
  if (f.abi_version != nullptr && f.abi_version() >= 1) {
    resolve(handle, "tensix_vp_configure", f.configure);
    resolve(handle, "tensix_vp_time_ps", f.time_ps);
    resolve(handle, "tensix_vp_status", f.status);
    resolve(handle, "tensix_vp_last_error", f.last_error);
    resolve(handle, "tensix_vp_system", f.system);
    resolve(handle, "tensix_vp_report", f.report);
    resolve(handle, "tensix_vp_settings", f.settings);
    resolve(handle, "tensix_vp_interrupt", f.interrupt);
    resolve(handle, "tensix_vp_symbols", f.symbols);
    resolve(handle, "tensix_vp_circular_buffers", f.circular_buffers);
    resolve(handle, "tensix_vp_kernel_arguments", f.kernel_arguments);
    resolve(handle, "tensix_vp_given_words", f.given_words);
    resolve(handle, "tensix_vp_dram_buffer", f.dram_buffer);
    resolve(handle, "tensix_vp_l1_buffer", f.l1_buffer);
    resolve(handle, "tensix_vp_origin", f.origin);
    resolve(handle, "tensix_vp_load_program", f.load_program);
    resolve(handle, "tensix_vp_program_result", f.program_result);
    resolve(handle, "tensix_vp_times", f.times);
    resolve(handle, "tensix_vp_phase", f.phase);
    resolve(handle, "tensix_vp_span", f.span);
    resolve(handle, "tensix_vp_pim_own", f.pim_own);
    resolve(handle, "tensix_vp_pim_bank", f.pim_bank);
    resolve(handle, "tensix_vp_pim_wram", f.pim_wram);
    resolve(handle, "tensix_vp_pim_peek", f.pim_peek);
    resolve(handle, "tensix_vp_pim_load", f.pim_load);
    resolve(handle, "tensix_vp_pim_start", f.pim_start);
    resolve(handle, "tensix_vp_pim_state", f.pim_state);
    resolve(handle, "tensix_vp_pim_route", f.pim_route);
    resolve(handle, "tensix_vp_pim_output", f.pim_output);
    // Names of two functions in earlier libraries.
    if (f.span == nullptr) resolve(handle, "tensix_vp_stretch", f.span);
    if (f.pim_route == nullptr) resolve(handle, "tensix_vp_pim_way", f.pim_route);
  }
  return std::make_unique<DeviceLibrary>(f, path);
}

DeviceLibrary::DeviceLibrary(const Functions& functions, std::string name)
    : functions_(functions), name_(std::move(name)) {}

DeviceLibrary::~DeviceLibrary() {
  try {
    exit();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "libtensix_vp: %s\n", error.what());
  }
}

std::string DeviceLibrary::file() const {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(functions_.clock), &info) == 0) return {};
  return info.dli_fname == nullptr ? "" : info.dli_fname;
}

void DeviceLibrary::configure(const std::string& text) {
  if (functions_.configure == nullptr) bad_use(name_, "takes no settings");
  if (functions_.configure(text.c_str()) == 0) return;
  std::string reason = "refuses the settings";
  if (functions_.last_error != nullptr) {
    reason.assign(functions_.last_error(nullptr, nullptr, 0) + 1, '\0');
    functions_.last_error(nullptr, reason.data(), static_cast<std::uint32_t>(reason.size()));
    reason.pop_back();
  }
  bad_use("", reason);
}

void DeviceLibrary::init() {
  if (initialized_) return;
  functions_.init();
  initialized_ = true;
  check();
}

void DeviceLibrary::exit() {
  if (!initialized_) return;
  initialized_ = false;
  functions_.exit();
}

std::uint32_t DeviceLibrary::config_read(unsigned pci_device, std::uint32_t offset) const {
  return functions_.pci_config_rd32(pci_device << 3, offset);
}

void DeviceLibrary::read(std::uint64_t paddr, void* destination, std::uint32_t bytes) const {
  functions_.pci_mem_rd_bytes(paddr, destination, bytes);
}

void DeviceLibrary::write(std::uint64_t paddr, const void* source, std::uint32_t bytes) const {
  functions_.pci_mem_wr_bytes(paddr, source, bytes);
}

void DeviceLibrary::clock(std::uint32_t cycles) {
  call_clock_hook();
  functions_.clock(cycles);
  clocked_cycles_ += cycles;
  check();
}

std::uint64_t DeviceLibrary::ps_of(std::uint64_t cycle) const {
  if (clocked_cycles_ == 0) return 0;
  using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{cycle} * time_ps() / clocked_cycles_);
}

std::uint64_t DeviceLibrary::time_ps() const {
  return functions_.time_ps != nullptr ? functions_.time_ps() : clocked_cycles_ * 1000;
}

std::uint32_t DeviceLibrary::status() const {
  if (functions_.status != nullptr) return functions_.status();
  const bool late = limit_ps_ != 0 && time_ps() >= limit_ps_;
  return static_cast<std::uint32_t>(late ? TENSIX_VP_TIME_LIMIT : TENSIX_VP_RUNNING);
}

std::string DeviceLibrary::system() const {
  return functions_.system != nullptr ? text_of(functions_.system) : described_system_;
}
std::string DeviceLibrary::settings() const { return text_of(functions_.settings); }
std::optional<std::string> DeviceLibrary::setting(const std::string& key) const {
  if (!has_settings()) return std::nullopt;
  for (const auto& setting : nlohmann::json::parse(settings()))
    if (setting.at("key") == key) return setting.at("value").get<std::string>();
  return std::nullopt;
}
std::string DeviceLibrary::report() const { return text_of(functions_.report); }

std::string DeviceLibrary::origin(unsigned chip, unsigned x, unsigned y,
                                  std::uint64_t address) const {
  if (functions_.origin == nullptr) return {};
  std::string text(functions_.origin(chip, x, y, address, nullptr, 0) + std::size_t{1}, '\0');
  functions_.origin(chip, x, y, address, text.data(), static_cast<std::uint32_t>(text.size()));
  text.pop_back();
  return text;
}

void DeviceLibrary::symbols(unsigned chip, unsigned x, unsigned y, unsigned core,
                            const std::string& elf) const {
  if (functions_.symbols != nullptr) functions_.symbols(chip, x, y, core, elf.c_str());
}

void DeviceLibrary::circular_buffers(unsigned chip, unsigned x, unsigned y,
                                     std::span<const tensix_vp_circular_buffer> buffers) const {
  if (functions_.circular_buffers != nullptr)
    functions_.circular_buffers(chip, x, y, buffers.data(),
                                static_cast<std::uint32_t>(buffers.size()));
}

void DeviceLibrary::span(const std::string& path, const std::string& name, std::uint64_t begin,
                         std::uint64_t end) const {
  if (begin > end)
    throw foundation::Fault(
        foundation::FaultKind::kFirmware, path,
        name + " ends at " + std::to_string(end) + ", before it begins at " +
            std::to_string(begin) +
            ". Its kernel has not stamped the end, or stamped it without a wait "
            "for the data that the phase makes");
  if (functions_.span != nullptr) functions_.span(path.c_str(), name.c_str(), begin, end);
}

std::int32_t DeviceLibrary::load_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                                         const std::string& elf, const std::string& options) const {
  if (functions_.load_program == nullptr || functions_.program_result == nullptr) {
    bad_use(name_, "runs no bare programs: it has no symbol tensix_vp_load_program");
  }
  const std::int32_t number =
      functions_.load_program(chip, x, y, core, elf.c_str(), options.c_str());
  check();
  if (number < 0) bad_use(elf, "was refused by the device library");
  return number;
}

tensix_vp_program DeviceLibrary::program_result(std::int32_t number) const {
  tensix_vp_program result{};
  if (functions_.program_result(number, &result) != 0) {
    bad_use(name_, "knows no program " + std::to_string(number));
  }
  return result;
}

void DeviceLibrary::times(std::uint32_t period, std::uint32_t first, std::uint32_t bytes) const {
  if (functions_.times != nullptr) functions_.times(period, first, bytes);
}

void DeviceLibrary::phase(const std::string& name, bool end) const {
  if (functions_.phase != nullptr) functions_.phase(name.c_str(), end ? 1 : 0);
}

void DeviceLibrary::check() const {
  if (status() != TENSIX_VP_FAULT) return;
  std::uint32_t kind = TENSIX_VP_ERROR_INTERNAL;
  std::string text = "the device library stopped without a reason";
  if (functions_.last_error != nullptr) {
    text.assign(functions_.last_error(&kind, nullptr, 0) + 1, '\0');
    functions_.last_error(&kind, text.data(), static_cast<std::uint32_t>(text.size()));
    text.pop_back();
  }
  if (kind == TENSIX_VP_ERROR_INTERRUPTED) throw InterruptedError(text);
  if (kind == TENSIX_VP_ERROR_HOST) throw foundation::HostError("", text);
  throw foundation::Fault(kind_of(kind), "", text);
}

}  // namespace tvp::runtime
