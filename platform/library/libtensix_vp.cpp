// The exported symbols of libtensix_vp.so but for those of PIM units (pim_abi.cpp); everything
// behind them is in Session.

#include <string>
#include <systemc>

#include "platform/include/tensix_vp/libttsim.h"
#include "platform/library/abi.h"
#include "platform/library/session.h"

using tvp::platform::copy_out;
using tvp::platform::Session;

// libsystemc refers to it, so a library with SystemC inside cannot be loaded without.
extern "C" TVP_EXPORT int sc_main(int, char**) { return 0; }

extern "C" {

TVP_EXPORT void libttsim_init() { Session::instance().init(); }
TVP_EXPORT void libttsim_exit() { Session::instance().exit(); }

TVP_EXPORT void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void*, uint32_t),
                                                   void (*write)(uint64_t, const void*, uint32_t)) {
  Session::instance().dma().set(read, write);
}

TVP_EXPORT uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset) {
  return Session::instance().config_read(bus_device_function, offset);
}
TVP_EXPORT void libttsim_pci_config_wr32(uint32_t, uint32_t offset, uint32_t) {
  Session::instance().config_write(offset);
}
TVP_EXPORT void libttsim_pci_mem_rd_bytes(uint64_t paddr, void* destination, uint32_t size) {
  Session::instance().mem_access(paddr, static_cast<std::uint8_t*>(destination), size, false);
}
TVP_EXPORT void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void* source, uint32_t size) {
  // The write path reads only; one function serves both directions.
  auto* bytes = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(source));
  Session::instance().mem_access(paddr, bytes, size, true);
}
TVP_EXPORT void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void* destination,
                                       uint32_t size) {
  Session::instance().tile_access(x, y, addr, static_cast<std::uint8_t*>(destination), size, false);
}
TVP_EXPORT void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void* source,
                                       uint32_t size) {
  auto* bytes = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(source));
  Session::instance().tile_access(x, y, addr, bytes, size, true);
}
TVP_EXPORT void libttsim_clock(uint32_t n_clocks) { Session::instance().clock(n_clocks); }

TVP_EXPORT uint32_t tensix_vp_abi_version() { return TENSIX_VP_ABI_VERSION; }
TVP_EXPORT int32_t tensix_vp_configure(const char* text) {
  return Session::instance().configure(text == nullptr ? "" : text) ? 0 : 1;
}
TVP_EXPORT uint64_t tensix_vp_time_ps() { return Session::instance().time_ps(); }
TVP_EXPORT void tensix_vp_interrupt() { tvp::debug::Debugger::interrupt_wait(); }
TVP_EXPORT uint32_t tensix_vp_status() { return Session::instance().status(); }
TVP_EXPORT uint32_t tensix_vp_last_error(uint32_t* kind, char* buffer, uint32_t size) {
  if (kind != nullptr) *kind = Session::instance().error_kind();
  return copy_out(Session::instance().error_text(), buffer, size);
}
TVP_EXPORT uint32_t tensix_vp_system(char* buffer, uint32_t size) {
  return copy_out(Session::instance().system_json(), buffer, size);
}
TVP_EXPORT uint32_t tensix_vp_report(char* buffer, uint32_t size) {
  return copy_out(Session::instance().report_length_first(buffer == nullptr), buffer, size);
}
TVP_EXPORT uint32_t tensix_vp_settings(char* buffer, uint32_t size) {
  return copy_out(Session::instance().settings_json(), buffer, size);
}
TVP_EXPORT int32_t tensix_vp_symbols(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                     const char* elf_path) {
  return Session::instance().register_symbols({chip, x, y, core}, elf_path) ? 0 : 1;
}
TVP_EXPORT int32_t tensix_vp_load_program(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                          const char* elf_path, const char* options) {
  return Session::instance().load_program({chip, x, y, core}, elf_path,
                                          options == nullptr ? "" : options);
}
TVP_EXPORT int32_t tensix_vp_program_result(int32_t number, struct tensix_vp_program* result) {
  const auto found = Session::instance().program_result(number);
  if (found) *result = *found;
  return found ? 0 : 1;
}
TVP_EXPORT void tensix_vp_phase(const char* name, int32_t end) {
  Session::instance().phase(name, end != 0);
}

TVP_EXPORT void tensix_vp_span(const char* path, const char* name, uint64_t begin, uint64_t end) {
  Session::instance().span(path, name, begin, end);
}
TVP_EXPORT void tensix_vp_stretch(const char* path, const char* name, uint64_t begin,
                                  uint64_t end) {
  tensix_vp_span(path, name, begin, end);
}

}  // extern "C"
