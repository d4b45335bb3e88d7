#include "tests/system/benches/operation_bench.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/system/benches/kernel_folder.h"

namespace tvp::test {
namespace {

using namespace runtime;

constexpr std::uint8_t kUntouched = 0xEE;

std::vector<std::uint32_t> compile_time(const Operation::Arguments& arguments) {
  std::vector<std::uint32_t> words = arguments.compile;
  for (const auto& tensor : arguments.tensors) TensorAccessorArgs(*tensor).append_to(words);
  words.insert(words.end(), arguments.after.begin(), arguments.after.end());
  return words;
}

/// A kernel that runs the published one between two reads of the clock, where tt-metal's start-up
/// code reads it.
std::string timed_kernel(const std::string& source) {
  const std::filesystem::path folder = kernel_folder();
  std::filesystem::create_directories(folder);
  std::string path =
      (folder / ("timed_" + std::filesystem::path(source).filename().string())).string();
  std::ofstream(path) << "#define kernel_main published_kernel_main\n#include \"" << source
                      << "\"\n#undef kernel_main\n#include \"tools/profiler/kernel_profiler.hpp\"\n"
                         "void kernel_main() {\n  DeviceZoneScopedN(\"kernel\");\n"
                         "  published_kernel_main();\n}\n";
  return path;
}

}  // namespace

OperationBench::OperationBench(bool watcher, bool timed, const std::string& system)
    : timed_(timed) {
  library_ = DeviceLibrary::open(TVP_LIBRARY);
  library_->configure("system=" + system);
  MeshDevice::Options options;
  options.watcher = options.watcher || watcher;  // TT_METAL_WATCHER: all tests
  options.profile = options.profile || timed;
  mesh_ = std::make_unique<MeshDevice>(*library_, options);
}

OperationBench::~OperationBench() { mesh_.reset(); }

OperationBench::Tensor OperationBench::tensor(const Words& words, std::uint32_t page_bytes) {
  const auto pages = static_cast<std::uint32_t>(words.size() * 4 / page_bytes);
  auto made = result(pages, page_bytes);
  std::vector<std::uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  made->write(0, bytes);
  return made;
}

OperationBench::Tensor OperationBench::result(std::uint32_t pages, std::uint32_t page_bytes) {
  const std::uint64_t size = std::uint64_t{pages} * page_bytes;
  auto made =
      MeshBuffer::create(*mesh_, InterleavedBufferConfig{.size = size, .page_size = page_bytes});
  made->write(0, std::vector<std::uint8_t>(size, kUntouched));
  return made;
}

OperationBench::Tensor OperationBench::local(const Words& words, const CoreRangeSet& cores) {
  const auto size = static_cast<std::uint32_t>(words.size() * 4 / cores.num_cores());
  auto made = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = cores, .shard_bytes = size});
  std::vector<std::uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  made->write(0, bytes);
  return made;
}

OperationBench::Words OperationBench::words(const Tensor& tensor) {
  const std::vector<std::uint8_t> bytes = tensor->read(0);
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::uint64_t OperationBench::kernel_cycles() {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (const Zone& zone : mesh_->zones()) {
    // Cores without a part in the last operation still hold zones of an earlier one.
    if (zone.name != "kernel" || zone.begin < earlier_) continue;
    begin = std::min(begin, zone.begin);
    end = std::max(end, zone.end);
  }
  return end - begin;
}

void OperationBench::run(Program& program) {
  if (timed_)
    for (const Zone& zone : mesh_->zones()) earlier_ = std::max(earlier_, zone.end);
  mesh_->run(0, program);
}

OperationBench::Words OperationBench::local_words(const Tensor& tensor) { return words(tensor); }

Operation& Operation::on(const CoreRangeSet& cores) {
  cores_ = cores;
  return *this;
}

Operation& Operation::buffer(std::uint8_t cb, std::uint32_t pages, std::uint32_t page_bytes,
                             DataFormat format) {
  return shared_buffer({cb}, pages, page_bytes, format);
}

Operation& Operation::buffer(std::uint8_t cb, std::uint32_t pages, const Tile& tile,
                             DataFormat format) {
  CircularBufferConfig config(pages * tile.bytes(format));
  config.index(cb).set_data_format(format).set_tile_dims(tile);
  CreateCircularBuffer(program_, cores_, config);
  return *this;
}

Operation& Operation::shared_buffer(const std::vector<std::uint8_t>& cbs, std::uint32_t pages,
                                    std::uint32_t page_bytes, DataFormat format) {
  CircularBufferConfig config(pages * page_bytes);
  for (const std::uint8_t cb : cbs)
    config.index(cb).set_data_format(format).set_page_size(page_bytes);
  CreateCircularBuffer(program_, cores_, config);
  return *this;
}

Operation& Operation::buffer(std::uint8_t cb, const Tensor& over, DataFormat format,
                             std::uint32_t page_bytes) {
  const auto bytes = static_cast<std::uint32_t>(over->bank_bytes());
  return shared_buffer({cb}, over, format, page_bytes == 0 ? bytes : page_bytes);
}

Operation& Operation::buffer(std::uint8_t cb, const Tensor& over, const Tile& tile,
                             DataFormat format) {
  CircularBufferConfig config(static_cast<std::uint32_t>(over->bank_bytes()));
  config.index(cb).set_data_format(format).set_tile_dims(tile).set_page_size(tile.bytes(format));
  CreateCircularBuffer(program_, cores_, config.set_globally_allocated_address(*over));
  return *this;
}

Operation& Operation::shared_buffer(const std::vector<std::uint8_t>& cbs, const Tensor& over,
                                    DataFormat format, std::uint32_t page_bytes) {
  CircularBufferConfig config(static_cast<std::uint32_t>(over->bank_bytes()));
  for (const std::uint8_t cb : cbs)
    config.index(cb).set_data_format(format).set_page_size(page_bytes);
  CreateCircularBuffer(program_, cores_, config.set_globally_allocated_address(*over));
  return *this;
}

Operation& Operation::reader(const std::string& source, const Arguments& arguments) {
  ReaderDataMovementConfig config(compile_time(arguments), arguments.defines);
  config.named_compile_args = arguments.named;
  if (arguments.noc) config.noc = *arguments.noc;
  set_run_time(
      CreateKernel(program_, bench_.timed() ? timed_kernel(source) : source, cores_, config),
      arguments);
  return *this;
}

Operation& Operation::writer(const std::string& source, const Arguments& arguments) {
  WriterDataMovementConfig config(compile_time(arguments), arguments.defines);
  config.named_compile_args = arguments.named;
  if (arguments.noc) config.noc = *arguments.noc;
  set_run_time(
      CreateKernel(program_, bench_.timed() ? timed_kernel(source) : source, cores_, config),
      arguments);
  return *this;
}

Operation& Operation::compute(const std::string& source, const Arguments& arguments) {
  ComputeConfig config;
  config.compile_args = compile_time(arguments);
  config.defines = arguments.defines;
  config.named_compile_args = arguments.named;
  config.fp32_dest_acc_en = arguments.fp32_dst;
  config.dst_full_sync_en = arguments.whole_dst;
  config.math_approx_mode = arguments.approximate;
  config.math_fidelity = arguments.fidelity;
  config.opt_level = arguments.optimization;
  if (arguments.fp32_to_dst)
    config.unpack_to_dest_mode.assign(32, UnpackToDestMode::UnpackToDestFp32);
  set_run_time(
      CreateKernel(program_, bench_.timed() ? timed_kernel(source) : source, cores_, config),
      arguments);
  return *this;
}

std::uint32_t Operation::semaphore(std::uint32_t initial) {
  return CreateSemaphore(program_, cores_, initial);
}

void Operation::run() { bench_.run(program_); }

void Operation::set_run_time(KernelHandle kernel, const Arguments& arguments) {
  for (const CoreCoord core : cores_.cores())
    SetRuntimeArgs(program_, kernel, core,
                   arguments.run_at ? arguments.run_at(core) : arguments.run);
  if (!arguments.common.empty()) SetCommonRuntimeArgs(program_, kernel, arguments.common);
}

}  // namespace tvp::test
