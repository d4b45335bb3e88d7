// Random UNPACRs compared with a direct evaluation of the documented steps (ISA UNPACR_Regular.md).

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

/// The datums of an uncompressed UNPACR one by one, at fractional byte addresses.
class Reference {
 public:
  Reference(MovementBench& bench, std::uint32_t word, unsigned thread)
      : b_(bench), word_(word), thread_(thread), u_(field(23, 1)), f_(cfg::kUnpacker[u_]) {}

  struct Written {
    int row, column;
    std::uint32_t value;
  };

  std::vector<Written> writes() {
    const bool multi = field(7, 1) != 0;
    unsigned context = 0, adc = thread_;
    if (multi) {
      context = field(3, 1) ? b_.unpackers.context_counter(u_, thread_) : field(10, 3);
      context = (context + (b_.backend.thread[thread_][39] >> (8 * u_) & 0xF)) % 8;
      adc = field(8, 2);
    }
    const bool own_format = multi && get(f_.override_data_format);
    const auto in = static_cast<DataFormat>(own_format ? get(f_.data_format_context(context))
                                                       : get(f_.tile.in_data_format));
    const auto out = static_cast<DataFormat>(own_format ? get(f_.out_data_format_context(context))
                                                        : get(f_.out_data_format));
    const double size = datum_bits(in) / 8.0;
    const unsigned x_dim =
        multi && u_ == 0 ? get(f_.tile_x_dim_context(context % 4)) : get(f_.tile.x_dim);
    const unsigned y_dim = get(f_.tile.y_dim);
    const unsigned z_dim = get(f_.tile.z_dim) ? get(f_.tile.z_dim) : 1;
    const unsigned w_dim = get(f_.tile.w_dim) ? get(f_.tile.w_dim) : 1;
    unsigned base = multi && context
                        ? get(f_.base_context(context)) + get(f_.offset_context(context % 4))
                        : get(f_.base_address) + get(f_.offset_address);
    double address = (base + 1.0 + get(f_.tile.digest_size)) * 16;

    const AddressChannels& xy = b_.adcs.of(adc).unpacker[u_];
    const AddressCounter& zw = b_.adcs.of(thread_).unpacker[u_].channel[0];
    const unsigned first =
        ((zw.w * z_dim + zw.z) * y_dim + xy.channel[0].y) * x_dim + xy.channel[0].x;
    const unsigned count = xy.channel[1].x + 1 - xy.channel[0].x;

    double exponents = -1;
    const bool block = is_block_float(in);
    const bool forced = get(f_.force_shared_exp) != 0;
    if (block && !forced) {
      exponents = address + first / 16.0;
      const bool section = size == 1 || !get(f_.tile.no_bfp_exp_section);
      if (section) address += std::ceil(std::ceil(x_dim * y_dim * z_dim * w_dim / 16.0) / 16) * 16;
    }
    double data = address + first * size;
    const auto wrap = [&](double a) {
      return a > get(f_.limit_address) * 16.0 ? a - get(f_.fifo_size) * 16.0 : a;
    };
    exponents = wrap(exponents);
    data = wrap(data);

    const AddressCounter& to = b_.adcs.of(thread_).unpacker[u_].channel[1];
    unsigned index = get(f_.channel1.base) + to.y * get(f_.channel1.y_stride) +
                     to.z * get(f_.channel1.z_stride) + to.w * get(f_.channel1.w_stride);
    if (datum_bits(out) == 32) index /= 4;
    if (datum_bits(out) == 16) index /= 2;
    const bool to_dst =
        u_ == 0 && (multi ? get(f_.unpack_to_dst_context(context)) : get(f_.unpack_to_dst)) != 0;
    if (multi && u_ == 0) {
      const unsigned own = get(f_.dest_context(context % 4));
      index = to_dst || get(f_.add_dest_addr_cntr) ? index + own : own;
    }
    const unsigned shift = u_ == 0 ? get(f_.shift_amount(context % 4)) : 0;
    const bool transpose = u_ == 0 && get(f_.haloize_mode);
    const bool upsample = get(f_.upsample_rate) == 1;
    const bool skips = get(f_.upsample_and_interleave) != 0;
    const bool override_row = b_.backend.thread[thread_][3] >> 2 & 1;

    std::vector<Written> result;
    for (unsigned i = 0; i < count;) {
      std::uint32_t value = convert(in, out, to_dst, bits_at(data, datum_bits(in)),
                                    forced  ? get(f_.forced_shared_exp)
                                    : block ? bits_at(std::floor(exponents), 8)
                                            : 0);
      data += size;
      if (++i % 16 == 0) data = wrap(data);
      if (block && !forced) {
        exponents += 1 / 16.0;
        if (exponents == std::floor(exponents / 16) * 16) exponents = wrap(exponents);
      }
      if (field(4, 1)) value = 0;
      for (unsigned k = 0; k < (upsample ? 2u : 1u); ++k, ++index) {
        if (k != 0 && skips) continue;
        place(index, k == 0 ? value : 0, to_dst, override_row, shift, transpose, result);
      }
    }
    return result;
  }

 private:
  unsigned field(unsigned low, unsigned width) const { return word_ >> low & ((1u << width) - 1); }
  unsigned get(const cfg::Field& f) const {
    return f.get(b_.backend.bank[b_.backend.thread[thread_][0] & 1]);
  }
  unsigned bits_at(double address, unsigned count) const {
    const auto bit = static_cast<std::uint64_t>(address * 8);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) {
      value |= std::uint64_t{b_.l1.bytes()[(bit + i) / 8] >> ((bit + i) % 8) & 1u} << i;
    }
    return static_cast<unsigned>(value);
  }
  /// Another test checks conversions; here the right datum must reach the right place.
  std::uint32_t convert(DataFormat in, DataFormat out, bool to_dst, std::uint32_t bits,
                        unsigned exponent) const {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &bits, 4);
    const auto e = static_cast<std::uint8_t>(exponent);
    std::uint32_t result = 0;
    UnpackConversion(in, out, to_dst, false).apply(bytes, 0, &e, 1, &result);
    return result;
  }
  void place(unsigned index, std::uint32_t value, bool to_dst, bool override_row, unsigned shift,
             bool transpose, std::vector<Written>& result) const {
    int row = static_cast<int>(index / 16), column = static_cast<int>(index % 16);
    if (u_ == 1) {
      result.push_back({(row + b_.registers.srcb.unpacker_row[thread_]) % 64, column, value});
      return;
    }
    row -= 4;
    if (to_dst) {
      result.push_back({((row % 1024) + 1024) % 1024, column, value});
      return;
    }
    if (row < 0 || column < static_cast<int>(shift)) return;
    column -= static_cast<int>(shift);
    if (!override_row) row += b_.registers.srca.unpacker_row[thread_];
    if (transpose) {
      const int low = row % 16;
      row = row - low + column;
      column = low;
    }
    result.push_back({row, column, value});
  }

  MovementBench& b_;
  std::uint32_t word_;
  unsigned thread_;
  unsigned u_;
  const cfg::UnpackerFields& f_;
};

class RandomUnpack : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomUnpack, WritesWhatTheDocumentedStepsSay) {
  TestRandom random(GetParam());
  constexpr DataFormat kFormats[] = {DataFormat::kBf16, DataFormat::kFp16,  DataFormat::kFp32,
                                     DataFormat::kFp32, DataFormat::kInt16, DataFormat::kBfp8,
                                     DataFormat::kBfp4, DataFormat::kBfp2,  DataFormat::kInt8,
                                     DataFormat::kFp8};
  for (int round = 0; round < 150; ++round) {
    auto bench = std::make_unique<MovementBench>();
    MovementBench& b = *bench;
    const unsigned thread = random.below(3), u = random.below(2), state = random.below(2);
    const cfg::UnpackerFields& f = cfg::kUnpacker[u];
    const auto put = [&](const cfg::Field& field, std::uint32_t value) {
      b.set(field, value, state);
    };
    b.set_thread(thread, cfg::thread::kStateId, state);
    for (unsigned i = 0; i < 0x10000; i += 8) {
      const std::uint64_t bits = random.next();
      std::memcpy(b.l1.bytes() + i, &bits, 8);
    }
    const bool multi = random.below(2) != 0;
    const unsigned context = multi ? random.below(u == 0 ? 8 : 2) : 0;
    const unsigned adc = multi ? random.below(3) : thread;
    const bool to_dst = u == 0 && random.below(3) == 0;
    const DataFormat in = kFormats[random.below(std::size(kFormats))];
    DataFormat out = in;
    if (in == DataFormat::kFp32) {
      out = to_dst ? DataFormat::kFp32 : random.below(2) ? DataFormat::kTf32 : DataFormat::kBf16;
    }
    const bool own_format = multi && random.below(2) != 0;
    put(f.override_data_format, own_format);
    put(own_format ? f.data_format_context(context) : f.tile.in_data_format,
        static_cast<unsigned>(in));
    put(own_format ? f.out_data_format_context(context) : f.out_data_format,
        static_cast<unsigned>(out));
    put(multi ? f.disable_zero_compress(context) : f.tile.is_uncompressed, 1);
    const unsigned x_dim = 16 * (1 + random.below(16));
    put(multi && u == 0 ? f.tile_x_dim_context(context % 4) : f.tile.x_dim, x_dim);
    put(f.tile.y_dim, 1 + random.below(4));
    put(f.tile.z_dim, random.below(4));
    put(f.tile.w_dim, random.below(3));
    put(f.tile.digest_size, random.below(3));
    put(f.tile.no_bfp_exp_section, random.below(2));
    put(multi && context ? f.base_context(context) : f.base_address, 4 + random.below(64));
    put(multi && context ? f.offset_context(context % 4) : f.offset_address, random.below(64));
    put(f.force_shared_exp, random.below(2));
    put(f.forced_shared_exp, random.below(256));
    if (random.below(2)) {
      put(f.limit_address, 300);
      put(f.fifo_size, 200);
    }
    put(f.throttle_mode, random.below(3));
    const unsigned count = 1 + random.below(u == 0 && !to_dst ? 200 : 256);
    const unsigned x = random.below(64);
    AddressChannels& channels = b.adcs.of(adc).unpacker[u];
    channels.channel[0].set_x(x);
    channels.channel[1].set_x(x + count - 1);
    channels.channel[0].set_y(random.below(4));
    b.adcs.of(thread).unpacker[u].channel[0].set_z(random.below(4));
    b.adcs.of(thread).unpacker[u].channel[0].set_w(random.below(2));
    // Destination: strides keep rows below 16 for SrcA.
    const unsigned unit = datum_bits(out) == 32 ? 4 : datum_bits(out) == 16 ? 2 : 1;
    AddressCounter& to = b.adcs.of(thread).unpacker[u].channel[1];
    to.set_y(random.below(2));
    to.set_z(random.below(2));
    to.set_w(random.below(2));
    put(f.channel1.base, unit * random.below(96));
    put(f.channel1.y_stride, unit * random.below(8));
    put(f.channel1.z_stride, unit * random.below(8));
    put(f.channel1.w_stride, unit * random.below(8));
    put(f.unpack_to_dst, to_dst);
    put(f.unpack_to_dst_context(context), to_dst);
    if (u == 0 && multi) {
      put(f.dest_context(context % 4), random.below(16));
      put(f.add_dest_addr_cntr, random.below(2));
    }
    const bool upsample = count <= 100 && random.below(4) == 0;
    put(f.upsample_rate, upsample);
    put(f.upsample_and_interleave, random.below(2));
    b.set_thread(thread, cfg::thread::kSrcASetBase, random.below(4));
    b.set_thread(thread, cfg::thread::kSrcBSetBase, random.below(4));
    SrcFile& src = u == 0 ? b.registers.srca : b.registers.srcb;
    src.unpacker_bank = static_cast<std::uint8_t>(random.below(2));
    src.unpacker_row[thread] = static_cast<std::uint8_t>(16 * random.below(4));
    if (u == 0 && !to_dst) {
      b.set_thread(thread, cfg::thread::kSrcASetOverrideWithAddr, random.below(2));
      put(f.shift_amount(context % 4), random.below(2) ? random.below(6) : 0);
    }
    b.set_thread(thread, cfg::thread::context_offset(u), 0);
    put(f.src_reg_set_update, random.below(2));
    put(f.context_count, random.below(4));

    const bool flip = random.below(2) != 0;
    const std::uint32_t word =
        op::encode_unpacr(u, random.below(4), random.below(4), random.below(4), random.below(4), 0,
                          context, adc, multi, flip, random.below(8) == 0, 0, 0, 0);
    std::map<std::pair<int, int>, std::uint32_t> expected;
    for (const auto& w : Reference(b, word, thread).writes()) expected[{w.row, w.column}] = w.value;
    const unsigned bank = src.unpacker_bank;
    const unsigned row_before = src.unpacker_row[thread];
    const AddressCounters before = b.adcs;
    for (auto& row : src.bank[bank].rows) row.fill(0x12345);

    const Issue issued = b.unpackers.issue(word, thread, 0);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);

    const bool wide = datum_bits(out) == 32;
    for (int row = 0; row < (to_dst ? 1024 : 64); ++row) {
      for (int column = 0; column < 16; ++column) {
        const auto it = expected.find({row, column});
        const auto r = static_cast<unsigned>(row), c = static_cast<unsigned>(column);
        if (to_dst) {
          if (it == expected.end()) continue;
          ASSERT_EQ(wide ? b.registers.dst.read32(r, c) : b.registers.dst.read16(r, c), it->second)
              << "round " << round << " row " << row << " column " << column;
        } else {
          ASSERT_EQ(src.bank[bank].rows[r][c], it == expected.end() ? 0x12345 : it->second)
              << "round " << round << " row " << row << " column " << column;
        }
      }
    }
    // Counters of the issuing and of the selected thread move, those of the third do not.
    for (unsigned t = 0; t < 3; ++t) {
      const bool moves = t == thread || t == adc;
      for (unsigned ch = 0; ch < 2; ++ch) {
        const AddressCounter& was = before.of(t).unpacker[u].channel[ch];
        const AddressCounter& is = b.adcs.of(t).unpacker[u].channel[ch];
        const unsigned y = word >> (ch == 0 ? 17 : 21) & 3, z = word >> (ch == 0 ? 15 : 19) & 3;
        ASSERT_EQ(is.y, (was.y + (moves ? y : 0)) % 8192);
        ASSERT_EQ(is.z, (was.z + (moves ? z : 0)) % 256);
        ASSERT_EQ(is.y_cr, was.y_cr);
        ASSERT_EQ(is.x, was.x);
      }
    }
    const unsigned set_base = b.backend.thread[thread][u == 0 ? 3 : 4] & 3;
    unsigned row_after = row_before;
    if (flip) {
      row_after = 16 * set_base;
      ASSERT_EQ(src.bank[bank].allowed_client, SrcClient::kMatrixUnit);
      ASSERT_EQ(src.bank[bank].allowed_from, issued.done);
    } else if (f.src_reg_set_update.get(b.backend.bank[state])) {
      row_after = (row_before + 16 + 16 * set_base) % 64;
    }
    ASSERT_EQ(src.unpacker_bank, bank ^ (flip ? 1u : 0u));
    ASSERT_EQ(src.unpacker_row[thread], row_after);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomUnpack, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace tvp::tensix::coprocessor
