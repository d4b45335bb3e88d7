#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {

/// The grid of cores that operations may use.
struct Grid {
  unsigned wide, high;
};

/// Distribution of units of work over the cores of a grid, as in tt-metal's factories: the first
/// cores have one more.
class Split {
 public:
  Split(Word units, const Grid& grid, bool by_rows) {
    const Word all = std::min(units, grid.wide * grid.high), more = units % all;
    for (Word i = 0, first = 0; i < all; ++i) {
      const runtime::CoreCoord core = by_rows ? runtime::CoreCoord{i % grid.wide, i / grid.wide}
                                              : runtime::CoreCoord{i / grid.high, i % grid.high};
      const Word count = units / all + (i < more);
      cores_.push_back(core);
      shares_.push_back({first, count});
      first += count;
    }
  }
  runtime::CoreRangeSet cores() const { return runtime::CoreRangeSet(cores_); }
  /// Groups of cores with equal numbers of units.
  std::vector<std::pair<Word, runtime::CoreRangeSet>> groups() const {
    std::vector<std::pair<Word, runtime::CoreRangeSet>> made;
    for (std::size_t from = 0, to = 0; from < cores_.size(); from = to) {
      while (to < cores_.size() && shares_[to].count == shares_[from].count) ++to;
      const auto at = cores_.begin();
      made.emplace_back(shares_[from].count, runtime::CoreRangeSet(std::vector<runtime::CoreCoord>(
                                                 at + static_cast<std::ptrdiff_t>(from),
                                                 at + static_cast<std::ptrdiff_t>(to))));
    }
    return made;
  }
  Share operator()(runtime::CoreCoord core) const {
    const auto at = std::find(cores_.begin(), cores_.end(), core) - cores_.begin();
    return at == static_cast<std::ptrdiff_t>(cores_.size()) ? Share{}
                                                            : shares_[static_cast<std::size_t>(at)];
  }

 private:
  std::vector<runtime::CoreCoord> cores_;
  std::vector<Share> shares_;
};

/// Whole operations whose cycles are compared with silicon's. In tt-metal's lists, up to 251 cycles
/// lie between the first and the last core to start, if no queue is delayed.
class PublishedTimes : public PublishedTest {
 protected:
  static std::string operations() { return "ttnn/cpp/ttnn/operations/"; }
  static void set_up(const std::string& system) {
    system_ = system;
    bench_ = std::make_unique<OperationBench>(false, true, system_ + kStarts);
  }
  static void SetUpTestSuite() { set_up("single_chip"); }
  void TearDown() override {
    if (!HasFailure()) return;
    bench_.reset();
    set_up(system_);
  }

  static OperationBench::Tensor tensor(const Numbers& numbers, Stored as) {
    return bench_->tensor(as.store(numbers), as.bytes());
  }
  static OperationBench::Tensor result(std::size_t tiles, Stored as) {
    return bench_->result(count(tiles), as.bytes());
  }
  static Numbers read(const OperationBench::Tensor& from, std::size_t wide, Stored as) {
    return as.load(bench_->words(from), wide);
  }
  Numbers stored(std::size_t high, std::size_t wide, float low, float top, Stored as) {
    return as.load(as.store(random(high, wide, low, top)), wide);
  }
  /// Rows of queries, keys and values become heads, `head` tiles wide.
  void make_heads(const Grid& grid, Word high, Word heads, Word key_heads, Word head, Stored as) {
    const Word all = (heads + 2 * key_heads) * head;
    const Numbers x = stored(high, all, -4, 4, as);
    const auto in = tensor(x, as), q = result(high * heads * head, as),
               k = result(high * key_heads * head, as), v = result(high * key_heads * head, as);
    const Split split(high, grid, false);
    kOperations.run(*bench_, "make_heads",
                    TVP_VALUES(split, heads, key_heads, head, high, all, in, q, k, v)
                        .with("format", as.format()));
    const Numbers got = read(q, head, as), values = read(v, head, as);
    check(got, 0, [&](std::size_t row, std::size_t column) {
      return x(row % (32 * high), row / (32 * high) * 32 * head + column);
    });
    check(values, 0, [&](std::size_t row, std::size_t column) {
      return x(row % (32 * high), (heads + key_heads + row / (32 * high)) * 32 * head + column);
    });
  }

  void join_heads(const Grid& grid, Word high, Word heads, Word head, Stored as) {
    const Numbers x = stored(heads * high, head, -4, 4, as);
    const auto in = tensor(x, as), out = result(x.tiles(), as);
    const Split split(high, grid, false);
    const Word all = heads * head;
    kOperations.run(*bench_, "join_heads",
                    TVP_VALUES(split, heads, head, high, all, in, out).with("format", as.format()));
    check(read(out, all, as), 0, [&](std::size_t row, std::size_t column) {
      return x(column / (32 * head) * 32 * high + row, column % (32 * head));
    });
  }

  /// A sum, or the product of silu of a tensor with another one.
  void combine(const Grid& grid, Word high, Word wide, bool product, Stored as) {
    const Numbers a = stored(high, wide, -4, 4, as), b = stored(high, wide, -4, 4, as);
    const auto first = tensor(a, as), second = tensor(b, as), out = result(a.tiles(), as);
    const Word tiles = high * wide;
    const Split split(tiles, grid, true);
    kOperations.run(*bench_, "combine",
                    TVP_VALUES(split, product, high, wide, first, second, out)
                        .with("cores", runtime::CoreRange({0, 0}, {grid.wide - 1, grid.high - 1}))
                        .with("format", as.format())
                        .with("operation", product ? "mul" : "add")
                        .with("type", product ? "MUL" : "ADD")
                        .with("left", product ? "silu_tile_init();silu_tile(i);" : ""));
    check(read(out, wide, as), 0.1, [&](std::size_t row, std::size_t column) {
      const double x = a(row, column), y = b(row, column);
      return product ? x / (1 + std::exp(-x)) * y : x + y;
    });
  }

  /// Compares the cycles of the last operation with `silicon`. `share` is the known ratio of both;
  /// platform/validation/README.md lists the causes.
  void expect_as_on_silicon(const std::string& name, double silicon, double share = 1) {
    const auto cycles = static_cast<double>(bench_->kernel_cycles());
    RecordProperty(name, std::to_string(cycles));
    EXPECT_NEAR(cycles / silicon / share, 1, 0.1)
        << name << ": " << cycles << " cycles, " << 100 * (cycles / silicon - 1) << " %";
  }

 private:
  static inline const LaunchFile kOperations{"times/published_times.toml"};
  static constexpr const char* kStarts = "\nlaunch.start_spread=250";
  static inline std::string system_;
};

}  // namespace tvp::test
