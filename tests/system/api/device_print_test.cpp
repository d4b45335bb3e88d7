// Output of kernels: formats with placeholders, slices of tiles, pages.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sw/runtime/host_api.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

TEST(DevicePrint, FormatsSlicesAndPages) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "device_print";
  fs::create_directories(folder);
  const fs::path path = folder / "prints.cpp";
  // Each datum of the tile is its index in L1: face, row of the face, column.
  std::ofstream(path)
      << "#include \"api/debug/dprint.h\"\n#include \"api/debug/dprint_pages.h\"\n"
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
         "}\n";
  auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  std::vector<std::string> lines;
  MeshDevice::Options options;
  options.dprint = true;
  options.print = [&lines](const std::string& line) { lines.push_back(line); };
  MeshDevice mesh(*library, options);
  Program program = CreateProgram();
  const CoreCoord core{0, 0};
  CircularBufferConfig buffer(4096, {{0, DataFormat::Float32}});
  CreateCircularBuffer(program, core, buffer.set_page_size(0, 4096));
  CreateKernel(program, path.string(), core, DataMovementConfig{});
  mesh.run(0, program);
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

TEST(DevicePrint, RowsOfTilesOnComputeCores) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "device_print";
  fs::create_directories(folder);
  const fs::path fill = folder / "fills_rows.cpp", print = folder / "prints_rows.cpp";
  std::ofstream(fill)
      << "void kernel_main() {\n"
         "  cb_reserve_back(0, 1);\n"
         "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
         "  for (uint32_t i = 0; i < 1024; ++i) data[i] = __builtin_bit_cast(uint32_t, (float)i);\n"
         "  cb_push_back(0, 1);\n"
         "}\n";
  std::ofstream(print)
      << "#include \"api/compute/common.h\"\n"
         "#include \"api/debug/dprint_pages.h\"\n"
         "void kernel_main() {\n"
         "  cb_wait_front(0, 1);\n"
         "  UNPACK((print_cb_details(0)));\n"
         "  UNPACK((tt::compute::common::print_tile_rows(0, 0, true, 1, 3, 14, 18)));\n"
         "  UNPACK((tt::compute::common::print_full_tile(0)));\n"
         "  cb_pop_front(0, 1);\n"
         "}\n";
  auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  std::vector<std::string> lines;
  MeshDevice::Options options;
  options.dprint = true;
  options.print = [&lines](const std::string& line) { lines.push_back(line); };
  MeshDevice mesh(*library, options);
  Program program = CreateProgram();
  const CoreCoord core{0, 0};
  CircularBufferConfig buffer(4096, {{0, DataFormat::Float32}});
  CreateCircularBuffer(program, core, buffer.set_page_size(0, 4096));
  CreateKernel(program, fill.string(), core, DataMovementConfig{});
  CreateKernel(program, print.string(), core, ComputeConfig{});
  mesh.run(0, program);
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

// The hash is FNV-1a over the words of two tiles.
TEST(DevicePrint, HashesOfCircularBuffers) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "device_print";
  fs::create_directories(folder);
  const fs::path fill = folder / "fills.cpp", hash = folder / "hashes.cpp";
  std::ofstream(fill) << "void kernel_main() {\n"
                         "  cb_reserve_back(0, 2);\n"
                         "  auto* data = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));\n"
                         "  for (uint32_t i = 0; i < 1024; ++i) data[i] = i * i;\n"
                         "  cb_push_back(0, 2);\n"
                         "}\n";
  std::ofstream(hash) << "#define DEBUG_CB_HASH 1\n"
                         "#include \"api/compute/eltwise_unary/eltwise_unary.h\"\n"
                         "#include \"api/compute/debug/cb_hash.h\"\n"
                         "void kernel_main() {\n"
                         "  unary_op_init_common(0, 16);\n"
                         "  cb_wait_front(0, 2);\n"
                         "  hash_cb_trisc(0, 2, 0xBEEF);\n"
                         "  cb_pop_front(0, 2);\n"
                         "}\n";
  auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  std::vector<std::string> lines;
  MeshDevice::Options options;
  options.dprint = true;
  options.print = [&lines](const std::string& line) { lines.push_back(line); };
  MeshDevice mesh(*library, options);
  Program program = CreateProgram();
  const CoreCoord core{0, 0};
  for (const std::uint8_t cb : {std::uint8_t{0}, std::uint8_t{16}}) {
    CircularBufferConfig buffer(4096, {{cb, DataFormat::Float16_b}});
    CreateCircularBuffer(program, core, buffer.set_page_size(cb, 2048));
  }
  CreateKernel(program, fill.string(), core, ReaderDataMovementConfig());
  CreateKernel(program, hash.string(), core, ComputeConfig{});
  mesh.run(0, program);
  std::uint32_t expected = 0x811C9DC5;
  for (std::uint32_t i = 0; i < 1024; ++i) expected = (expected ^ i * i) * 0x01000193;
  char text[64];
  std::snprintf(text, sizeof text, "hash[0xbeef] cb=0 tiles=2 = 0x%x", expected);
  ASSERT_EQ(lines.size(), 1U) << testing::PrintToString(lines);
  EXPECT_NE(lines[0].find(text), std::string::npos) << lines[0] << " instead of " << text;
}

TEST(DevicePrint, WaitsForSignals) {
  const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "device_print";
  fs::create_directories(folder);
  const fs::path path = folder / "signals.cpp";
  std::ofstream(path) << "#include \"api/debug/dprint.h\"\n#include \"ckernel.h\"\n"
                         "void kernel_main() {\n"
                         "  DPRINT_DATA0(DPRINT << 1 << ENDL() << WAIT{7} << 4 << ENDL();)\n"
                         "  DPRINT_DATA1(ckernel::wait(20000);)\n"
                         "  DPRINT_DATA1(DPRINT << 2 << ENDL() << RAISE{8} << 3 << ENDL();)\n"
                         "  DPRINT_DATA1(DPRINT << RAISE{7} << WAIT{8} << 5 << ENDL();)\n"
                         "}\n";
  auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  std::vector<std::string> lines;
  MeshDevice::Options options;
  options.dprint = true;
  options.print = [&lines](const std::string& line) { lines.push_back(line); };
  MeshDevice mesh(*library, options);
  Program program = CreateProgram();
  const CoreCoord core{0, 0};
  CreateKernel(program, path.string(), core, WriterDataMovementConfig());
  CreateKernel(program, path.string(), core, ReaderDataMovementConfig());
  mesh.run(0, program);
  ASSERT_EQ(lines.size(), 5U) << testing::PrintToString(lines);
  std::string order;
  for (const std::string& line : lines) order += line.back();
  EXPECT_LT(order.find('3'), order.find('4')) << order;
  EXPECT_LT(order.find('2'), order.find('5')) << order;
}

}  // namespace
}  // namespace tvp::runtime
