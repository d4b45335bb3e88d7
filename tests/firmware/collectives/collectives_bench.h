#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "firmware/collectives/collectives.h"
#include "foundation/regs/pim.h"
#include "tests/firmware/collectives/unit_system.h"

namespace tvp::firmware::collectives::test {

using tvp::testing::UnitSystem;

constexpr std::uint32_t kInput = 64;
constexpr std::uint32_t kOutput = 16 * 1024;
constexpr std::uint32_t kScratch = 32 * 1024;
constexpr std::uint32_t kBankBytes = 64 * 1024;

struct Case {
  Kind kind = Kind::kAllReduce;
  std::uint32_t ranks = 4;
  std::uint32_t elements = 100;
  std::vector<std::uint32_t> levels;  ///< empty: flat
  std::uint32_t switch_level = kNoLevel;
  bool reversed_ring = false;
  bool as_written = false;
  bool barriers = false;
  bool phases = false;  ///< sends in phases of random order
  std::uint32_t root = 0;
  TreeShape shape = TreeShape::kHeap;
  TreeFlow flow = TreeFlow::kPipelined;
  std::uint64_t seed = 1;
};

template <typename T>
std::uint32_t padded_bytes(std::uint32_t elements) {
  return (elements * static_cast<std::uint32_t>(sizeof(T)) + 7) / 8 * 8;
}

/// The reduction of one element over all ranks, and the accepted error of a float.
template <typename T>
struct Expected {
  long double value;
  long double tolerance;
};

template <typename T>
class Bench {
 public:
  Bench(Op op, const Case& c) : op_(op), case_(c), padded_(padded_bytes<T>(c.elements)) {
    std::mt19937_64 random(c.seed);
    for (std::uint32_t r = 0; r < c.ranks; ++r) {
      std::vector<T> vector(padded_ / sizeof(T), T{});
      for (std::uint32_t i = 0; i < c.elements; ++i) vector[i] = draw(random);
      inputs_.push_back(std::move(vector));
    }
  }
  std::vector<std::vector<T>>& inputs() { return inputs_; }
  std::uint32_t barriers() const { return barriers_; }  ///< barriers that all units have passed

  /// Padded result of each rank. Empty if the test has failed.
  std::vector<std::vector<T>> run() {
    // Ranks use units in another order, and two units take no part.
    std::vector<unsigned> units(case_.ranks);
    for (std::uint32_t r = 0; r < case_.ranks; ++r)
      units[r] = (r * 7 + 3) % (case_.ranks + (case_.ranks % 7 == 0 ? 1 : 0)) + 1;
    std::vector<unsigned> sorted = units;
    std::sort(sorted.begin(), sorted.end());
    if (std::unique(sorted.begin(), sorted.end()) != sorted.end())
      std::iota(units.begin(), units.end(), 1U);

    UnitSystem system(case_.ranks + 3, kBankBytes, case_.seed);
    for (std::uint32_t r = 0; r < case_.ranks; ++r) write_input(system.bank(units[r]), r);
    if (case_.phases) system.expect_quiet_barriers();
    std::vector<Arguments> arguments(case_.ranks + 3);
    for (std::uint32_t r = 0; r < case_.ranks; ++r) arguments[units[r]] = make_arguments(units);
    if (case_.phases) add_phases(units, arguments);
    std::vector<Memory> memories(case_.ranks + 3);
    const std::string failure = system.run(units, [&](UnitSystem::Transport& transport) {
      execute(transport, memories[transport.unit()], arguments[transport.unit()]);
    });
    EXPECT_EQ(failure, "");
    if (!failure.empty()) return {};
    barriers_ = system.barriers();
    std::vector<std::vector<T>> results;
    const std::uint32_t bytes =
        case_.kind == Kind::kAllToAll ? kScratch - kOutput : std::max(padded_, 8U);
    for (std::uint32_t r = 0; r < case_.ranks; ++r) {
      std::vector<T> result(bytes / sizeof(T));
      std::memcpy(result.data(), system.bank(units[r]).data() + kOutput, bytes);
      results.push_back(std::move(result));
    }
    return results;
  }

  Expected<T> reduced(std::uint32_t i) const {
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t value = static_cast<std::uint64_t>(inputs_[0][i]);
      for (std::uint32_t r = 1; r < case_.ranks; ++r) {
        const T x = inputs_[r][i];
        switch (op_) {
          case Op::kSum:
            value += static_cast<std::uint64_t>(x);
            break;
          case Op::kProd:
            value *= static_cast<std::uint64_t>(x);
            break;
          case Op::kMax:
            value = static_cast<std::uint64_t>(std::max(static_cast<T>(value), x));
            break;
          case Op::kMin:
            value = static_cast<std::uint64_t>(std::min(static_cast<T>(value), x));
            break;
          case Op::kBand:
            value &= static_cast<std::uint64_t>(x);
            break;
          case Op::kBor:
            value |= static_cast<std::uint64_t>(x);
            break;
          case Op::kBxor:
            value ^= static_cast<std::uint64_t>(x);
            break;
        }
      }
      return {static_cast<long double>(static_cast<T>(value)), 0};
    } else {
      long double value = inputs_[0][i];
      long double magnitude = std::fabs(inputs_[0][i]);
      for (std::uint32_t r = 1; r < case_.ranks; ++r) {
        const long double x = inputs_[r][i];
        if (op_ == Op::kSum) value += x;
        if (op_ == Op::kProd) value *= x;
        if (op_ == Op::kMax) value = std::max(value, x);
        if (op_ == Op::kMin) value = std::min(value, x);
        magnitude += std::fabs(x);
      }
      // Each of the N-1 operations rounds once, by half an ulp of a partial result.
      const long double roundings = 1.01L * (case_.ranks - 1) * std::exp2(-24.0L);
      if (op_ == Op::kSum) return {value, roundings * magnitude};
      if (op_ == Op::kProd) return {value, roundings * std::fabs(value)};
      return {value, 0};
    }
  }

  void check_reduced(const std::vector<T>& result, std::uint32_t at, std::uint32_t first,
                     std::uint32_t count, std::uint32_t rank) const {
    for (std::uint32_t i = 0; i < count && first + i < case_.elements; ++i) {
      const Expected<T> expected = reduced(first + i);
      const long double got = result[at + i];
      ASSERT_LE(std::fabs(got - expected.value), expected.tolerance)
          << "element " << first + i << " of rank " << rank << " is " << got << " instead of "
          << expected.value;
    }
  }

  void check() {
    const auto results = run();
    if (results.empty()) return;
    const std::uint32_t word = 8 / sizeof(T);
    const std::uint32_t words = padded_ / 8;
    // Words are distributed over chunks; the first chunks have one more.
    std::vector<std::uint32_t> begin(case_.ranks + 1, 0);
    for (std::uint32_t r = 0; r < case_.ranks; ++r)
      begin[r + 1] = begin[r] + (words / case_.ranks + (r < words % case_.ranks ? 1 : 0)) * word;
    for (std::uint32_t r = 0; r < case_.ranks; ++r) {
      const std::vector<T>& result = results[r];
      const std::uint32_t chunk = begin[r + 1] - begin[r];
      switch (case_.kind) {
        case Kind::kAllReduce:
          check_reduced(result, 0, 0, case_.elements, r);
          break;
        case Kind::kReduceScatter:
          check_reduced(result, 0, begin[r], chunk, r);
          break;
        case Kind::kBroadcast:
          for (std::uint32_t i = 0; i < case_.elements; ++i)
            ASSERT_EQ(result[i], inputs_[case_.root][i]) << "rank " << r << " element " << i;
          break;
        case Kind::kAllGather:
          for (std::uint32_t s = 0; s < case_.ranks; ++s)
            for (std::uint32_t i = begin[s]; i < begin[s + 1] && i < case_.elements; ++i)
              ASSERT_EQ(result[i], inputs_[s][i]) << "rank " << r << " element " << i;
          break;
        case Kind::kAllToAll:
          for (std::uint32_t s = 0; s < case_.ranks; ++s)
            for (std::uint32_t i = 0; i < chunk; ++i)
              ASSERT_EQ(result[s * chunk + i], inputs_[s][begin[r] + i])
                  << "rank " << r << " from " << s << " element " << i;
          break;
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  /// Executes the program as a unit does: compiled for one operation and type.
  void execute(UnitSystem::Transport& transport, Memory& memory, const Arguments& arguments) const {
    switch (op_) {
      case Op::kSum:
        return execute_as<Op::kSum>(transport, memory, arguments);
      case Op::kMax:
        return execute_as<Op::kMax>(transport, memory, arguments);
      case Op::kMin:
        return execute_as<Op::kMin>(transport, memory, arguments);
      case Op::kProd:
        return execute_as<Op::kProd>(transport, memory, arguments);
      default:
        break;
    }
    if constexpr (std::is_integral_v<T>) {
      if (op_ == Op::kBand) return execute_as<Op::kBand>(transport, memory, arguments);
      if (op_ == Op::kBor) return execute_as<Op::kBor>(transport, memory, arguments);
      if (op_ == Op::kBxor) return execute_as<Op::kBxor>(transport, memory, arguments);
    }
    FAIL() << "the type lacks the operation";
  }

  template <Op op>
  static void execute_as(UnitSystem::Transport& transport, Memory& memory,
                         const Arguments& arguments) {
    Times times;
    Collectives<Reduction<op, T>, UnitSystem::Transport>(transport, memory, arguments).run(times);
  }

  T draw(std::mt19937_64& random) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(random());
    } else {
      const float f = static_cast<float>(random() % (1 << 20)) / (1 << 20);
      return op_ == Op::kProd ? 0.75F + f * 0.5F : (random() % 2 == 0 ? f : -f);
    }
  }

  void write_input(std::vector<std::uint8_t>& bank, std::uint32_t rank) {
    std::uint32_t from = 0;
    std::uint32_t bytes = padded_;
    if (case_.kind == Kind::kBroadcast && rank != case_.root) return;
    if (case_.kind == Kind::kAllGather) {  // the rank's own chunk only
      const Span span = Cut(padded_, case_.ranks).chunk(rank);
      from = span.begin;
      bytes = span.bytes;
    }
    if (bytes == 0) return;
    std::memcpy(bank.data() + kInput,
                reinterpret_cast<const std::uint8_t*>(inputs_[rank].data()) + from, bytes);
  }

  Arguments make_arguments(const std::vector<unsigned>& units) const {
    Arguments a;
    a.kind = static_cast<std::uint32_t>(case_.kind);
    a.bytes = padded_;
    a.input = kInput;
    a.output = kOutput;
    a.scratch = kScratch;
    a.root = case_.root;
    a.tree_shape = static_cast<std::uint32_t>(case_.shape);
    a.tree_flow = static_cast<std::uint32_t>(case_.flow);
    a.barriers = case_.barriers ? 1 : 0;
    a.as_written = case_.as_written ? 1 : 0;
    const std::vector<std::uint32_t> levels =
        case_.levels.empty() ? std::vector<std::uint32_t>{case_.ranks} : case_.levels;
    a.level_count = static_cast<std::uint32_t>(levels.size());
    a.switch_level = case_.switch_level;
    std::uint32_t at = 0;
    for (std::uint32_t l = 0; l < levels.size(); ++l) {
      a.level_sizes[l] = levels[l];
      for (std::uint32_t p = 0; p < levels[l]; ++p)
        a.rings[at++] =
            static_cast<std::uint16_t>(case_.reversed_ring ? (levels[l] - p) % levels[l] : p);
    }
    for (std::uint32_t r = 0; r < case_.ranks; ++r)
      a.units[r] = static_cast<std::uint16_t>(units[r]);
    return a;
  }

  /// Puts every transfer into a phase in which neither unit has one. Edges of a tree come after the
  /// edge that brings the vector.
  void add_phases(const std::vector<unsigned>& units, std::vector<Arguments>& arguments) const {
    const std::vector<std::uint32_t> levels =
        case_.levels.empty() ? std::vector<std::uint32_t>{case_.ranks} : case_.levels;
    std::mt19937_64 random(case_.seed);
    std::uint32_t stride = 1;
    std::uint32_t used = 0;
    for (std::uint32_t l = 0; l < levels.size(); stride *= levels[l++]) {
      if (case_.kind == Kind::kBroadcast && l > 0) break;
      auto transfers = transfers_of(l, levels[l], stride, arguments[units[0]]);
      if (case_.kind != Kind::kBroadcast) std::shuffle(transfers.begin(), transfers.end(), random);
      std::uint32_t count = 0;
      for (const auto& [from, to] : transfers) {
        Phase* const out = arguments[units[from]].phases + used;
        Phase* const in = arguments[units[to]].phases + used;
        std::uint32_t p = static_cast<std::uint32_t>(random() % 3);
        if (case_.kind == Kind::kBroadcast && from != case_.root)
          for (p = 0; out[p].from == kNobody;) ++p;
        while (out[p].to != kNobody || in[p].from != kNobody) ++p;
        if (case_.kind == Kind::kBroadcast && out[p].from != kNobody) ++p;
        while (out[p].to != kNobody || in[p].from != kNobody) ++p;
        out[p].to = static_cast<std::uint16_t>(to);
        in[p].from = static_cast<std::uint16_t>(from);
        count = std::max(count, p + 1);
      }
      for (unsigned unit : units)
        arguments[unit].phase_counts[l] = static_cast<std::uint16_t>(count);
      used += count;
    }
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> transfers_of(std::uint32_t level,
                                                                    std::uint32_t size,
                                                                    std::uint32_t stride,
                                                                    const Arguments& a) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> transfers;
    std::uint32_t ring = 0;
    for (std::uint32_t l = 0; l < level; ++l) ring += a.level_sizes[l];
    if (case_.kind == Kind::kBroadcast) {  // a chain with branches, over all ranks
      for (std::uint32_t r = 1; r < case_.ranks; ++r)
        transfers.emplace_back(((r - 1) / 2 + case_.root) % case_.ranks,
                               (r + case_.root) % case_.ranks);
      return transfers;
    }
    for (std::uint32_t first = 0; first < case_.ranks; ++first) {
      if (first / stride % size != 0) continue;
      for (std::uint32_t i = 0; i < size; ++i) {
        if (case_.kind != Kind::kAllToAll) {
          if (size > 1)
            transfers.emplace_back(first + stride * a.rings[ring + i],
                                   first + stride * a.rings[ring + (i + 1) % size]);
          continue;
        }
        for (std::uint32_t j = 0; j < size; ++j)
          if (i != j) transfers.emplace_back(first + stride * i, first + stride * j);
      }
    }
    return transfers;
  }

  Op op_;
  Case case_;
  std::uint32_t padded_;
  std::uint32_t barriers_ = 0;
  std::vector<std::vector<T>> inputs_;
};

}  // namespace tvp::firmware::collectives::test
