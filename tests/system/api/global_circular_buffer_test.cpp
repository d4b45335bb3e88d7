// Global circular buffers: each receiver must get the sender's pages. Page sizes vary, change
// during a program, and several programs follow each other.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "foundation/fault.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

constexpr const char* kSender = R"(
#include "api/dataflow/dataflow_api.h"
#include "remote_circular_buffer_api.h"
void kernel_main() {
  constexpr bool skip = get_compile_time_arg_val(0) != 0;
  uint32_t from = get_arg_val<uint32_t>(0);
  const uint32_t tensors = get_arg_val<uint32_t>(1);
  const uint32_t receivers = get_arg_val<uint32_t>(2);
  for (uint32_t t = 0; t < tensors; ++t) {
    const uint32_t* of = reinterpret_cast<const uint32_t*>(get_arg_addr(3 + 5 * t));
    experimental::resize_remote_sender_cb_interface<true>(31, of[0], noc_index);
    for (uint32_t page = 0; page < of[1]; ++page) {
      experimental::remote_cb_reserve_back(31, 1);
      experimental::remote_cb_push_back_and_write_pages<skip>(31, from, 1, of[2], of[3], of[4]);
      from += of[0] * receivers;
    }
  }
  if (skip) noc_async_posted_writes_flushed(); else noc_async_writes_flushed();
  experimental::update_remote_cb_config_in_l1(31);
  experimental::remote_cb_sender_barrier(31);
  noc_async_full_barrier();
}
)";

// The same with the object API.
constexpr const char* kReceiver = R"(
#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"
void kernel_main() {
  auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  const uint32_t tensors = get_arg_val<uint32_t>(1);
  const uint32_t delay = get_arg_val<uint32_t>(2);
  experimental::Noc noc;
  experimental::RemoteCircularBuffer buffer(31);
  for (uint32_t t = 0; t < tensors; ++t) {
    const uint32_t* of = reinterpret_cast<const uint32_t*>(get_arg_addr(3 + 5 * t));
    buffer.set_sender_page_size(noc, of[0]);
    for (uint32_t page = 0; page < of[1]; ++page) {
      buffer.wait_front(1);
      const auto* from = reinterpret_cast<volatile uint32_t*>(
          get_remote_receiver_cb_interface(31).fifo_rd_ptr);
      for (uint32_t i = 0; i < of[0] / 4; ++i) *to++ = from[i];
      if (delay != 0) riscv_wait(delay);
      buffer.pop_front(noc, 1);
    }
  }
  buffer.commit();
  noc.async_atomic_barrier();
}
)";

// Checks what each core reads through a local buffer over a remote one.
constexpr const char* kViewer = R"(
void kernel_main() {
  auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  const LocalCBInterface& cb = get_local_cb_interface(1);
  const uint32_t shift = cb_addr_shift;
  to[0] = cb.fifo_rd_ptr << shift;
  to[1] = cb.fifo_limit << shift;
  to[2] = cb.fifo_size << shift;
  to[3] = cb.fifo_num_pages;
}
)";

struct Tensor {
  std::uint32_t rows, packets, packet_bytes, pages;
  std::uint32_t page() const { return rows * packets * packet_bytes; }
};

class GlobalBuffers : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "global_buffers"); }
  static CircularBufferConfig remote_end(const GlobalCircularBuffer& buffer, std::uint32_t page) {
    CircularBufferConfig config(buffer.size());
    config.remote_index(31).set_page_size(page);
    return config;
  }

  /// Sends `tensors` through `buffer`, whose senders have `receivers` receivers each.
  static void send(const GlobalCircularBuffer& buffer, const std::vector<Tensor>& tensors,
                   std::uint32_t receivers, bool skip, std::uint32_t delay, std::uint64_t seed) {
    std::uint32_t bytes = 0;
    std::vector<std::uint32_t> shapes;
    for (const Tensor& t : tensors) {
      bytes += t.page() * t.pages;
      shapes.insert(shapes.end(), {t.page(), t.pages, t.rows, t.packets, t.packet_bytes});
    }
    const auto source = MeshBuffer::create(
        *mesh_,
        ShardedBufferConfig{.cores = buffer.sender_cores(), .shard_bytes = bytes * receivers});
    const auto found = MeshBuffer::create(
        *mesh_, ShardedBufferConfig{.cores = buffer.receiver_cores(), .shard_bytes = bytes});
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> sent(source->size());
    for (auto& byte : sent) byte = static_cast<std::uint8_t>(random());
    source->write(0, sent);
    found->write(0, std::vector<std::uint8_t>(found->size()));

    Program program;
    experimental::CreateCircularBuffer(program, buffer.all_cores(), remote_end(buffer, 16), buffer);
    const auto with = [&](std::vector<std::uint32_t> args) {
      args.insert(args.end(), shapes.begin(), shapes.end());
      return args;
    };
    const auto count = static_cast<std::uint32_t>(tensors.size());
    const KernelHandle sender =
        CreateKernel(program, kernel("sender.cpp", kSender), buffer.sender_cores(),
                     WriterDataMovementConfig({skip}));
    const KernelHandle receiver = CreateKernel(program, kernel("receiver.cpp", kReceiver),
                                               buffer.receiver_cores(), ReaderDataMovementConfig{});
    SetRuntimeArgs(program, sender, buffer.sender_cores(),
                   with({static_cast<std::uint32_t>(source->address()), count, receivers}));
    SetRuntimeArgs(program, receiver, buffer.receiver_cores(),
                   with({static_cast<std::uint32_t>(found->address()), count, delay}));
    mesh_->run(0, program);
    compare(buffer, tensors, receivers, *source, *found);
  }

  /// Checks that every receiver has its part of every row of every page.
  static void compare(const GlobalCircularBuffer& buffer, const std::vector<Tensor>& tensors,
                      std::uint32_t receivers, MeshBuffer& source, MeshBuffer& found) {
    for (const auto& [sender, its] : buffer.sender_receiver_core_mapping()) {
      const std::vector<std::uint8_t> sent = source.read_shard(0, sender);
      for (std::uint32_t r = 0; r < receivers; ++r) {
        std::vector<std::uint8_t> expected;
        std::size_t at = 0;
        for (const Tensor& t : tensors) {
          const std::size_t part = t.packets * t.packet_bytes;
          for (std::uint32_t row = 0; row < t.pages * t.rows; ++row, at += part * receivers) {
            const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(at + r * part);
            expected.insert(expected.end(), begin, begin + static_cast<std::ptrdiff_t>(part));
          }
        }
        const CoreCoord core = its.cores()[r];
        EXPECT_TRUE(found.read_shard(0, core) == expected)
            << "receiver " << core.str() << " of " << sender.str();
      }
    }
  }

  static GlobalCircularBuffer buffer_of(std::uint32_t receivers, std::uint32_t size) {
    return experimental::CreateGlobalCircularBuffer(
        *mesh_, {{{0, 0}, CoreRange({1, 0}, {receivers, 0})}}, size);
  }
};

// The sizes of bfp8, bf16 and bfp4 tiles do not divide the buffer. Each change skips bytes, and
// bytes remain after the last whole page. A second program continues in the middle of the buffer.
TEST_F(GlobalBuffers, PagesOfChangingSizesArriveOverWraps) {
  const auto buffer = buffer_of(2, 9 * 1024);
  const std::vector<Tensor> tensors{
      {1, 1, 1088, 11}, {2, 1, 1024, 5}, {1, 1, 576, 17}, {4, 2, 64, 3}, {1, 1, 2048, 1}};
  send(buffer, tensors, 2, true, 0, 1);
  send(buffer, tensors, 2, true, 0, 2);
}

// The limits of page sizes: one unit, and the whole buffer.
TEST_F(GlobalBuffers, APageIsSixteenBytesOrTheBuffer) {
  const auto buffer = buffer_of(1, 4096);
  send(buffer, {{1, 1, 16, 300}, {1, 1, 4096, 3}, {1, 1, 16, 1}, {1, 1, 4096, 2}}, 1, true, 0, 3);
  const auto smallest = buffer_of(1, 16);
  send(smallest, {{1, 1, 16, 20}}, 1, true, 0, 4);
}

TEST_F(GlobalBuffers, ASlowReceiverHoldsTheSender) {
  const auto buffer = buffer_of(3, 2 * 1088 + 16);
  send(buffer, {{1, 1, 1088, 9}, {1, 1, 576, 9}}, 3, true, 3000, 5);
}

TEST_F(GlobalBuffers, WritesThatAreAcknowledgedArriveAsWell) {
  const auto buffer = buffer_of(2, 3000 / 16 * 16);
  send(buffer, {{1, 1, 1088, 7}, {3, 1, 272, 7}}, 2, false, 0, 6);
}

TEST_F(GlobalBuffers, ManySendersAndReceivers) {
  const auto buffer =
      experimental::CreateGlobalCircularBuffer(*mesh_,
                                               {{{0, 1}, CoreRange({1, 1}, {7, 1})},
                                                {{0, 2}, CoreRange({1, 2}, {7, 2})},
                                                {{0, 4}, CoreRange({1, 3}, {7, 3})}},
                                               4 * 576 + 32);
  send(buffer, {{1, 1, 576, 9}, {2, 1, 288, 9}, {1, 2, 544, 4}}, 7, true, 0, 7);
}

// The page size of a launch skips bytes, too. All cores of a receiver see local pages over the
// whole remote ones.
TEST_F(GlobalBuffers, LocalBuffersLieOverTheRemoteOne) {
  const CoreCoord core{1, 0};
  const auto buffer = buffer_of(1, 9 * 1024);
  send(buffer, {{1, 1, 1088, 1}}, 1, true, 0, 8);  // leaves the pointers at 1088
  const auto out =
      MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = core, .shard_bytes = 5 * 16});
  const auto base = static_cast<std::uint32_t>(out->address());
  Program program;
  CircularBufferConfig config(4 * 2048);
  config.remote_index(31).set_page_size(2048);
  config.index(1).set_page_size(1024).set_data_format(DataFormat::Float16_b);
  experimental::CreateCircularBuffer(program, core, config, buffer);
  experimental::CreateCircularBuffer(program, {CoreCoord{0, 0}}, remote_end(buffer, 2048), buffer);
  const std::string viewer = kernel("viewer.cpp", kViewer);
  const std::string compute =
      kernel("compute_viewer.cpp", std::string("#include \"api/compute/common.h\"\n"
                                               "#if COMPILE_FOR_TRISC == 1\n"
                                               "void kernel_main() {}\n#else\n") +
                                       kViewer + "#endif\n");
  const KernelHandle kernels[] = {CreateKernel(program, viewer, core, DataMovementConfig{}),
                                  CreateKernel(program, viewer, core, ReaderDataMovementConfig{}),
                                  CreateKernel(program, compute, core, ComputeConfig{})};
  for (std::uint32_t k = 0; k < 3; ++k) SetRuntimeArgs(program, kernels[k], core, {base + 16 * k});
  CreateKernel(program, kernel("nothing.cpp", "void kernel_main() {}\n"), CoreCoord{0, 0},
               DataMovementConfig{});
  mesh_->run(0, program);
  const auto bytes = out->read_shard(0, core);
  const std::uint32_t start = buffer.buffer_address();
  const std::uint32_t expected[] = {start + 2048, start + 4 * 2048, 4 * 2048, 8};
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::uint32_t seen[4];
    std::memcpy(seen, bytes.data() + 16 * k, 16);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(seen[i], expected[i]) << "kernel " << k << " word " << i;
  }
  const auto counters = [&](CoreCoord of) {  // sent and acknowledged, in units of 16 bytes
    std::uint32_t words[5];
    mesh_->device(0).read_l1(of, buffer.config_address() + 48, words, sizeof(words));
    return std::pair(words[0], words[4]);
  };
  EXPECT_EQ(counters({0, 0}), std::pair(128U, 128U));
  EXPECT_EQ(counters(core), std::pair(128U, 128U));
}

std::string complaint(const std::function<void()>& use) {
  return tvp::test::fault_of([&] { use(); }, {}, "");
}

TEST_F(GlobalBuffers, WhatDoesNotFitIsRefused) {
  using Mapping = GlobalCircularBuffer::Mapping;
  const auto create = [](Mapping mapping, std::uint32_t size, BufferType type = BufferType::L1) {
    return complaint(
        [&] { experimental::CreateGlobalCircularBuffer(*mesh_, mapping, size, type); });
  };
  const Mapping good{{{0, 0}, CoreRange({1, 0}, {2, 0})}};
  EXPECT_EQ(create(good, 4096), "");
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says(create({{{0, 0}, CoreCoord{1, 0}}, {{0, 1}, CoreRange({1, 0}, {1, 1})}}, 4096),
       "core (1, 0) is in its mapping twice; a receiver has one sender");
  says(create({{{0, 0}, CoreCoord{1, 0}}, {{0, 0}, CoreCoord{2, 0}}}, 4096),
       "core (0, 0) is in its mapping twice");
  says(create({{{0, 0}, CoreRange({0, 0}, {1, 0})}}, 4096), "core (0, 0) is in its mapping twice");
  says(create({{{0, 0}, CoreRangeSet()}}, 4096), "sender (0, 0) has no receiver");
  says(create({}, 4096), "has no sender");
  says(create(good, 1000), "1000 bytes; expected a positive multiple of 16");
  says(create(good, 0), "0 bytes; expected a positive multiple of 16");
  says(create(good, 4096, BufferType::DRAM), "expected L1");
  EXPECT_NE(create({{{0, 0}, CoreCoord{40, 0}}}, 4096), "");

  const auto buffer = buffer_of(2, 4096);
  const auto end = [&](std::uint32_t page, std::uint32_t total, CoreCoord core = {1, 0}) {
    return complaint([&] {
      Program program;
      CircularBufferConfig config(total);
      config.remote_index(31).set_page_size(page);
      experimental::CreateCircularBuffer(program, core, config, buffer);
    });
  };
  EXPECT_EQ(end(4096, 4096), "");
  says(end(4112, 4096), "4112 bytes does not fit into the global circular buffer's 4096");
  says(end(1000, 4096), "page size 1000 is not a positive multiple of 16 bytes");
  says(end(16, 8192), "8192 bytes are more than the global circular buffer's 4096");
  says(end(16, 4096, {3, 0}), "core (3, 0) is no sender or receiver");
  says(complaint([&] {
         Program program;
         experimental::CreateCircularBuffer(
             program, CoreCoord{1, 0}, CircularBufferConfig(16, {{0, DataFormat::UInt16}}), buffer);
       }),
       "needs remote_index()");
  says(complaint([&] {
         Program program;
         CircularBufferConfig config(4096);
         config.remote_index(31).set_page_size(1024);
         config.index(1).set_page_size(1000);
         experimental::CreateCircularBuffer(program, CoreCoord{1, 0}, config, buffer);
       }),
       "pages of 1000 bytes do not divide");
  says(complaint([&] {
         Program program;
         CircularBufferConfig config(4096);
         config.remote_index(31).set_page_size(1024);
         CreateCircularBuffer(program, CoreCoord{1, 0}, config);
         CreateKernel(program, kernel("nothing.cpp", "void kernel_main() {}\n"), CoreCoord{1, 0},
                      DataMovementConfig{});
         mesh_->run(0, program);
       }),
       "is of no global one");
}

}  // namespace
}  // namespace tvp::runtime
