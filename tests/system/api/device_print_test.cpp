// Output of kernels: format strings and their arguments, slices of tiles, pages.

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/written_kernel.h"

namespace tvp::runtime {
namespace {

/// Runs a program on one chip and keeps the lines that its kernels print.
class DevicePrint : public testing::Test {
 protected:
  DevicePrint() { library_->configure("system=single_chip"); }

  static std::string kernel(const std::string& name, const std::string& text) {
    return test::written("device_print/" + name, text);
  }
  void add_buffer(std::uint8_t index, DataFormat format, std::uint32_t page) {
    CircularBufferConfig buffer(4096, {{index, format}});
    CreateCircularBuffer(program_, kCore, buffer.set_page_size(index, page));
  }
  std::vector<std::string> run() {
    std::vector<std::string> lines;
    MeshDevice::Options options;
    options.dprint = true;
    options.print = [&lines](const std::string& line) { lines.push_back(line); };
    MeshDevice mesh(*library_, options);
    mesh.run(0, program_);
    return lines;
  }

  static constexpr CoreCoord kCore{0, 0};
  std::unique_ptr<DeviceLibrary> library_ = DeviceLibrary::open(TVP_LIBRARY);
  Program program_;
};

TEST_F(DevicePrint, FormatsSlicesAndPages) {
  // Each datum of the tile is its index in L1: face, row of the face, column.
  const std::string path = kernel(
      "prints.cpp",
      "#include \"api/debug/dprint.h\"\n#include \"api/debug/dprint_pages.h\"\n"
      "void kernel_main() {\n"
      "  cb_reserve_back(0, 1);\n"
      "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
      "  for (uint32_t i = 0; i < 1024; ++i) data[i] = __builtin_bit_cast(uint32_t, (float)i);\n"
      "  DEVICE_PRINT(\"no places\\n\");\n"
      "  DEVICE_PRINT(\"a {} b {:x} {{c}} {}\\nnext {}\\n\", 17, 0x2F, \"text\", -3);\n"
      "  DPRINT << TileSlice(0, 0, SliceRange{0, 32, 16, 0, 32, 16}, TSLICE_INPUT_CB,\n"
      "                      TSLICE_WR_PTR, true, true);\n"
      "  DPRINT << TileSlice(0, 0, SliceRange::hw041(), TSLICE_OUTPUT_CB, TSLICE_WR_PTR, true,\n"
      "                      false) << U32(9) << ENDL();\n"
      "  print_f32_pages(get_write_ptr(0), 3, 2, 1);\n"
      "  DPRINT(\"of {} in {:x}\\n\", CTSTR(\"June\"), 0x2026);\n"
      "  DPRINT(\"{} no more\\n\", bf16_t(0x3FC0));\n"
      "  DPRINT(\"{} {} {}\\n\", bf4_t(128, 0b1110), bf8_t(127, 3), bf8_t(126, 0x40));\n"
      "  DPRINT_DATA0(\"one core alone\\n\");\n"
      "  DPRINT_DATA0(\"{} and {:x}\\n\", 5, 0x2A);\n"
      "  DPRINT_DATA0(DPRINT << \"of \" << 2023 << ENDL());\n"
      "  DPRINT_DATA0({ DPRINT << \"a\"; DPRINT << \"block\" << ENDL(); });\n"
      "  DPRINT_DATA0(DPRINT << \"two\" << ENDL(); DPRINT << \"statements\" << ENDL(););\n"
      "  DPRINT_DATA1(\"another core's {}\\n\", 1);\n"
      "}\n");
  add_buffer(0, DataFormat::Float32, 4096);
  CreateKernel(program_, path, kCore, DataMovementConfig{});
  const std::vector<std::string> lines = run();
  const std::vector<std::string> expected = {
      "no places",      "a 17 b 2f {c} text", "next -3",         "0 256 ",
      "512 768 ",  // first datums of the faces
      "0 1 2 3 ",       "32 33 34 35 ",       "64 65 66 67 ",    "96 97 98 99 ", "9",
      "1: 3 4 5 ",      "2: 6 7 8 ",          "of June in 2026", "1.5 no more",  "-3 0.046875 0.5",
      "one core alone", "5 and 2a",           "of 2023",         "ablock",       "two",
      "statements"};
  ASSERT_EQ(lines.size(), expected.size()) << testing::PrintToString(lines);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(lines[i].substr(lines[i].find("BR: ") + 4), expected[i]) << lines[i];
}

TEST_F(DevicePrint, RowsOfTilesOnComputeCores) {
  const std::string fill = kernel(
      "fills_rows.cpp",
      "void kernel_main() {\n"
      "  cb_reserve_back(0, 1);\n"
      "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
      "  for (uint32_t i = 0; i < 1024; ++i) data[i] = __builtin_bit_cast(uint32_t, (float)i);\n"
      "  cb_push_back(0, 1);\n"
      "}\n");
  const std::string print =
      kernel("prints_rows.cpp",
             "#include \"api/compute/common.h\"\n"
             "#include \"api/debug/dprint_pages.h\"\n"
             "void kernel_main() {\n"
             "  cb_wait_front(0, 1);\n"
             "  UNPACK((print_cb_details(0)));\n"
             "  UNPACK((tt::compute::common::print_tile_rows(0, 0, true, 1, 3, 14, 18)));\n"
             "  UNPACK((tt::compute::common::print_full_tile(0)));\n"
             "  cb_pop_front(0, 1);\n"
             "}\n");
  add_buffer(0, DataFormat::Float32, 4096);
  CreateKernel(program_, fill, kCore, DataMovementConfig{});
  CreateKernel(program_, print, kCore, ComputeConfig{});
  const std::vector<std::string> lines = run();
  ASSERT_EQ(lines.size(), 1U + 2 + 2 + 1 + 1 + 32 + 1) << testing::PrintToString(lines);
  const auto text = [&](std::size_t i) { return lines[i].substr(lines[i].find("TR0: ") + 5); };
  EXPECT_EQ(text(0).substr(0, 23), "cb_id 0: { size: 256, l") << text(0);
  EXPECT_EQ(text(1), "cb_idx: 0 tile_idx: 0");
  EXPECT_EQ(text(2), "======");
  EXPECT_EQ(text(3), "1: 30 31 272 273 ");  // from two faces
  EXPECT_EQ(text(4), "2: 46 47 288 289 ");
  EXPECT_EQ(text(5), "++++++");
  EXPECT_EQ(text(7).substr(0, 9), "0: 0 1 2 ");
  EXPECT_EQ(text(38).substr(0, 4), "31: ");
}

// The second tile in the second half of Dst, of 16 and of 32 bits a datum. Each datum is its index
// in L1, in quarters where 32 bits hold them.
TEST_F(DevicePrint, TilesInDst) {
  const std::string fill = kernel(
      "fills_tiles.cpp",
      "void kernel_main() {\n"
      "  cb_reserve_back(0, 2);\n"
      "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
      "  for (uint32_t i = 0; i < 2048; ++i)\n"
      "    data[i] = __builtin_bit_cast(uint32_t, (int)(i % 256) / DIVISOR - 8.0f * (i / 1024));\n"
      "  cb_push_back(0, 2);\n"
      "}\n");
  const std::string print = kernel("prints_dst.cpp",
                                   "#include \"api/compute/common.h\"\n"
                                   "#include \"api/compute/eltwise_unary/eltwise_unary.h\"\n"
                                   "#include \"api/compute/tile_move_copy.h\"\n"
                                   "#include \"api/debug/dprint_tensix.h\"\n"
                                   "void kernel_main() {\n"
                                   "  unary_op_init_common(0, 16);\n"
                                   "  cb_wait_front(0, 2);\n"
                                   "  for (uint32_t i = 0; i < 2; ++i) {\n"
                                   "    tile_regs_acquire();\n"
                                   "    copy_tile(0, 1 - i, 0);\n"
                                   "    copy_tile(0, i, 1);\n"
                                   "    if (i == 1) dprint_tensix_dest_reg<true>(1);\n"
                                   "    uint32_t words[8] = {};\n"
                                   "    dbg_halt();\n"
                                   "    dbg_read_dest_acc_row(1, words);\n"
                                   "    dbg_unhalt();\n"
                                   "    MATH(DPRINT << HEX() << words[0] << ENDL());\n"
                                   "    tile_regs_commit();\n"
                                   "    tile_regs_wait();\n"
                                   "    tile_regs_release();\n"
                                   "  }\n"
                                   "  cb_pop_front(0, 2);\n"
                                   "}\n");
  for (const bool wide : {false, true}) {
    program_ = Program();
    CircularBufferConfig buffer(8192, {{0, DataFormat::Float32}});
    CreateCircularBuffer(program_, kCore, buffer.set_page_size(0, 4096));
    add_buffer(16, DataFormat::Float32, 4096);
    CreateKernel(program_, fill, kCore,
                 DataMovementConfig{.defines = {{"DIVISOR", wide ? "4.0f" : "1.0f"}}});
    CreateKernel(program_, print, kCore, ComputeConfig{.fp32_dest_acc_en = wide});
    const std::vector<std::string> lines = run();
    ASSERT_EQ(lines.size(), 1U + 1 + 64 + 4 + 1) << testing::PrintToString(lines);
    const auto text = [&](std::size_t i) { return lines[i].substr(lines[i].find("TR1: ") + 5); };
    EXPECT_EQ(text(1), "Tile ID = 1");
    for (unsigned row = 0; row < 64; ++row) {
      std::string expected;
      for (unsigned column = 0; column < 16; ++column) {
        char number[16];
        const double index = (row * 16 + column) % 256;
        std::snprintf(number, sizeof number, "%8.4f ", (wide ? index / 4 : index) - 8);
        expected += number;
      }
      EXPECT_EQ(text(2 + row + row / 16), expected) << row;
    }
    // Two datums of row 1: sign, mantissa, exponent. 8 and 9, or -4 and -3.75; then 8 more each.
    EXPECT_EQ(text(0), wide ? "f0808081" : "10820082");
    EXPECT_EQ(text(70), wide ? "8810081" : "8830083");
  }
}

// The formats that an operation configures, then registers that the kernel fills with other words.
TEST_F(DevicePrint, ConfigurationOfTheCoprocessor) {
  const std::string path = kernel("prints_config.cpp", R"(
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/debug/dprint_tensix_pack.h"
#include "api/debug/dprint_tensix_unpack.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  auto* const cfg = get_cfg_pointer();
  const auto fill = [&](uint32_t at, std::array<uint32_t, 4> words, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) cfg[at + i] = words[i];
  };
  UNPACK({
    dprint_tensix_unpack_tile_descriptor_in_data_format(unpacker::read_unpack_tile_descriptor()[0]);
    fill(THCON_SEC1_REG0_TileDescriptor_ADDR32,
         {7 | 1 << 4 | 5 << 5 | 9 << 8 | 3 << 12 | 300 << 16, 40 | 50 << 16, 60 | 70 << 16,
          1 | 0xAB << 16 | 99 << 24}, 4);
    dprint_tensix_unpack_tile_descriptor(2);
    fill(THCON_SEC0_REG2_Out_data_format_ADDR32,
         {12 | 2 << 4 | 1 << 6 | 1 << 8 | 1 << 10 | 3 << 12 | 1 << 15 | 4660 << 16,
          0xA | 5 << 4 | 1 << 8 | 0x11 << 9 | 0xC << 16 | 3 << 20 | 0x7F << 24,
          0x10001 | 3 << 17, 70000 | 5 << 17}, 4);
    dprint_tensix_unpack_config(1);
  })
  MATH({
    fill(ALU_ROUNDING_MODE_Fpu_srnd_en_ADDR32,
         {0b101 | 0x155 << 3 | 1 << 13 | 1 << 15 | 6 << 17 | 5 << 21 | 1u << 29 | 1u << 31}, 1);
    dprint_tensix_alu_config();
    fill(ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR32, {1 | 2 << 2 | 1000 << 6}, 1);
    dprint_tensix_pack_relu_config();
    fill(THCON_SEC1_REG8_Row_start_section_size_ADDR32,
         {17 | 34 << 16, 0xDEADBEEF, 1 | 2 << 2 | 5 << 4 | 9 << 12 | 1 << 16 | 100 << 17 | 0x5A << 24,
          0xF0F0 | 5 << 16 | 1 << 19 | 2 << 21 | 1 << 23 | 77 << 24}, 4);
    dprint_tensix_pack_config(4);
  })
  PACK({
    dprint_tensix_pack_config_out_data_format(packer::read_pack_config()[0]);
    fill(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, {0b1010 | 0x123 << 4}, 1);
    dprint_tensix_dest_rd_ctrl();
    fill(PCK_EDGE_OFFSET_SEC0_mask_ADDR32,
         {0xBEEF | 1 << 16 | 0b10'01'00'11 << 17 | 0x41u << 25, 1, 2, 3}, 4);
    dprint_tensix_pack_edge_offset();
    fill(PACK_COUNTERS_SEC2_pack_per_xy_plane_ADDR32, {4 | 8 << 8 | 2 << 16 | 1 << 23 | 6 << 24}, 1);
    dprint_tensix_pack_counters(3);
    dprint_tensix_pack_counters(5);
    fill(10, {100 | 200 << 16, 300 | 400 << 16}, 2);  // PCK0_ADDR_CTRL_XY_REG_1
    dprint_tensix_pack_strides(2);
  })
}
)");
  add_buffer(0, DataFormat::Float32, 4096);
  CircularBufferConfig out(1088, {{16, DataFormat::Bfp8_b}});
  CreateCircularBuffer(program_, kCore, out.set_page_size(16, 1088));
  CreateKernel(program_, path, kCore, ComputeConfig{});
  std::map<std::string, std::vector<std::string>> printed;
  for (const std::string& line : run()) {
    const std::size_t core = line.find("TR");
    printed[line.substr(core, 3)].push_back(line.substr(core + 5));
  }
  using Lines = std::vector<std::string>;
  EXPECT_EQ(printed["TR0"], Lines({"Float32",
                                   "REG_ID: 2",
                                   "in_data_format: Bfp4_b",
                                   "uncompressed: 0x1",
                                   "reserved_0: 0x5",
                                   "blobs_per_xy_plane: 9",
                                   "reserved_1: 0x3",
                                   "x_dim: 300",
                                   "y_dim: 40",
                                   "z_dim: 50",
                                   "w_dim: 60",
                                   "blobs_y_start: 65606",
                                   "digest_type: 0xab",
                                   "digest_size: 99",
                                   "REG_ID: 1",
                                   "out_data_format: INVALID DATA FORMAT",
                                   "throttle_mode: 0x2",
                                   "context_count: 0x1",
                                   "haloize_mode: 0x1",
                                   "tileize_mode: 0x0",
                                   "unpack_src_reg_set_update: 0x1",
                                   "unpack_if_sel: 0x0",
                                   "upsample_rate: 3",
                                   "reserved_1: 0x0",
                                   "upsample_and_interlave: 0x1",
                                   "shift_amount: 4660",
                                   "uncompress_cntx0_3: 0xa",
                                   "unpack_if_sel_cntx0_3: 0x5",
                                   "force_shared_exp: 0x1",
                                   "reserved_2: 0x11",
                                   "uncompress_cntx4_7: 0xc",
                                   "unpack_if_sel_cntx4_7: 0x3",
                                   "reserved_3: 0x7f",
                                   "limit_addr: 0x10001",
                                   "reserved_4: 0x3",
                                   "fifo_size: 70000",
                                   "reserved_5: 0x5"}));
  EXPECT_EQ(printed["TR1"], Lines({"ALU_ROUNDING_MODE_Fpu_srnd_en: 0x1",
                                   "ALU_ROUNDING_MODE_Gasket_srnd_en: 0x0",
                                   "ALU_ROUNDING_MODE_Packer_srnd_en: 0x1",
                                   "ALU_ROUNDING_MODE_Padding: 0x155",
                                   "ALU_ROUNDING_MODE_GS_LF: 0x1",
                                   "ALU_ROUNDING_MODE_Bfp8_HF: 0x0",
                                   "ALU_FORMAT_SPEC_REG0_SrcAUnsigned: 0x1",
                                   "ALU_FORMAT_SPEC_REG0_SrcBUnsigned: 0x0",
                                   "ALU_FORMAT_SPEC_REG0_SrcA: Bfp8_b",
                                   "ALU_FORMAT_SPEC_REG1_SrcB: Float16_b",
                                   "ALU_FORMAT_SPEC_REG2_Dstacc: Float32",
                                   "ALU_ACC_CTRL_Fp32_enabled: 0x1",
                                   "ALU_ACC_CTRL_SFPU_Fp32_enabled: 0x0",
                                   "ALU_ACC_CTRL_INT8_math_enabled: 0x1",
                                   "ALU_ACC_CTRL_Zero_Flag_disabled_src: 0x1",
                                   "ALU_ACC_CTRL_Zero_Flag_disabled_dst: 0x0",
                                   "STACC_RELU_ApplyRelu: 0x2",
                                   "STACC_RELU_ReluThreshold: 1000",
                                   "DISABLE_RISC_BP_Disable_main: 0x0",
                                   "DISABLE_RISC_BP_Disable_trisc: 0x0",
                                   "DISABLE_RISC_BP_Disable_ncrisc: 0x0",
                                   "DISABLE_RISC_BP_Disable_bmp_clear_main: 0x0",
                                   "DISABLE_RISC_BP_Disable_bmp_clear_trisc: 0x0",
                                   "DISABLE_RISC_BP_Disable_bmp_clear_ncrisc: 0x0",
                                   "REG_ID: 4",
                                   "row_ptr_section_size: 17",
                                   "exp_section_size: 34",
                                   "l1_dest_addr: 0xdeadbeef",
                                   "uncompress: 0x1",
                                   "add_l1_dest_addr_offset: 0x0",
                                   "reserved_0: 0x2",
                                   "out_data_format: Float16_b",
                                   "in_data_format: Float32",
                                   "reserved_1: 0x9",
                                   "src_if_sel: 0x1",
                                   "pack_per_xy_plane: 100",
                                   "l1_src_addr: 0x5a",
                                   "downsample_mask: 0xf0f0",
                                   "downsample_shift_count: 5",
                                   "read_mode: 0x1",
                                   "exp_threshold_en: 0x0",
                                   "pack_l1_acc_disable_pack_zero_flag: 0x2",
                                   "reserved_2: 0x1",
                                   "exp_threshold: 77"}));
  EXPECT_EQ(printed["TR2"], Lines({"Bfp8_b",
                                   "PCK_DEST_RD_CTRL_Read_32b_data: 0x0",
                                   "PCK_DEST_RD_CTRL_Read_unsigned: 0x1",
                                   "PCK_DEST_RD_CTRL_Read_int8: 0x0",
                                   "PCK_DEST_RD_CTRL_Round_10b_mant: 0x1",
                                   "PCK_DEST_RD_CTRL_Reserved: 0x123",
                                   "REG_ID: 1",
                                   "mask: 0xbeef",
                                   "mode: 0x1",
                                   "tile_row_set_select_pack0: 0x3",
                                   "tile_row_set_select_pack1: 0x0",
                                   "tile_row_set_select_pack2: 0x1",
                                   "tile_row_set_select_pack3: 0x2",
                                   "reserved: 0x41",
                                   "",
                                   "REG_ID: 2",
                                   "mask: 0x1",
                                   "",
                                   "REG_ID: 3",
                                   "mask: 0x2",
                                   "",
                                   "REG_ID: 4",
                                   "mask: 0x3",
                                   "REG_ID: 3",
                                   "pack_per_xy_plane: 4",
                                   "pack_reads_per_xy_plane: 8",
                                   "pack_xys_per_til: 2",
                                   "pack_yz_transposed: 0x1",
                                   "pack_per_xy_plane_offset: 6",
                                   "INVALID REGISTER ID! PLEASE CHOOSE A NUMBER BETWEEN 0 AND 4.",
                                   "REG_ID: 2",
                                   "x_stride: 100",
                                   "y_stride: 200",
                                   "z_stride: 300",
                                   "w_stride: 400"}));
}

// The hash is FNV-1a over the words of two tiles.
TEST_F(DevicePrint, HashesOfCircularBuffers) {
  const std::string fill =
      kernel("fills.cpp",
             "void kernel_main() {\n"
             "  cb_reserve_back(0, 2);\n"
             "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
             "  for (uint32_t i = 0; i < 1024; ++i) data[i] = i * i;\n"
             "  cb_push_back(0, 2);\n"
             "}\n");
  const std::string hash = kernel("hashes.cpp",
                                  "#define DEBUG_CB_HASH 1\n"
                                  "#include \"api/compute/eltwise_unary/eltwise_unary.h\"\n"
                                  "#include \"api/compute/debug/cb_hash.h\"\n"
                                  "void kernel_main() {\n"
                                  "  unary_op_init_common(0, 16);\n"
                                  "  cb_wait_front(0, 2);\n"
                                  "  hash_cb_trisc(0, 2, 0xBEEF);\n"
                                  "  cb_pop_front(0, 2);\n"
                                  "}\n");
  for (const std::uint8_t cb : {std::uint8_t{0}, std::uint8_t{16}})
    add_buffer(cb, DataFormat::Float16_b, 2048);
  CreateKernel(program_, fill, kCore, ReaderDataMovementConfig());
  CreateKernel(program_, hash, kCore, ComputeConfig{});
  const std::vector<std::string> lines = run();
  std::uint32_t expected = 0x811C9DC5;
  for (std::uint32_t i = 0; i < 1024; ++i) expected = (expected ^ i * i) * 0x01000193;
  char text[64];
  std::snprintf(text, sizeof text, "hash[0xbeef] cb=0 tiles=2 = 0x%x", expected);
  ASSERT_EQ(lines.size(), 1U) << testing::PrintToString(lines);
  EXPECT_NE(lines[0].find(text), std::string::npos) << lines[0] << " instead of " << text;
}

TEST_F(DevicePrint, WaitsForSignals) {
  const std::string path =
      kernel("signals.cpp",
             "#include \"api/debug/dprint.h\"\n#include \"ckernel.h\"\n"
             "void kernel_main() {\n"
             "  DPRINT_DATA0(DPRINT << 1 << ENDL() << WAIT{7} << 4 << ENDL();)\n"
             "  DPRINT_DATA1(ckernel::wait(20000);)\n"
             "  DPRINT_DATA1(DPRINT << 2 << ENDL() << RAISE{8} << 3 << ENDL();)\n"
             "  DPRINT_DATA1(DPRINT << RAISE{7} << WAIT{8} << 5 << ENDL();)\n"
             "}\n");
  CreateKernel(program_, path, kCore, WriterDataMovementConfig());
  CreateKernel(program_, path, kCore, ReaderDataMovementConfig());
  const std::vector<std::string> lines = run();
  ASSERT_EQ(lines.size(), 5U) << testing::PrintToString(lines);
  std::string order;
  for (const std::string& line : lines) order += line.back();
  EXPECT_LT(order.find('3'), order.find('4')) << order;
  EXPECT_LT(order.find('2'), order.find('5')) << order;
}

}  // namespace
}  // namespace tvp::runtime
