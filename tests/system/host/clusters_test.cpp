// Several clusters in one process: copies of the library in parallel, one after the other, after
// faults, from several threads. Uses the C ABI only, as tt-umd's fixtures do.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"

namespace {

/// A library with its own functions: the built one, or a sealed copy in memory, which tt-umd loads
/// for each chip.
class Cluster {
 public:
  enum class Load { kFile, kCopy, kNamespace };
  explicit Cluster(Load load) {
    if (load == Load::kNamespace) {
      handle_ = dlmopen(LM_ID_NEWLM, TVP_LIBRARY, RTLD_NOW);
    } else {
      if (load == Load::kCopy) copy_ = copy();
      const std::string name = "/proc/self/fd/" + std::to_string(copy_);
      handle_ = dlopen(load == Load::kFile ? TVP_LIBRARY : name.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (handle_ == nullptr) {
      ADD_FAILURE() << dlerror();
      return;
    }
    resolve("libttsim_init", init);
    resolve("libttsim_exit", exit);
    resolve("libttsim_clock", clock);
    resolve("libttsim_tile_rd_bytes", read_tile);
    resolve("libttsim_tile_wr_bytes", write_tile);
    resolve("libttsim_pci_config_rd32", config_read);
    resolve("libttsim_pci_mem_rd_bytes", read_bar);
    resolve("libttsim_pci_mem_wr_bytes", write_bar);
    resolve("libttsim_set_pci_dma_mem_callbacks", set_callbacks);
    resolve("tensix_vp_configure", configure);
    resolve("tensix_vp_time_ps", time_ps);
    resolve("tensix_vp_status", status);
    resolve("tensix_vp_last_error", last_error);
    resolve("tensix_vp_report", report);
    resolve("tensix_vp_system", system);
  }

  std::string error() const {
    std::uint32_t kind = 0;
    std::string text(last_error(&kind, nullptr, 0) + 1, '\0');
    last_error(&kind, text.data(), static_cast<std::uint32_t>(text.size()));
    text.pop_back();  // its end
    return std::to_string(kind) + " " + text;
  }
  std::string digest() const {
    std::string text(report(nullptr, 0) + 1, '\0');
    report(text.data(), static_cast<std::uint32_t>(text.size()));
    const std::string key = "\"state_digest\":\"";
    const std::size_t at = text.find(key);
    return at == text.npos ? text : text.substr(at + key.size(), 16);
  }
  void store(std::uint64_t address, std::uint32_t value) const {
    write_tile(1, 1, address, &value, 4);
  }
  std::uint32_t load(std::uint64_t address) const {
    std::uint32_t value = 0;
    read_tile(1, 1, address, &value, 4);
    return value;
  }
  /// B of tile (1, 1) counts down from `count` and stores 0x1234.
  void start(std::uint32_t count) const {
    constexpr std::uint64_t kSoftReset = 0xFFB121B0;
    const std::uint32_t code[] = {count << 20 | 0x293, 0xFFF28293, 0xFE029EE3, 0x00001337,
                                  0x23430313,          0x10602023, 0x0000006F};
    write_tile(1, 1, 0, code, sizeof code);
    store(0x100, 0);
    store(kSoftReset, load(kSoftReset) & ~0x800U);
  }
  /// The result of such a program that runs in steps.
  std::string run(std::uint32_t count) const {
    start(count);
    for (unsigned step = 0; step < 10; ++step) clock(1000);
    return std::to_string(load(0x100)) + " " + std::to_string(time_ps()) + " " + digest();
  }

  /// Unloads the library and closes its file.
  void close() const {
    dlclose(handle_);
    ::close(copy_);
  }

  void (*init)() = nullptr;
  void (*exit)() = nullptr;
  void (*clock)(std::uint32_t) = nullptr;
  void (*read_tile)(std::uint32_t, std::uint32_t, std::uint64_t, void*, std::uint32_t) = nullptr;
  void (*write_tile)(std::uint32_t, std::uint32_t, std::uint64_t, const void*,
                     std::uint32_t) = nullptr;
  std::uint32_t (*config_read)(std::uint32_t, std::uint32_t) = nullptr;
  void (*read_bar)(std::uint64_t, void*, std::uint32_t) = nullptr;
  void (*write_bar)(std::uint64_t, const void*, std::uint32_t) = nullptr;
  void (*set_callbacks)(void (*)(std::uint64_t, void*, std::uint32_t),
                        void (*)(std::uint64_t, const void*, std::uint32_t)) = nullptr;
  std::int32_t (*configure)(const char*) = nullptr;
  std::uint64_t (*time_ps)() = nullptr;
  std::uint32_t (*status)() = nullptr;
  std::uint32_t (*last_error)(std::uint32_t*, char*, std::uint32_t) = nullptr;
  std::uint32_t (*report)(char*, std::uint32_t) = nullptr;
  std::uint32_t (*system)(char*, std::uint32_t) = nullptr;

 private:
  template <typename F>
  void resolve(const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle_, name));
    ASSERT_NE(function, nullptr) << name;
  }
  static int copy() {
    const int from = open(TVP_LIBRARY, O_RDONLY | O_CLOEXEC);
    const int to = memfd_create("simulator", MFD_CLOEXEC);
    struct stat status {};
    if (from < 0 || to < 0 || fstat(from, &status) != 0) return -1;
    for (off_t done = 0; done < status.st_size;) {
      if (sendfile(to, from, &done, static_cast<std::size_t>(status.st_size - done)) <= 0) break;
    }
    ::close(from);
    return to;
  }

  void* handle_ = nullptr;
  int copy_ = -1;  ///< stays open so that its name stays unique
};

/// The result of a program that runs alone.
std::string alone(std::uint32_t count) {
  const Cluster cluster(Cluster::Load::kCopy);
  cluster.init();
  std::string result = cluster.run(count);
  cluster.exit();
  return result;
}

TEST(Clusters, CopiesRunSideBySide) {
  const Cluster a(Cluster::Load::kFile);
  const Cluster b(Cluster::Load::kCopy);
  const Cluster c(Cluster::Load::kCopy);
  ASSERT_EQ(b.configure("system=pair\nchip.aiclk_mhz=500"), 0) << b.error();
  a.init();
  b.init();
  c.init();
  a.start(1000);
  b.start(1000);
  a.clock(100);
  EXPECT_EQ(a.time_ps(), 100000u);
  EXPECT_EQ(b.time_ps(), 0u);
  b.clock(700);
  EXPECT_EQ(b.time_ps(), 1400000u);
  EXPECT_EQ(c.time_ps(), 0u);
  for (unsigned step = 0; step < 100; ++step) {
    a.clock(50);
    b.clock(70);
  }
  EXPECT_EQ(a.load(0x100), 0x1234u);
  EXPECT_EQ(b.load(0x100), 0x1234u);
  EXPECT_EQ(c.load(0x100), 0u);
  // Each cluster has its own PCI devices.
  EXPECT_EQ(a.config_read(1 << 3, 0), 0xFFFFFFFFu);
  EXPECT_EQ(b.config_read(1 << 3, 0), 0x401E1E52u);
  b.exit();
  a.clock(10);
  EXPECT_EQ(a.status(), std::uint32_t{TENSIX_VP_IDLE}) << a.error();
  a.exit();
  c.exit();
}

TEST(Clusters, EachBeginningIsTheFirst) {
  const std::string first = alone(900);
  EXPECT_EQ(first.substr(0, 14), "4660 10000000 ");
  const Cluster cluster(Cluster::Load::kCopy);
  for (unsigned round = 0; round < 5; ++round) {
    cluster.init();
    EXPECT_EQ(cluster.time_ps(), 0u);
    EXPECT_EQ(cluster.load(0x100), 0u);
    EXPECT_EQ(cluster.run(900), first);
    cluster.exit();
    EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_NOT_STARTED});
  }
}

TEST(Clusters, BeginAfterAFault) {
  const std::string right = alone(900);
  const Cluster cluster(Cluster::Load::kCopy);
  for (const bool exits : {true, false}) {
    // An error of the host.
    cluster.init();
    cluster.read_tile(63, 63, 0, std::vector<char>(4).data(), 4);
    EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_FAULT});
    EXPECT_EQ(cluster.error().substr(0, 2), "2 ");
    if (exits) cluster.exit();
    // An error of firmware in the middle of a run: an invalid address.
    cluster.init();
    EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_IDLE}) << cluster.error();
    cluster.start(100);
    cluster.store(8, 0xFFFFFFFF);  // no instruction
    cluster.clock(10000);
    EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_FAULT});
    EXPECT_EQ(cluster.error().substr(0, 2), "3 ") << cluster.error();
    if (exits) cluster.exit();
    cluster.init();
    EXPECT_EQ(cluster.error(), "0 ");
    EXPECT_EQ(cluster.run(900), right);
    cluster.exit();
  }
}

TEST(Clusters, ABeginningInTheMiddleIsRefused) {
  const Cluster cluster(Cluster::Load::kCopy);
  cluster.init();
  cluster.init();
  EXPECT_EQ(cluster.error(), "2 libttsim_init before libttsim_exit: the simulation is running");
  cluster.exit();
  cluster.exit();
  cluster.init();
  EXPECT_EQ(cluster.error(), "0 ");
  cluster.exit();
}

TEST(Clusters, SettingsInTheMiddleAreRefusedAndTheRunGoesOn) {
  const std::string right = alone(900);
  const Cluster cluster(Cluster::Load::kCopy);
  cluster.init();
  EXPECT_NE(cluster.configure("chip.aiclk_mhz=500"), 0);
  EXPECT_EQ(cluster.error(),
            "2 tensix_vp_configure before libttsim_exit: the simulation is running");
  EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_IDLE});
  EXPECT_EQ(cluster.run(900), right);
  EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_IDLE});
  cluster.exit();
  EXPECT_EQ(cluster.configure("chip.aiclk_mhz=500"), 0) << cluster.error();
  cluster.init();
  EXPECT_EQ(cluster.error(), "0 ");
  cluster.clock(10);
  EXPECT_EQ(cluster.time_ps(), 20000u);
  cluster.exit();
}

TEST(Clusters, SettingsHoldUntilOthersCome) {
  const Cluster cluster(Cluster::Load::kCopy);
  ASSERT_EQ(cluster.configure("system=pair"), 0);
  for (unsigned round = 0; round < 2; ++round) {
    cluster.init();
    EXPECT_EQ(cluster.config_read(1 << 3, 0), 0x401E1E52u);
    cluster.exit();
  }
  // A cluster of another kind, for which the earlier settings are invalid.
  ASSERT_EQ(cluster.configure("system=pim_rank"), 0) << cluster.error();
  cluster.init();
  EXPECT_EQ(cluster.error(), "0 ");
  EXPECT_EQ(cluster.config_read(0, 0), 0xFFFFFFFFu);
  cluster.clock(100);
  cluster.exit();
  ASSERT_EQ(cluster.configure("chip.aiclk_mhz=500"), 0) << cluster.error();
  EXPECT_NE(cluster.configure("noc.nothing=1"), 0);
  cluster.init();  // not with refused settings
  EXPECT_EQ(cluster.status(), std::uint32_t{TENSIX_VP_FAULT});
  ASSERT_EQ(cluster.configure("chip.aiclk_mhz=500"), 0) << cluster.error();
  cluster.init();
  cluster.clock(10);
  EXPECT_EQ(cluster.time_ps(), 20000u) << cluster.error();
  EXPECT_EQ(cluster.config_read(1 << 3, 0), 0xFFFFFFFFu);
  cluster.exit();
}

TEST(Clusters, AnyThreadMayCall) {
  const std::string right = alone(900);
  const std::string other = alone(500);
  const Cluster a(Cluster::Load::kCopy);
  const Cluster b(Cluster::Load::kCopy);
  for (unsigned round = 0; round < 3; ++round) {
    std::string result_a;
    std::string result_b;
    std::thread first([&] {
      a.init();
      result_a = a.run(900);
      a.exit();
    });
    std::thread second([&] {
      b.init();
      result_b = b.run(500);
      b.exit();
    });
    first.join();
    second.join();
    EXPECT_EQ(result_a, right);
    EXPECT_EQ(result_b, other);
  }
  // Starts in one thread and continues in another.
  a.init();
  std::thread([&] { EXPECT_EQ(a.run(900), right); }).join();
  a.exit();
}

#ifndef TVP_SANITIZED  // one run-time library per process
TEST(Clusters, ANamespaceOfItsOwn) {
  const std::string right = alone(900);
  const Cluster cluster(Cluster::Load::kNamespace);
  cluster.init();
  EXPECT_EQ(cluster.run(900), right);
  cluster.exit();
}
#endif

// tt-umd loads a copy in memory for each device and closes it with its file. The next copy gets the
// same name while the library is still loaded.
TEST(Clusters, DevicesComeAndGoUnderOneName) {
  const std::string right = alone(900);
  for (unsigned device = 0; device < 4; ++device) {
    const Cluster cluster(Cluster::Load::kCopy);
    cluster.init();
    EXPECT_EQ(cluster.run(900), right) << "device " << device;
    cluster.exit();
    cluster.close();
  }
}

// Recordings hold no windows. An access through a window appears as an access to cores, in NoC 0
// coordinates.
TEST(Clusters, RecordingsResolveWindows) {
  const std::string file = testing::TempDir() + "windows_" + std::to_string(getpid()) + ".txt";
  const Cluster cluster(Cluster::Load::kCopy);
  ASSERT_EQ(cluster.configure(("record.file=" + file).c_str()), 0) << cluster.error();
  cluster.init();
  const std::uint64_t bar0 =
      (std::uint64_t{cluster.config_read(0, 0x14)} << 32) | (cluster.config_read(0, 0x10) & ~0xFU);
  // Window 0, of 1 MiB: 16 bits of address, x and y of the end, x and y of the start, NoC,
  // multicast.
  const auto window = [&](std::uint64_t x, std::uint64_t y, std::uint64_t x_start,
                          std::uint64_t y_start, std::uint64_t noc, std::uint64_t multicast) {
    const std::uint64_t word =
        1 | x << 16 | y << 22 | x_start << 28 | y_start << 34 | noc << 40 | multicast << 41;
    cluster.write_bar(bar0 + 0x1FC00000, &word, 8);
  };
  const std::uint8_t bytes[] = {0xAB, 0xCD};
  window(2, 2, 1, 1, 0, 1);
  cluster.write_bar(bar0 + 0x10, bytes, 2);
  window(18, 18, 0, 0, 0, 0);  // translated: the first worker
  cluster.write_bar(bar0 + 0x20, bytes, 2);
  window(8, 10, 0, 0, 1, 0);  // NoC 1 counts from the other corner
  std::uint8_t back[2] = {};
  cluster.read_bar(bar0 + 0x10, back, 2);
  cluster.write_tile(1, 1, 0x30, bytes, 1);
  cluster.clock(5);
  EXPECT_EQ(cluster.error(), "0 ");
  cluster.exit();
  std::ifstream in(file);
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (line[0] != '#') text += line + "\n";
  }
  EXPECT_EQ(text,
            "WRITE core=1,1 addr=0x100010 size=2 data=abcd\n"
            "WRITE core=2,1 addr=0x100010 size=2 data=abcd\n"
            "WRITE core=1,2 addr=0x100010 size=2 data=abcd\n"
            "WRITE core=2,2 addr=0x100010 size=2 data=abcd\n"
            "WRITE core=1,1 addr=0x100020 size=2 data=abcd\n"
            "READ core=1,1 addr=0x100010 size=2 data=- reply=abcd\n"
            "WRITE core=1,1 addr=0x30 size=1 data=ab\n"
            "CLOCK 5\n"
            "EXIT\n");
  std::remove(file.c_str());
}

std::map<std::uint64_t, std::uint8_t>& host() {
  static std::map<std::uint64_t, std::uint8_t> bytes;
  return bytes;
}

// The host's window and a core's access at the PCIe tile reach the same host memory.
TEST(Clusters, TheWindowToTheHostIsTheHostsToo) {
  const Cluster cluster(Cluster::Load::kCopy);
  cluster.set_callbacks(
      [](std::uint64_t at, void* to, std::uint32_t bytes) {
        for (std::uint32_t i = 0; i < bytes; ++i)
          static_cast<std::uint8_t*>(to)[i] = host()[at + i];
      },
      [](std::uint64_t at, const void* from, std::uint32_t bytes) {
        for (std::uint32_t i = 0; i < bytes; ++i)
          host()[at + i] = static_cast<const std::uint8_t*>(from)[i];
      });
  cluster.init();
  const std::uint64_t bar0 =
      (std::uint64_t{cluster.config_read(0, 0x14)} << 32) | (cluster.config_read(0, 0x10) & ~0xFU);
  const std::uint64_t bar2 =
      (std::uint64_t{cluster.config_read(0, 0x1C)} << 32) | (cluster.config_read(0, 0x18) & ~0xFU);
  // The first GiB maps to 0x11'4000'0000, as a driver maps a huge page.
  const std::pair<std::uint32_t, std::uint32_t> region[] = {
      {0x00, 0},          {0x08, 0},    {0x0C, 0},       {0x10, 0x3FFFFFFF},
      {0x14, 0x40000000}, {0x18, 0x11}, {0x04, 1U << 31}};
  for (const auto& [at, word] : region) cluster.write_bar(bar2 + 0x1200 + at, &word, 4);
  // Window 0, of 1 MiB, at 0x8'0010'0000 of (0, 3).
  const std::uint64_t window = 0x8001 | std::uint64_t{0} << 16 | std::uint64_t{3} << 22;
  cluster.write_bar(bar0 + 0x1FC00000, &window, 8);
  const char text[] = "by its own window";
  cluster.write_bar(bar0 + 0x20, text, sizeof text);
  EXPECT_EQ(cluster.error(), "0 ");
  EXPECT_EQ(host()[0x11'4010'0020], 'b');
  host()[0x11'4010'0020] = 'B';
  char back[sizeof text] = {};
  cluster.read_bar(bar0 + 0x20, back, sizeof back);
  EXPECT_STREQ(back, "By its own window");
  cluster.read_tile(0, 3, 0x8'0010'0020, back, 1);
  EXPECT_EQ(back[0], 'B');
  // The last byte of the region, and the one after it.
  cluster.write_tile(0, 3, 0x8'FFFD'FFFF, "e", 1);
  cluster.read_tile(0, 3, 0x7'FFFF'FFFF, back, 1);
  EXPECT_EQ(cluster.error().substr(0, 2), "2 ") << cluster.error();
  cluster.exit();
}

// Accesses in flight at that moment are no error.
TEST(Clusters, AHostMayLeaveAtAnyMoment) {
  const Cluster cluster(Cluster::Load::kFile);
  for (const std::string system : {"mesh_8x8", "ddr4_2400", "pim_rank", "single_chip"}) {
    for (const std::uint32_t cycles : {0U, 1U, 37U, 500U, 4000U}) {
      cluster.configure(("system=" + system + "\n").c_str());
      cluster.init();
      cluster.clock(cycles);
      cluster.exit();
      EXPECT_EQ(cluster.error(), "0 ") << system << " left in cycle " << cycles;
    }
  }
}

// After an error, a host with the public ABI only reads ones.
TEST(Clusters, TellsAHostThatDoesNotAskWhatIsWrong) {
  const Cluster cluster(Cluster::Load::kCopy);
  const auto wrong_access = [&cluster] {
    std::uint32_t word = 0;
    testing::internal::CaptureStderr();
    cluster.init();
    cluster.read_tile(1, 1, 0x7000'0000, &word, 4);
    cluster.read_tile(1, 1, 0x7100'0000, &word, 4);  // not the first access, which is the cause
    cluster.exit();
    EXPECT_EQ(word, 0xFFFFFFFFu);
    return testing::internal::GetCapturedStderr();
  };
  const std::string told = wrong_access();
  EXPECT_EQ(told.find("libtensix_vp: "), 0u) << told;
  EXPECT_NE(told.find("0x70000000"), told.npos) << told;
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
  EXPECT_NE(wrong_access(), "");  // each session has its own
  EXPECT_NE(cluster.error(), "");
  EXPECT_EQ(wrong_access(), "");  // a host that asks for errors handles them
}

// For every kind of tile: a range that would wrap to address 0.
TEST(Clusters, RangesEndWithTheAddressSpace) {
  const Cluster cluster(Cluster::Load::kFile);
  const std::pair<std::uint32_t, std::uint32_t> tiles[] = {{0, 0}, {1, 1},  {1, 0}, {0, 3},
                                                           {5, 5}, {0, 10}, {0, 2}};
  std::uint8_t bytes[64] = {};
  for (const auto& [x, y] : tiles) {
    for (const std::uint64_t before_end : {1U, 4U, 16U, 63U}) {
      for (const bool write : {true, false}) {
        cluster.configure("system=single_chip\n");
        cluster.init();
        const std::uint64_t address = 0 - before_end;
        if (write) {
          cluster.write_tile(x, y, address, bytes, sizeof bytes);
        } else {
          cluster.read_tile(x, y, address, bytes, sizeof bytes);
        }
        EXPECT_EQ(cluster.error().substr(0, 2), "2 ")
            << x << "," << y << " " << before_end << " bytes before the end: " << cluster.error();
        cluster.exit();
      }
    }
  }
}

}  // namespace
