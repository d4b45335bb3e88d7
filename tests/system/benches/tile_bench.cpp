#include "tests/system/benches/tile_bench.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace tvp::test {
namespace {

using namespace runtime;

// Arguments: number of buffers, then per buffer its number, address, pages and words per page.
constexpr const char* kReader = R"(
void kernel_main() {
  uint32_t arg = 0;
  for (uint32_t buffers = get_arg_val<uint32_t>(arg++); buffers > 0; --buffers) {
    const uint32_t cb = get_arg_val<uint32_t>(arg++);
    auto* from = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(arg++));
    const uint32_t pages = get_arg_val<uint32_t>(arg++), words = get_arg_val<uint32_t>(arg++);
    cb_reserve_back(cb, pages);
    auto* to = reinterpret_cast<volatile uint32_t*>(get_write_ptr(cb));
    for (uint32_t i = 0; i < pages * words; ++i) to[i] = from[i];
    cb_push_back(cb, pages);
  }
}
)";
constexpr const char* kWriter = R"(
void kernel_main() {
  uint32_t arg = 0;
  for (uint32_t buffers = get_arg_val<uint32_t>(arg++); buffers > 0; --buffers) {
    const uint32_t cb = get_arg_val<uint32_t>(arg++);
    auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(arg++));
    const uint32_t pages = get_arg_val<uint32_t>(arg++), words = get_arg_val<uint32_t>(arg++);
    cb_wait_front(cb, pages);
    auto* from = reinterpret_cast<volatile uint32_t*>(get_read_ptr(cb));
    for (uint32_t i = 0; i < pages * words; ++i) to[i] = from[i];
    cb_pop_front(cb, pages);
  }
}
)";
constexpr CoreCoord kCore{0, 0};

std::uint32_t bytes_of(const TileBuffer& buffer) { return buffer.page_bytes * buffer.pages; }

}  // namespace

TileBench::TileBench(std::string folder) : folder_(std::move(folder)) {
  library_ = DeviceLibrary::open(TVP_LIBRARY);
  library_->configure("system=single_chip");
  mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
  std::filesystem::create_directories(folder_);
}

TileBench::~TileBench() { mesh_.reset(); }

std::string TileBench::write(const std::string& name, const std::string& text) const {
  if (text.ends_with(".cpp")) return text;
  std::string path = folder_ + "/" + name + ".cpp";
  std::ofstream(path) << text;
  return path;
}

std::vector<std::vector<std::uint32_t>> TileBench::run(const std::string& name,
                                                       const std::string& text,
                                                       const std::vector<TileBuffer>& in,
                                                       const std::vector<TileBuffer>& out,
                                                       const Options& options) {
  const CoreRangeSet cores{CoreRange{kCore, kCore}};
  Program program = CreateProgram();
  std::vector<std::shared_ptr<MeshBuffer>> memory;
  const auto make_buffer = [&](const TileBuffer& each) {
    CircularBufferConfig config(bytes_of(each), {{each.cb, each.format}});
    config.set_page_size(each.cb, each.page_bytes).set_tile_dims(each.cb, each.tile);
    if (each.faces)
      config.set_unpack_face_geometry(each.cb, each.faces->face_r_dim, each.faces->num_faces);
    CreateCircularBuffer(program, kCore, config);
  };
  for (const TileBuffer& each : options.scratch) make_buffer(each);
  const auto args_of = [&](const std::vector<TileBuffer>& buffers) {
    std::vector<std::uint32_t> args = {static_cast<std::uint32_t>(buffers.size())};
    for (const TileBuffer& each : buffers) {
      make_buffer(each);
      memory.push_back(MeshBuffer::create(
          *mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = bytes_of(each)}));
      std::vector<std::uint8_t> bytes(bytes_of(each), 0xEE);
      std::memcpy(bytes.data(), each.words.data(), each.words.size() * 4);
      memory.back()->write_shard(0, kCore, bytes);
      const auto address = static_cast<std::uint32_t>(memory.back()->address());
      args.insert(args.end(), {each.cb, address, each.pages, each.page_bytes / 4});
    }
    return args;
  };
  const auto reader_args = args_of(in);
  const auto writer_args = args_of(out);
  const auto reader =
      CreateKernel(program, write("reader", kReader), kCore, ReaderDataMovementConfig{});
  const auto writer =
      CreateKernel(program, write("writer", kWriter), kCore, WriterDataMovementConfig{});
  ComputeConfig compute;
  compute.fp32_dest_acc_en = options.fp32_dst;
  compute.bfp8_pack_precise = options.bfp8_pack_precise;
  if (options.fp32_to_dst)
    compute.unpack_to_dest_mode.assign(32, UnpackToDestMode::UnpackToDestFp32);
  compute.compile_args = options.compile_args;
  for (const auto& [macro, value] : options.defines) compute.defines[macro] = value;
  const auto kernel = CreateKernel(program, write(name, text), kCore, compute);
  SetRuntimeArgs(program, reader, kCore, reader_args);
  SetRuntimeArgs(program, writer, kCore, writer_args);
  SetRuntimeArgs(program, kernel, kCore, options.runtime_args);
  mesh_->run(0, program);

  std::vector<std::vector<std::uint32_t>> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto bytes = memory[in.size() + i]->read_shard(0, kCore);
    results.emplace_back(bytes_of(out[i]) / 4);
    std::memcpy(results.back().data(), bytes.data(), bytes_of(out[i]));
  }
  return results;
}

}  // namespace tvp::test
