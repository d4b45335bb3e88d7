// PACR compared with the pages Packers/*.md, evaluated on numbers instead of bits. Covers random
// settings of both conversions, edge masking, ReLU, histogram, exponent thresholding and
// downsampling.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor::packers_oracle_test {
namespace {

using enum DataFormat;

constexpr std::uint32_t kTarget = 0x30000;
constexpr double kInfinity = HUGE_VAL;

/// A type of numbers: exponent bits (0: an integer) and mantissa bits.
struct Type {
  int exponent = 8, mantissa = 23;
  int bias() const { return exponent == 8 ? 127 : 15; }
  bool is_float() const { return exponent != 0; }
};

/// A datum between the stages. A NaN also has bits.
struct Number {
  bool negative = false;
  double size = 0;
  std::uint32_t nan = 0;      ///< mantissa, of 23 bits
  std::uint32_t integer = 0;  ///< as stored
  bool known = true;          ///< the pages define the value
};

double with_mantissa(double size, int bits, double up) {
  if (size == 0 || size == kInfinity) return size;
  const double ulp = std::ldexp(1.0, std::ilogb(size) - bits);
  return std::floor(size / ulp + up) * ulp;
}
/// The smallest number that has its own exponent.
double least(const Type& type) { return std::ldexp(1.0, 1 - type.bias()); }
/// The first number beyond 5-bit exponents.
constexpr double kBeyond5 = 131072;
double largest5(int mantissa) { return kBeyond5 - std::ldexp(1.0, 16 - mantissa); }

Number of_fp32(std::uint32_t bits) {
  const double size = static_cast<double>(std::bit_cast<float>(bits & 0x7FFFFFFF));
  if (std::isnan(size)) return {(bits >> 31) != 0, kInfinity, bits & 0x7FFFFF, bits};
  return {(bits >> 31) != 0, size, 0, bits};
}
Number of_fp16(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return {(bits >> 15) != 0, size, 0, bits};
}

std::uint32_t to_fp32(const Number& n) {
  const auto sign = static_cast<std::uint32_t>(n.negative) << 31;
  if (n.nan != 0) return sign | 0x7F800000 | n.nan;
  return sign | std::bit_cast<std::uint32_t>(static_cast<float>(n.size));
}
std::uint32_t to_fp16(const Number& n) {
  const auto sign = static_cast<std::uint32_t>(n.negative) << 15;
  if (n.size < 0x1p-14) return sign | static_cast<std::uint32_t>(n.size * 0x1p24);
  const int exponent = std::ilogb(n.size);
  const double fraction = std::ldexp(n.size, -exponent) - 1;
  return sign | static_cast<std::uint32_t>(exponent + 15) << 10 |
         static_cast<std::uint32_t>(fraction * 1024);
}

/// Settings of the early conversion, and its type.
struct Early {
  DataFormat intermediate;
  bool read_32b, raw, round_10b = false, is_unsigned = false;
  Type type;
  bool rounds;  ///< otherwise it truncates or takes all bits
  std::vector<DataFormat> held_by;
};
const Early kEarly[] = {
    {kFp32, true, false, false, false, {8, 23}, false, {kFp32}},
    {kFp32, true, true, true, false, {8, 23}, false, {kFp32}},
    {kTf32, true, true, false, false, {8, 23}, false, {kFp32}},
    {kInt32, true, false, false, false, {0, 31}, false, {kInt32}},
    {kTf32, true, false, false, false, {8, 10}, true, {kFp32, kTf32}},
    {kFp32, true, false, true, false, {8, 10}, true, {kFp32, kTf32}},
    {kBf16, true, false, false, false, {8, 7}, true, {kFp32, kTf32, kBf16}},
    {kBf16, true, true, false, false, {8, 7}, false, {kFp32, kTf32, kBf16}},
    {kBfp8, true, true, false, false, {8, 7}, false, {kTf32, kBf16, kBfp8}},
    {kBfp8, true, false, false, false, {8, 6}, true, {kTf32, kBf16, kBfp8}},
    {kInt8, true, true, false, false, {0, 7}, false, {kInt8}},
    {kInt8, true, false, false, false, {0, 7}, true, {kInt8}},
    {kInt8, true, true, false, true, {0, 8}, false, {kInt8}},
    {kInt8, true, false, false, true, {0, 8}, true, {kInt8}},
    {kTf32, false, false, false, false, {8, 7}, true, {kFp32, kTf32, kBf16}},
    {kBf16, false, false, false, false, {8, 7}, true, {kFp32, kTf32, kBf16}},
    {kBf16, false, true, false, false, {8, 7}, false, {kFp32, kTf32, kBf16}},
    {kBfp8, false, true, false, false, {8, 7}, false, {kTf32, kBf16, kBfp8}},
    {kBfp8, false, false, false, false, {8, 6}, true, {kTf32, kBf16, kBfp8}},
    {kFp16, false, false, false, false, {5, 10}, true, {kFp16}},
    {kFp16, false, true, false, false, {5, 10}, false, {kFp16}},
    {kBfp8a, false, true, false, false, {5, 7}, false, {kFp16, kBfp8a}},
    {kBfp8a, false, false, false, false, {5, 6}, true, {kFp16, kBfp8a}},
    {kFp8, false, true, false, false, {5, 2}, false, {kFp16, kFp8}},
    {kInt16, false, false, false, false, {0, 15}, false, {kInt16}},
};
Type late_type(DataFormat from) {
  switch (from) {
    case kFp32:
      return {8, 23};
    case kTf32:
      return {8, 10};
    case kFp16:
      return {5, 10};
    case kBfp8a:
      return {5, 7};
    case kFp8:
      return {5, 2};
    case kInt32:
    case kInt16:
    case kInt8:
      return {0, 0};
    default:
      return {8, 7};
  }
}
std::vector<DataFormat> late_formats(DataFormat from) {
  if (!late_type(from).is_float()) return {from};
  std::vector<DataFormat> all{kFp32, kBf16, kFp16,  kFp8,   kBfp8,
                              kBfp4, kBfp2, kBfp8a, kBfp4a, kBfp2a};
  if (from != kFp32) all.push_back(kTf32);
  return all;
}

/// One instruction's settings and the steps of the pages.
class Way {
 public:
  Way(MovementBench& bench, TestRandom& random)
      : b_(bench), random_(random), early_(kEarly[random.below(std::size(kEarly))]) {
    from_ = early_.held_by[random.below(static_cast<std::uint32_t>(early_.held_by.size()))];
    const auto formats = late_formats(from_);
    to_ = formats[random.below(static_cast<std::uint32_t>(formats.size()))];
    count_ = 16 * (1 + random.below(20));
    draw_stages();
    configure();
    fill_dst();
  }

  void expect_page() {
    expect();
    b_.packers.clear_exponent_histograms();
    b_.packers.issue(op::encode_pacr(0, 0, 1, 0, 0, 0, 1), 0, now_ += 10000);
    is_block_float(to_) ? compare_blocks() : compare_each();
    if (!histogram_known_) return;
    for (unsigned i = 0; i < 32; ++i)
      ASSERT_EQ(b_.packers.exponent_histogram(0, i), std::min(bins_[i], 255u)) << i;
    ASSERT_EQ(b_.packers.exponent_histogram_max(), max_exponent_);
  }
  std::string text() const {
    return std::string(format_name(early_.intermediate)) + (early_.read_32b ? " of 32 bits" : "") +
           (early_.raw ? " raw" : "") + (early_.is_unsigned ? " unsigned" : "") + " by " +
           format_name(from_) + " to " + format_name(to_) + ", ReLU " + std::to_string(relu_) +
           " " + std::to_string(relu_threshold_) + ", threshold " + std::to_string(threshold_);
  }

 private:
  void draw_stages() {
    shift_ = early_.intermediate == kInt8 ? random_.below(32) : 0;
    relu_ = random_.below(3) == 0 ? random_.below(early_.type.is_float() ? 4 : 2) : 0;
    relu_threshold_ = random_.below(0x8000);
    if (early_.type.exponent == 8 && random_.below(2))
      relu_threshold_ = 0x3C00 + random_.below(0x800);
    // A datum cannot become a threshold that its type cannot hold. Types that are rounded to six
    // bits have room for seven.
    const int spare = (early_.type.exponent == 8 ? 7 : 10) - std::max(early_.type.mantissa, 7);
    if (relu_ == 3 && spare > 0) relu_threshold_ &= ~0u << spare;
    threshold_ =
        random_.below(3) == 0 ? 1 + random_.below(early_.type.exponent == 5 ? 40 : 255) : 0;
    downsample_ = random_.below(4) == 0 ? random_.bits(16) : 0;
    infinite_edges_ = early_.type.is_float() && random_.below(2) != 0;
    set_ = random_.below(4);
    for (auto& mask : edges_) mask = random_.below(2) ? 0xFFFF : random_.bits(16);
    if (random_.below(2)) edges_.fill(0xFFFF);
    for (auto& section : sections_) section = random_.below(4);
  }
  void configure() {
    b_.pack_target(kTarget, early_.intermediate, from_, to_, count_, 0);
    const auto set = [&](const cfg::Field& field, std::uint32_t value) { b_.set(field, value); };
    set(cfg::pack::kRead32bData, early_.read_32b);
    set(cfg::pack::kReadRaw, early_.raw);
    set(cfg::pack::kReadUnsigned, early_.is_unsigned);
    set(cfg::pack::kRound10bMantissa, early_.round_10b);
    set(cfg::alu::kIntDescaleEnable, 1);
    set(cfg::global::int_descale_value(0), shift_);
    set(cfg::alu::kApplyRelu, relu_);
    set(cfg::alu::kReluThreshold, relu_threshold_);
    const cfg::PackerFields& f = cfg::kPacker[0];
    set(f.exp_threshold_en, threshold_ != 0);
    set(f.exp_threshold, threshold_);
    set(f.downsample_mask, downsample_);
    set(f.exp_section_size, 4);
    for (unsigned i = 0; i < 4; ++i) set(cfg::pack::edge_mask(i), edges_[i]);
    for (unsigned i = 0; i < 16; ++i) set(cfg::pack::row_set_mapping(set_, i), sections_[i]);
    set(cfg::pack::edge_row_set_select(0), set_);
    set(cfg::pack::kEdgeMode, infinite_edges_);
    b_.set_thread(2, cfg::thread::kEnableAccStats, 1);
  }

  std::uint32_t draw() {
    constexpr std::uint32_t kCorners[] = {
        0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFF800001, 0x00000001,
        0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x38000000, 0x38000001, 0x387FFFFF, 0x38800000,
        0x47FFFFFF, 0x48000000, 0x3F808000, 0x3F818000, 0x3F810000, 0x3F7FFFFF};
    const std::uint32_t any = random_.bits(32);
    const unsigned kind = random_.below(8);
    if (kind == 0) return kCorners[random_.below(std::size(kCorners))];
    if (kind == 1) return any;
    const std::uint32_t mantissa = kind < 5 ? any & 0x7F8000 : any & 0x7FFFFF;
    return (any & 0x80000000) | (base_ + random_.below(spread_)) << 23 | mantissa;
  }
  void fill_dst() {
    base_ = 100 + random_.below(50);
    spread_ = 1 + random_.below(30);
    Dst& dst = b_.registers.dst;
    input_.resize(count_);
    for (unsigned i = 0; i < count_; ++i) {
      const unsigned row = i / 16;
      std::uint32_t& x = input_[i] = draw();
      if (early_.read_32b) {
        dst.define32(row);
        dst.write32(row, i % 16, (x & 0x8000FFFF) | (x >> 16 & 127) << 24 | (x >> 23 & 255) << 16);
        continue;
      }
      x >>= 16;
      const bool e5 = early_.type.exponent == 5;
      const std::uint32_t cell = early_.type.exponent == 0 ? x
                                 : e5 ? (x & 0x8000) | (x & 1023) << 5 | (x >> 10 & 31)
                                      : (x & 0x8000) | (x & 127) << 8 | (x >> 7 & 255);
      dst.define16(row);
      dst.write16(row, i % 16, static_cast<std::uint16_t>(cell));
    }
  }

  Number integer(std::uint32_t x) const {
    Number n;
    n.negative = x >> 31 != 0;
    if (early_.intermediate == kInt32) return {n.negative, 0, 0, x};
    if (early_.intermediate == kInt16) return {x >> 15 != 0, 0, 0, x};
    if (early_.raw) {
      n.integer = early_.is_unsigned ? x % 256 : (n.negative ? 128 : 0) + x % 128;
    } else {
      const double size = std::floor(std::ldexp(x & 0x7FFFFFFF, -static_cast<int>(shift_)) + 0.5);
      const auto most = [size](double limit) {
        return static_cast<std::uint32_t>(std::min(size, limit));
      };
      n.integer = !early_.is_unsigned ? (n.negative ? 128 : 0) + most(127)
                  : n.negative        ? 0
                                      : most(255);
    }
    n.negative = n.negative && !early_.is_unsigned;
    return n;
  }
  Number early(std::uint32_t x) const {
    const Type& type = early_.type;
    if (!type.is_float()) return integer(x);
    Number n = type.exponent == 5 ? of_fp16(x) : of_fp32(early_.read_32b ? x : x << 16);
    if (early_.rounds) {
      n.nan = 0;
      if (n.size < least(type)) return {};
      n.size = with_mantissa(n.size, type.mantissa, 0.5);
      if (type.exponent == 5) n.size = std::min(n.size, largest5(type.mantissa));
      if (type.exponent == 8 && n.size >= 0x1p128) n.size = kInfinity;
      return n;
    }
    cut(n, type);
    return n;
  }
  /// Drops bits of the mantissa, also of denormals.
  static void cut(Number& n, const Type& type) {
    n.nan &= ~0u << (23 - type.mantissa);
    if (n.size == 0 || n.size == kInfinity) return;
    const int exponent = std::max(std::ilogb(n.size), 1 - type.bias());
    const double ulp = std::ldexp(1.0, exponent - type.mantissa);
    n.size = std::floor(n.size / ulp) * ulp;
  }
  Number masked() const {
    if (!infinite_edges_) return {};
    return {true, early_.type.exponent == 5 ? largest5(10) : kInfinity};
  }
  Number relu(const Number& n) const {
    if (relu_ == 0 || n.nan != 0) return n;
    if (!early_.type.is_float()) return n.negative ? Number{} : n;
    const Number limit =
        early_.type.exponent == 5 ? of_fp16(relu_threshold_) : of_fp32(relu_threshold_ << 16);
    const double value = n.negative ? -n.size : n.size;
    const double threshold = limit.nan != 0 ? std::nan("") : limit.size;
    if (relu_ == 1) return value <= 0 ? Number{} : n;
    if (relu_ == 2) return value <= threshold ? Number{} : n;
    if (value <= 0) return {};
    return value > threshold ? limit : n;
  }
  unsigned exponent_of(const Number& n) const {
    if (early_.intermediate == kInt16) return n.integer & 0xFF;
    if (early_.intermediate == kInt32) return n.integer >> 23 & 0xFF;
    if (n.size == kInfinity) return 255;
    if (n.size < least(early_.type)) return 0;
    return static_cast<unsigned>(std::ilogb(n.size) + early_.type.bias());
  }
  Number thresholded(const Number& n) const {
    if (threshold_ == 0 || !late_type(from_).is_float()) return n;
    return exponent_of(n) < threshold_ ? Number{} : n;
  }

  /// Converts to 8 or 5 exponent bits and the type's mantissa bits.
  Number late(Number n, const Type& type) const {
    const Type from = late_type(from_);
    if (type.exponent < from.exponent) {
      n.nan = 0;
      if (n.size <= 0x1p-15) n.size = 0;
      if (n.size > 0x1p-15 && n.size < 0x1p-14) n.known = false;
      n.size = n.size >= kBeyond5 ? largest5(type.mantissa) : n.size;
    } else if (n.size < least(from) && n.size != 0) {
      if (type.mantissa < from.mantissa) {
        n.size = 0;
      } else if (type.exponent > from.exponent) {
        n.known = false;
      }
    }
    cut(n, type);
    return n;
  }
  void expect() {
    unsigned mask = downsample_ == 0 ? 0xFFFF : downsample_;
    unsigned y = 0;
    expected_.clear();
    for (unsigned i = 0; i < count_; ++i) {
      const bool kept = edges_[sections_[y]] >> (i % 16) & 1;
      const Number n = relu(kept ? early(input_[i]) : masked());
      const unsigned exponent = exponent_of(n);
      ++bins_[exponent % 32];
      max_exponent_ = std::max(max_exponent_, exponent);
      if ((mask & 1) != 0) expected_.push_back(thresholded(n));
      mask = (mask << 15 & 0x8000) | mask >> 1;
      if (i % 16 == 15) y = (y + 1) % 16;
    }
    histogram_known_ = early_.intermediate != kInt8;
  }

  void compare_each() {
    const unsigned bytes = datum_bits(to_) / 8;
    for (unsigned i = 0; i < expected_.size(); ++i) {
      // All formats below 16 bits leave room for exponents, even those without.
      const std::uint32_t address = kTarget + (bytes == 1 ? 64 : 0) + i * bytes;
      const std::uint32_t got = bytes == 4   ? b_.load32(address)
                                : bytes == 2 ? b_.load16(address)
                                             : b_.l1.bytes()[address];
      const auto wanted = stored(expected_[i]);
      if (!wanted) continue;
      ASSERT_EQ(got, *wanted) << i << ": " << expected_[i].size;
    }
  }
  std::optional<std::uint32_t> stored(const Number& n) const {
    const auto as = [&](Type type) -> std::optional<std::uint32_t> {
      const Number result = late(n, type);
      if (!result.known) return {};
      return type.exponent == 8 ? to_fp32(result) : to_fp16(result);
    };
    const auto shifted = [](std::optional<std::uint32_t> bits, unsigned places) {
      return bits ? std::optional(*bits >> places) : bits;
    };
    switch (to_) {
      case kFp32:
        return as({8, 23});
      case kTf32:
        return as({8, 10});
      case kBf16:
        return shifted(as({8, 7}), 16);
      case kFp16:
        return as({5, 10});
      case kFp8:
        return shifted(as({5, 2}), 8);
      default:
        return n.integer;
    }
  }

  void compare_blocks() {
    const bool wide = to_ == kBfp8 || to_ == kBfp4 || to_ == kBfp2;
    const Type type{wide ? 8 : 5, 7};
    expected_.resize((expected_.size() + 15) / 16 * 16);
    for (unsigned block = 0; block < expected_.size() / 16; ++block) {
      std::array<Number, 16> numbers;
      double largest = 0;
      bool known = true;
      for (unsigned i = 0; i < 16; ++i) {
        Number& n = numbers[i] = late(expected_[block * 16 + i], type);
        // The largest exponent is an ordinary one, and denormals are zero.
        if (n.size == kInfinity) n.size = 0x1p128 * (1 + n.nan * 0x1p-23);
        known &= n.known && !(n.size != 0 && n.size < least(type));
        largest = std::max(largest, n.size);
      }
      if (!known) continue;
      const unsigned shared =
          largest == 0 ? 0 : static_cast<unsigned>(std::ilogb(largest) + type.bias());
      ASSERT_EQ(b_.l1.bytes()[kTarget + block], shared);
      const double unit = std::ldexp(1.0, static_cast<int>(shared) - type.bias() - 6);
      for (unsigned i = 0; i < 16; ++i) {
        const auto seven =
            static_cast<unsigned>(std::min(std::floor(numbers[i].size / unit + 0.5), 127.0));
        const unsigned bits = datum_bits(to_), size = seven >> (8 - bits);
        const unsigned at = block * 16 + i;
        const unsigned got =
            b_.l1.bytes()[kTarget + 64 + at * bits / 8] >> (at * bits % 8) & ((1u << bits) - 1);
        ASSERT_EQ(got, size | static_cast<unsigned>(size != 0 && numbers[i].negative) << (bits - 1))
            << at << ": " << numbers[i].size << " in units of " << unit;
      }
    }
  }

  static inline Cycle now_ = 1000;
  MovementBench& b_;
  TestRandom& random_;
  const Early& early_;
  DataFormat from_, to_;
  unsigned count_, shift_ = 0, relu_ = 0, relu_threshold_ = 0, threshold_ = 0, downsample_ = 0;
  bool infinite_edges_ = false;
  unsigned set_ = 0;
  std::array<unsigned, 4> edges_{};
  std::array<unsigned, 16> sections_{};
  unsigned base_ = 0, spread_ = 1;
  std::vector<std::uint32_t> input_;
  std::vector<Number> expected_;
  std::array<unsigned, 32> bins_{};
  unsigned max_exponent_ = 0;
  bool histogram_known_ = true;
};

TEST(PackersOracle, EveryWayThroughTheStages) {
  auto bench = std::make_unique<MovementBench>();
  TestRandom random(61);
  for (int round = 0; round < 20000; ++round) {
    Way way(*bench, random);
    SCOPED_TRACE(std::to_string(round) + ": " + way.text());
    way.expect_page();
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::packers_oracle_test
