// Attention of many queries from DRAM to DRAM, compared with a softmax in double precision.

#include <gtest/gtest.h>

#include <limits>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("attention/sdpa.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

struct Case {
  std::string name;
  unsigned queries = 4, keys = 4;  ///< in tiles
  unsigned query_chunk = 2, key_chunk = 2;
  unsigned head = 2, heads = 1, key_heads = 1;
  unsigned cores = 1;  ///< the heads are spread over them
  bool causal = false, given_mask = false, sink = false, paged = false, fp32 = false;
  unsigned valid_keys = 0;  ///< 0: all keys are valid
  unsigned window = 0;
  unsigned begin = 0;  ///< tiles before the queries, if keys are paged
  bool approximate = false;
  double bound = 0.03;  ///< the kernels use an approximate exponential with an error up to 3.5 %
};

class PublishedSdpa : public PublishedTest {
 protected:
  void run(const Case& c);
};

constexpr float kScale = 0.125F;

void PublishedSdpa::run(const Case& c) {
  // Heads are below each other.
  const Numbers q = random(c.heads * c.queries, c.head, -2, 2);
  const Numbers k = random(c.key_heads * c.keys, c.head, -2, 2);
  const Numbers v = random(c.key_heads * c.keys, c.head, -2, 2);
  Numbers masks = random(c.queries, c.keys, -16, 16), sinks = random(c.heads, 1, 4, 20);
  const unsigned keys = c.valid_keys == 0 ? 32 * c.keys : c.valid_keys;
  const unsigned valid_tiles = (keys + 31) / 32;

  const auto tensor_of = [&](const Numbers& all, unsigned heads) {
    Words words;
    const std::size_t size = std::size_t{512} * c.keys * c.head;
    for (unsigned head = 0; head < heads; ++head) {
      const auto from = all.words().begin() + static_cast<std::ptrdiff_t>(head * size);
      words.insert(words.end(), from, from + 512 * valid_tiles * c.head);
    }
    return words;
  };
  // Pages hold two tiles of keys, in reverse order.
  constexpr unsigned kPage = 2;
  const auto in_pages = [&](const Numbers& all) {
    const std::size_t size = std::size_t{512} * kPage * c.head, pages = c.keys / kPage;
    Words words(size * pages * c.key_heads);
    for (unsigned head = 0; head < c.key_heads; ++head)
      for (std::size_t page = 0; page < pages; ++page)
        std::copy_n(
            all.words().begin() + static_cast<std::ptrdiff_t>((head * pages + page) * size), size,
            words.begin() +
                static_cast<std::ptrdiff_t>(((pages - 1 - page) * c.key_heads + head) * size));
    return words;
  };
  const auto queries = tensor(q), mask = tensor(masks), sink = tensor(sinks);
  const auto k_in = bench_->tensor(c.paged ? in_pages(k) : tensor_of(k, c.key_heads), 2048);
  const auto v_in = bench_->tensor(c.paged ? in_pages(v) : tensor_of(v, c.key_heads), 2048);
  const auto out = result(q.tiles());
  Words table(8);
  for (unsigned i = 0; i < c.keys / kPage; ++i) table[i] = c.keys / kPage - 1 - i;
  const auto pages = bench_->tensor(table, 32);

  const unsigned q_chunks = c.queries / c.query_chunk;
  const unsigned k_chunks = (valid_tiles + c.key_chunk - 1) / c.key_chunk;
  const unsigned all_keys = k_chunks * c.key_chunk;
  const bool padded = !c.causal && !c.given_mask && keys != 32 * all_keys;
  const Word causal = c.causal, given = c.given_mask, pad = padded, paged = c.paged,
             with_sink = c.sink;
  const CoreRange cores({0, 0}, {c.cores - 1, 0});
  const unsigned each = c.heads / c.cores;
  Operation::Defines defines{{"EXP_APPROX_MODE", c.approximate ? "1" : "0"}};
  const auto define = [&](const std::string& name, unsigned granularity) {
    defines[name] = std::to_string(granularity);
    defines["LOG2_" + name] = std::to_string(static_cast<int>(std::log2(granularity)));
  };
  const unsigned dst = c.fp32 ? 4 : 8;
  define("STATS_GRANULARITY", std::min(c.query_chunk, dst));
  define("SUB_EXP_GRANULARITY", std::min(c.key_chunk, dst));
  define("MUL_BCAST_GRANULARITY", std::min(c.query_chunk * c.key_chunk, dst));
  define("DHT_GRANULARITY", c.head);
  define("REDUCE_GRANULARITY", std::min(c.query_chunk, dst / 2));
  const unsigned sub_wide = std::min(c.key_chunk, dst);
  const unsigned sub_high = sub_wide == c.key_chunk ? std::min(c.query_chunk, dst / sub_wide) : 1;
  const unsigned out_wide = std::min(c.head, dst);
  const unsigned out_high = out_wide == c.head ? std::min(c.query_chunk, dst / out_wide) : 1;

  const auto part = [&](CoreCoord core) {
    return Words{core.x, 0,        1, core.x * each,          (core.x + 1) * each,
                 0,      q_chunks, 1, c.begin / c.query_chunk};
  };
  kLaunches.run(
      *bench_, "run",
      TVP_VALUES(cores, c.query_chunk, c.head, c.key_chunk, given, c.heads, c.key_heads, c.queries,
                 all_keys, c.paged, valid_tiles, q_chunks, k_chunks, c.cores, causal, pad, paged,
                 kPage, with_sink, queries, k_in, v_in, mask, pages, sink, defines, keys, w(kScale),
                 c.window, out, sub_wide, sub_high, out_wide, out_high, part, c.fp32)
          .with("format", given ? DataFormat::Float16_b : DataFormat::Bfp4_b)
          .with("reader_args",
                [&](CoreCoord core) {
                  Words args = {address(queries), address(k_in),  address(v_in),
                                address(mask),    address(pages), address(sink)};
                  const Words more = part(core);
                  args.insert(args.end(), more.begin(), more.end());
                  args.push_back(0);
                  return args;
                })
          .with("writer_args", [&](CoreCoord core) {
            Words args = part(core);
            args.insert(args.begin(), address(out));
            args.push_back(0);
            return args;
          }));

  const Numbers got = read(out, c.head);
  constexpr double kOut = -std::numeric_limits<double>::infinity();
  const auto scale = static_cast<double>(kScale);
  for (unsigned head = 0; head < c.heads; ++head) {
    const unsigned of = head / (c.heads / c.key_heads) * 32 * c.keys;
    for (unsigned row = 0; row < 32 * c.queries; ++row) {
      const unsigned at = head * 32 * c.queries + row, place = row + 32 * c.begin;
      std::vector<double> score(keys);
      double most = c.sink ? sinks(32 * head, 0) : kOut;
      for (unsigned key = 0; key < keys; ++key) {
        for (unsigned i = 0; i < 32 * c.head; ++i) score[key] += q(at, i) * k(of + key, i);
        if (c.given_mask) score[key] += masks(row, key);
        if (c.causal && key > place) score[key] = kOut;
        if (c.window != 0 && key + c.window <= place) score[key] = kOut;
        most = std::max(most, score[key]);
      }
      double sum = c.sink ? std::exp((sinks(32 * head, 0) - most) * scale) : 0;
      for (const double s : score) sum += std::exp((s - most) * scale);
      for (unsigned i = 0; i < 32 * c.head; ++i) {
        double expected = 0, size = 0;
        for (unsigned key = 0; key < keys; ++key) {
          const double weight = std::exp((score[key] - most) * scale) / sum;
          expected += weight * v(of + key, i);
          size += weight * std::abs(v(of + key, i));
        }
        ASSERT_NEAR(got(at, i), expected, c.bound * (size + 1))
            << c.name << " head " << head << ", row " << row << ", column " << i;
      }
    }
  }
}

TEST_F(PublishedSdpa, OverAllKeys) {
  run({.name = "one chunk", .queries = 2, .keys = 2});
  run({.name = "chunks"});
  run({.name = "of other sizes", .keys = 8, .key_chunk = 4, .head = 4});
  run({.name = "heads of two cores", .heads = 4, .key_heads = 2, .cores = 2});
  run({.name = "fp32", .head = 4, .fp32 = true});
  run({.name = "approximate", .approximate = true, .bound = 0.05});
}

TEST_F(PublishedSdpa, WithMasks) {
  run({.name = "causal", .causal = true});
  run({.name = "causal, unlike chunks", .query_chunk = 1, .key_chunk = 4, .causal = true});
  run({.name = "given", .given_mask = true});
  run({.name = "a part of the keys", .valid_keys = 70});
  run({.name = "a part of the last tile", .valid_keys = 120});
  run({.name = "window", .causal = true, .window = 64});
}

TEST_F(PublishedSdpa, WithSinks) { run({.name = "sink", .sink = true}); }

TEST_F(PublishedSdpa, OfPages) {
  run({.name = "pages", .causal = true, .paged = true});
  run({.name = "later queries",
       .keys = 8,
       .key_heads = 1,
       .causal = true,
       .paged = true,
       .begin = 4});
}

}  // namespace
}  // namespace tvp::test
