// Random addresses compared with a direct evaluation of the documented steps.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "models/tensix/coprocessor/pack/packers.h"
#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor::packers_random_test {
namespace {

constexpr Cycle kLater = 1000;

class RandomPack : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomPack, ReadsAndWritesWhereTheDocumentedStepsSay) {
  TestRandom random(GetParam());
  auto bench = std::make_unique<MovementBench>();
  MovementBench& b = *bench;
  for (unsigned row = 0; row < 1024; ++row) {
    b.registers.dst.define16(row);
    for (unsigned column = 0; column < 16; ++column) {
      // INT16 passes unchanged, so that each datum shows its origin.
      b.registers.dst.write16(row, column, static_cast<std::uint16_t>(row << 4 | column));
    }
  }
  Cycle now = kLater;
  for (int round = 0; round < 400; ++round, now += kLater) {
    const unsigned thread = random.below(3), state = random.below(2);
    b.set_thread(thread, cfg::thread::kStateId, state);
    const auto put = [&](const cfg::Field& f, std::uint32_t value) { b.set(f, value, state); };
    const auto int16 = static_cast<unsigned>(DataFormat::kInt16);
    put(cfg::alu::kDstFormat, int16);
    put(cfg::pack::edge_mask(0), 0xFFFF);
    put(cfg::pack::kSource.base, 2 * random.below(64));
    put(cfg::pack::kSource.x_stride, random.below(2) ? 2 : 0);
    put(cfg::pack::kSource.y_stride, 2 * random.below(64));
    put(cfg::pack::kSource.z_stride, random.bits(12) & 0xFFE);
    put(cfg::pack::kSource.w_stride, random.bits(12) & 0xFFE);
    put(cfg::pack::kDestination.base, random.below(256));
    put(cfg::pack::kDestination.y_stride, random.below(256));
    put(cfg::pack::kDestination.z_stride, random.below(256));
    put(cfg::pack::kDestination.w_stride, random.below(256));
    const bool relative = random.below(2) != 0;
    std::uint16_t offsets[4];
    for (unsigned i = 0; i < 4; ++i) {
      const cfg::PackerFields& f = cfg::kPacker[i];
      put(f.in_data_format, int16);
      put(f.out_data_format, int16);
      put(f.disable_zero_compress, 1);
      put(f.l1_dest_addr, i == 0 && relative ? 0x80000000u + 0x1000 : 0x2000 + 0x1000 * i);
      put(f.sub_l1_tile_header_size, random.below(2));
      put(f.dest_offset, random.below(1024));
      put(f.addr_cnt_context, random.below(4));
      put(f.add_l1_dest_addr_offset, random.below(2));
      offsets[i] = static_cast<std::uint16_t>(random.below(64));
      b.packers.set_l1_dest_addr_offset(i, offsets[i]);
      if (random.below(3) == 0) {
        put(f.limit_address, 0x1800);
        put(f.fifo_size, 0x100);
      } else {
        put(f.limit_address, 0x1FFFF);
        put(f.fifo_size, 0);
      }
    }
    for (unsigned t = 0; t < 3; ++t) {
      AddressChannels& c = b.adcs.of(t).packers;
      c.channel[0].set_x(random.below(16));
      c.channel[1].set_x(c.channel[0].x + random.below(64));
      for (unsigned ch = 0; ch < 2; ++ch) {
        c.channel[ch].set_y(random.below(8));
        c.channel[ch].y_cr = random.below(8);
        c.channel[ch].set_z(random.below(4));
        c.channel[ch].set_w(random.below(4));
      }
    }
    const unsigned addr_mod = random.below(4);
    const std::uint32_t modifier = random.bits(16);
    b.backend.thread[thread][31 + addr_mod] = modifier;

    constexpr unsigned kMasks[] = {0, 1, 2, 4, 8, 3, 12, 15};
    const unsigned mask = kMasks[random.below(8)];
    const bool override_thread = random.below(2) != 0;
    std::memset(b.l1.bytes(), 0xEE, 0x100000);
    std::vector<std::uint8_t> expected(b.l1.bytes(), b.l1.bytes() + 0x100000);
    const AddressCounters before = b.adcs;
    const auto& words = b.backend.bank[state];
    unsigned adcs = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (!((mask ? mask : 1) >> i & 1)) continue;
      const cfg::PackerFields& f = cfg::kPacker[i];
      unsigned adc = override_thread ? f.addr_cnt_context.get(words) : thread;
      if (adc == 3) adc = 0;
      adcs |= 1u << adc;
      const AddressCounter& from = before.of(adc).packers.channel[0];
      const AddressCounter& to = before.of(adc).packers.channel[1];
      const cfg::AddressControl& s = cfg::pack::kSource;
      const cfg::AddressControl& d = cfg::pack::kDestination;
      const unsigned bytes = s.base.get(words) + from.x * (s.x_stride.get(words) % 16) +
                             from.y * s.y_stride.get(words) + from.z * s.z_stride.get(words) +
                             from.w * s.w_stride.get(words);
      const unsigned first = bytes / 2 / 8 * 8 + from.x % 8 + f.dest_offset.get(words) * 16;
      const unsigned count = to.x - from.x + 1;
      std::uint32_t address = f.l1_dest_addr.get(words) + !f.sub_l1_tile_header_size.get(words);
      if (i != 0 && relative) {
        address += 0x80001000 + !cfg::kPacker[0].sub_l1_tile_header_size.get(words);
      }
      address += (d.base.get(words) + to.y * d.y_stride.get(words) + to.z * d.z_stride.get(words) +
                  to.w * d.w_stride.get(words)) /
                 16 * 16;
      if (f.add_l1_dest_addr_offset.get(words)) {
        address += offsets[i];
      }
      if (address > f.limit_address.get(words) * 2 + 1) address -= f.fifo_size.get(words) * 2;
      address = address % 0x20000 * 16;
      for (unsigned k = 0; k < (count + 7) / 8 * 8; ++k) {
        const unsigned value = k < count ? (first + k) % 0x4000 : 0;
        ASSERT_LT(address + 2 * k + 1, expected.size());
        expected[address + 2 * k] = static_cast<std::uint8_t>(value);
        expected[address + 2 * k + 1] = static_cast<std::uint8_t>(value >> 8);
      }
    }
    const Issue issued =
        b.packers.issue(op::encode_pacr(addr_mod, 0, mask, override_thread, 0, 0, 1), thread, now);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);
    ASSERT_EQ(std::memcmp(expected.data(), b.l1.bytes(), expected.size()), 0) << "round " << round;

    for (unsigned t = 0; t < 3; ++t) {
      for (unsigned ch = 0; ch < 2; ++ch) {
        AddressCounter was = before.of(t).packers.channel[ch];
        const AddressCounter& is = b.adcs.of(t).packers.channel[ch];
        if (adcs >> t & 1) {
          const unsigned m = ch == 0 ? modifier : modifier >> 6;
          const unsigned mz = ch == 0 ? modifier >> 12 : modifier >> 14;
          if (m >> 5 & 1) {
            was.y = was.y_cr = 0;
          } else if (m >> 4 & 1) {
            was.y_cr += m & 15;
            was.y = was.y_cr;
          } else {
            was.y += m & 15;
          }
          if (mz >> 1 & 1) {
            was.z = was.z_cr = 0;
          } else {
            was.z += mz & 1;
          }
        }
        ASSERT_EQ(is.y, was.y) << "round " << round << " thread " << t << " channel " << ch;
        ASSERT_EQ(is.y_cr, was.y_cr);
        ASSERT_EQ(is.z, was.z);
        ASSERT_EQ(is.w, was.w);
        ASSERT_EQ(is.x, was.x);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPack, ::testing::Range(20u, 24u));

}  // namespace
}  // namespace tvp::tensix::coprocessor::packers_random_test
