#include "tests/compare/bench.h"

#include <filesystem>
#include <fstream>

namespace tvp::compare {

using namespace runtime;

namespace {

constexpr std::uint8_t kResult = 16;
constexpr std::uint64_t kMaxCycles = 400000;
constexpr CoreCoord kCore{0, 0};

/// Pushes the pages of all operands for the compute kernel.
constexpr const char* kReader = R"(
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  for (uint32_t cb = 0; cb < get_arg_val<uint32_t>(0); ++cb) {
    const uint32_t tiles = get_arg_val<uint32_t>(1 + cb);
    cb_reserve_back(cb, tiles);
    cb_push_back(cb, tiles);
  }
}
)";

}  // namespace

Bench::Bench(const std::string& library, std::string folder)
    : folder_(std::move(folder)), library_(DeviceLibrary::open(library)) {
  if (library_->takes_settings()) library_->configure("system=single_chip");
  std::filesystem::create_directories(folder_);
  MeshDevice::Options options;
  options.max_cycles = kMaxCycles;
  mesh_ = std::make_unique<MeshDevice>(*library_, options);
}

std::string Bench::file_of(const std::string& text) const {
  std::string name = folder_ + "/" + std::to_string(std::hash<std::string>{}(text)) + ".cpp";
  if (!std::filesystem::exists(name)) std::ofstream(name) << text;
  return name;
}

std::shared_ptr<MeshBuffer> Bench::in_l1(CoreCoord core, const Bytes& content) {
  auto buffer = MeshBuffer::create(
      *mesh_, ShardedBufferConfig{.cores = core,
                                  .shard_bytes = static_cast<std::uint32_t>(content.size())});
  buffer->write_shard(0, core, content);
  return buffer;
}

Bytes Bench::run(const TileProgram& tiles) {
  Program program = CreateProgram();
  std::vector<std::shared_ptr<MeshBuffer>> buffers;
  const auto add_cb = [&](std::uint8_t index, DataFormat format, const Bytes& content) {
    buffers.push_back(in_l1(kCore, content));
    CircularBufferConfig cb(static_cast<std::uint32_t>(content.size()), {{index, format}});
    cb.set_page_size(index, Tile{}.bytes(format)).set_globally_allocated_address(*buffers.back());
    CreateCircularBuffer(program, kCore, cb);
  };
  std::vector<std::uint32_t> counts = {static_cast<std::uint32_t>(tiles.operands.size())};
  for (const Operand& operand : tiles.operands) {
    const std::uint32_t tile_bytes = Tile{}.bytes(operand.format);
    add_cb(static_cast<std::uint8_t>(counts.size() - 1), operand.format, operand.tiles);
    counts.push_back(static_cast<std::uint32_t>(operand.tiles.size()) / tile_bytes);
  }
  const Bytes untouched(tiles.result_tiles * Tile{}.bytes(tiles.result), 0xA5);
  add_cb(kResult, tiles.result, untouched);

  const auto reader = CreateKernel(program, file_of(kReader), kCore, ReaderDataMovementConfig{});
  SetRuntimeArgs(program, reader, kCore, counts);
  ComputeConfig config;
  config.fp32_dest_acc_en = tiles.fp32_dst;
  config.math_fidelity = tiles.fidelity;
  const auto compute = CreateKernel(program, file_of(tiles.source), kCore, config);
  SetRuntimeArgs(program, compute, kCore, tiles.args);
  mesh_->run(0, program);
  return buffers.back()->read_shard(0, kCore);
}

}  // namespace tvp::compare
