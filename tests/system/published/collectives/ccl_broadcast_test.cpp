// Broadcasts of a tensor from one chip to all others of a line of four, in tiles and in rows.

#include <gtest/gtest.h>

#include <random>

#include "sw/runtime/host_api.h"
#include "tests/system/published/collectives/published_line.h"

namespace tvp::runtime::published_ccl_broadcast_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

constexpr CoreCoord kCore{0, 0};
const std::string kKernels = "ttnn/cpp/ttnn/operations/ccl/broadcast/device/kernels/broadcast_";

class PublishedCclBroadcast : public PublishedLine {
 protected:
  void SetUp() override {
    PublishedLine::SetUp();
    if (IsSkipped()) return;
    ready_ = mesh_->create_global_semaphore(kCore, 0);
    barrier_ = mesh_->create_global_semaphore(kCore, 0);
  }
  /// Arguments of the kernels before and after those that all kernels have.
  struct Kernels {
    std::string name;
    Words reads, writes;
    std::uint32_t page = 0, pages = 0, buffered = 0;
  };
  void broadcast(const Kernels& of, unsigned sender);

  std::uint32_t ready_ = 0, barrier_ = 0;
  std::mt19937 random_{3};
};

void PublishedCclBroadcast::broadcast(const Kernels& of, unsigned sender) {
  const std::uint64_t size = std::uint64_t{of.page} * of.pages;
  const InterleavedBufferConfig config{.size = size, .page_size = of.page};
  const auto input = MeshBuffer::create(*mesh_, config),
             output = MeshBuffer::create(*mesh_, config);
  Bytes given(size);
  for (auto& byte : given) byte = static_cast<std::uint8_t>(random_());
  for (unsigned chip = 0; chip < kChips; ++chip) {
    input->write(chip, chip == sender ? given : Bytes(size, 0x11));
    output->write(chip, Bytes(size, 0xEE));
  }
  const CoreCoord here = mesh_->device(0).worker_core_from_logical_core(kCore);
  std::vector<Program> programs;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs.emplace_back(CreateProgram());
    const std::uint32_t ahead = kChips - 1 - chip, behind = chip, sends = chip == sender;
    CircularBufferConfig buffer(of.buffered * of.page, {{0, DataFormat::Float16_b}});
    CreateCircularBuffer(program, kCore, buffer.set_page_size(0, of.page));
    Words args = of.reads;
    args.push_back(sends);
    TensorAccessorArgs(*input).append_to(args);
    const auto reader = CreateKernel(program, kKernels + of.name + "_reader.cpp", kCore,
                                     ReaderDataMovementConfig(args));
    SetRuntimeArgs(program, reader, kCore,
                   Words{static_cast<std::uint32_t>(input->address()), 0, of.pages});
    args = of.writes;
    args.insert(args.end(),
                {ahead, behind, sends, ahead != 0 ? 1U : 0U, ahead, behind != 0 ? 1U : 0U, behind});
    TensorAccessorArgs(*output).append_to(args);
    const auto writer = CreateKernel(program, kKernels + of.name + "_writer.cpp", kCore,
                                     WriterDataMovementConfig(args));
    const std::uint32_t x = static_cast<std::uint32_t>(here.x),
                        y = static_cast<std::uint32_t>(here.y);
    Words words = {static_cast<std::uint32_t>(output->address()),
                   ready_,
                   0,
                   of.pages,
                   1 - sends,
                   1 - sends,
                   x,
                   y,
                   1,
                   barrier_,
                   x,
                   y,
                   (ahead != 0 ? 1U : 0U) + (behind != 0 ? 1U : 0U)};
    for (const bool up : {true, false}) {
      if ((up ? ahead : behind) == 0) continue;
      const std::uint32_t first = CreateSemaphore(program, kCore, 0);
      CreateSemaphore(program, kCore, 0);
      CreateSemaphore(program, kCore, 0);
      words.push_back(0);  // a tag
      for (const std::uint32_t word : line_->connection(chip, up, first)) words.push_back(word);
    }
    SetRuntimeArgs(program, writer, kCore, words);
  }
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  for (unsigned chip = 0; chip < kChips; ++chip)
    EXPECT_TRUE(output->read(chip) == given) << "chip " << chip << ", from " << sender;
}

TEST_F(PublishedCclBroadcast, Tiles) {
  constexpr std::uint32_t kTile = 2048, kPacket = kPayload / kTile;
  const Words args = {0, kPacket, kTile};
  for (const unsigned sender : {1U, 3U})
    broadcast({.name = "tile",
               .reads = args,
               .writes = args,
               .page = kTile,
               .pages = 11,
               .buffered = 3 * kPacket},
              sender);
}

TEST_F(PublishedCclBroadcast, Rows) {
  // Two rows per packet, then several packets per row.
  for (const std::uint32_t row : {1024U, 10240U}) {
    constexpr std::uint32_t kPacket = 4096;
    const std::uint32_t at_once = kPacket / row >= 2 ? 2 : 1,
                        packets = (row + kPacket - 1) / kPacket;
    broadcast({.name = "rm",
               .reads = {0, row, row, at_once, packets, kPacket},
               .writes = {0, row, row, kPacket, at_once, packets},
               .page = row,
               .pages = 7,
               .buffered = 3 * at_once},
              0);
  }
}

/// From one chip to another, with several pages per packet or several packets per page. The
/// receiver reports when it is ready, and splits packets.
class PublishedPointToPoint : public PublishedCclBroadcast {
 protected:
  void send(unsigned sender, unsigned receiver, std::uint32_t page, std::uint32_t pages);
};

void PublishedPointToPoint::send(unsigned sender, unsigned receiver, std::uint32_t page,
                                 std::uint32_t pages) {
  constexpr std::uint32_t kPacket = 4096, kHeader = 64;
  const std::string kernels = "ttnn/cpp/ttnn/operations/point_to_point/device/kernels/dataflow/";
  const std::uint32_t at_once = page <= kPacket ? std::min(kPacket / page, pages) : 1,
                      parts = page <= kPacket ? 1 : (page + kPacket - 1) / kPacket,
                      bytes = page <= kPacket ? page * at_once : kPacket,
                      packets = page <= kPacket ? (pages + at_once - 1) / at_once : parts * pages;
  const auto tensor = [&](std::uint32_t of_page, std::uint32_t count) {
    return MeshBuffer::create(
        *mesh_,
        InterleavedBufferConfig{.size = std::uint64_t{of_page} * count, .page_size = of_page});
  };
  const auto input = tensor(page, pages), between = tensor(bytes, packets),
             output = tensor(page, pages);
  const auto at = [](const auto& of) { return static_cast<std::uint32_t>(of->address()); };
  Bytes given(std::uint64_t{page} * pages);
  for (auto& byte : given) byte = static_cast<std::uint8_t>(random_());
  input->write(sender, given);
  output->write(receiver, Bytes(given.size(), 0xEE));
  const std::uint32_t hops = sender < receiver ? receiver - sender : sender - receiver;
  std::vector<Program> programs;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs.emplace_back(CreateProgram());
    if (chip != sender && chip != receiver) continue;
    const bool sends = chip == sender, up = sends == (sender < receiver);
    const auto buffer = [&](std::uint8_t cb, std::uint32_t of_page, std::uint32_t count) {
      CircularBufferConfig config(of_page * count, {{cb, DataFormat::Float16_b}});
      CreateCircularBuffer(program, kCore, config.set_page_size(cb, of_page));
    };
    Words words = sends
                      ? Words{at(between), 0, pages, hops, page, bytes, at_once, parts, ready_, up}
                      : Words{0, pages, at_once, at(between), bytes, page, parts, ready_, hops, up};
    if (!up) words.push_back(1);
    const std::uint32_t first = CreateSemaphore(program, kCore, 0);
    CreateSemaphore(program, kCore, 0);
    CreateSemaphore(program, kCore, 0);
    for (const std::uint32_t word : line_->connection(chip, up, first)) words.push_back(word);
    if (up) words.push_back(0);
    Words reads, writes;
    if (sends) {
      buffer(0, page, 2);
      buffer(1, kHeader, 4);
      buffer(2, bytes, 1);
      writes = {0, 1, 2, 16};
      TensorAccessorArgs(*input).append_to(reads);
      TensorAccessorArgs(*between).append_to(writes);
    } else {
      buffer(0, kHeader, 4);
      buffer(1, bytes, 1);
      buffer(2, page, 3 * at_once);
      reads = {0, 1, 2, 16};
      writes = {2};
      TensorAccessorArgs(*between).append_to(reads);
      TensorAccessorArgs(*output).append_to(writes);
    }
    const auto reader = CreateKernel(
        program,
        kernels + (sends ? "reader_unary_interleaved_start_id_gen.cpp" : "reader_receive.cpp"),
        kCore, ReaderDataMovementConfig(reads));
    const auto writer = CreateKernel(
        program,
        kernels + (sends ? "writer_send.cpp" : "writer_unary_interleaved_start_id_gen.cpp"), kCore,
        WriterDataMovementConfig(writes));
    const Words pages_of = {at(sends ? input : output), pages, 0, page};
    SetRuntimeArgs(program, reader, kCore, sends ? pages_of : words);
    SetRuntimeArgs(program, writer, kCore, sends ? words : pages_of);
  }
  mesh_->enqueue_all(programs);
  mesh_->finish_workers();
  EXPECT_TRUE(output->read(receiver) == given) << sender << " to " << receiver;
}

TEST_F(PublishedPointToPoint, PacketsOfPages) {
  send(0, 1, 2048, 7);
  send(3, 1, 1024, 6);
}
TEST_F(PublishedPointToPoint, PagesOfPackets) { send(1, 3, 10240, 3); }

}  // namespace
}  // namespace tvp::runtime::published_ccl_broadcast_test
