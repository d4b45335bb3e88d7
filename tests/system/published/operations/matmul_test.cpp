// Products of matrices over a rectangle of cores: senders and receivers of multicasts.

#include <gtest/gtest.h>

#include "sw/runtime/block_float.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const std::string kKernels = "ttnn/cpp/ttnn/operations/matmul/device/kernels/";

struct Case {
  std::string name;
  unsigned high = 5, inner = 4, wide = 8;  ///< in tiles
  unsigned rows = 2, columns = 3;          ///< of cores
  unsigned inner_block = 2;
  unsigned sub_high = 1, sub_wide = 3;
  unsigned blocks_wide = 1;  ///< per core's part
  bool bias = false, accumulate_in_l1 = false, fp32 = false;
  bool transposed0 = false, transposed1 = false;  ///< tiles are transposed
  bool bfp8 = false;                              ///< for the right side
  std::string activation{};
  runtime::NOC noc = runtime::NOC::NOC_1;  ///< for the left side
};

class PublishedMatmul : public PublishedTest {
 protected:
  void run(const Case& c);
};

Numbers transposed_tiles(const Numbers& from) {
  Numbers made = from;
  for (std::size_t r = 0; r < from.rows(); ++r)
    for (std::size_t c = 0; c < from.columns(); ++c)
      made.set(r, c, static_cast<float>(from(r / 32 * 32 + c % 32, c / 32 * 32 + r % 32)));
  return made;
}

unsigned up(unsigned value, unsigned by) { return (value + by - 1) / by; }
/// The size of the last part.
unsigned last(unsigned value, unsigned part) { return value % part == 0 ? part : value % part; }

void PublishedMatmul::run(const Case& c) {
  const unsigned m = c.high, k = c.inner, n = c.wide;
  const unsigned core_high = up(m, c.rows), core_wide = up(n, c.columns);
  const unsigned block_high = core_high, block_wide = core_wide / c.blocks_wide;
  const unsigned blocks = k / c.inner_block, sub = c.sub_high * c.sub_wide;
  const unsigned subs_high = block_high / c.sub_high, subs_wide = block_wide / c.sub_wide;
  const Word right_bytes = c.bfp8 ? 1088 : 2048;
  const DataFormat right_format = c.bfp8 ? DataFormat::Bfp8_b : DataFormat::Float16_b;

  const Numbers a = random(m, k, -1, 1);
  Numbers b = random(k, n, -1, 1), biases = random(1, n, -4, 4);
  auto right = tensor(c.transposed1 ? transposed_tiles(b) : b);
  if (c.bfp8) {
    std::vector<float> faces;
    const Numbers stored = c.transposed1 ? transposed_tiles(b) : b;
    for (std::size_t i = 0; i < 2 * stored.words().size(); ++i)
      faces.push_back(f(from_bf16(datum16(stored.words(), i))));
    const auto packed = runtime::pack_as_bfp8_tiles(faces, false, false);
    right = bench_->tensor(packed, right_bytes);
    const auto back = runtime::unpack_bfp8_tiles_into_float_vec(packed, false, false);
    Words words(b.words().size());
    for (std::size_t i = 0; i < back.size(); ++i) set_datum16(words, i, to_bf16(back[i]));
    b = Numbers(n, words);
    if (c.transposed1) b = transposed_tiles(b);
  }
  const auto left = tensor(c.transposed0 ? transposed_tiles(a) : a);
  const auto bias = tensor(biases), out = result(std::size_t{m} * n);

  const CoreRange all({0, 0}, {c.columns - 1, c.rows - 1});
  Operation operation(*bench_);
  operation.on(all);
  const Word left_sent = operation.semaphore(0), left_got = operation.semaphore(0);
  const Word right_sent = operation.semaphore(0), right_got = operation.semaphore(0);
  operation.buffer(0, 2 * block_high * c.inner_block);
  operation.buffer(1, 2 * block_wide * c.inner_block, right_bytes, right_format);
  operation.buffer(3, block_wide);
  const unsigned block = block_high * block_wide;
  if (c.fp32 || c.accumulate_in_l1) {
    operation.buffer(4, block);
    operation.buffer(5, block, c.fp32 ? 4096 : 2048,
                     c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b);
  } else {
    operation.shared_buffer({4, 5}, block);
  }
  if (c.transposed0) operation.buffer(10, 2 * block_high * c.inner_block);

  const bool one = c.noc == runtime::NOC::NOC_1;
  const runtime::NOC other = one ? runtime::NOC::NOC_0 : runtime::NOC::NOC_1;
  /// Both corners in the order that the NoC needs.
  const auto rectangle = [&](CoreCoord from, CoreCoord to, bool on_one) {
    const CoreCoord first = bench_->noc(on_one ? to : from),
                    second = bench_->noc(on_one ? from : to);
    return Words{first.x, first.y, second.x, second.y};
  };
  Operation::Defines defines;
  if (c.bias) defines["FUSE_BIAS"] = "1";
  Operation::Defines sender0, sender1 = defines;
  if (c.columns == 1) sender0["SKIP_MCAST"] = "1";
  if (c.rows == 1) sender1["SKIP_MCAST"] = "1";

  // The first column multicasts the left side along rows of cores.
  operation.on(CoreRange({0, 0}, {0, c.rows - 1}))
      .reader(
          kKernels + "dataflow/reader_bmm_tile_layout_in0_sender_padding.cpp",
          {.compile = {1,
                       k,
                       c.inner_block,
                       block_high * k,
                       c.inner_block,
                       block_high,
                       block_high * c.inner_block,
                       0,
                       0,
                       0,
                       0,
                       blocks,
                       c.blocks_wide,
                       1,
                       left_sent,
                       left_got,
                       c.columns - 1,
                       c.columns - 1,
                       m * k,
                       1,
                       0,
                       0,
                       0,
                       0,
                       0},
           .tensors = {left, left},
           .run_at =
               [&](CoreCoord core) {
                 Words args = {address(left), core.y * core_high * k};
                 const Words to = rectangle({1 % c.columns, core.y}, {c.columns - 1, core.y}, one);
                 args.insert(args.end(), to.begin(), to.end());
                 const bool end = core.y == c.rows - 1;
                 args.insert(args.end(), {end ? last(m, core_high) : core_high, 0});
                 return args;
               },
           .defines = sender0,
           .noc = c.noc});
  if (c.columns > 1) {
    operation.on(CoreRange({1, 0}, {c.columns - 1, c.rows - 1}))
        .reader(kKernels + "dataflow/reader_bmm_tile_layout_in0_receiver.cpp",
                {.compile = {block_high * c.inner_block, blocks, c.blocks_wide, 1, left_sent,
                             left_got, 1, 0},
                 .run_at =
                     [&](CoreCoord core) {
                       const CoreCoord from = bench_->noc({0, core.y});
                       return Words{from.x, from.y};
                     },
                 .noc = c.noc});
  }
  // The first row multicasts the right side down columns of cores.
  struct Part {
    unsigned subs, last_sub, skip;
  };
  const auto part_high = [&](CoreCoord core) {
    const unsigned tiles = core.y == c.rows - 1 ? last(m, core_high) : core_high;
    const unsigned subs = up(tiles, c.sub_high);
    return Part{subs, last(tiles, c.sub_high), (subs_high - subs) * block_wide * c.sub_high};
  };
  const auto part_wide = [&](CoreCoord core) {
    const unsigned tiles = core.x == c.columns - 1 ? last(n, core_wide) : core_wide;
    const unsigned subs = up(last(tiles, block_wide), c.sub_wide);
    return Part{subs, last(tiles, c.sub_wide), sub * (subs_wide - subs)};
  };
  const auto blocks_of = [&](CoreCoord core) {
    const unsigned tiles = core.x == c.columns - 1 ? last(n, core_wide) : core_wide;
    return up(tiles, block_wide);
  };
  const Words writes = {
      1,          n,          c.sub_wide, c.sub_high * n, block_wide, block_high * n,
      c.sub_wide, c.sub_high, sub,        m * n};
  Words sends = {1,
                 n,
                 c.inner_block * n,
                 block_wide,
                 block_wide,
                 c.inner_block,
                 block_wide * c.inner_block,
                 blocks,
                 c.blocks_wide,
                 1,
                 right_sent,
                 right_got,
                 c.rows - 1,
                 c.rows - 1,
                 k * n,
                 1,
                 1,
                 0,
                 0};
  sends.insert(sends.end(), writes.begin(), writes.end());
  sends.insert(sends.end(), {1, 0, 0});
  std::vector<Operation::Tensor> tensors = {right, right, out};
  if (c.bias) tensors.push_back(bias);
  operation.on(CoreRange({0, 0}, {c.columns - 1, 0}))
      .writer(kKernels + "dataflow/reader_bmm_tile_layout_in1_sender_writer_padding.cpp",
              {.compile = sends,
               .tensors = tensors,
               .run_at =
                   [&](CoreCoord core) {
                     const Part high = part_high(core), wide = part_wide(core);
                     Words args = {address(right), core.x * core_wide};
                     const Words to = rectangle({core.x, 1 % c.rows}, {core.x, c.rows - 1}, !one);
                     args.insert(args.end(), to.begin(), to.end());
                     const unsigned tiles =
                         core.x == c.columns - 1 ? last(n, core_wide) : core_wide;
                     args.insert(args.end(),
                                 {0, address(out), core.x * core_wide, last(tiles, block_wide),
                                  high.subs, high.last_sub, high.skip, subs_wide, wide.subs,
                                  wide.last_sub, 2048 * (c.sub_wide - wide.last_sub), wide.skip,
                                  address(bias), core.x * core_wide, blocks_of(core)});
                     return args;
                   },
               .defines = sender1,
               .noc = other});
  if (c.rows > 1) {
    Words receives = {
        block_wide * c.inner_block, blocks, c.blocks_wide, 1, right_sent, right_got, 1};
    receives.insert(receives.end(), writes.begin(), writes.end());
    receives.insert(receives.end(), {block_wide, 0});
    operation.on(CoreRange({0, 1}, {c.columns - 1, c.rows - 1}))
        .writer(kKernels + "dataflow/reader_bmm_tile_layout_in1_receiver_writer_padding.cpp",
                {.compile = receives,
                 .tensors = {out},
                 .run_at =
                     [&](CoreCoord core) {
                       const CoreCoord from = bench_->noc({core.x, 0});
                       const Part high = part_high(core), wide = part_wide(core);
                       return Words{from.x,         from.y,
                                    address(out),   core.x * core_wide + core.y * core_high * n,
                                    subs_high,      high.subs,
                                    high.last_sub,  high.skip,
                                    subs_wide,      wide.subs,
                                    wide.last_sub,  2048 * (c.sub_wide - wide.last_sub),
                                    wide.skip,      1,
                                    blocks_of(core)};
                     },
                 .defines = defines,
                 .noc = other});
  }
  if (c.accumulate_in_l1) defines["PACKER_L1_ACC"] = "1";
  if (c.fp32) defines["FP32_DEST_ACC_EN"] = "1";
  if (c.transposed1) defines["IN1_TRANSPOSE_TILE"] = "1";
  if (c.activation == "relu") defines["PACK_RELU"] = "1";
  if (c.activation == "gelu" || c.activation == "silu") {
    defines["SFPU_OP_INIT_ACTIVATION"] = c.activation + "_tile_init();";
    defines["SFPU_OP_FUNC_ACTIVATION"] = c.activation + "_tile(i);";
    defines["SFPU_OP_GELU_INCLUDE"] = "1";
  }
  operation.on(all).compute(
      kKernels + "compute/bmm_large_block_zm_fused_bias_activation.cpp",
      {.compile = {c.inner_block, subs_high, block_high * c.inner_block, c.sub_high * c.inner_block,
                   subs_wide, block_wide * c.inner_block, block_wide, blocks, c.blocks_wide, 1,
                   c.sub_high, c.sub_wide, sub, 1, block, 0, 0, c.transposed0 ? 1U : 0U},
       .defines = defines,
       .fp32_dst = c.fp32});
  operation.run();

  // A 16-bit Dst rounds the sum of K products K / 4 times, to eight bits.
  const double bound = c.fp32 ? 0.02 : 0.02 * std::sqrt(8.0 * k);
  const Numbers got = read(out, n);
  check(
      got, bound,
      [&](std::size_t row, std::size_t column) {
        double sum = c.bias ? biases(0, column) : 0;
        for (std::size_t i = 0; i < 32 * k; ++i) sum += a(row, i) * b(i, column);
        if (c.activation == "relu") return std::max(sum, 0.0);
        if (c.activation == "gelu") return sum / 2 * (1 + std::erf(sum / std::sqrt(2)));
        if (c.activation == "silu") return sum / (1 + std::exp(-sum));
        return sum;
      },
      c.name + ": ");
}

TEST_F(PublishedMatmul, OverTwoDimensionsOfCores) {
  run({.name = "in parts"});
  run({.name = "the other way round", .noc = runtime::NOC::NOC_0});
  run({.name = "in one piece", .inner_block = 4});
  run({.name = "larger blocks of tiles",
       .high = 4,
       .wide = 8,
       .columns = 2,
       .sub_high = 2,
       .sub_wide = 4});
}

TEST_F(PublishedMatmul, WithBias) {
  run({.name = "bias", .bias = true});
  run({.name = "bias and sums in L1", .bias = true, .accumulate_in_l1 = true});
  run({.name = "bias and relu", .bias = true, .activation = "relu"});
  run({.name = "bias, gelu, fp32",
       .bias = true,
       .accumulate_in_l1 = true,
       .fp32 = true,
       .activation = "gelu"});
  run({.name = "bias, several blocks",
       .high = 4,
       .wide = 8,
       .columns = 2,
       .sub_wide = 2,
       .blocks_wide = 2,
       .bias = true,
       .activation = "silu"});
}

TEST_F(PublishedMatmul, WithSumsInL1) {
  run({.name = "BF16", .inner = 8, .accumulate_in_l1 = true});
  run({.name = "FP32", .inner = 8, .accumulate_in_l1 = true, .fp32 = true});
  run({.name = "relu", .inner = 8, .accumulate_in_l1 = true, .activation = "relu"});
}

TEST_F(PublishedMatmul, OfTransposedTiles) {
  run({.name = "left", .transposed0 = true});
  run({.name = "right", .transposed1 = true});
  run({.name = "both, sums in L1",
       .accumulate_in_l1 = true,
       .transposed0 = true,
       .transposed1 = true});
}

TEST_F(PublishedMatmul, OfBlockFloats) {
  run({.name = "bfp8", .bfp8 = true});
  run({.name = "bfp8, transposed", .transposed1 = true, .bfp8 = true});
  run({.name = "bfp8, all", .bias = true, .accumulate_in_l1 = true, .fp32 = true, .bfp8 = true});
}

TEST_F(PublishedMatmul, OfOneRowOfCores) {
  run({.name = "one row", .high = 2, .rows = 1});
  run({.name = "one column", .wide = 3, .columns = 1});
}

}  // namespace
}  // namespace tvp::test
