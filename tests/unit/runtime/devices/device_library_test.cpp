// Which symbols of a library serve for what, and how its use ends.
#include "sw/runtime/devices/device_library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "foundation/fault.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::device_library_test {
namespace {

/// The address that a library gives a symbol; null when it has none.
template <typename Function>
void expect_symbol(void* handle, const char* symbol, Function function) {
  EXPECT_EQ(reinterpret_cast<void*>(function), dlsym(handle, symbol)) << symbol;
}

void expect_symbols(const std::string& path, const char* span, const char* route) {
  const auto library = DeviceLibrary::open(path);
  const DeviceLibrary::Functions& f = library->functions();
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  expect_symbol(handle, "libttsim_init", f.init);
  expect_symbol(handle, "libttsim_exit", f.exit);
  expect_symbol(handle, "libttsim_pci_config_rd32", f.pci_config_rd32);
  expect_symbol(handle, "libttsim_pci_config_wr32", f.pci_config_wr32);
  expect_symbol(handle, "libttsim_pci_mem_rd_bytes", f.pci_mem_rd_bytes);
  expect_symbol(handle, "libttsim_pci_mem_wr_bytes", f.pci_mem_wr_bytes);
  expect_symbol(handle, "libttsim_clock", f.clock);
  expect_symbol(handle, "libttsim_set_pci_dma_mem_callbacks", f.set_dma_callbacks);
  expect_symbol(handle, "tensix_vp_abi_version", f.abi_version);
  expect_symbol(handle, "tensix_vp_configure", f.configure);
  expect_symbol(handle, "tensix_vp_time_ps", f.time_ps);
  expect_symbol(handle, "tensix_vp_status", f.status);
  expect_symbol(handle, "tensix_vp_interrupt", f.interrupt);
  expect_symbol(handle, "tensix_vp_last_error", f.last_error);
  expect_symbol(handle, "tensix_vp_system", f.system);
  expect_symbol(handle, "tensix_vp_report", f.report);
  expect_symbol(handle, "tensix_vp_settings", f.settings);
  expect_symbol(handle, "tensix_vp_symbols", f.symbols);
  expect_symbol(handle, "tensix_vp_circular_buffers", f.circular_buffers);
  expect_symbol(handle, "tensix_vp_kernel_arguments", f.kernel_arguments);
  expect_symbol(handle, "tensix_vp_given_words", f.given_words);
  expect_symbol(handle, "tensix_vp_dram_buffer", f.dram_buffer);
  expect_symbol(handle, "tensix_vp_l1_buffer", f.l1_buffer);
  expect_symbol(handle, "tensix_vp_origin", f.origin);
  expect_symbol(handle, "tensix_vp_load_program", f.load_program);
  expect_symbol(handle, "tensix_vp_program_result", f.program_result);
  expect_symbol(handle, "tensix_vp_times", f.times);
  expect_symbol(handle, "tensix_vp_phase", f.phase);
  expect_symbol(handle, span, f.span);
  expect_symbol(handle, "tensix_vp_pim_own", f.pim_own);
  expect_symbol(handle, "tensix_vp_pim_bank", f.pim_bank);
  expect_symbol(handle, "tensix_vp_pim_wram", f.pim_wram);
  expect_symbol(handle, "tensix_vp_pim_peek", f.pim_peek);
  expect_symbol(handle, "tensix_vp_pim_load", f.pim_load);
  expect_symbol(handle, "tensix_vp_pim_start", f.pim_start);
  expect_symbol(handle, "tensix_vp_pim_state", f.pim_state);
  expect_symbol(handle, route, f.pim_route);
  expect_symbol(handle, "tensix_vp_pim_output", f.pim_output);
  dlclose(handle);
}

TEST(DeviceLibrarySymbols, AreThoseOfTheAbi) {
  expect_symbols(TVP_STUB_LIBRARY, "tensix_vp_span", "tensix_vp_pim_route");
}

TEST(DeviceLibrarySymbols, MayHaveTheirEarlierNames) {
  expect_symbols(TVP_STUB_OLD_LIBRARY, "tensix_vp_stretch", "tensix_vp_pim_way");
}

TEST(DeviceLibrarySymbols, AreOptionalBeyondThePublicAbi) {
  expect_symbols(TVP_STUB_PUBLIC_LIBRARY, "tensix_vp_span", "tensix_vp_pim_route");
  const auto library = DeviceLibrary::open(TVP_STUB_PUBLIC_LIBRARY);
  EXPECT_FALSE(library->takes_settings());
  EXPECT_FALSE(library->has_report());
  EXPECT_EQ(library->report(), "");
  EXPECT_NO_THROW(library->times(16, 0, 4));
  EXPECT_THROW(library->load_program(0, 1, 1, 0, "a.elf", ""), foundation::Fault);
}

TEST(DeviceLibraryEnd, EndsTheSimulationOnce) {
  static unsigned exits;
  exits = 0;
  const test::FakeLibrary fake;
  {
    DeviceLibrary::Functions functions = test::FakeLibrary::functions();
    functions.exit = [] { ++exits; };
    DeviceLibrary library(functions, "fake");
    library.init();
    library.exit();
  }
  EXPECT_EQ(exits, 1u);
}

}  // namespace
}  // namespace tvp::runtime::device_library_test
