// A host program in tt-metal's API: one core adds 7 to each word of a buffer.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <tt-metalium/device.hpp>
#include <tt-metalium/host_api.hpp>
#include <vector>

using namespace tt;
using namespace tt::tt_metal;

static const char* const kAdd = R"(
#include "dataflow_api.h"
void kernel_main() {
  const uint32_t bytes = get_arg_val<uint32_t>(1);
  const uint64_t buffer = get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0));
  cb_reserve_back(tt::CBIndex::c_0, 1);
  const uint32_t here = get_write_ptr(tt::CBIndex::c_0);
  noc_async_read(buffer, here, bytes);
  noc_async_read_barrier();
  auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(here);
  for (uint32_t i = 0; i < bytes / 4; ++i) words[i] += 7;
  noc_async_write(here, buffer, bytes);
  noc_async_write_barrier();
}
)";

int main() {
  constexpr CoreCoord core = {0, 0};
  constexpr std::uint32_t words = 256, bytes = 4 * words;
  IDevice* device = CreateDevice(0);
  CommandQueue& queue = device->command_queue();
  Program program = CreateProgram();
  InterleavedBufferConfig config{
      .device = device, .size = bytes, .page_size = bytes, .buffer_type = BufferType::DRAM};
  std::shared_ptr<Buffer> buffer = CreateBuffer(config);
  CircularBufferConfig page = CircularBufferConfig(bytes, {{CBIndex::c_0, tt::DataFormat::UInt32}})
                                  .set_page_size(CBIndex::c_0, bytes);
  CreateCircularBuffer(program, core, page);
  KernelHandle add = CreateKernelFromString(
      program, kAdd, core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::RISCV_0_default});
  SetRuntimeArgs(program, add, core, {buffer->address(), bytes});

  std::vector<std::uint32_t> data(words), result;
  for (std::uint32_t i = 0; i < words; ++i) data[i] = 3 * i;
  EnqueueWriteBuffer(queue, buffer, data, false);
  EnqueueProgram(queue, program, false);
  EnqueueReadBuffer(queue, buffer, result, true);
  unsigned wrong = result.size() == words ? 0 : words;
  for (std::uint32_t i = 0; i < words && wrong < words; ++i) wrong += result[i] != 3 * i + 7;
  CloseDevice(device);
  std::printf("%u words are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
