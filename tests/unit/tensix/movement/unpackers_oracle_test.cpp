// UNPACR compared with the steps of its page (ISA UNPACR_Regular.md) on bits of L1. Covers every
// pattern of formats of up to 16 bits to each destination, and random instructions in every format.
// These tilize, transpose, shift columns, insert zeros, search rows and write zeros.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor::unpackers_oracle {
namespace {

using enum DataFormat;
using Word = std::uint32_t;

constexpr Word kSource = 0x8000;
constexpr unsigned kSrcRows = 64, kDstRows = 1024;

/// Destination of datums.
enum class To { kSrcA, kSrcB, kDst };

unsigned bits_of(DataFormat format) {
  switch (format) {
    case kFp32:
    case kTf32:
    case kInt32:
      return 32;
    case kFp16:
    case kBf16:
    case kInt16:
      return 16;
    case kBfp4:
    case kBfp4a:
      return 4;
    case kBfp2:
    case kBfp2a:
      return 2;
    default:
      return 8;
  }
}
bool is_block(DataFormat format) {
  return format != kFp8 && format != kInt8 && bits_of(format) <= 8;
}
bool is_short_block(DataFormat format) {
  return format == kBfp8a || format == kBfp4a || format == kBfp2a;
}

/// Fields of a number before the register file arranges them.
struct Fields {
  Word sign, exponent, mantissa;  ///< mantissa of ten bits
};
Word in_src(const Fields& x) { return x.sign << 18 | x.mantissa << 8 | x.exponent; }
Word in_dst_e8(const Fields& x) { return x.sign << 15 | x.mantissa / 8 << 8 | x.exponent; }
Word in_dst_e5(const Fields& x) { return x.sign << 15 | x.mantissa << 5 | x.exponent; }

/// A datum of a block in sign and magnitude; the magnitude's first one is the implicit bit.
Fields of_block(Word datum, unsigned bits, Word exponent, Word largest) {
  const Word sign = datum >> (bits - 1);
  Word magnitude = datum - (sign << (bits - 1));
  if (magnitude == 0) return {sign, sign != 0 ? largest : 0, 0};
  Word one = 1u << (bits - 2);
  for (; magnitude < one; one /= 2) --exponent;
  return {sign, exponent & 0xFF, (magnitude - one) * (1024 / one)};
}

Word converted(DataFormat in, DataFormat out, To to, Word datum, Word exponent, bool is_unsigned) {
  const bool dst = to == To::kDst;
  const auto e8 = [dst](const Fields& x) { return dst ? in_dst_e8(x) : in_src(x); };
  const auto e5 = [dst](const Fields& x) { return dst ? in_dst_e5(x) : in_src(x); };
  const Fields wide{datum >> 31, datum >> 23 & 0xFF, datum >> 13 & 0x3FF};
  switch (in) {
    case kFp32:
    case kTf32:
    case kInt32:
      if (dst && out != kBf16) return in_dst_e8(wide) << 16 | (datum & 0xFFFF);
      if (out == kTf32) return in_src(wide);
      return e8({wide.sign, wide.exponent, wide.exponent == 0 ? 0 : wide.mantissa / 8 * 8});
    case kBf16:
      return e8({datum >> 15, datum >> 7 & 0xFF, (datum & 0x7F) * 8});
    case kFp16:
      return e5({datum >> 15, datum >> 10 & 31, datum & 0x3FF});
    case kFp8:
      return e5({datum >> 7, datum >> 2 & 31, (datum & 3) << 8});
    case kInt16:
      return dst ? datum : (datum >> 8) << 11 | (datum & 0xFF);
    case kInt8: {
      const Word sign = is_unsigned ? 0 : datum >> 7;
      const Word magnitude = is_unsigned ? datum : datum & 127;
      return e5({sign, magnitude != 0 ? 16u : 0u, magnitude});
    }
    default: {
      const Fields x = of_block(datum, bits_of(in), exponent, is_short_block(in) ? 31 : 255);
      return is_short_block(in) ? e5(x) : e8(x);
    }
  }
}

// ---- Every pattern ------------------------------------------------------------------------------

class EveryPattern : public testing::TestWithParam<DataFormat> {
 protected:
  /// Checks all patterns of the format, tile by tile, with a different exponent per block.
  void expect_all(To to, bool is_unsigned) {
    const DataFormat format = GetParam();
    const unsigned bits = bits_of(format);
    const unsigned datums = to == To::kSrcA ? 256 : 1024, blocks = datums / 16;
    const unsigned patterns = std::max(1u << bits, datums);
    const unsigned rounds = is_block(format) ? 24 : 1;
    for (unsigned first = 0; first < patterns * rounds; first += datums) {
      const Word data = kSource + (is_block(format) ? (blocks + 15) / 16 * 16 : 0);
      std::memset(b->l1.bytes() + data, 0, datums * bits / 8);
      std::vector<Word> in(datums), exponents(datums);
      for (unsigned i = 0; i < datums; ++i) {
        in[i] = ((first + i) * (is_block(format) ? 37 : 1)) % (1u << bits);
        for (unsigned k = 0; k < bits; ++k)
          b->l1.bytes()[data + (i * bits + k) / 8] |=
              static_cast<std::uint8_t>((in[i] >> k & 1) << (i * bits + k) % 8);
        const Word block = first / 16 + i / 16;
        exponents[i] = is_short_block(format) ? 8 + block * 5 % 24 : block * 29 % 256;
        if (is_block(format))
          b->l1.bytes()[kSource + i / 16] = static_cast<std::uint8_t>(exponents[i]);
      }
      unpack(format, to, datums, is_unsigned);
      for (unsigned i = 0; i < datums; ++i)
        ASSERT_EQ(written(to, i), converted(format, format, to, in[i], exponents[i], is_unsigned))
            << std::hex << in[i] << " exponent " << exponents[i] << " to " << static_cast<int>(to);
    }
  }
  void unpack(DataFormat format, To to, unsigned datums, bool is_unsigned) {
    const unsigned u = to == To::kSrcB ? 1 : 0;
    b->unpack_source(u, kSource, format, format, datums);
    b->set(cfg::kUnpacker[u].tile.no_bfp_exp_section, 0);
    b->set(u == 0 ? cfg::alu::kSrcAUnsigned : cfg::alu::kSrcBUnsigned, is_unsigned);
    if (u == 0) b->set(cfg::kUnpacker[0].unpack_to_dst, to == To::kDst);
    const Word word = op::encode_unpacr(u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    Issue issued = b->unpackers.issue(word, 0, now);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);
    now = issued.done + 1000;
  }
  Word written(To to, unsigned i) const {
    const RegisterFiles& files = b->registers;
    const auto &a = files.srca.bank[0].rows, &s = files.srcb.bank[0].rows;
    return to == To::kSrcA   ? a[i / 16][i % 16]
           : to == To::kSrcB ? s[i / 16][i % 16]
                             : files.dst.read16(i / 16, i % 16);
  }

  std::unique_ptr<MovementBench> b = std::make_unique<MovementBench>();
  Cycle now = 0;
};

TEST_P(EveryPattern, ArrivesAsThePageSays) {
  for (const To to : {To::kSrcA, To::kSrcB, To::kDst}) {
    expect_all(to, false);
    if (GetParam() == kInt8) expect_all(to, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryPattern,
                         testing::Values(kBf16, kFp16, kInt16, kFp8, kInt8, kBfp8, kBfp4, kBfp2,
                                         kBfp8a, kBfp4a, kBfp2a),
                         [](const auto& each) { return format_name(each.param); });

// ---- Every mode ---------------------------------------------------------------------------------

/// The configuration of an UNPACR, with the names of the page.
struct Settings {
  To to = To::kSrcA;
  DataFormat in = kBf16, out = kBf16;
  unsigned x_dim = 0, y_dim = 1, z_dim = 1, w_dim = 1;
  unsigned base = 0, digest = 0;  ///< in units of 16 bytes
  bool forced = false, no_section = false, is_unsigned = false;
  unsigned forced_exponent = 0;
  unsigned limit = 0, fifo = 0;  ///< in units of 16 bytes
  bool tilizes = false, transposes = false, upsamples = false, interleaves = false;
  unsigned row_stride = 0, column_shift = 0;
  bool zeros = false, searches = false, overrides = false;
  unsigned x = 0, x_end = 0, y = 0, z = 0, w = 0;
  unsigned blobs = 0;
  Word blob_starts = 0;
  unsigned out_base = 0;  ///< in datums
  unsigned src_row = 0;
};

struct Written {
  unsigned row, column;
  Word value;
};

/// The words that the instruction writes, in the order of the page. Addresses are in bits.
class Steps {
 public:
  Steps(const Settings& settings, const std::uint8_t* l1) : s_(settings), l1_(l1) {}

  /// True if the page defines the result.
  bool defined() const { return defined_; }

  std::vector<Written> all() {
    std::uint64_t address = (s_.base + 1 + s_.digest) * std::uint64_t{16};
    std::uint64_t exponent16 = address * 16;  // in sixteenths of a byte
    const bool in_l1 = is_block(s_.in) && !s_.forced;
    const unsigned bits = bits_of(s_.in);
    if (in_l1 && (bits == 8 || !s_.no_section)) {
      const unsigned elements = s_.x_dim * s_.y_dim * s_.z_dim * s_.w_dim;
      const unsigned exponents = (elements + 15) / 16;
      address += (exponents + 15) / 16 * 16;
    }
    unsigned x = s_.x, y = s_.y, end = s_.x_end + 1;
    const auto blob = [this](unsigned i) { return (s_.blob_starts >> (4 * i) & 15) * 16; };
    if (s_.searches && s_.blobs != 0) {
      const unsigned next = s_.x % 8 + 1;
      x = blob(s_.y % 8);
      y = 0;
      end = next == s_.blobs ? s_.x_dim & 0x1F0 : blob(next);
    } else if (s_.searches) {
      x = 0;
      end = s_.x_end;
    }
    const unsigned first = ((s_.w * s_.z_dim + s_.z) * s_.y_dim + y) * s_.x_dim + x;
    std::uint64_t bit = wrapped(address * 8 + std::uint64_t{first} * bits, 8);
    exponent16 = wrapped(exponent16 + first, 16);
    if ((s_.tilizes || s_.transposes) && bit % 128 != 0) defined_ = false;
    unsigned to = s_.out_base;
    for (unsigned i = 0; i < end - x; ++i) {
      const Word datum = read(bit, bits);
      const Word exponent = s_.forced ? s_.forced_exponent : in_l1 ? l1_[exponent16 / 16] : 0;
      bit += bits;
      if (i % 16 == 15) bit = wrapped(s_.tilizes ? bit - 16 * bits + 8 * s_.row_stride : bit, 8);
      if (in_l1 && ++exponent16 % 256 == 0) exponent16 = wrapped(exponent16, 16);
      const Word value =
          s_.zeros ? 0 : converted(s_.in, s_.out, s_.to, datum, exponent, s_.is_unsigned);
      place(to++, value);
      if (s_.upsamples && !s_.interleaves) place(to, 0);
      if (s_.upsamples) ++to;
    }
    return std::move(written_);
  }

 private:
  /// A position in units of 1/unit bytes.
  std::uint64_t wrapped(std::uint64_t at, unsigned unit) const {
    const std::uint64_t one = std::uint64_t{16} * unit;
    return at > s_.limit * one ? at - s_.fifo * one : at;
  }
  Word read(std::uint64_t bit, unsigned bits) const {
    Word value = 0;
    for (unsigned i = 0; i < bits; ++i)
      value |= (Word{l1_[(bit + i) / 8]} >> (bit + i) % 8 & 1) << i;
    return value;
  }
  void place(unsigned to, Word value) {
    unsigned row = to / 16, column = to % 16;
    if (s_.to == To::kSrcB) {
      written_.push_back({(row + s_.src_row) % kSrcRows, column, value});
      return;
    }
    if (s_.to == To::kDst) {
      written_.push_back({(row + kDstRows - 4) % kDstRows, column, value});
      return;
    }
    if (row < 4 || column < s_.column_shift) return;
    row -= 4;
    column -= s_.column_shift;
    if (row >= (s_.overrides ? kSrcRows : 16)) defined_ = false;
    if (!s_.overrides) row += s_.src_row;
    if (s_.transposes) {
      const unsigned low = row % 16;
      row = row - low + column;
      column = low;
    }
    written_.push_back({row, column, value});
  }

  const Settings& s_;
  const std::uint8_t* l1_;
  std::vector<Written> written_;
  bool defined_ = true;
};

class EveryMode : public testing::TestWithParam<unsigned> {
 protected:
  Settings draw() {
    constexpr DataFormat kFormats[] = {kFp32, kFp32, kTf32, kInt32, kBf16,  kFp16,  kInt16, kFp8,
                                       kInt8, kBfp8, kBfp4, kBfp2,  kBfp8a, kBfp4a, kBfp2a};
    Settings s;
    s.to = static_cast<To>(random.below(3));
    do {
      s.in = kFormats[random.below(std::size(kFormats))];
    } while (s.to != To::kDst && (s.in == kTf32 || s.in == kInt32));
    s.out = s.in;
    if (s.in == kFp32) {
      s.out = random.below(2) ? kBf16 : kTf32;
      if (s.to == To::kDst && random.below(2)) s.out = kFp32;
    }
    const bool a = s.to == To::kSrcA;
    s.tilizes = random.below(3) == 0;
    s.transposes = a && random.below(3) == 0;
    s.upsamples = !s.tilizes && random.below(4) == 0;
    s.interleaves = random.below(2) != 0;
    // Except for 16 bits, the same field is the stride of rows.
    s.row_stride = 16 * random.below(1u << (random.below(2) ? 4 : 8));
    if (a && !s.tilizes && random.below(2)) s.column_shift = random.below(8);
    s.zeros = random.below(8) == 0;
    s.overrides = a && random.below(2) != 0;
    s.is_unsigned = random.below(2) != 0;
    s.forced = random.below(3) == 0;
    s.forced_exponent = is_short_block(s.in) ? 8 + random.below(24) : random.below(256);
    s.no_section = random.below(3) == 0;
    s.x_dim = (s.tilizes || s.transposes ? 64 : 16) * (1 + random.below(7));
    s.y_dim = 1 + random.below(4);
    s.z_dim = 1 + random.below(3);
    s.w_dim = 1 + random.below(2);
    s.digest = random.below(3);
    s.base = 0x800 + random.below(64);
    if (random.below(2)) {
      s.limit = 0x810 + random.below(80);
      s.fifo = 0x100 + random.below(0x100);
    }
    const unsigned most = a ? (s.overrides ? 900 : 200) : 1000;
    const unsigned count = 1 + random.below(s.upsamples ? most / 2 : most);
    s.searches = random.below(5) == 0;
    if (s.searches && random.below(2)) {
      s.blobs = 1 + random.below(7);
      s.x_dim = 0x1F0;
      for (unsigned i = 0; i < 8; ++i) s.blob_starts |= (i + random.below(2)) << 4 * i;
      s.x = random.below(s.blobs);
      s.y = random.below(s.x + 1);
    } else {
      s.x = s.transposes || s.tilizes ? 128 / bits_of(s.in) * random.below(2) : random.below(40);
      s.x_end = s.searches ? count : s.x + count - 1;
      s.y = random.below(3);
    }
    s.z = random.below(3);
    s.w = random.below(2);
    s.out_base = (a ? 64 : random.below(200)) + (s.overrides ? 16 * random.below(8) : 0);
    if (a && random.below(4) == 0) s.out_base = 16 * random.below(5);
    s.src_row = 16 * random.below(4);
    return s;
  }
  void configure(const Settings& s) {
    const unsigned u = s.to == To::kSrcB ? 1 : 0;
    const cfg::UnpackerFields& f = cfg::kUnpacker[u];
    const auto put = [this](const cfg::Field& field, Word value) { b->set(field, value); };
    put(f.tile.in_data_format, static_cast<Word>(s.in));
    put(f.tile.is_uncompressed, 1);
    put(f.tile.x_dim, s.x_dim);
    put(f.tile.y_dim, s.y_dim);
    put(f.tile.z_dim, s.z_dim);
    put(f.tile.w_dim, s.w_dim);
    put(f.tile.digest_size, s.digest);
    put(f.tile.no_bfp_exp_section, s.no_section);
    put(f.tile.blobs_per_xy_plane, s.blobs);
    put(f.tile.blobs_y_start_low, s.blob_starts & 0xFFFF);
    put(f.tile.blobs_y_start_high, s.blob_starts >> 16);
    put(f.out_data_format, static_cast<Word>(s.out));
    put(f.base_address, s.base);
    put(f.force_shared_exp, s.forced);
    put(f.forced_shared_exp, s.forced_exponent);
    put(f.limit_address, s.limit);
    put(f.fifo_size, s.fifo);
    put(f.tileize_mode, s.tilizes);
    put(f.upsample_rate, s.upsamples);
    put(f.upsample_and_interleave, s.interleaves);
    put(f.throttle_mode, random.below(3));
    put(f.channel1.base, s.out_base * std::max(1u, bits_of(s.out) / 8));
    put(u == 0 ? cfg::alu::kSrcAUnsigned : cfg::alu::kSrcBUnsigned, s.is_unsigned);
    if (s.tilizes) {
      for (unsigned i = 0; i < 3; ++i) put(f.shift_amount(i), s.row_stride >> (4 + 4 * i) & 15);
    } else if (u == 0) {
      put(f.shift_amount(0), s.column_shift);
    }
    if (u == 0) {
      put(f.haloize_mode, s.transposes);
      put(f.unpack_to_dst, s.to == To::kDst);
      b->set_thread(0, cfg::thread::kSrcASetOverrideWithAddr, s.overrides);
    }
    (u == 0 ? b->registers.srca : b->registers.srcb).unpacker_row[0] =
        static_cast<std::uint8_t>(s.src_row);
    AddressChannels& at = b->adcs.of(0).unpacker[u];
    at.channel[0].set_x(s.x);
    at.channel[0].set_y(s.y);
    at.channel[0].set_z(s.z);
    at.channel[0].set_w(s.w);
    at.channel[1].set_x(s.x_end);
  }
  TestRandom random{GetParam()};
  std::unique_ptr<MovementBench> b;
};

TEST_P(EveryMode, WritesWhatThePageSays) {
  unsigned tried = 0;
  while (tried < 120) {
    const Settings s = draw();
    b = std::make_unique<MovementBench>();
    MovementBench& bench = *b;
    for (unsigned i = 0; i < 0x40000; i += 8) {
      std::uint64_t any = random.next();
      // Exponents that fit five bits at any place.
      if (is_short_block(s.in)) any = (any & 0x1717171717171717) | 0x0808080808080808;
      std::memcpy(bench.l1.bytes() + i, &any, 8);
    }
    Steps steps(s, bench.l1.bytes());
    const std::vector<Written> expected = steps.all();
    if (!steps.defined()) continue;
    ++tried;
    configure(s);
    const bool to_dst = s.to == To::kDst;
    std::vector<std::array<Word, 16>> rows(to_dst ? kDstRows : kSrcRows);
    const bool wide = to_dst && bits_of(s.out) == 32;
    SrcFile& file = s.to == To::kSrcB ? bench.registers.srcb : bench.registers.srca;
    for (unsigned row = 0; row < rows.size(); ++row) {
      if (to_dst) bench.registers.dst.define(row);
      for (unsigned column = 0; column < 16; ++column) {
        const Word old = random.bits(to_dst ? 16 : 19);
        if (to_dst) {
          bench.registers.dst.storage(row)[column] = static_cast<std::uint16_t>(old);
        } else {
          file.bank[0].rows[row][column] = old;
        }
        rows[row][column] = old;
      }
    }
    for (const Written& each : expected) {
      if (wide) {
        const unsigned high = (each.row & 0x1F8) << 1 | (each.row & 0x207);
        rows[high][each.column] = each.value >> 16;
        rows[high + 8][each.column] = each.value & 0xFFFF;
      } else {
        rows[each.row][each.column] = each.value;
      }
    }
    const Word word =
        op::encode_unpacr(s.to == To::kSrcB, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.zeros, 0, s.searches, 0);
    ASSERT_EQ(bench.unpackers.issue(word, 0, 0).kind, Issue::Kind::kStarted);
    for (unsigned row = 0; row < rows.size(); ++row) {
      for (unsigned column = 0; column < 16; ++column) {
        const Word is = to_dst ? bench.registers.dst.storage(row)[column]
                               : std::as_const(file.bank[0].rows)[row][column];
        ASSERT_EQ(is, rows[row][column])
            << format_name(s.in) << " to " << format_name(s.out) << " row " << row << " column "
            << column << (s.tilizes ? " tilized" : "") << (s.transposes ? " transposed" : "")
            << (s.upsamples ? " upsampled" : "") << " shift " << s.column_shift << " try " << tried;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EveryMode, testing::Range(1u, 9u));

}  // namespace
}  // namespace tvp::tensix::coprocessor::unpackers_oracle
