// Attention of one query per user, with keys shared among several cores.

#include <gtest/gtest.h>

#include <limits>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;
using runtime::Tile;

const std::string kKernels = "ttnn/cpp/ttnn/operations/transformer/sdpa_decode/device/kernels/";

struct Case {
  std::string name;
  unsigned heads = 8, key_heads = 1;
  unsigned cores = 2;  ///< per user and head of keys
  unsigned chunk = 2;  ///< tiles of a chunk of keys; 0: chosen by position
  unsigned head = 2, value = 2;
  std::vector<Word> positions{200, 70};  ///< one per user; empty: all keys
  bool positions_in_memory = false;
  bool small_tiles = true;  ///< tiles of 16 rows
  bool paged = false, masked = false, sink = false, fp32 = false;
  unsigned window = 0;
  double bound = 0.02;
  runtime::KernelBuildOptLevel optimization = runtime::KernelBuildOptLevel::O2;
};

class PublishedDecode : public PublishedTest {
 protected:
  void run(const Case& c);
};

constexpr float kScale = 0.125F;
constexpr unsigned kUsers = 2, kKeys = 8;

void PublishedDecode::run(const Case& c) {
  const bool causal = !c.positions.empty();
  const Numbers q = random(kUsers, c.head, -2, 2);
  // The heads of each user are below each other.
  const Numbers k = random(kUsers * c.key_heads * kKeys, c.head, -2, 2);
  const Numbers v = random(kUsers * c.key_heads * kKeys, c.value, -2, 2);
  const Numbers masks = random(kUsers, kKeys, -16, 16), sinks = random(1, 1, 4, 20);
  // Pages hold two tiles of keys, in reverse order.
  constexpr unsigned kPage = 2, kPages = kKeys / kPage;
  const auto page_at = [](unsigned user, unsigned page) {
    return kUsers * kPages - 1 - (user * kPages + page);
  };
  const auto in_pages = [&](const Numbers& all) {
    const unsigned wide = count(all.columns() / 32), size = 512 * kPage * wide;
    Words words(all.words().size());
    for (unsigned user = 0; user < kUsers; ++user)
      for (unsigned head = 0; head < c.key_heads; ++head)
        for (unsigned page = 0; page < kPages; ++page)
          std::copy_n(all.words().begin() + ((user * c.key_heads + head) * kPages + page) * size,
                      size, words.begin() + (page_at(user, page) * c.key_heads + head) * size);
    return words;
  };
  const auto queries = tensor(q), mask = tensor(masks), sink = tensor(sinks);
  const auto k_in = bench_->tensor(c.paged ? in_pages(k) : k.words(), 2048);
  const auto v_in = bench_->tensor(c.paged ? in_pages(v) : v.words(), 2048);
  const auto out = result(kUsers * c.value);
  Words table(8 * kUsers), places(8);
  for (unsigned user = 0; user < kUsers; ++user) {
    for (unsigned page = 0; page < kPages; ++page) table[8 * user + page] = page_at(user, page);
    if (causal) places[user] = c.positions[user];
  }
  const auto pages = bench_->tensor(table, 32), positions = bench_->tensor(places, 32);

  const unsigned batch_cores = c.cores * c.key_heads, cores = kUsers * batch_cores;
  const CoreRange all({0, 0}, {batch_cores - 1, kUsers - 1});
  Words reducers_x, reducers_y, outputs_x, outputs_y;
  for (const CoreCoord core : runtime::CoreRangeSet(all).cores()) {
    const CoreCoord place = bench_->noc(core);
    if (core.x % c.cores == 0) {
      reducers_x.push_back(place.x);
      reducers_y.push_back(place.y);
    }
    if (core.x == 0) {
      outputs_x.push_back(place.x);
      outputs_y.push_back(place.y);
    }
  }
  const unsigned most = c.chunk == 0 ? (c.fp32 ? 4 : 8) : c.chunk;
  const Tile whole{}, small = c.small_tiles ? Tile{16, 32} : Tile{};
  Operation operation(*bench_);
  operation.on(all);
  const Word reduced = operation.semaphore(0), ready = operation.semaphore(0);
  operation.buffer(0, c.head, small).buffer(1, 2 * most * c.head).buffer(2, 2 * most * c.value);
  operation.buffer(3, most, small).buffer(4, 1, small).buffer(11, 1, whole).buffer(13, most, small);
  operation.buffer(8, 1, 32, DataFormat::Int32).buffer(9, 1, 32, DataFormat::Int32);
  operation.buffer(24, most, small).buffer(20, c.value, whole);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{16, 23, 25, 26})
    operation.buffer(cb, c.value, small);
  for (const std::uint8_t cb :
       std::initializer_list<std::uint8_t>{5, 6, 7, 12, 17, 18, 21, 22, 27, 28, 29, 30, 31})
    operation.buffer(cb, 1, small);
  if (c.cores > 1) operation.buffer(19, (c.value + 2) * (c.cores - 1), small);

  const Word is_causal = causal, masked = c.masked, with_sink = c.sink, paged = c.paged,
             half = c.small_tiles, dynamic = c.fp32 ? 4 : 8;
  const auto part = [&](CoreCoord core) {
    return Words{core.x % c.cores == 0,
                 core.x == 0,
                 core.x / c.cores,
                 core.y,
                 core.x % c.cores,
                 core.x,
                 !causal || c.positions_in_memory ? ~0U : c.positions[core.y]};
  };
  const auto append = [](Words& to, const Words& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  operation.reader(kKernels + "dataflow/reader_decode_all.cpp",
                   {.compile = {kUsers,  1,         kKeys,       c.head,      c.value,
                                c.chunk, cores,     0,           batch_cores, 32 * c.chunk,
                                32,      paged,     c.key_heads, kPage,       kUsers,
                                1,       c.cores,   1,           kUsers,      is_causal,
                                masked,  with_sink, dynamic,     0,           0,
                                half,    0,         0,           0,           2048,
                                c.window},
                    .tensors = {k_in, queries, v_in, mask, positions, pages, sink},
                    .run_at = [&](CoreCoord core) {
                      Words args = {
                          address(queries), address(k_in), address(v_in), address(positions),
                          address(pages),   address(mask), address(sink), 32};
                      append(args, part(core));
                      append(args, outputs_x);
                      append(args, outputs_y);
                      return args;
                    }});
  operation.writer(
      kKernels + "dataflow/writer_decode_all.cpp",
      {.compile = {kUsers,  1,           kKeys,     c.head,    c.value,
                   c.chunk, 0x3F803F80,  0,         w(kScale), batch_cores,
                   cores,   reduced,     ready,     0,         32 * c.chunk,
                   c.heads, c.key_heads, c.cores,   1,         count(reducers_x.size()),
                   kUsers,  2,           is_causal, dynamic,   1,
                   c.window},
       .tensors = {out},
       .run_at = [&](CoreCoord core) {
         Words args = {address(out), core.x % c.cores - 1, core.x - 1};
         append(args, part(core));
         append(args, reducers_x);
         append(args, reducers_y);
         append(args, outputs_x);
         append(args, outputs_y);
         return args;
       }});
  Operation::Defines defines{{"EXP_APPROX_MODE", "0"}};
  const auto define = [&](const std::string& name, unsigned granularity) {
    defines[name] = std::to_string(granularity);
    defines["LOG2_" + name] = std::to_string(static_cast<int>(std::log2(granularity)));
  };
  if (c.chunk == 0) {
    defines["DYNAMIC_CHUNK_SIZE"] = "1";
  } else {
    define("SUB_EXP_GRANULARITY", c.chunk);
    define("MUL_BCAST_GRANULARITY", c.chunk);
    define("STATS_GRANULARITY", c.chunk);
  }
  define("DHT_GRANULARITY", c.head);
  const Word sub = c.chunk == 0 ? 0 : 1;
  operation.compute(kKernels + "compute/sdpa_flash_decode.cpp",
                    {.compile = {kKeys,        c.head,  c.value, 1,         c.chunk,   c.head,
                                 c.chunk,      sub,     sub,     sub,       1,         c.chunk,
                                 c.value,      1,       1,       1,         sub,       batch_cores,
                                 32 * c.chunk, c.cores, 1,       is_causal, masked,    with_sink,
                                 dynamic,      0,       1,       half,      w(kScale), c.window},
                     .run_at = part,
                     .defines = defines,
                     .fp32_dst = c.fp32,
                     .optimization = c.optimization});
  SCOPED_TRACE(c.name);
  operation.run();

  const Numbers got = read(out, c.value);
  constexpr double kOut = -std::numeric_limits<double>::infinity();
  const auto scale = static_cast<double>(kScale);
  for (unsigned user = 0; user < kUsers; ++user) {
    const unsigned keys = causal ? c.positions[user] + 1 : 32 * kKeys;
    const unsigned from = c.window != 0 && keys > c.window ? keys - c.window : 0;
    for (unsigned head = 0; head < c.heads; ++head) {
      const unsigned at = 32 * user + head;
      const unsigned of = (user * c.key_heads + head / (c.heads / c.key_heads)) * 32 * kKeys;
      std::vector<double> score(keys);
      double high = c.sink ? sinks(head, 0) : kOut;
      for (unsigned key = 0; key < keys; ++key) {
        for (unsigned i = 0; i < 32 * c.head; ++i) score[key] += q(at, i) * k(of + key, i);
        if (c.masked) score[key] += masks(at, key);
        if (key < from) score[key] = kOut;
        high = std::max(high, score[key]);
      }
      double sum = c.sink ? std::exp((sinks(head, 0) - high) * scale) : 0;
      for (const double s : score) sum += std::exp((s - high) * scale);
      for (unsigned i = 0; i < 32 * c.value; ++i) {
        double expected = 0, size = 0;
        for (unsigned key = 0; key < keys; ++key) {
          const double weight = std::exp((score[key] - high) * scale) / sum;
          expected += weight * v(of + key, i);
          size += weight * std::abs(v(of + key, i));
        }
        ASSERT_NEAR(got(at, i), expected, c.bound * (size + 1))
            << c.name << " user " << user << ", head " << head << ", column " << i;
      }
    }
  }
}

TEST_F(PublishedDecode, OverAllKeys) {
  run({.name = "one core a user", .cores = 1, .positions = {}, .small_tiles = false});
  run({.name = "two cores a user", .heads = 32, .positions = {}, .small_tiles = false});
  run({.name = "masked", .positions = {}, .small_tiles = false, .masked = true});
  run({.name = "with a sink", .cores = 1, .positions = {}, .small_tiles = false, .sink = true});
}

TEST_F(PublishedDecode, UpToPositions) {
  run({.name = "whole tiles", .small_tiles = false});
  run({.name = "small tiles", .cores = 1});
  run({.name = "small tiles, two cores"});
  run({.name = "four cores, fp32", .cores = 4, .fp32 = true});
  run({.name = "positions in memory", .positions_in_memory = true});
  run({.name = "chunks of any size", .chunk = 0});
  run({.name = "as tt-metal compiles it", .optimization = runtime::KernelBuildOptLevel::O3});
}

TEST_F(PublishedDecode, OfSeveralHeadsOfKeys) {
  run({.name = "whole tiles", .heads = 32, .key_heads = 2, .small_tiles = false});
  run({.name = "small tiles", .key_heads = 2});
  run({.name = "one core a head", .key_heads = 4, .cores = 1, .head = 4, .value = 4});
}

TEST_F(PublishedDecode, OfPages) {
  run({.name = "pages", .key_heads = 2, .paged = true});
  run({.name = "pages, any size", .chunk = 0, .positions_in_memory = true, .paged = true});
}

}  // namespace
}  // namespace tvp::test
