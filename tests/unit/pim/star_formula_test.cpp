// Time and bytes of collectives in the network, compared with the document's formula. For one
// switch t = 2 alpha_switch + M / BW. alpha_switch is a hop's cut-through and, for combined data,
// half of the ALU's latency, since a stream passes the ALU once on its two hops. Each further level
// of switches adds the same. M includes packet headers.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/pim/star_bench.h"

namespace tvp::pim::star_formula_test {
namespace {

using test::StarBench;

struct Figures {
  double cut_through_ns;
  double alu_ns;
  double gb_s;
};
constexpr Figures kFigures[] = {{100, 20, 0.5}, {250, 100, 1.2}, {10, 0, 2.4}, {1000, 300, 0.125}};
constexpr unsigned kSizes[] = {256, 4096, 65536};
constexpr double kPacket = 512;
constexpr double kHeader = 8;

/// Bytes on a link.
double wire(double bytes) { return bytes + std::ceil(bytes / kPacket) * kHeader; }

StarBench bench_of(unsigned count, const Figures& f, const std::string& tree = "") {
  return StarBench(count, {{"cut_through_ns", std::to_string(f.cut_through_ns)},
                           {"alu_ns", std::to_string(f.alu_ns)},
                           {"port_gb_s", std::to_string(f.gb_s)},
                           {"tree", tree}});
}

/// Within 2 % of the formula and two cycles of it, since the model is deterministic.
void expect_formula(double measured, double formula, const std::string& what) {
  EXPECT_NEAR(measured, formula, 0.02 * formula + 1) << what;
  EXPECT_NEAR(measured, formula, 2) << what;
}

std::string text(unsigned count, unsigned bytes, const Figures& f) {
  return std::to_string(count) + " participants, " + std::to_string(bytes) +
         " bytes, cut-through " + std::to_string(f.cut_through_ns) + " ns, ALU " +
         std::to_string(f.alu_ns) + " ns";
}

TEST(StarFormula, AllReduceIsTwiceAlphaAndMOverBw) {
  for (const Figures& f : kFigures)
    for (unsigned count = 2; count <= 16; ++count)
      for (const unsigned bytes : kSizes) {
        StarBench bench = bench_of(count, f);
        const std::vector<std::uint8_t> data(bytes, 1);
        for (unsigned unit = 0; unit < count; ++unit)
          bench.reduce(unit, bench.everybody(), bench.everybody(), data);
        const double alpha = f.cut_through_ns + f.alu_ns / 2;
        expect_formula(bench.run(), 2 * alpha + wire(bytes) / f.gb_s, text(count, bytes, f));
        bench.network->check_at_end();
        for (unsigned unit = 0; unit < count; ++unit) {
          EXPECT_EQ(bench.network->up(unit).stats.bytes, wire(bytes));
          EXPECT_EQ(bench.network->down(unit).stats.bytes, wire(bytes));
        }
      }
}

TEST(StarFormula, EachLevelOfSwitchesCostsTwoHopsAndAnAlu) {
  struct Tree {
    const char* text;
    unsigned count;
    unsigned levels;
  };
  for (const Tree tree : {Tree{"4 2", 8, 2}, Tree{"2 2 2", 8, 3}, Tree{"3 4", 12, 2}})
    for (const Figures& f : kFigures)
      for (const unsigned bytes : kSizes) {
        StarBench bench = bench_of(tree.count, f, tree.text);
        const std::vector<std::uint8_t> data(bytes, 1);
        for (unsigned unit = 0; unit < tree.count; ++unit)
          bench.reduce(unit, bench.everybody(), bench.everybody(), data);
        const double alpha = f.cut_through_ns + f.alu_ns / 2;
        expect_formula(bench.run(), tree.levels * 2 * alpha + wire(bytes) / f.gb_s,
                       std::string(tree.text) + ": " + text(tree.count, bytes, f));
        // Links between switches carry as much as those of a participant: combined below, copied
        // below.
        EXPECT_EQ(bench.network->up(tree.count).stats.bytes, wire(bytes));
        EXPECT_EQ(bench.network->down(tree.count).stats.bytes, wire(bytes));
      }
}

TEST(StarFormula, BroadcastHasNoAlu) {
  for (const Figures& f : kFigures)
    for (const unsigned count : {2U, 8U, 16U})
      for (const unsigned bytes : kSizes) {
        StarBench bench = bench_of(count, f);
        bench.multicast(1, bench.everybody() & ~2U, std::vector<std::uint8_t>(bytes, 1));
        expect_formula(bench.run(), 2 * f.cut_through_ns + wire(bytes) / f.gb_s,
                       text(count, bytes, f));
        EXPECT_EQ(bench.network->up(1).stats.bytes, wire(bytes));
        EXPECT_EQ(bench.network->down(1).stats.bytes, 0U);
      }
}

TEST(StarFormula, ReduceToOneComesOutAtOnePort) {
  for (const Figures& f : kFigures)
    for (const unsigned count : {2U, 7U, 16U})
      for (const unsigned bytes : kSizes) {
        StarBench bench = bench_of(count, f);
        for (unsigned unit = 0; unit < count; ++unit)
          bench.reduce(unit, bench.everybody(), 1, std::vector<std::uint8_t>(bytes, 1));
        expect_formula(bench.run(), 2 * f.cut_through_ns + f.alu_ns + wire(bytes) / f.gb_s,
                       text(count, bytes, f));
        EXPECT_EQ(bench.network->down(0).stats.bytes, wire(bytes));
        EXPECT_EQ(bench.network->down(1).stats.bytes, 0U);
      }
}

/// M is the whole vector: a rank sends it once and receives its own part, or the other way round.
TEST(StarFormula, ReduceScatterAndAllGatherAreBoundByOneDirection) {
  for (const Figures& f : kFigures)
    for (const unsigned count : {2U, 4U, 8U, 16U}) {
      const unsigned bytes = 65536;
      const unsigned part = bytes / count;
      const std::vector<std::uint8_t> data(part, 1);
      StarBench scatter = bench_of(count, f);
      StarBench gather = bench_of(count, f);
      for (unsigned unit = 0; unit < count; ++unit) {
        for (unsigned owner = 0; owner < count; ++owner)
          scatter.reduce(unit, scatter.everybody(), 1U << owner, data);
        gather.multicast(unit, gather.everybody() & ~(1U << unit), data);
      }
      expect_formula(scatter.run(), 2 * f.cut_through_ns + f.alu_ns + wire(bytes) / f.gb_s,
                     text(count, bytes, f));
      EXPECT_EQ(scatter.network->up(0).stats.bytes, wire(bytes));
      EXPECT_EQ(scatter.network->down(0).stats.bytes, wire(part));
      // Parts of N - 1 other ranks come through a port, one hop after the first byte of the first
      // one.
      expect_formula(gather.run(), 2 * f.cut_through_ns + (count - 1) * wire(part) / f.gb_s,
                     text(count, bytes, f));
      EXPECT_EQ(gather.network->up(0).stats.bytes, wire(part));
      EXPECT_EQ(gather.network->down(0).stats.bytes, (count - 1) * wire(part));
    }
}

/// Every port of a ring carries 2 (N - 1) / N of the vector, a port of the switch the vector once.
/// That is 4/7 with 8 participants, half with many.
TEST(StarFormula, EveryPortCarriesNOverTwiceNMinusOneOfARing) {
  for (const unsigned count : {2U, 4U, 8U, 16U}) {
    const unsigned bytes = 65536;
    const unsigned part = bytes / count;
    const Figures f = kFigures[0];
    StarBench ring = bench_of(count, f);
    StarBench inc = bench_of(count, f);
    for (unsigned unit = 0; unit < count; ++unit) {
      for (unsigned step = 0; step < 2 * (count - 1); ++step)
        ring.pass(unit, (unit + 1) % count, std::vector<std::uint8_t>(part, 1));
      inc.reduce(unit, inc.everybody(), inc.everybody(), std::vector<std::uint8_t>(bytes, 1));
    }
    ring.run();
    inc.run();
    for (unsigned unit = 0; unit < count; ++unit) {
      const double ratio = count / (2.0 * (count - 1));
      const auto of = [&](const StarLink& a, const StarLink& b) {
        return static_cast<double>(a.stats.bytes) / static_cast<double>(b.stats.bytes);
      };
      EXPECT_DOUBLE_EQ(of(inc.network->up(unit), ring.network->up(unit)), ratio);
      EXPECT_DOUBLE_EQ(of(inc.network->down(unit), ring.network->down(unit)), ratio);
    }
  }
}

}  // namespace
}  // namespace tvp::pim::star_formula_test
