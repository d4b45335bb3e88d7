#include "foundation/regs/tensix_config.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tvp::regs::config {
namespace {

/// Fields that a block owns must not share bits.
class Occupancy {
 public:
  void add(const Field& f, const char* what) {
    ASSERT_LT(f.addr32, 256u) << what;
    ASSERT_NE(f.mask, 0u) << what;
    ASSERT_EQ(f.mask & used_[f.addr32], 0u) << what << " at word " << f.addr32;
    used_[f.addr32] |= f.mask;
  }

 private:
  std::uint32_t used_[256] = {};
};

TEST(TensixConfig, FieldsOfPackersDoNotOverlap) {
  Occupancy all;
  for (const PackerFields& f : kPacker) {
    for (const Field& each : {f.row_start_section_size,
                              f.exp_section_size,
                              f.l1_dest_addr,
                              f.disable_zero_compress,
                              f.add_l1_dest_addr_offset,
                              f.addr_cnt_context,
                              f.out_data_format,
                              f.in_data_format,
                              f.disable_shared_exp_assembler,
                              f.force_pack_per_max_xy_plane,
                              f.enable_out_fifo,
                              f.sub_l1_tile_header_size,
                              f.source_interface_selection,
                              f.add_tile_header_size,
                              f.l1_source_addr,
                              f.downsample_mask,
                              f.downsample_rate,
                              f.read_mode,
                              f.exp_threshold_en,
                              f.l1_accumulate,
                              f.disable_zero_flags,
                              f.exp_threshold,
                              f.limit_address,
                              f.fifo_size,
                              f.dest_offset,
                              f.dest_z_offset}) {
      all.add(each, "packer");
    }
  }
  all.add(kAllPackDisableZeroCompress, "all packers");
  all.add(kAllPackDisableZeroCompressOverride, "all packers");
  for (const UnpackerFields& f : kUnpacker) {
    for (const AddressControl& c : {f.channel0, f.channel1}) {
      for (const Field& each : {c.x_stride, c.y_stride, c.z_stride, c.w_stride, c.base}) {
        all.add(each, "channel");
      }
    }
    const TileDescriptorFields& t = f.tile;
    for (const Field& each : {f.forced_shared_exp,
                              f.add_dest_addr_cntr,
                              f.out_data_format,
                              f.throttle_mode,
                              f.context_count,
                              f.haloize_mode,
                              f.tileize_mode,
                              f.src_reg_set_update,
                              f.unpack_to_dst,
                              f.upsample_rate,
                              f.override_data_format,
                              f.upsample_and_interleave,
                              f.force_shared_exp,
                              f.limit_address,
                              f.fifo_size,
                              f.base_address,
                              f.offset_address,
                              t.in_data_format,
                              t.is_uncompressed,
                              t.no_bfp_exp_section,
                              t.blobs_per_xy_plane,
                              t.x_dim,
                              t.y_dim,
                              t.z_dim,
                              t.w_dim,
                              t.blobs_y_start_low,
                              t.blobs_y_start_high,
                              t.digest_size}) {
      all.add(each, "unpacker");
    }
    for (unsigned context = 0; context < 8; ++context) {
      all.add(f.disable_zero_compress(context), "context");
      all.add(f.unpack_to_dst_context(context), "context");
      all.add(f.data_format_context(context), "context");
      all.add(f.out_data_format_context(context), "context");
      if (context != 0) all.add(f.base_context(context), "context");
      if (context >= 4) continue;
      all.add(f.shift_amount(context), "context");
      all.add(f.dest_context(context), "context");
      all.add(f.tile_x_dim_context(context), "context");
      if (context != 0) all.add(f.offset_context(context), "context");
    }
  }
  for (const MoverFields& f : kMover) {
    for (const Field& each :
         {f.source_address, f.destination_address, f.buffer_size, f.transfer_direction}) {
      all.add(each, "mover");
    }
  }
}

TEST(TensixConfig, TileDescriptorIsAsDocumented) {
  // First bit and width of each field in the 128 bits (UNPACR_Regular.md).
  const TileDescriptorFields& t = kUnpacker[1].tile;
  const struct {
    const Field& field;
    unsigned first, bits;
  } kRows[] = {{t.in_data_format, 0, 4},
               {t.is_uncompressed, 4, 1},
               {t.no_bfp_exp_section, 5, 1},
               {t.blobs_per_xy_plane, 8, 3},
               {t.x_dim, 16, 16},
               {t.y_dim, 32, 8},
               {t.z_dim, 48, 8},
               {t.w_dim, 64, 8},
               {t.blobs_y_start_low, 80, 16},
               {t.blobs_y_start_high, 96, 16},
               {t.digest_size, 120, 8}};
  const unsigned base = kUnpacker[1].section;
  EXPECT_EQ(base, 92u);
  for (const auto& row : kRows) {
    EXPECT_EQ(row.field.addr32, base + row.first / 32);
    EXPECT_EQ(row.field.shift, row.first % 32);
    EXPECT_EQ(row.field.mask >> row.field.shift, (1u << row.bits) - 1);
  }
}

TEST(TensixConfig, FieldReadsAndWritesItsBitsOnly) {
  const Field f = field(3, 6, 16);
  EXPECT_EQ(f.insert(0xFFFFFFFF, 0), 0xFFC0003Fu);
  EXPECT_EQ(f.insert(0, 0x12345), 0x2345u << 6);
  EXPECT_EQ(f.of_word(f.place(0x8001)), 0x8001u);
  std::vector<std::uint32_t> bank(8);
  bank[3] = 0xABCD << 6;
  EXPECT_EQ(f.get(bank), 0xABCDu);
  EXPECT_EQ(field(0, 0, 32).mask, 0xFFFFFFFFu);
}

TEST(TensixConfig, AddressModifiersFillTheirWords) {
  Occupancy thread;
  for (unsigned i = 0; i < 8; ++i) {
    const auto ab = thread::addr_mod_ab(i);
    for (const Field& f : {ab.src_a_incr, ab.src_a_cr, ab.src_a_clear, ab.src_b_incr, ab.src_b_cr,
                           ab.src_b_clear, ab.bias_incr, ab.bias_clear}) {
      thread.add(f, "AB");
    }
    const auto dst = thread::addr_mod_dst(i);
    for (const Field& f : {dst.dest_incr, dst.dest_cr, dst.dest_clear, dst.dest_c_to_cr,
                           dst.fidelity_incr, dst.fidelity_clear}) {
      thread.add(f, "DST");
    }
    const auto pack = thread::addr_mod_pack(i);
    for (const Field& f :
         {pack.y_src_incr, pack.y_src_cr, pack.y_src_clear, pack.y_dst_incr, pack.y_dst_cr,
          pack.y_dst_clear, pack.z_src_incr, pack.z_src_clear, pack.z_dst_incr, pack.z_dst_clear}) {
      thread.add(f, "PACK");
    }
    const auto bias = thread::addr_mod_bias(i);
    thread.add(bias.bias_incr, "BIAS");
    thread.add(bias.bias_clear, "BIAS");
  }
  EXPECT_EQ(thread::kFp16aForce.addr32, kThreadWords - 1);
  EXPECT_LT(global::kPrefetchMaxRequests.addr32, kBankWords);
}

}  // namespace
}  // namespace tvp::regs::config
