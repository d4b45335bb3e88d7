#include "tests/system/benches/sfpi_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tvp::test {
namespace {

using namespace runtime;

// Cores copy the words, since no other unit uses this memory.
constexpr const char* kReader = R"(
void kernel_main() {
  for (uint32_t cb = 0; cb < 2; ++cb) {
    cb_reserve_back(cb, 1);
    auto* from = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(cb));
    auto* to = reinterpret_cast<volatile uint32_t*>(get_write_ptr(cb));
    for (uint32_t i = 0; i < 1024; ++i) to[i] = from[i];
    cb_push_back(cb, 1);
  }
}
)";
constexpr const char* kWriter = R"(
void kernel_main() {
  auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  for (uint32_t tile = 0; tile < get_arg_val<uint32_t>(1); ++tile) {
    cb_wait_front(16, 1);
    auto* from = reinterpret_cast<volatile uint32_t*>(get_read_ptr(16));
    for (uint32_t i = 0; i < 1024; ++i) *to++ = from[i];
    cb_pop_front(16, 1);
  }
}
)";

std::string compute_text(const std::vector<SfpiCase>& cases, const std::string& before,
                         const std::string& start) {
  std::string text =
      "#include \"compute_kernel_api.h\"\n"
      "#ifdef TRISC_MATH\n" +
      before + "\ntemplate <int> void work(uint32_t, uint32_t, uint32_t);\n";
  std::string calls;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string& type = cases[i].type;
    const std::string mode = type == "vFloat" ? "" : ".mode<DataLayout::I32>()";
    const std::string number = std::to_string(i);
    text += "template <> void work<" + number + ">(uint32_t, uint32_t, uint32_t) {  // " +
            cases[i].name + "\n  for (int d = 0; d < 8; ++d) {\n    " + type + " a = dst_reg[0]" +
            mode + ";\n    " + type + " b = dst_reg[32]" + mode + ";\n    " + type + " r;\n    " +
            cases[i].body + "\n    dst_reg[0]" + mode + " = r;\n    dst_reg++;\n  }\n}\n";
    calls += "  one<" + number + ">();\n";
  }
  return text +
         "#endif\n"
         "template <int N> void one() {\n"
         "  tile_regs_acquire();\n"
         "  copy_tile(0, 0, 0);\n"
         "  copy_tile(1, 0, 1);\n"
         "  MATH((_llk_math_eltwise_binary_sfpu_params_<false>(work<N>, 0, 1, 0)));\n"
         "  tile_regs_commit();\n"
         "  tile_regs_wait();\n"
         "  cb_reserve_back(16, 1);\n"
         "  pack_tile(0, 16);\n"
         "  cb_push_back(16, 1);\n"
         "  tile_regs_release();\n"
         "}\n"
         "void kernel_main() {\n"
         "  init_sfpu(0, 16);\n"
         "  MATH(({" +
         start +
         "}));\n"
         "  cb_wait_front(0, 1);\n"
         "  cb_wait_front(1, 1);\n" +
         calls + "}\n";
}

/// Distance of floats in ulp; of other bits, 0 or a large number.
std::uint32_t distance(std::uint32_t a, std::uint32_t b) {
  if (a == b) return 0;
  const auto ordered = [](std::uint32_t bits) {
    return (bits >> 31) != 0 ? -static_cast<std::int64_t>(bits & 0x7FFFFFFF)
                             : static_cast<std::int64_t>(bits);
  };
  const std::int64_t apart = std::abs(ordered(a) - ordered(b));
  return apart > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<std::uint32_t>(apart);
}

}  // namespace

SfpiBench::SfpiBench(std::string folder) : folder_(std::move(folder)) {
  library_ = DeviceLibrary::open(TVP_LIBRARY);
  library_->configure("system=single_chip");
  mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
  std::filesystem::create_directories(folder_);
}

SfpiBench::~SfpiBench() { mesh_.reset(); }

std::string SfpiBench::write(const std::string& name, const std::string& text) const {
  std::string path = folder_ + "/" + name + ".cpp";
  std::ofstream(path) << text;
  return path;
}

std::vector<SfpiBench::Words> SfpiBench::run(const std::string& name,
                                             const std::vector<SfpiCase>& cases, const Words& a,
                                             const Words& b, const std::string& before,
                                             const std::string& start) {
  constexpr std::uint32_t kBytes = kTileWords * 4;
  const CoreCoord core{0, 0};
  const CoreRangeSet cores{CoreRange{core, core}};
  const auto count = static_cast<std::uint32_t>(cases.size());
  const auto l1 = [&](std::uint32_t bytes) {
    return MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes});
  };
  const auto left = l1(kBytes);
  const auto right = l1(kBytes);
  const auto out = l1(kBytes * count);
  const auto bytes_of = [](const Words& words) {
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
  };
  left->write_shard(0, core, bytes_of(a));
  right->write_shard(0, core, bytes_of(b));

  Program program = CreateProgram();
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 16}) {
    CircularBufferConfig config(2 * kBytes, {{cb, DataFormat::Int32}});
    CreateCircularBuffer(program, core, config.set_page_size(cb, kBytes));
  }
  const auto address = [](const auto& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  const auto reader =
      CreateKernel(program, write("reader", kReader), core, ReaderDataMovementConfig{});
  const auto writer =
      CreateKernel(program, write("writer", kWriter), core, WriterDataMovementConfig{});
  ComputeConfig compute;
  compute.fp32_dest_acc_en = true;
  CreateKernel(program, write(name, compute_text(cases, before, start)), core, compute);
  SetRuntimeArgs(program, reader, core, {address(left), address(right)});
  SetRuntimeArgs(program, writer, core, {address(out), count});
  mesh_->run(0, program);
  const auto times = mesh_->run_times(0, mesh_->device(0).worker(core));
  cycles_ = times.done - times.go;

  const auto bytes = out->read_shard(0, core);
  std::vector<Words> tiles(count, Words(kTileWords));
  for (std::size_t i = 0; i < tiles.size(); ++i)
    std::memcpy(tiles[i].data(), bytes.data() + i * kBytes, kBytes);
  return tiles;
}

void SfpiBench::check(const std::string& name, const std::vector<SfpiCase>& cases, const Words& a,
                      const Words& b, const std::string& before, const std::string& start) {
  const std::vector<Words> results = run(name, cases, a, b, before, start);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    int wrong = 0;
    for (std::size_t i = 0; i < kTileWords; ++i) {
      const std::uint32_t expected = cases[c].golden(a[i], b[i]);
      if (distance(results[c][i], expected) <= cases[c].ulps) continue;
      if (++wrong > 3) continue;
      ADD_FAILURE() << cases[c].name << ": " << cases[c].body << std::hex << "\n  a " << a[i]
                    << " (" << std::bit_cast<float>(a[i]) << ") b " << b[i] << " ("
                    << std::bit_cast<float>(b[i]) << "): " << results[c][i] << " ("
                    << std::bit_cast<float>(results[c][i]) << "), should be " << expected << " ("
                    << std::bit_cast<float>(expected) << ")";
    }
    EXPECT_EQ(wrong, 0) << cases[c].name;
  }
}

}  // namespace tvp::test
