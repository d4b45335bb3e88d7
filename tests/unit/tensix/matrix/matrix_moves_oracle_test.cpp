// Random sequences of moves between SrcA, SrcB and Dst, shifts, transpositions, GMPOOL and
// clearing, compared with the steps of their pages. All of SrcA, SrcB, Dst and the rows' valid bits
// must be equal.

#include <algorithm>
#include <array>
#include <memory>

#include "foundation/regs/tensix_disassembler.h"
#include "tests/unit/tensix/matrix/matrix_bench.h"

namespace matrix_moves_oracle {
namespace {

using namespace tvp::regs::tensix;
namespace alu = tvp::regs::config::alu;
namespace thread_config = tvp::regs::config::thread;
using math_reference::Random;
using tvp::regs::config::DataFormat;
using tvp::tensix::coprocessor::Dst;
using tvp::tensix::coprocessor::Rwc;
using tvp::tensix::coprocessor::SrcFile;
using Word = std::uint32_t;

constexpr unsigned kColumns = 16, kDstRows = 1024, kSrcRows = 64;

/// The configuration that the pages read.
struct Settings {
  DataFormat srca, srcb;
  bool force_fp16, int8, fp32, keep_denormals;
  unsigned blocked;  ///< columns that moves do not change
  unsigned math_offset, base;
};

enum class Kind { kBf16, kTf32, kFp16, kInt8 };
Kind kind_of(DataFormat format) {
  if (format == DataFormat::kTf32) return Kind::kTf32;
  switch (format) {
    case DataFormat::kFp16:
    case DataFormat::kFp8:
    case DataFormat::kBfp8a:
    case DataFormat::kBfp4a:
    case DataFormat::kBfp2a:
    case DataFormat::kInt8:
      return Kind::kFp16;
    default:
      return Kind::kBf16;
  }
}

/// A datum of Src in the layout of SrcASrcB.md.
struct SrcDatum {
  Word sign, mantissa, exponent;
  explicit SrcDatum(Word cell)
      : sign(cell >> 18), mantissa(cell >> 8 & 0x3FF), exponent(cell & 0xFF) {}
};
Word src_of(Word sign, Word mantissa, Word exponent) {
  return sign << 18 | mantissa << 8 | exponent;
}

/// SrcA, SrcB and Dst, and the effects of instructions by their pages.
class Page {
 public:
  using SrcRows = std::array<std::array<Word, kColumns>, kSrcRows>;

  std::array<SrcRows, 2> srca{}, srcb{};
  std::array<std::array<std::uint16_t, kColumns>, kDstRows> dst{};
  std::array<bool, kDstRows> valid{};
  unsigned srca_bank = 0, srcb_bank = 0;  ///< banks of the matrix unit
  unsigned unpack_a_bank = 0, unpack_b_bank = 0;
  Settings set{};
  Rwc rwc{};

  static unsigned high_row(unsigned row) { return (row & 0x1F8) << 1 | (row & 0x207); }

  void execute(Word word) {
    switch (opcode_of(word)) {
      case Opcode::kMova2d:
      case Opcode::kMovdbga2d:
        return to_dst(word, false);
      case Opcode::kMovb2d:
        return to_dst(word, true);
      case Opcode::kMovd2a:
      case Opcode::kMovd2b:
        return from_dst(word, opcode_of(word) == Opcode::kMovd2b);
      case Opcode::kMovb2a:
        return b_to_a(word);
      case Opcode::kTrnspsrcb: {
        const SrcRows before = b();
        for (unsigned i = 0; i < 16; ++i)
          for (unsigned j = 0; j < 16; ++j) b()[16 + i][j] = before[16 + j][i];
        return;
      }
      case Opcode::kShiftxa: {
        const SrcRows before = a();
        const bool right = (word & 3) == 2;
        for (unsigned i = 0; i < 16; ++i) {
          const auto& from = before[(last_srca_row & 0x30) + i];
          for (unsigned j = 0; j < 16; ++j)
            a()[i][j] = right ? (j == 0 ? 0 : from[j - 1]) : (j == 15 ? 0 : from[j + 1]);
        }
        return;
      }
      case Opcode::kShiftxb: {
        auto& row = b()[((word & 0x3F) + rwc.srcb) % 64];
        const auto before = row;
        for (unsigned j = 0; j < 16; ++j) row[j] = before[(j + 1) % 16];
        if ((word >> 10 & 1) != 0) row[15] = 0;
        return;
      }
      case Opcode::kZeroacc:
        return clear_dst(word);
      case Opcode::kZerosrc:
        return clear_src(word);
      default:
        return pool(word);
    }
  }
  unsigned last_srca_row = 0;

 private:
  SrcRows& a() { return srca[srca_bank]; }
  SrcRows& b() { return srcb[srcb_bank]; }
  unsigned dst_row(Word word) const {
    return (word & 0x3FF) + set.math_offset + rwc.dst + set.base;
  }
  Word read16(unsigned row, unsigned column, Word undefined = 0) const {
    return valid[row] ? dst[row][column] : undefined;
  }
  Word read32(unsigned row, unsigned column, Word undefined = 0) const {
    const unsigned high = high_row(row);
    return valid[high] ? Word{dst[high][column]} << 16 | dst[high + 8][column] : undefined;
  }
  void write16(unsigned row, unsigned column, Word value) {
    dst[row][column] = static_cast<std::uint16_t>(value);
  }
  void write32(unsigned row, unsigned column, Word value) {
    dst[high_row(row)][column] = static_cast<std::uint16_t>(value >> 16);
    dst[high_row(row) + 8][column] = static_cast<std::uint16_t>(value);
  }
  bool blocked(unsigned column) const { return (set.blocked >> column & 1) != 0; }

  /// MOVA2D.md, MOVDBGA2D.md, MOVB2D.md.
  void to_dst(Word word, bool from_b) {
    const bool low = (word >> 23 & 1) != 0;
    const bool bit14 = (word >> 14 & 1) != 0, bit13 = (word >> 13 & 1) != 0;
    const bool one_column = from_b && (word >> 12 & 1) != 0, one_row = from_b && bit13;
    const unsigned count = bit13 ? 8 : from_b && bit14 ? 4 : 1;
    unsigned to = dst_row(word) & (kDstRows - count);
    unsigned from = (word >> 17 & 63) + (from_b ? rwc.srcb : rwc.srca);
    from &= one_row ? 63 : 64 - count;
    if (!from_b) last_srca_row = from;
    const bool wide = !set.force_fp16 && kind_of(set.srca) != Kind::kFp16;
    const bool tf32 = set.srca == DataFormat::kTf32;
    for (unsigned i = 0; i < count; ++i, ++to, from += one_row ? 0 : 1) {
      std::array<Word, kColumns> written{};
      for (unsigned j = 0; j < kColumns; ++j) {
        SrcDatum x((from_b ? b() : a())[from][one_column ? 0 : j]);
        if (!set.keep_denormals && x.exponent == 0) x = SrcDatum(0);
        const Word half = x.sign << 15 | (wide ? x.mantissa / 8 * 256 + x.exponent
                                               : x.mantissa * 32 + x.exponent % 32);
        const Word rest = x.mantissa % 8 << 13;
        written[j] = tf32  ? half << 16 | rest | (low ? half : 0)
                     : low ? (read32(to, j) & 0xFFFF0000) | half
                           : half;
      }
      const bool dst32 = tf32 || low;
      for (unsigned j = 0; j < kColumns; ++j) {
        if (blocked(j)) continue;
        dst32 ? write32(to, j, written[j]) : write16(to, j, written[j]);
      }
      valid[dst32 ? high_row(to) : to] = true;
    }
  }

  /// MOVD2A.md, MOVD2B.md.
  void from_dst(Word word, bool to_b) {
    const bool low = (word >> 23 & 1) != 0;
    const unsigned count = (word >> 13 & 1) != 0 ? 4 : 1;
    unsigned from = dst_row(word) & (kDstRows - count);
    unsigned to = ((word >> 17 & 63) + (to_b ? rwc.srcb : rwc.srca)) & (64 - count);
    if (!to_b) last_srca_row = to;
    const Kind kind = set.force_fp16 ? Kind::kFp16 : kind_of(set.srca);
    const bool dst32 = !set.force_fp16 && (set.fp32 || set.int8);
    for (unsigned i = 0; i < count; ++i, ++from, ++to) {
      for (unsigned j = 0; j < kColumns; ++j) {
        if (blocked(j)) continue;
        const Word wide = dst32 ? read32(from, j) : 0;
        const Word half = !dst32 ? read16(from, j) : low ? wide & 0xFFFF : wide >> 16;
        Word value = 0;
        if (kind == Kind::kFp16) {
          value = src_of(half >> 15, half >> 5 & 0x3FF, half & 31);
        } else if (kind == Kind::kBf16) {
          value = src_of(half >> 15, (half >> 8 & 127) * 8, half & 255);
        } else if (low) {
          value = wide & 0x1FFF;
        } else {
          value = src_of(half >> 15, (half >> 8 & 127) * 8 + (wide >> 13 & 7), half & 255);
        }
        (to_b ? b() : a())[to][j] = value;
      }
    }
  }

  /// MOVB2A.md.
  void b_to_a(Word word) {
    const unsigned count = (word >> 13 & 1) != 0 ? 4 : 1;
    const unsigned to = ((word >> 17 & 63) + rwc.srca) & (64 - count);
    const unsigned from = ((word & 63) + rwc.srcb) & (64 - count);
    last_srca_row = to;
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < kColumns; ++j) {
        if (blocked(j)) continue;
        SrcDatum x(b()[from + i][j]);
        if (!set.keep_denormals && x.exponent == 0) x = SrcDatum(0);
        // Bits that the format of SrcB cannot hold are cut off (assumed).
        if (kind_of(set.srcb) == Kind::kBf16) x.mantissa &= 0x3F8;
        if (kind_of(set.srcb) == Kind::kFp16) x.exponent &= 31;
        a()[to + i][j] = src_of(x.sign, x.mantissa, x.exponent);
      }
    }
  }

  /// ZEROACC.md: valid bits of rows of the storage.
  void clear_dst(Word word) {
    const unsigned imm = word & 0x3FF, mode = word >> 19 & 3;
    if (mode == 0) {
      const unsigned row = dst_row(word) % kDstRows;
      valid[set.fp32 || set.int8 ? high_row(row) : row] = false;
    } else if (mode == 1) {
      const unsigned block = imm & 0xFF;
      const bool wide = (word >> 21 & 1) != 0;
      if (block >= (wide ? 32u : 64u)) return;
      for (unsigned i = 0; i < 16; ++i)
        valid[wide ? block * 32 + (i & 8) * 2 + (i & 7) : block * 16 + i] = false;
    } else {
      const unsigned first = mode == 2 && (imm & 1) != 0 ? 512 : 0;
      std::fill_n(valid.begin() + first, mode == 2 ? 512 : kDstRows, false);
    }
  }

  /// ZEROSRC.md.
  void clear_src(Word word) {
    const bool lowest = (word >> 4 & 1) != 0, single = (word >> 3 & 1) != 0;
    const bool both = (word >> 2 & 1) != 0;
    for (unsigned bank = 0; bank < 2; ++bank) {
      const auto fill = [](SrcRows& rows, Word value) {
        for (auto& row : rows) row.fill(value);
      };
      if ((word & 1) != 0 && (both || bank == (single ? srca_bank : unpack_a_bank)))
        fill(srca[bank], lowest ? 0x7FFFF : 0);
      if ((word & 2) != 0 && (both || bank == (single ? srcb_bank : unpack_b_bank)))
        fill(srcb[bank], 0);
    }
  }

  // ---- GMPOOL.md --------------------------------------------------------------------------------

  enum class Held { kInt32, kFp16, kBf16, kTf32 };  ///< DstStyle
  struct Pooled {
    bool negative = false;
    int exponent = 0, size = 0;  ///< nine and ten bits
    int order() const { return (negative ? -1 : 1) * (exponent * 1024 + size); }
  };

  static Pooled of_dst(Word x, Held held) {
    Pooled p;
    p.negative = x >> 31 != 0;
    switch (held) {
      case Held::kInt32:
        p.size = static_cast<int>(x & 0x3FF);
        p.exponent = static_cast<int>((x >> 10 & 0x3F) + (x >> 24 & 7) * 64);
        break;
      case Held::kFp16:
        p.size = static_cast<int>(x >> 21 & 0x3FF);
        p.exponent = static_cast<int>(x >> 16 & 31) + 15;
        break;
      default:
        p.size = static_cast<int>(x >> 24 & 127) * 8;
        if (held == Held::kTf32) p.size += static_cast<int>(x >> 13 & 7);
        p.exponent = static_cast<int>(x >> 16 & 255) + 127;
    }
    return p;
  }
  static Word to_dst(const Pooled& p, Held held) {
    const Word sign = p.negative ? 0x80000000 : 0;
    const auto size = static_cast<Word>(p.size);
    if (held == Held::kInt32) return sign | static_cast<Word>(p.exponent % 8) << 10 | size;
    if (held == Held::kFp16) {
      if (p.exponent % 64 == 0) return 0;
      return sign | size << 21 | (static_cast<Word>(p.exponent - 15) & 31) << 16;
    }
    if (p.exponent == 0) return 0;
    const Word high = size / 8 << 24 | (static_cast<Word>(p.exponent - 127) & 255) << 16;
    return sign | high | (held == Held::kTf32 ? size % 8 << 13 : 0);
  }
  static Pooled scaled(SrcDatum x, Word scale, Kind kind) {
    if ((scale & 0xFF) == 0) return {true, 511, 1023};
    if (x.exponent == 0) return {};
    Pooled p{x.sign != 0, 0, static_cast<int>(x.mantissa)};
    if (kind == Kind::kBf16) p.size &= 0x3F8;
    if (kind == Kind::kInt8) return p;
    const Word mask = kind == Kind::kFp16 ? 31 : 255;
    p.exponent = static_cast<int>((x.exponent & mask) + (scale & mask));
    return p;
  }

  void pool(Word word) {
    const bool arg = (word >> 14 & 1) != 0;
    Kind kind = kind_of(set.srca);
    bool dst32 = set.fp32;
    if (set.force_fp16) {
      kind = Kind::kFp16;
      dst32 = false;
    } else if (set.int8) {
      kind = Kind::kInt8;
      dst32 = true;
    }
    Held held = kind == Kind::kFp16 ? Held::kFp16 : Held::kBf16;
    if (dst32 && !arg && kind != Kind::kInt8) held = Held::kTf32;
    if (kind == Kind::kInt8 || (kind == Kind::kTf32 && arg)) held = Held::kInt32;
    const unsigned from = rwc.srca & 0x30, to = dst_row(word) & 0x3FC;
    last_srca_row = from;
    const auto& scales = b()[rwc.srcb & 0x38];
    std::array<std::array<Word, kColumns>, 4> result{};
    for (unsigned j = 0; j < kColumns; ++j) {
      const Word before = dst32 ? read32(to, j, ~0u) : read16(to, j, 0xFFFF) << 16;
      Pooled most = of_dst(before, held);
      Word index = before & 0xFF;
      const Word phase = (before + 0x100) & 0xF00;
      for (unsigned n = 0; n < 16; ++n) {
        const unsigned i = n < 4 ? n + 4 : n < 8 ? n - 4 : n;
        const Pooled x = scaled(SrcDatum(a()[from + i][j]), scales[i], kind);
        if (x.order() < most.order()) continue;
        most = x;
        if (i < 8) index = (phase / 16 + 3 * i % 8) & 0xFF;
      }
      result[0][j] = arg && held == Held::kInt32 ? 0 : to_dst(most, held);
      if (arg) result[0][j] |= phase | index;
      for (unsigned i = 1; i < 4 && dst32 && arg; ++i)
        result[i][j] = (read32(to + i, j, ~0u) + 0x100) & 0xF00;
    }
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned j = 0; j < kColumns; ++j)
        dst32 ? write32(to + i, j, result[i][j]) : write16(to + i, j, result[i][j] >> 16);
      valid[dst32 ? high_row(to + i) : to + i] = true;
    }
  }
};

class MatrixMovesOracle : public MatrixBench {
 protected:
  void draw_settings(bool blocks) {
    constexpr unsigned kFormats[] = {0, 1, 2, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 14, 15};
    const auto format = [&] {
      return static_cast<DataFormat>(kFormats[random.below(std::size(kFormats))]);
    };
    page->set = {format(),
                 format(),
                 random.below(8) == 0,
                 random.below(6) == 0,
                 random.below(2) != 0,
                 random.below(3) == 0,
                 blocks ? random.bits() & 0xFFFF : 0,
                 random.below(4) == 0 ? random.below(1024) : 0,
                 random.below(4) == 0 ? random.below(1024) : 0};
    const Settings& s = page->set;
    set_formats(s.srca, s.srcb, s.fp32);
    set_config(alu::kInt8MathEnabled, s.int8);
    set_config(alu::kZeroFlagDisabledSrc, s.keep_denormals);
    set_config(alu::kDestRegwBase, s.base);
    set_thread(thread_config::kFp16aForce, s.force_fp16);
    set_thread(thread_config::kMathDestOffset, s.math_offset);
    registers->block_dest_mov = static_cast<std::uint16_t>(s.blocked);
  }
  void draw_contents() {
    const auto fill_src = [&](SrcFile& file, auto& banks, unsigned& matrix, unsigned& unpacker) {
      file.matrix_bank = static_cast<std::uint8_t>(matrix = random.below(2));
      file.unpacker_bank = static_cast<std::uint8_t>(unpacker = random.below(2));
      for (unsigned bank = 0; bank < 2; ++bank) {
        for (unsigned i = 0; i < kSrcRows; ++i) {
          for (unsigned j = 0; j < kColumns; ++j)
            file.bank[bank].rows[i][j] = banks[bank][i][j] = datum();
        }
      }
    };
    fill_src(registers->srca, page->srca, page->srca_bank, page->unpack_a_bank);
    fill_src(registers->srcb, page->srcb, page->srcb_bank, page->unpack_b_bank);
    for (unsigned i = 0; i < kDstRows; ++i) {
      registers->dst.define(i);
      page->valid[i] = true;
      for (unsigned j = 0; j < kColumns; ++j) {
        registers->dst.storage(i)[j] = page->dst[i][j] = static_cast<std::uint16_t>(
            random.below(4) == 0 ? random.bits() & 0xFF07 : random.bits());
      }
    }
  }
  /// Random bits, equal or zero exponents, or few different datums, so that pools have ties.
  Word datum() {
    const Word any = random.bits();
    switch (random.below(4)) {
      case 0:
        return any & 0x7FFFF;
      case 1:
        return any & 0x7FF00;
      case 2:
        return (any & 0x7FF00) | (120 + (any >> 20) % 16);
      default:
        return (any & 0x40300) | 127;
    }
  }
  Word draw_word(bool clears) {
    using enum Opcode;
    constexpr Opcode kMoves[] = {kMova2d, kMovdbga2d, kMovb2d,    kMovb2d,  kMovd2a, kMovd2b,
                                 kMovb2a, kShiftxb,   kTrnspsrcb, kShiftxa, kGmpool, kGmpool};
    const Word any = random.bits();
    if (clears && random.below(4) == 0) {
      if (random.below(6) == 0) return word(kZerosrc) | (any & 0x1F);
      return word(kZeroacc) | (any & 0x200000) | kinds_of_clearing() << 19 | (any & 0x3FF);
    }
    Opcode opcode = kMoves[random.below(std::size(kMoves))];
    // The pages define SHIFTXA only after an instruction that names a row of SrcA.
    if (opcode == kShiftxa && !names_srca_row) opcode = kMova2d;
    Word result = word(opcode) | (any & 0xFFFFFF);
    const auto without = [&](Word bits) { result &= ~bits; };
    switch (opcode) {
      case kShiftxa:
        return word(opcode) | 2 | (any & 1);
      case kTrnspsrcb:
        return word(opcode);
      case kShiftxb:
        result = word(opcode) | (any & 0x43F);
        break;
      case kGmpool:
        without(0xC00000);
        break;
      case kMovd2a:
      case kMovd2b: {
        const Settings& s = page->set;
        const bool wide = !s.force_fp16 && (s.fp32 || s.int8);
        if (!wide) without(0x800000);
        if (!wide && !s.force_fp16 && s.srca == DataFormat::kTf32) return word(kTrnspsrcb);
        break;
      }
      default:
        break;
    }
    names_srca_row = opcode == kMova2d || opcode == kMovdbga2d || opcode == kMovd2a ||
                     opcode == kMovb2a || opcode == kGmpool;
    return result;
  }
  Word kinds_of_clearing() {
    const unsigned any = random.below(40);
    return any == 0 ? 3 : any < 3 ? 2 : any < 20 ? 1 : 0;
  }
  void draw_counters() {
    Rwc& rwc = registers->rwc[0];
    rwc = {};
    rwc.dst = static_cast<std::uint16_t>(random.below(1024));
    rwc.srca = static_cast<std::uint8_t>(random.below(64));
    rwc.srcb = static_cast<std::uint8_t>(random.below(64));
    page->rwc = rwc;
  }

  void expect_same(const std::string& what) {
    for (unsigned bank = 0; bank < 2; ++bank) {
      for (unsigned i = 0; i < kSrcRows; ++i) {
        const auto a = std::as_const(registers->srca.bank[bank].rows)[i];
        const auto b = std::as_const(registers->srcb.bank[bank].rows)[i];
        ASSERT_EQ(a, page->srca[bank][i]) << "SrcA bank " << bank << " row " << i << what;
        ASSERT_EQ(b, page->srcb[bank][i]) << "SrcB bank " << bank << " row " << i << what;
      }
    }
    const Dst& dst = registers->dst;
    for (unsigned i = 0; i < kDstRows; ++i) {
      ASSERT_EQ(dst.undefined16(i), !page->valid[i]) << "row " << i << " of Dst" << what;
      const unsigned high = Page::high_row(i);
      ASSERT_EQ(dst.undefined32(i), !page->valid[high]) << "row " << i << " of Dst32b" << what;
      if (page->valid[i]) {
        ASSERT_EQ(dst.storage(i), page->dst[i]) << "row " << i << " of Dst" << what;
      }
      if (page->valid[high]) {
        ASSERT_EQ(dst.storage(high + 8), page->dst[high + 8])
            << "low halves of row " << i << " of Dst32b" << what;
      }
    }
  }

  Random random{20261127};
  std::unique_ptr<Page> page = std::make_unique<Page>();
  bool names_srca_row = false;
};

TEST_F(MatrixMovesOracle, DoWhatTheirPagesSay) {
  for (unsigned round = 0; round < 160; ++round) {
    // A write of some columns to a row that is not valid leaves the others undefined.
    const bool blocks = round % 4 == 0;
    draw_contents();
    for (unsigned i = 0; i < 40; ++i) {
      if (i % 8 == 0) draw_settings(blocks);
      draw_counters();
      const Word instruction = draw_word(!blocks);
      run(instruction);
      page->execute(instruction);
      const Settings& s = page->set;
      expect_same(" after " + disassemble(instruction) + ", SrcA format " +
                  std::to_string(static_cast<unsigned>(s.srca)) + (s.fp32 ? ", Fp32" : "") +
                  (s.int8 ? ", INT8" : "") + (s.force_fp16 ? ", FP16A_FORCE" : ""));
      if (HasFatalFailure()) return;
      const Rwc &rwc = registers->rwc[0], &before = page->rwc;
      ASSERT_TRUE(rwc.dst == before.dst && rwc.srca == before.srca && rwc.srcb == before.srcb);
      now += 10;
    }
  }
}

}  // namespace
}  // namespace matrix_moves_oracle
