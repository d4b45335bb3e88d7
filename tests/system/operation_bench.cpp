#include "tests/system/operation_bench.h"

#include <cstring>

namespace tvp::test {
namespace {

using namespace runtime;

constexpr CoreCoord kCore{0, 0};
constexpr std::uint8_t kUntouched = 0xEE;

std::vector<std::uint32_t> compile_time(const Operation::Arguments& arguments) {
  std::vector<std::uint32_t> words = arguments.compile;
  for (const auto& tensor : arguments.tensors) TensorAccessorArgs(*tensor).append_to(words);
  words.insert(words.end(), arguments.after.begin(), arguments.after.end());
  return words;
}

}  // namespace

OperationBench::OperationBench() {
  library_ = DeviceLibrary::open(TVP_LIBRARY);
  library_->configure("system=single_chip");
  mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
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

OperationBench::Tensor OperationBench::local(const Words& words) {
  const auto size = static_cast<std::uint32_t>(words.size() * 4);
  auto made =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{CoreRangeSet{CoreRange{kCore, kCore}}, size});
  std::vector<std::uint8_t> bytes(size);
  std::memcpy(bytes.data(), words.data(), size);
  made->write_shard(0, kCore, bytes);
  return made;
}

OperationBench::Words OperationBench::words(const Tensor& tensor) {
  const std::vector<std::uint8_t> bytes = tensor->read(0);
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

OperationBench::Words OperationBench::local_words(const Tensor& tensor) {
  const std::vector<std::uint8_t> bytes = tensor->read_shard(0, kCore);
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

Operation& Operation::buffer(std::uint8_t cb, std::uint32_t pages, std::uint32_t page_bytes,
                             DataFormat format) {
  CircularBufferConfig config(pages * page_bytes, {{cb, format}});
  CreateCircularBuffer(program_, kCore, config.set_page_size(cb, page_bytes));
  return *this;
}

Operation& Operation::buffer(std::uint8_t cb, const Tensor& over, DataFormat format,
                             std::uint32_t page_bytes) {
  const auto bytes = static_cast<std::uint32_t>(over->size());
  CircularBufferConfig config(bytes, {{cb, format}});
  config.set_page_size(cb, page_bytes == 0 ? bytes : page_bytes)
      .set_globally_allocated_address(*over);
  CreateCircularBuffer(program_, kCore, config);
  return *this;
}

Operation& Operation::reader(const std::string& source, const Arguments& arguments) {
  ReaderDataMovementConfig config(compile_time(arguments), arguments.defines);
  config.named_compile_args = arguments.named;
  set_run_time(CreateKernel(program_, source, kCore, config), arguments);
  return *this;
}

Operation& Operation::writer(const std::string& source, const Arguments& arguments) {
  WriterDataMovementConfig config(compile_time(arguments), arguments.defines);
  config.named_compile_args = arguments.named;
  set_run_time(CreateKernel(program_, source, kCore, config), arguments);
  return *this;
}

Operation& Operation::compute(const std::string& source, const Arguments& arguments) {
  ComputeConfig config;
  config.compile_args = compile_time(arguments);
  config.defines = arguments.defines;
  config.named_compile_args = arguments.named;
  config.fp32_dest_acc_en = arguments.fp32_dst;
  if (arguments.fp32_to_dst)
    config.unpack_to_dest_mode.assign(32, UnpackToDestMode::UnpackToDestFp32);
  set_run_time(CreateKernel(program_, source, kCore, config), arguments);
  return *this;
}

std::uint32_t Operation::semaphore(std::uint32_t initial) {
  return CreateSemaphore(program_, kCore, initial);
}

void Operation::run() { bench_.mesh().run(0, program_); }

void Operation::set_run_time(KernelHandle kernel, const Arguments& arguments) {
  SetRuntimeArgs(program_, kernel, kCore, arguments.run);
  if (!arguments.common.empty()) SetCommonRuntimeArgs(program_, kernel, arguments.common);
}

}  // namespace tvp::test
