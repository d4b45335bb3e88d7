// Every primitive with every algorithm in all forms and types, on every number of ranks of lines,
// rings and meshes of chips and of PIM systems. Runs by name only:
//     system_collective_product --gtest_also_run_disabled_tests --gtest_filter='*Rings'
// Each system prints the number of collectives that ran, of requests without a schedule, and of
// those that do not fit a rank's memory, with the names of the latter. TVP_PRODUCT_RANKS=5 runs one
// number of ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/tool/request_words.h"
#include "sw/runtime/devices/device_library.h"
#include "tests/system/benches/in_child.h"
#include "tests/system/collectives/executors.h"

namespace tvp::collectives {
namespace {

namespace fs = std::filesystem;

constexpr Primitive kPrimitives[] = {
    Primitive::kBroadcast,     Primitive::kReduce,    Primitive::kAllReduce,
    Primitive::kReduceScatter, Primitive::kAllGather, Primitive::kAllToAll,
    Primitive::kGather,        Primitive::kScatter,   Primitive::kSendRecv};
const std::vector<std::string> kTypes{"fp32", "int32", "bf16"};
const std::vector<std::string> kOps{"sum", "max", "prod", "min", "avg"};

struct Case {
  const Algorithm* algorithm = nullptr;
  ScheduleRequest request;
  Demand demand;
};

bool does(const Algorithm& algorithm, Primitive primitive) {
  const auto primitives = algorithm.primitives();
  return std::ranges::find(primitives, primitive) != primitives.end();
}

/// Operation, root and number of segments vary from case to case.
Case drawn(const Algorithm& algorithm, Primitive primitive, const std::string& variant,
           std::uint32_t ranks, std::size_t type, std::uint64_t bytes, std::size_t turn) {
  Case made;
  made.algorithm = &algorithm;
  made.request = {.primitive = primitive,
                  .ranks = ranks,
                  .root = static_cast<std::uint32_t>(turn % ranks),
                  .peer = static_cast<std::uint32_t>((turn + 1) % ranks),
                  .segments = turn % 3 == 2 ? 3U : 1U,
                  .variant = variant};
  made.demand = {.where = "test",
                 .bytes = bytes,
                 .type = kTypes[type],
                 .redop = kOps[turn % kOps.size()],
                 .seed = turn + 1};
  if (algorithm.name() == "hierarchy") {
    made.request.variant.clear();
    made.request.tiers = tiers_of("test", variant, "test", "");
    // Algorithms of the tiers vary, too, if possible.
    for (const char* outer : {"recursive_doubling", "pairwise", "ring"}) {
      made.request.tiers.back().algorithm = turn % 2 == 1 ? outer : "ring";
      if (algorithm.refusal(made.request).empty()) break;
    }
  }
  if (made.demand.redop == "avg" && made.demand.type == "int32") made.demand.redop = "sum";
  made.request.average = made.demand.redop == "avg" && reduces(primitive);
  return made;
}

/// All pairs of tiers for this number of ranks.
std::vector<std::string> tiers(std::uint32_t ranks) {
  std::vector<std::string> made;
  for (std::uint32_t inner = 2; inner < ranks; ++inner)
    if (ranks % inner == 0)
      made.push_back(std::to_string(inner) + "x" + std::to_string(ranks / inner));
  if (made.empty()) made.push_back(std::to_string(ranks));  // such a request is refused
  return made;
}

/// Cases for one number of ranks: vectors of `bytes`, and other sizes for one type in turn.
std::vector<Case> cases(std::uint32_t ranks, std::uint64_t bytes,
                        const std::vector<std::uint64_t>& others) {
  std::vector<Case> made;
  for (const auto& algorithm : all_algorithms()) {
    if (algorithm->name() == "inc") continue;  // needs a switch that combines
    std::vector<std::string> variants = algorithm->variants();
    if (algorithm->name() == "hierarchy") variants = tiers(ranks);
    if (variants.empty()) variants.emplace_back();
    for (const Primitive primitive : kPrimitives) {
      if (!does(*algorithm, primitive)) continue;
      for (const std::string& variant : variants) {
        const auto add = [&](std::size_t type, std::uint64_t size) {
          made.push_back(
              drawn(*algorithm, primitive, variant, ranks, type, size, made.size() + ranks));
        };
        for (std::size_t type = 0; type < kTypes.size(); ++type) add(type, bytes);
        for (const std::uint64_t size : others) add(made.size() % kTypes.size(), size);
      }
    }
  }
  return made;
}

std::string text(const Case& one) {
  std::string tiers;
  for (const Tier& tier : one.request.tiers)
    tiers += std::to_string(tier.size) + " " + tier.algorithm + " ";
  return one.algorithm->name() + " " + one.request.variant + tiers + " " +
         std::string(name_of(one.request.primitive)) + " N=" + std::to_string(one.request.ranks) +
         " root " + std::to_string(one.request.root) +
         " P=" + std::to_string(one.request.segments) + ", " + std::to_string(one.demand.bytes) +
         " bytes of " + one.demand.type + " " + one.demand.redop;
}

struct Counts {
  unsigned ran = 0;
  unsigned refused = 0;    ///< the algorithm is not defined for the request
  unsigned too_large = 0;  ///< the program does not fit the memory of a rank, or a similar limit
  std::string failures;
};

/// Throws if there is no schedule, also for the order of ranks of this machine.
Schedule schedule_of(const Case& one, CollectiveExecutor& executor) {
  ScheduleRequest request = one.request;
  request.order = executor.ring(request.ranks);
  if (!one.algorithm->refusal(request).empty()) request.order.clear();
  Schedule made = one.algorithm->schedule(request);
  require_right(made);
  return made;
}

/// Runs cases from `first` until one stops the device. The last word of the result is the next
/// case.
std::string run_from(const std::vector<Case>& all, std::size_t first, CollectiveExecutor& executor,
                     Counts& counts) {
  for (std::size_t i = first; i < all.size(); ++i) {
    Schedule schedule;
    try {
      schedule = schedule_of(all[i], executor);
    } catch (const std::exception&) {
      ++counts.refused;
      continue;
    }
    try {
      const CollectiveExecutor::Outcome outcome = executor.run(schedule, all[i].demand);
      ++counts.ran;
      if (!outcome.reason.empty() || outcome.wrong != 0)
        counts.failures += "  " + text(all[i]) + ": " + outcome.reason + "\n";
    } catch (const foundation::Fault& fault) {
      if (fault.kind() == foundation::FaultKind::kDescription &&
          std::string(fault.what()).find("does not fit") != std::string::npos) {
        ++counts.too_large;
        std::fprintf(stderr, "too large: %s: %s\n", text(all[i]).c_str(), fault.what());
        continue;
      }
      counts.failures += "  " + text(all[i]) + ": " + fault.what() + "\n";
      return std::to_string(i + 1);
    } catch (const std::exception& error) {
      counts.failures += "  " + text(all[i]) + ": " + error.what() + "\n";
      return std::to_string(i + 1);
    }
  }
  return {};
}

std::string told(const Counts& counts, const std::string& next) {
  return std::to_string(counts.ran) + " " + std::to_string(counts.refused) + " " +
         std::to_string(counts.too_large) + " " + (next.empty() ? "-" : next) + "\n" +
         counts.failures;
}

/// Runs each stretch of cases without fault or hang in one process.
Counts run_all(const std::string& settings, const WithExecutor& with,
               const std::vector<Case>& all) {
  Counts sum;
  for (std::size_t first = 0; first < all.size();) {
    const std::string answer =
        workloads::in_child(settings, [&](runtime::DeviceLibrary& library) -> std::string {
          Counts counts;
          std::string next;
          try {
            with(library, [&](CollectiveExecutor& executor) {
              next = run_from(all, first, executor, counts);
              if (!next.empty()) throw std::runtime_error("stopped");
            });
          } catch (const std::exception& error) {
            if (next.empty())
              counts.failures += std::string("  at the end: ") + error.what() + "\n";
          }
          return told(counts, next);
        });
    unsigned ran = 0;
    unsigned refused = 0;
    unsigned too_large = 0;
    char next[16] = "-";
    if (std::sscanf(answer.c_str(), "%u %u %u %15s", &ran, &refused, &too_large, next) != 4) {
      sum.failures += "  the process ended: " + answer + "\n";
      break;
    }
    sum.ran += ran;
    sum.refused += refused;
    sum.too_large += too_large;
    sum.failures += answer.substr(answer.find('\n') + 1);
    first = next[0] == '-' ? all.size() : std::stoul(next);
  }
  return sum;
}

bool wanted(std::uint32_t ranks) {
  const char* only = std::getenv("TVP_PRODUCT_RANKS");
  return only == nullptr || std::stoul(only) == ranks;
}

void product(const std::string& name, const std::string& settings, const WithExecutor& with,
             std::uint32_t ranks, std::uint64_t bytes,
             const std::vector<std::uint64_t>& others = {}) {
  if (!wanted(ranks)) return;
  const Counts counts = run_all(settings, with, cases(ranks, bytes, others));
  std::printf("%s, N=%u: %u ran, %u without a schedule, %u too large\n", name.c_str(), ranks,
              counts.ran, counts.refused, counts.too_large);
  std::fflush(stdout);
  EXPECT_EQ(counts.failures, "") << name << ", N=" << ranks;
  EXPECT_GT(counts.ran, 0U);
}

/// Rarely a multiple of the number of ranks.
constexpr std::uint64_t kOdd = 8004;
/// An element, or two of bf16; more than the slots of small chips hold.
const std::vector<std::uint64_t> kEnds{4, 40000};

std::string small_chips(const std::string& kind, const std::string& shape, unsigned links = 2) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER);
  fs::create_directories(folder);
  const fs::path file = folder / (kind + ".toml");
  std::ofstream(file) << "schema = 1\nname = \"" << kind << "\"\n[topology]\nkind = \"" << kind
                      << "\"\nshape = [" << shape << "]\nlinks = " << links
                      << "\ndescription = \"small\"\n";
  return "system=" + file.string() + "\n";
}

TEST(CollectiveProduct, DISABLED_Lines) {
  for (std::uint32_t n = 2; n <= 8; ++n)
    product("line", small_chips("line", std::to_string(n)), on_chips, n, kOdd, kEnds);
}
TEST(CollectiveProduct, DISABLED_Rings) {
  for (std::uint32_t n = 3; n <= 8; ++n)
    product("ring", small_chips("ring", std::to_string(n)), on_chips, n, kOdd, kEnds);
}
/// N ranks of a mesh of 2 x 4, and meshes of N; small chips have four links.
TEST(CollectiveProduct, DISABLED_Meshes) {
  for (std::uint32_t n = 2; n <= 8; ++n)
    product("mesh of 2 x 4", small_chips("mesh", "2, 4", 1), on_chips, n, kOdd, kEnds);
  product("mesh of 2 x 2", small_chips("mesh", "2, 2", 1), on_chips, 4, kOdd, kEnds);
  product("mesh of 2 x 3", small_chips("mesh", "2, 3", 1), on_chips, 6, kOdd, kEnds);
  product("torus of 3 x 3", small_chips("torus", "3, 3", 1), on_chips, 9, kOdd, kEnds);
}
/// Chunks are longer than the slots of a connection, so they need several rounds.
TEST(CollectiveProduct, DISABLED_Rounds) {
  for (const std::uint32_t n : {3U, 4U, 5U})
    product("ring in rounds", small_chips("ring", std::to_string(n)), on_chips, n, 1'600'000);
  for (const std::uint32_t n : {4U, 5U, 8U})
    product("pim_rank in rounds", "", on_units, n, 250'000);
}
TEST(CollectiveProduct, DISABLED_Galaxy) {
  for (const std::uint32_t n : {16U, 32U}) product("galaxy", "system=galaxy\n", on_chips, n, kOdd);
}
TEST(CollectiveProduct, DISABLED_PimRank) {
  for (std::uint32_t n = 2; n <= 32; ++n) product("pim_rank", "", on_units, n, kOdd);
}
TEST(CollectiveProduct, DISABLED_PimSizes) {
  for (const std::uint32_t n : {2U, 3U, 5U, 8U}) product("pim_rank", "", on_units, n, 4, {40000});
}
TEST(CollectiveProduct, DISABLED_PimDimm) {
  for (const std::uint32_t n : {64U, 128U})
    product("pim_dimm", "system=pim_dimm\n", on_units, n, kOdd);
}
TEST(CollectiveProduct, DISABLED_PimServer) {
  product("pim_server", "system=pim_server\n", on_units, 256, kOdd);
}

}  // namespace
}  // namespace tvp::collectives
