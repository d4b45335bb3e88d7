// A driver gives the chip access to host memory, and a core uses it. Uses the library's C ABI only.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "foundation/regs/noc.h"

namespace {

namespace noc = tvp::regs::noc;

template <typename Function>
Function* resolve(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::map<std::uint64_t, std::uint8_t>& host() {
  static std::map<std::uint64_t, std::uint8_t> bytes;
  return bytes;
}
void on_read(std::uint64_t address, void* data, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i)
    static_cast<std::uint8_t*>(data)[i] = host()[address + i];
}
void on_write(std::uint64_t address, const void* data, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    host()[address + i] = static_cast<const std::uint8_t*>(data)[i];
  }
}

/// RV32I code that stores words and then loops forever.
class Code {
 public:
  void store(std::uint32_t address, std::uint32_t value) {
    load_immediate(5, address);
    load_immediate(6, value);
    words_.push_back(0x0062A023);  // sw t1, 0(t0)
  }
  std::vector<std::uint32_t> finish() {
    words_.push_back(0x0000006F);  // j .
    return words_;
  }

 private:
  void load_immediate(std::uint32_t rd, std::uint32_t value) {
    const std::uint32_t low = value & 0xFFF;
    const std::uint32_t high = value + (low >= 0x800 ? 0x1000 : 0);
    words_.push_back((high & 0xFFFFF000) | rd << 7 | 0x37);   // lui
    words_.push_back(low << 20 | rd << 15 | rd << 7 | 0x13);  // addi
  }
  std::vector<std::uint32_t> words_;
};

/// A request of BRISC: registers of one initiator of NIU 0.
void request(Code& code, std::uint32_t initiator, std::uint32_t ctrl, std::uint32_t from_lo,
             std::uint32_t from_mid, std::uint32_t to_lo, std::uint32_t to_mid,
             std::uint32_t bytes) {
  const std::uint32_t base = noc::kNiu0Base + initiator * noc::kCmdBufOffset;
  code.store(base + noc::kTargAddrLo, from_lo);
  code.store(base + noc::kTargAddrMid, from_mid);
  code.store(base + noc::kRetAddrLo, to_lo);
  code.store(base + noc::kRetAddrMid, to_mid);
  code.store(base + noc::kCtrl, ctrl | noc::kCmdRespMarked);
  code.store(base + noc::kAtLenBe, bytes);
  code.store(base + noc::kCmdCtrl, 1);
}

TEST(HostMemory, CoresReachWhatTheIatuMapsForThem) {
  void* library = dlopen(TVP_LIBRARY, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* set_callbacks = resolve<void(decltype(&on_read), decltype(&on_write))>(
      library, "libttsim_set_pci_dma_mem_callbacks");
  auto* init = resolve<void()>(library, "libttsim_init");
  auto* config =
      resolve<std::uint32_t(std::uint32_t, std::uint32_t)>(library, "libttsim_pci_config_rd32");
  auto* write_bar = resolve<void(std::uint64_t, const void*, std::uint32_t)>(
      library, "libttsim_pci_mem_wr_bytes");
  auto* read_bar =
      resolve<void(std::uint64_t, void*, std::uint32_t)>(library, "libttsim_pci_mem_rd_bytes");
  auto* write_tile =
      resolve<void(std::uint32_t, std::uint32_t, std::uint64_t, const void*, std::uint32_t)>(
          library, "libttsim_tile_wr_bytes");
  auto* read_tile =
      resolve<void(std::uint32_t, std::uint32_t, std::uint64_t, void*, std::uint32_t)>(
          library, "libttsim_tile_rd_bytes");
  auto* clock = resolve<void(std::uint32_t)>(library, "libttsim_clock");
  auto* last_error =
      resolve<std::uint32_t(std::uint32_t*, char*, std::uint32_t)>(library, "tensix_vp_last_error");

  set_callbacks(on_read, on_write);
  init();
  // Two regions of 1 GiB, as a driver maps two huge pages.
  const std::uint64_t bar2 = (std::uint64_t{config(0, 0x1C)} << 32 | config(0, 0x18)) & ~0xFULL;
  const std::uint64_t pages[] = {0x11'4000'0000, 0x22'8000'0000};
  for (std::uint32_t region = 0; region < 2; ++region) {
    const auto word = [&](std::uint32_t at, std::uint32_t value) {
      write_bar(bar2 + 0x1200 + region * 0x200 + at, &value, 4);
      std::uint32_t back = 0;
      read_bar(bar2 + 0x1200 + region * 0x200 + at, &back, 4);
      EXPECT_EQ(back, value);
    };
    word(0x04, 0);
    word(0x00, 0);
    word(0x08, region << 30);
    word(0x0C, 0);
    word(0x10, (region << 30) + 0x3FFFFFFF);
    word(0x14, static_cast<std::uint32_t>(pages[region]));
    word(0x18, static_cast<std::uint32_t>(pages[region] >> 32));
    word(0x04, 1U << 31);
  }

  // BRISC of tile (1, 1) writes to both pages and reads from the first.
  const std::uint32_t own = noc::mid_unicast(1, 1);
  const std::uint32_t window = noc::mid_unicast(0, 3, 0x8);
  Code code;
  request(code, 0, noc::kCmdWr, 0x20000, own, 0x3FFFFFE0, window, 64);
  request(code, 1, noc::kCmdRd, 0x1000, window, 0x30000, own, 64);
  const std::vector<std::uint32_t> words = code.finish();
  std::vector<std::uint8_t> data(64), back(64);
  for (unsigned i = 0; i < 64; ++i) {
    data[i] = static_cast<std::uint8_t>(i * 5 + 1);
    host()[pages[0] + 0x1000 + i] = static_cast<std::uint8_t>(200 - i);
  }
  write_tile(1, 1, 0x20000, data.data(), 64);
  write_tile(1, 1, 0, words.data(), static_cast<std::uint32_t>(4 * words.size()));
  const std::uint32_t only_brisc_runs = 0x47000;
  write_tile(1, 1, 0xFFB121B0, &only_brisc_runs, 4);
  clock(5000);

  char text[512] = "";
  EXPECT_EQ(last_error(nullptr, text, sizeof text), 0u) << text;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t at = i < 32 ? pages[0] + 0x3FFFFFE0 + i : pages[1] + i - 32;
    EXPECT_EQ(host()[at], data[i]) << i;
  }
  read_tile(1, 1, 0x30000, back.data(), 64);
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(back[i], 200 - i) << i;

  // The DMA engines are absent, and a read reports this.
  std::uint32_t word = 0;
  read_bar(bar2 + 0x10, &word, 4);
  EXPECT_NE(last_error(nullptr, text, sizeof text), 0u);
  EXPECT_NE(std::string(text).find("DMA engines"), std::string::npos) << text;
}

}  // namespace
