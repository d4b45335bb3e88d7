// Calls every function of the C ABI with null pointers, huge sizes and in any order. It must refuse
// wrong arguments with an error and never end its host.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <thread>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/output_file.h"
#include "tests/fuzz/library_symbols.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/seed_elf.h"
#include "tests/support/test_folder.h"

namespace tvp {
namespace {

using foundation::Random;

/// The kind of an argument. Memory is followed by one or two size arguments, which are chosen with
/// it.
enum class Kind { kWord, kSmall, kLong, kText, kPath, kMemory, kResult, kSize, kLongSize };
using enum Kind;

/// All functions of foundation/abi/tensix_vp/libttsim.h.
const std::map<std::string, std::vector<Kind>> kFunctions = {
    {"libttsim_init", {}},
    {"libttsim_exit", {}},
    {"libttsim_set_pci_dma_mem_callbacks", {}},  // no arguments: see Fuzz::call
    {"libttsim_pci_config_rd32", {kWord, kWord}},
    {"libttsim_pci_config_wr32", {kWord, kWord, kWord}},
    {"libttsim_pci_mem_rd_bytes", {kLong, kMemory, kSize}},
    {"libttsim_pci_mem_wr_bytes", {kLong, kMemory, kSize}},
    {"libttsim_tile_rd_bytes", {kSmall, kSmall, kLong, kMemory, kSize}},
    {"libttsim_tile_wr_bytes", {kSmall, kSmall, kLong, kMemory, kSize}},
    {"libttsim_clock", {kSmall}},
    {"sc_main", {kSmall, kResult}},
    {"tensix_vp_abi_version", {}},
    {"tensix_vp_configure", {kText}},
    {"tensix_vp_time_ps", {}},
    {"tensix_vp_interrupt", {}},
    {"tensix_vp_serve", {}},
    {"tensix_vp_status", {}},
    {"tensix_vp_last_error", {kResult, kMemory, kSize}},
    {"tensix_vp_system", {kMemory, kSize}},
    {"tensix_vp_report", {kMemory, kSize}},
    {"tensix_vp_settings", {kMemory, kSize}},
    {"tensix_vp_symbols", {kSmall, kSmall, kSmall, kSmall, kPath}},
    {"tensix_vp_circular_buffers", {kSmall, kSmall, kSmall, kMemory, kSize}},
    {"tensix_vp_kernel_arguments", {kSmall, kSmall, kSmall, kSmall, kMemory, kSize}},
    {"tensix_vp_given_words", {kSmall, kSmall, kSmall, kWord, kWord, kSmall, kText, kSmall}},
    {"tensix_vp_dram_buffer", {kSmall, kLong, kLongSize, kSmall, kSmall, kSmall}},
    {"tensix_vp_l1_buffer", {kSmall, kWord, kSmall, kMemory, kSmall}},
    {"tensix_vp_origin", {kSmall, kSmall, kSmall, kLong, kMemory, kSize}},
    {"tensix_vp_load_program", {kSmall, kSmall, kSmall, kSmall, kPath, kText}},
    {"tensix_vp_program_result", {kSmall, kResult}},
    {"tensix_vp_pim_own", {kSmall, kSmall}},
    {"tensix_vp_pim_bank", {kSmall, kLong, kMemory, kLongSize, kSmall}},
    {"tensix_vp_pim_wram", {kSmall, kWord, kMemory, kSize, kSmall}},
    {"tensix_vp_pim_peek", {kSmall, kWord, kMemory, kSize}},
    {"tensix_vp_pim_load", {kSmall, kPath}},
    {"tensix_vp_pim_start", {kMemory, kSize}},
    {"tensix_vp_pim_state", {kSmall, kResult}},
    {"tensix_vp_pim_route", {kSmall, kSmall, kMemory, kSize}},
    {"tensix_vp_pim_way", {kSmall, kSmall, kMemory, kSize}},
    {"tensix_vp_pim_output", {kSmall, kMemory, kSize}},
    {"tensix_vp_times", {kSmall, kSmall, kSmall}},
    {"tensix_vp_phase", {kText, kSmall}},
    {"tensix_vp_span", {kText, kText, kLong, kLong}},
    {"tensix_vp_stretch", {kText, kText, kLong, kLong}},
};

using Function = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                   std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t);
using Arguments = std::array<std::uint64_t, 8>;

constexpr std::size_t kMemoryBytes = 4U << 20;  // more than the longest text
constexpr const char* kSystems[] = {"small_ring", "pim_rank", "single_chip", "mesh_8x8",
                                    "ddr4_2400"};

/// The calls of one process.
class Fuzz {
 public:
  Fuzz(std::uint64_t seed, const std::string& elf)
      : random_(seed), elf_(elf), memory_(kMemoryBytes, '\x5a'), result_(4096) {
    library_ = dlopen(TVP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) _exit(99);
  }

  std::uint64_t call(const std::string& name, const Arguments& a) {
    if (name == "libttsim_set_pci_dma_mem_callbacks") {
      return function(name)(0, 0, 0, 0, 0, 0, 0,
                            0);  // an invalid function pointer is an error of the host
    }
    return function(name)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  }
  /// Arguments of a function that all have this extreme value.
  static Arguments ends(std::uint64_t value) {
    Arguments a;
    a.fill(value);
    return a;
  }
  /// Numbers with all bits set, and null pointers or memory larger than any that exists.
  Arguments extreme(const std::vector<Kind>& kinds, bool with_memory);
  Arguments chosen(const std::vector<Kind>& kinds);
  void init(const std::string& system) {
    const std::string text = "system=" + system + "\nmax_time_ns=20000\n";
    call("tensix_vp_configure", {address(text.data())});
    call("libttsim_init", {});
  }
  std::uint32_t status() { return static_cast<std::uint32_t>(call("tensix_vp_status", {})); }
  std::string error(std::uint32_t& kind) {
    call("tensix_vp_last_error", {address(&kind), address(memory_.data()), memory_.size()});
    return memory_.substr(0, memory_.find('\0'));
  }
  Random& random() { return random_; }
  Function function(const std::string& name) {
    const auto found = reinterpret_cast<Function>(dlsym(library_, name.c_str()));
    if (found == nullptr) _exit(98);
    return found;
  }
  static std::uint64_t address(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
  }

 private:
  std::uint64_t number(std::uint64_t most);
  std::uint64_t text();
  /// Offset from a valid object address.
  std::uint64_t skew() { return random_.below(4) == 0 ? random_.below(16) : 0; }

  Random random_;
  std::string elf_;
  std::string memory_;
  std::vector<char> result_;
  std::vector<std::string> texts_;
  void* library_ = nullptr;
};

Arguments Fuzz::extreme(const std::vector<Kind>& kinds, bool with_memory) {
  Arguments a = ends(~std::uint64_t{0});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool memory = kinds[i] == kMemory || kinds[i] == kResult;
    if (memory) a[i] = with_memory ? address(memory_.data()) : 0;
    if (kinds[i] == kText || kinds[i] == kPath) a[i] = with_memory ? address("\xff=\xfe") : 0;
    if (kinds[i] == kSize || kinds[i] == kSmall || kinds[i] == kWord) a[i] = ~std::uint32_t{0};
  }
  return a;
}

std::uint64_t Fuzz::number(std::uint64_t most) {
  switch (random_.below(4)) {
    case 0:
      return random_.below(4);
    case 1:
      return most - random_.below(4);
    case 2:
      return random_.next() & most;
    default:
      return (std::uint64_t{1} << random_.below(64)) & most;
  }
}

std::uint64_t Fuzz::text() {
  static const char* const kTexts[] = {"",
                                       "=",
                                       "a=b",
                                       "system=pair",
                                       "x\ny",
                                       "\xff\xfe=\xc3",
                                       "noc.hop_cycles=11",
                                       "system=/dev/zero",
                                       "commitlog=/dev/full",
                                       "signature=/nowhere/s\ncommitlog=/nowhere/s",
                                       "compute"};
  const unsigned kind = random_.below(8);
  if (kind == 0) return 0;
  if (kind == 1) return address(texts_.emplace_back(1U << 16, 'x').data());
  return address(kTexts[random_.below(std::size(kTexts))]);
}

Arguments Fuzz::chosen(const std::vector<Kind>& kinds) {
  // Texts of earlier calls stay allocated, since the library may have kept their addresses.
  texts_.reserve(4096);
  Arguments a{};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool null = random_.below(8) == 0;
    switch (kinds[i]) {
      case kWord:
        a[i] = number(~std::uint32_t{0});
        break;
      case kSmall:
        a[i] = random_.below(8) == 0 ? number(~std::uint32_t{0}) : random_.below(20);
        break;
      case kLong:
        // BARs begin at multiples of 4 GiB.
        a[i] = random_.below(2) == 0 ? number(~std::uint64_t{0})
                                     : (std::uint64_t{1} << 32) + random_.below(1U << 30);
        break;
      case kText:
        a[i] = text();
        break;
      case kPath:
        a[i] = random_.below(2) == 0 ? address(elf_.c_str()) : text();
        break;
      case kResult:
        a[i] = null ? 0 : address(result_.data()) + skew();
        break;
      case kMemory: {
        a[i] = null ? 0 : address(memory_.data()) + skew();
        // A size within the memory, or one that cannot exist. pim_start counts words.
        const std::uint64_t most = i + 1 < kinds.size() && kinds[i + 1] == kLongSize
                                       ? ~std::uint64_t{0}
                                       : ~std::uint32_t{0};
        const bool huge = null || random_.below(4) == 0;
        a[i + 1] = huge ? most - random_.below(1U << 20) : random_.below(kMemoryBytes / 4);
        if (random_.below(4) == 0) a[i + 1] = random_.below(64);
        ++i;
        break;
      }
      case kSize:
      case kLongSize:
        break;
    }
  }
  return a;
}

/// A callback for host memory that calls the library again.
class CallsAgain {
 public:
  static void begin(Fuzz& fuzz) {
    fuzz_ = &fuzz;
    fuzz.function("libttsim_set_pci_dma_mem_callbacks")(reinterpret_cast<std::uint64_t>(&read),
                                                        reinterpret_cast<std::uint64_t>(&write), 0,
                                                        0, 0, 0, 0, 0);
  }
  static unsigned times() { return times_; }

 private:
  static void read(std::uint64_t, void* to, std::uint32_t bytes) {
    std::memset(to, 0, bytes);
    call();
  }
  static void write(std::uint64_t, const void*, std::uint32_t) { call(); }
  static void call() {
    ++times_;
    auto function = kFunctions.begin();
    std::advance(function, fuzz_->random().below(kFunctions.size()));
    if (function->first == "libttsim_set_pci_dma_mem_callbacks") return;
    fuzz_->call(function->first, fuzz_->chosen(function->second));
  }
  static inline Fuzz* fuzz_ = nullptr;
  static inline unsigned times_ = 0;
};

/// Runs `work` in a separate process. Returns its result, or how the process ended.
std::string in_process(const std::function<std::string()>& work, std::uint64_t cases = 1) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(300 + cases));  // sanitizers are slow
    const std::string text = work();
    const ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 97);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  if (status != 0) return "ended with " + std::to_string(WEXITSTATUS(status)) + " " + text;
  return text;
}

enum class Moment { kBefore, kRunning, kAfter, kFailed };

void lead_to(Fuzz& fuzz, Moment moment, const std::string& system) {
  if (moment == Moment::kBefore) return;
  fuzz.init(system);
  if (moment == Moment::kAfter) fuzz.call("libttsim_exit", {});
  if (moment == Moment::kFailed) fuzz.call("libttsim_init", {});
}

class FuzzLibrary : public ::testing::Test {
 protected:
  FuzzLibrary() { foundation::write_file(elf_, test::seed_elf()); }
  test::TestFolder folder_{"fuzz_library"};
  std::string elf_ = folder_.file("program.elf");
};

TEST_F(FuzzLibrary, KnowsEveryFunction) {
  std::vector<std::string> known;
  for (const auto& [name, kinds] : kFunctions) known.push_back(name);
  EXPECT_EQ(test::exported_functions(TVP_LIBRARY), known)
      << "what the library exports and what this test calls";
}

/// True if the arguments from `extreme` without memory include a null pointer that the function
/// needs.
bool needs_memory(const std::string& name, const std::vector<Kind>& kinds) {
  for (const char* may_be_null :
       {"tensix_vp_last_error", "tensix_vp_system", "tensix_vp_report", "tensix_vp_settings",
        "tensix_vp_pim_output", "tensix_vp_origin", "sc_main", "tensix_vp_configure"}) {
    if (name == may_be_null) return false;
  }
  return std::any_of(kinds.begin(), kinds.end(), [](Kind kind) {
    return kind == kMemory || kind == kResult || kind == kText || kind == kPath;
  });
}

/// The error of a function with null and huge arguments; "" if there is none.
std::string wrong_with(Fuzz& fuzz, const std::string& name, Moment moment) {
  const std::vector<Kind>& kinds = kFunctions.at(name);
  fuzz.call(name, fuzz.extreme(kinds, false));
  std::uint32_t kind = 0;
  const std::string error = fuzz.error(kind);
  const bool told = kind == TENSIX_VP_ERROR_USAGE && !error.empty();
  if (moment == Moment::kRunning && needs_memory(name, kinds) && !told) {
    return name + " says nothing of a null pointer: " + std::to_string(kind) + " " + error + "\n";
  }
  fuzz.call(name, fuzz.extreme(kinds, true));
  fuzz.call(name, fuzz.ends(0));
  fuzz.call("libttsim_exit", {});
  return "";
}

// Repeats the calls at every moment of a session, each in a forked process.
TEST_F(FuzzLibrary, EveryFunctionRefusesNullAndHugeArguments) {
  for (const std::string system : {"small_ring", "pim_rank"}) {
    for (const Moment moment :
         {Moment::kBefore, Moment::kRunning, Moment::kAfter, Moment::kFailed}) {
      const auto outcome = in_process([&]() -> std::string {
        Fuzz fuzz(1, elf_);
        lead_to(fuzz, moment, system);
        std::string wrong;
        for (const auto& [name, kinds] : kFunctions) {
          const std::string one =
              in_process([&, &name = name] { return wrong_with(fuzz, name, moment); });
          if (!one.empty()) wrong += name + ": " + one + "\n";
        }
        return wrong;
      });
      EXPECT_EQ(outcome, "") << system << " at moment " << static_cast<int>(moment);
    }
  }
}

TEST_F(FuzzLibrary, SymbolsAreOfAnElfFileAndACoreThatTheSystemHas) {
  const std::string text = folder_.file("text.elf");
  foundation::write_file(text, "no ELF file");
  const auto outcome = in_process([&]() -> std::string {
    Fuzz fuzz(1, elf_);
    fuzz.init("small_ring");
    std::string wrong;
    const auto call = [&](const std::string& file, std::array<std::uint64_t, 4> place, bool right) {
      const auto at = reinterpret_cast<std::uint64_t>(file.c_str());
      const auto answer =
          fuzz.call("tensix_vp_symbols", {place[0], place[1], place[2], place[3], at});
      std::uint32_t kind = 0;
      const std::string error = fuzz.error(kind);
      const bool told = kind == TENSIX_VP_ERROR_USAGE && error.find(file) == 0;
      if ((static_cast<std::int32_t>(answer) == 0) != right || told == right)
        wrong += file + " " + std::to_string(place[0]) + " " + std::to_string(place[1]) + " " +
                 std::to_string(place[3]) + ": " + error + "\n";
    };
    call(elf_, {0, 1, 1, TENSIX_VP_CORE_TRISC2}, true);
    call(elf_, {9, 1, 1, TENSIX_VP_CORE_BRISC}, false);
    call(elf_, {0, 77, 1, TENSIX_VP_CORE_BRISC}, false);
    call(elf_, {0, 1, 1, TENSIX_VP_CORE_ERISC}, false);
    call(elf_, {0, 1, 1, TENSIX_VP_CORE_ERISC + 1}, false);
    call(text, {0, 1, 1, TENSIX_VP_CORE_BRISC}, false);
    call(folder_.file("none.elf"), {0, 1, 1, TENSIX_VP_CORE_BRISC}, false);
    return wrong;
  });
  EXPECT_EQ(outcome, "");
}

TEST_F(FuzzLibrary, NoOrderOfCallsEndsTheHost) {
  constexpr unsigned kCalls = 40;
  std::vector<std::string> names;
  for (const auto& [name, kinds] : kFunctions) names.push_back(name);
  for (std::uint64_t i = 0; i < test::fuzz_cases(40); ++i) {
    const std::uint64_t seed = test::fuzz_seed() + i;
    std::string last = "nothing";
    const auto outcome = in_process([&]() -> std::string {
      Fuzz fuzz(seed, elf_);
      if (fuzz.random().below(8) != 0) fuzz.init(kSystems[seed % std::size(kSystems)]);
      for (unsigned n = 0; n < kCalls; ++n) {
        const std::string& name = names[fuzz.random().below(names.size())];
        fuzz.call(name, fuzz.chosen(kFunctions.at(name)));
        std::uint32_t kind = 0;
        const std::string error = fuzz.error(kind);
        if (kind == TENSIX_VP_ERROR_INTERNAL) return name + " is a defect: " + error;
      }
      return "";
    });
    EXPECT_EQ(outcome, "") << "seed " << seed;
  }
}

TEST_F(FuzzLibrary, ThreadsTakeTurns) {
  constexpr unsigned kThreads = 4, kCalls = 30;
  std::vector<std::string> names;
  for (const auto& [name, kinds] : kFunctions) names.push_back(name);
  for (std::uint64_t i = 0; i < test::fuzz_cases(10); ++i) {
    const std::uint64_t seed = test::fuzz_seed() + i;
    const auto outcome = in_process([&]() -> std::string {
      std::array<std::string, kThreads> wrong;
      Fuzz(seed, elf_).init(kSystems[seed % std::size(kSystems)]);
      std::vector<std::thread> threads;
      for (unsigned t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          Fuzz fuzz(seed * kThreads + t, elf_);
          for (unsigned n = 0; n < kCalls && wrong[t].empty(); ++n) {
            const std::string& name = names[fuzz.random().below(names.size())];
            fuzz.call(name, fuzz.chosen(kFunctions.at(name)));
            std::uint32_t kind = 0;
            const std::string error = fuzz.error(kind);
            const bool inside = error.find("inside") != std::string::npos;
            if (kind == TENSIX_VP_ERROR_INTERNAL || inside) wrong[t] = name + ": " + error + "\n";
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      std::string all;
      for (const std::string& each : wrong) all += each;
      return all;
    });
    EXPECT_EQ(outcome, "") << "seed " << seed;
  }
}

// Calls of a callback are refused or done, and the access that caused the callback completes.
TEST_F(FuzzLibrary, CallbacksMayCallAnything) {
  for (std::uint64_t i = 0; i < test::fuzz_cases(40); ++i) {
    const std::uint64_t seed = test::fuzz_seed() + i;
    const auto outcome = in_process([&]() -> std::string {
      Fuzz fuzz(seed, elf_);
      CallsAgain::begin(fuzz);
      fuzz.init("single_chip");
      const std::uint64_t bar2 = (fuzz.call("libttsim_pci_config_rd32", {0, 0x1C}) << 32) |
                                 (fuzz.call("libttsim_pci_config_rd32", {0, 0x18}) & 0xFFFFFFF0);
      const std::pair<std::uint32_t, std::uint32_t> region[] = {
          {0x00, 0}, {0x08, 0}, {0x0C, 0},       {0x10, 0x3FFFFFFF},
          {0x14, 0}, {0x18, 1}, {0x04, 1U << 31}};
      for (const auto& [at, word] : region)
        fuzz.call("libttsim_pci_mem_wr_bytes", {bar2 + 0x1200 + at, Fuzz::address(&word), 4});
      std::array<char, 64> bytes{};
      for (unsigned n = 0; n < 4; ++n) {
        const char* const way = n % 2 == 0 ? "libttsim_tile_wr_bytes" : "libttsim_tile_rd_bytes";
        fuzz.call(way, {0, 3, 0x8'0000'0020, Fuzz::address(bytes.data()), bytes.size()});
      }
      std::uint32_t kind = 0;
      const std::string error = fuzz.error(kind);
      fuzz.call("libttsim_exit", {});
      if (kind == TENSIX_VP_ERROR_INTERNAL) return "a defect: " + error;
      return CallsAgain::times() == 0 ? "nothing was called" : "";
    });
    EXPECT_EQ(outcome, "") << "seed " << seed;
  }
}

TEST_F(FuzzLibrary, WhatASessionGaveIsNothingToTheNext) {
  const auto outcome = in_process([&]() -> std::string {
    Fuzz fuzz(1, elf_);
    fuzz.init("single_chip");
    const auto number =
        fuzz.call("tensix_vp_load_program", {0, 1, 1, 0, Fuzz::address(elf_.c_str())});
    fuzz.call("libttsim_clock", {100});
    tensix_vp_program result{};
    if (fuzz.call("tensix_vp_program_result", {number, Fuzz::address(&result)}) << 32 != 0)
      return "no result of program " + std::to_string(number);
    // After the exit, the last error is still available.
    fuzz.call("libttsim_exit", {});
    fuzz.call("tensix_vp_program_result", {number, Fuzz::address(&result)});
    fuzz.call("tensix_vp_origin", {0, 1, 1, 0, 0, 0});
    fuzz.init("single_chip");
    if (fuzz.call("tensix_vp_program_result", {number, Fuzz::address(&result)}) << 32 == 0)
      return "the result of a program of before";
    return "";
  });
  EXPECT_EQ(outcome, "");
}

TEST_F(FuzzLibrary, ObjectsBetweenTheirPlacesAreRefused) {
  const auto outcome = in_process([&]() -> std::string {
    std::string wrong;
    alignas(8) std::array<char, 4096> memory{};
    const std::uint64_t odd = Fuzz::address(memory.data()) + 2;
    const std::vector<std::pair<std::string, Arguments>> calls = {
        {"tensix_vp_circular_buffers", {0, 1, 1, odd, 1}},
        {"tensix_vp_kernel_arguments", {0, 1, 1, 0, odd, 1}},
        {"tensix_vp_program_result", {0, odd}},
        {"tensix_vp_last_error", {odd, 0, 0}}};
    for (const auto& [name, arguments] : calls) {
      Fuzz fuzz(1, elf_);
      fuzz.init("single_chip");
      fuzz.call(name, arguments);
      std::uint32_t kind = 0;
      const std::string error = fuzz.error(kind);
      if (kind != TENSIX_VP_ERROR_USAGE || error.find("no multiple of") == std::string::npos)
        wrong += name + ": " + error + "\n";
      fuzz.call("libttsim_exit", {});
    }
    return wrong;
  });
  EXPECT_EQ(outcome, "");
}

// Broken programs through the library are refused or run. They may cause a fault of the program,
// but no defect of the platform. Each program runs in a forked copy of one simulation.
TEST_F(FuzzLibrary, BrokenProgramsAreRefusedOrRun) {
  const auto all = in_process(
      [&]() -> std::string {
        Fuzz fuzz(1, elf_);
        fuzz.init("small_ring");
        unsigned ran = 0;
        for (std::uint64_t i = 0; i < test::fuzz_cases(200); ++i) {
          const std::uint64_t seed = test::fuzz_seed() + i;
          const auto outcome = in_process([&]() -> std::string {
            test::Mutator mutator(seed, {"tohost", "_start"});
            const std::string path = folder_.file("mutated.elf");
            foundation::write_file(path, mutator.mutated(test::seed_elf()));
            const auto at = reinterpret_cast<std::uint64_t>(path.c_str());
            const std::uint64_t core = mutator.random().below(5);
            fuzz.call("tensix_vp_symbols", {0, 1, 1, core, at});
            const auto number = fuzz.call("tensix_vp_load_program", {0, 1, 1, core, at, 0});
            for (unsigned n = 0; n < 4; ++n) fuzz.call("libttsim_clock", {500});
            std::uint32_t kind = 0;
            std::string error = fuzz.error(kind);
            fuzz.call("tensix_vp_report", {});
            fuzz.call("libttsim_exit", {});
            if (kind == TENSIX_VP_ERROR_INTERNAL || kind == TENSIX_VP_ERROR_HOST) return error;
            return static_cast<std::int32_t>(number) < 0 ? "refused" : "ran";
          });
          if (outcome == "ran") ++ran;
          if (outcome != "ran" && outcome != "refused") {
            return "seed " + std::to_string(seed) + ": " + outcome;
          }
        }
        return ran > 0 ? "" : "none ran";
      },
      test::fuzz_cases(200));
  EXPECT_EQ(all, "");
}

}  // namespace
}  // namespace tvp
