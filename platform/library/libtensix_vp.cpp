// The exported symbols of libtensix_vp.so but for those of PIM units (pim_abi.cpp); everything
// behind them is in Session.

#include <string>
#include <systemc>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "platform/library/abi.h"
#include "platform/library/session.h"

using tvp::platform::act;
using tvp::platform::answer;
using tvp::platform::copy_out;
using tvp::platform::require;
using tvp::platform::Session;
using tvp::platform::text_from;

// libsystemc refers to it, so a library with SystemC inside cannot be loaded without.
extern "C" TVP_EXPORT int sc_main(int, char**) { return 0; }

namespace {

/// As much of a text as fits; the length of the whole.
template <typename Text>
std::uint32_t give(char* buffer, std::uint32_t size, const char* otherwise, const Text& text) {
  return answer(std::uint32_t{0},
                [&] { return copy_out(answer(std::string(otherwise), text), buffer, size); });
}

}  // namespace

extern "C" {

TVP_EXPORT void libttsim_init() {
  act([] { Session::instance().init(); });
}
TVP_EXPORT void libttsim_exit() {
  act([] { Session::instance().exit(); });
}

TVP_EXPORT void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void*, uint32_t),
                                                   void (*write)(uint64_t, const void*, uint32_t)) {
  act([&] { Session::instance().dma().set(read, write); });
}

TVP_EXPORT uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset) {
  return answer(~uint32_t{0},
                [&] { return Session::instance().config_read(bus_device_function, offset); });
}
TVP_EXPORT void libttsim_pci_config_wr32(uint32_t, uint32_t offset, uint32_t) {
  act([&] { Session::instance().config_write(offset); });
}
TVP_EXPORT void libttsim_pci_mem_rd_bytes(uint64_t paddr, void* destination, uint32_t size) {
  act([&] {
    Session::instance().mem_access(paddr, static_cast<std::uint8_t*>(destination), size, false);
  });
}
TVP_EXPORT void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void* source, uint32_t size) {
  // The write path reads only; one function serves both directions.
  auto* bytes = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(source));
  act([&] { Session::instance().mem_access(paddr, bytes, size, true); });
}
TVP_EXPORT void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void* destination,
                                       uint32_t size) {
  act([&] {
    Session::instance().tile_access(x, y, addr, static_cast<std::uint8_t*>(destination), size,
                                    false);
  });
}
TVP_EXPORT void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void* source,
                                       uint32_t size) {
  auto* bytes = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(source));
  act([&] { Session::instance().tile_access(x, y, addr, bytes, size, true); });
}
TVP_EXPORT void libttsim_clock(uint32_t n_clocks) {
  act([&] { Session::instance().clock(n_clocks); });
}

TVP_EXPORT uint32_t tensix_vp_abi_version() {
  Session::host_asks();
  return TENSIX_VP_ABI_VERSION;
}
TVP_EXPORT int32_t tensix_vp_configure(const char* text) {
  return answer(1,
                [&] { return Session::instance().configure(text == nullptr ? "" : text) ? 0 : 1; });
}
TVP_EXPORT uint64_t tensix_vp_time_ps() {
  return answer(uint64_t{0}, [] { return Session::instance().time_ps(); });
}
TVP_EXPORT int32_t tensix_vp_serve() { return Session::serve(); }
TVP_EXPORT void tensix_vp_interrupt() { tvp::debug::Debugger::interrupt_wait(); }
TVP_EXPORT uint32_t tensix_vp_status() {
  Session::host_asks();
  return answer(static_cast<uint32_t>(TENSIX_VP_FAULT),
                [] { return Session::instance().status(); });
}
TVP_EXPORT uint32_t tensix_vp_last_error(uint32_t* kind, char* buffer, uint32_t size) {
  Session::host_asks();
  return answer(uint32_t{0}, [&] {
    if (kind != nullptr) require(kind, "the kind of an error");
    if (kind != nullptr) *kind = Session::instance().error_kind();
    return copy_out(Session::instance().error_text(), buffer, size);
  });
}
TVP_EXPORT uint32_t tensix_vp_system(char* buffer, uint32_t size) {
  return give(buffer, size, "{}", [] { return Session::instance().system_json(); });
}
TVP_EXPORT uint32_t tensix_vp_report(char* buffer, uint32_t size) {
  return give(buffer, size, "{}",
              [&] { return Session::instance().report_length_first(buffer == nullptr); });
}
TVP_EXPORT uint32_t tensix_vp_settings(char* buffer, uint32_t size) {
  return give(buffer, size, "[]", [] { return Session::instance().settings_json(); });
}
TVP_EXPORT int32_t tensix_vp_symbols(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                     const char* elf_path) {
  return answer(1, [&] {
    const std::string path = text_from(elf_path, "the path of an ELF file");
    return Session::instance().register_symbols({chip, x, y, core}, path) ? 0 : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_circular_buffers(uint32_t chip, uint32_t x, uint32_t y,
                                              const tensix_vp_circular_buffer* buffers,
                                              uint32_t count) {
  return answer(1, [&] {
    if (count != 0) require(buffers, "circular buffers");
    // More than a tile has are refused before any is read.
    const bool set = Session::instance().set_buffers({chip, x, y, 0}, {buffers, count});
    return set ? 0 : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_kernel_arguments(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                              const uint32_t* words, uint32_t count) {
  return answer(1, [&] {
    if (count != 0) require(words, "the arguments of a kernel");
    return Session::instance().set_arguments({chip, x, y, core}, {words, count}) ? 0 : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_given_words(uint32_t chip, uint32_t x, uint32_t y, uint32_t address,
                                         uint32_t bytes, uint32_t each, const char* what,
                                         int32_t use) {
  return answer(1, [&] {
    const std::string text = text_from(what, "the name of a program's data");
    if (use < TENSIX_VP_CONSTANT || use > TENSIX_VP_SHARED) return 1;
    using Use = tvp::checks::TileContext::Given::Use;
    const bool set = Session::instance().set_given(
        {chip, x, y, 0}, {text, each, static_cast<Use>(use)}, address, bytes);
    return set ? 0 : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_dram_buffer(uint32_t chip, uint64_t address, uint64_t bank_bytes,
                                         uint32_t banks, uint32_t page_bytes, uint32_t pages) {
  return answer(1, [&] {
    const bool set =
        Session::instance().set_dram_buffer(chip, address, {bank_bytes, pages, page_bytes, banks});
    return set ? 0 : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_l1_buffer(uint32_t chip, uint32_t address, uint32_t bytes,
                                       const uint32_t* tiles, uint32_t count) {
  return answer(1, [&] {
    if (count != 0) require(tiles, "tiles of a buffer");
    if (count > tvp::noc::kNodes) return 1;
    std::vector<tvp::checks::L1Buffers::Tile> on;
    for (uint32_t i = 0; i < count; ++i)
      on.push_back({static_cast<std::uint8_t>(tiles[i]), static_cast<std::uint8_t>(tiles[i] >> 8)});
    return Session::instance().set_l1_buffer(chip, address, bytes, on) ? 0 : 1;
  });
}
TVP_EXPORT uint32_t tensix_vp_origin(uint32_t chip, uint32_t x, uint32_t y, uint64_t address,
                                     char* buffer, uint32_t size) {
  return give(buffer, size, "", [&] { return Session::instance().origin(chip, x, y, address); });
}
TVP_EXPORT int32_t tensix_vp_load_program(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                          const char* elf_path, const char* options) {
  return answer(-1, [&] {
    return Session::instance().load_program({chip, x, y, core},
                                            text_from(elf_path, "the path of an ELF file"),
                                            options == nullptr ? "" : options);
  });
}
TVP_EXPORT int32_t tensix_vp_program_result(int32_t number, struct tensix_vp_program* result) {
  return answer(1, [&] {
    require(result, "the result of a program");
    const auto found = Session::instance().program_result(number);
    if (found) *result = *found;
    return found ? 0 : 1;
  });
}
TVP_EXPORT void tensix_vp_times(uint32_t period, uint32_t first, uint32_t bytes) {
  act([&] { Session::instance().times(period, first, bytes); });
}
TVP_EXPORT void tensix_vp_phase(const char* name, int32_t end) {
  act([&] { Session::instance().phase(text_from(name, "the name of a phase"), end != 0); });
}

TVP_EXPORT void tensix_vp_span(const char* path, const char* name, uint64_t begin, uint64_t end) {
  act([&] {
    Session::instance().span(text_from(path, "the path of a span"),
                             text_from(name, "the name of a span"), begin, end);
  });
}
TVP_EXPORT void tensix_vp_stretch(const char* path, const char* name, uint64_t begin,
                                  uint64_t end) {
  tensix_vp_span(path, name, begin, end);
}

}  // extern "C"
