// Pipes and cross-node buffers: each receiver must get the data that the sender wrote for it. Ways
// of writing and sizes of entries vary, rings wrap, and several programs follow each other. Compute
// kernels read through a circular buffer over the ring.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "foundation/fault.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime {
namespace {

using experimental::PrefetcherPipe;

// Ways in which a sender writes.
enum Way : std::uint32_t { kBroadcast, kStrided, kToReceiver, kEachByItself, kByAddress, kNoc };

constexpr const char* kSender = R"(
#include "api/dataflow/dataflow_api.h"
#include END_HEADER
void kernel_main() {
  constexpr uint32_t way = get_compile_time_arg_val(0);
  uint32_t from = get_arg_val<uint32_t>(0);
  const uint32_t phases = get_arg_val<uint32_t>(1);
  Noc noc;
  experimental::END_CLASS end(END_NAME);
  const uint32_t receivers = end.num_receivers();
  for (uint32_t p = 0; p < phases; ++p) {
    const uint32_t* of = reinterpret_cast<const uint32_t*>(get_arg_addr(2 + 4 * p));
    const uint32_t entry = of[0];
#if END_RESIZES
    if (end.get_entry_size() != entry) end.set_entry_size(entry);
#endif
    for (uint32_t i = 0; i < of[1]; ++i) {
      const CoreLocalMem<uint8_t> source(from);
      if constexpr (way != 3) end.reserve_back(1);
      if constexpr (way == 0) {
        end.write_broadcast(noc, source, 1);
      } else if constexpr (way == 4) {
        end.write_broadcast(from, 1, noc);
      } else if constexpr (way == 1) {
        end.write_strided(noc, source, of[2], of[3], entry / (of[2] * of[3]));
      } else {
        for (uint32_t r = 0; r < receivers; ++r) {
          if constexpr (way == 3) end.reserve_back_for_receiver(r, 1);
#if END_RESIZES
          if constexpr (way == 5)
            noc.async_write<NocOptions::POSTED>(source, end, entry, {.offset_bytes = r * entry},
                                                {.receiver_idx = r});
          else
#endif
          end.write_to_receiver(noc, r, source, 1, {.offset_bytes = r * entry});
          if constexpr (way == 3) {
            end.flush_writes(noc);
            end.push_back_to_receiver(r, 1, noc);
          }
        }
      }
      if constexpr (way != 3) {
        end.flush_writes(noc);
        end.push_back(1, noc);
      }
      from += way == 0 || way == 4 ? entry : receivers * entry;
    }
  }
  if (get_compile_time_arg_val(1) != 0) end.barrier();
}
)";

constexpr const char* kReceiver = R"(
#include "api/dataflow/dataflow_api.h"
#include END_HEADER
void kernel_main() {
  auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  const uint32_t phases = get_arg_val<uint32_t>(1);
  const uint32_t delay = get_compile_time_arg_val(0);
  Noc noc;
  experimental::END_CLASS end(END_NAME);
  for (uint32_t p = 0; p < phases; ++p) {
    const uint32_t* of = reinterpret_cast<const uint32_t*>(get_arg_addr(2 + 4 * p));
#if END_RESIZES
    if (end.get_entry_size() != of[0]) end.set_receiver_entry_size(of[0]);
#endif
    for (uint32_t i = 0; i < of[1]; ++i) {
      end.wait_front(1);
      auto lock = end.scoped_read_lock();
      const auto from = lock.template get_ptr<volatile uint32_t>();
      for (uint32_t w = 0; w < of[0] / 4; ++w) *to++ = from[w];
      if (delay != 0) riscv_wait(delay);
      end.pop_front(1, noc);
    }
  }
}
)";

// A compute kernel processes the contents of the ring. An entry has several pages.
constexpr const char* kRelaying = R"(
#include "api/dataflow/dataflow_api.h"
#include END_HEADER
void kernel_main() {
  const uint32_t entries = get_compile_time_arg_val(0);
  const uint32_t pages = get_compile_time_arg_val(1);
  Noc noc;
  experimental::END_CLASS end(END_NAME);
  auto relay = end.bind_relay();
  static_assert(is_dataflow_buffer_v<DataflowBufferAnyPattern> && !is_dataflow_buffer_v<Noc>);
  for (uint32_t i = 0; i < entries; ++i) {
    relay.reserve_back(pages);
    end.wait_front(1);
    relay.push_back(pages);
    end.pop_front(1, noc);
  }
}
)";

constexpr const char* kConsumer = R"(
#include "api/compute/common.h"
#include "api/dataflow/dataflow_buffer.h"
void kernel_main() {
#if COMPILE_FOR_TRISC == 0
  const uint32_t entries = get_compile_time_arg_val(0);
  DataflowBuffer relay(RelayDFBBindingToken{3, 0});
  auto* to = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < entries; ++i) {
    relay.wait_front(1);
    const auto* from =
        reinterpret_cast<const volatile uint32_t*>(relay.get_read_ptr() << cb_addr_shift);
    for (uint32_t w = 0; w < relay.get_entry_size() / 4; ++w) *to++ = from[w];
    relay.pop_front(1);
  }
#endif
}
)";

struct Phase {
  std::uint32_t entry, entries;
  std::uint32_t rows = 1, pages = 1;  ///< for a strided write
};

class RemoteBuffers : public test::SystemSuite<> {
 protected:
  using Mapping = std::vector<std::pair<CoreCoord, CoreRangeSet>>;

  static void SetUpTestSuite() { open("system=single_chip", "remote_buffers"); }
  static std::map<std::string, std::string> of_pipe(const std::string& name = "pipe::out") {
    return {{"END_HEADER", "\"api/dataflow/prefetcher_pipe.h\""},
            {"END_CLASS", "PrefetcherPipe"},
            {"END_NAME", name},
            {"END_RESIZES", "1"}};
  }
  static std::map<std::string, std::string> of_cross_node(std::uint8_t number) {
    return {{"END_HEADER", "\"api/dataflow/cross_node_dfb.h\""},
            {"END_CLASS", "CrossNodeDFB"},
            {"END_NAME", std::to_string(number)},
            {"END_RESIZES", "0"}};
  }
  static CoreRangeSet senders_of(const Mapping& mapping) {
    std::vector<CoreCoord> cores;
    for (const auto& [sender, unused] : mapping) cores.push_back(sender);
    return CoreRangeSet(cores);
  }
  static CoreRangeSet receivers_of(const Mapping& mapping) {
    std::vector<CoreCoord> cores;
    for (const auto& [unused, its] : mapping)
      for (const CoreCoord core : its.cores()) cores.push_back(core);
    return CoreRangeSet(cores);
  }

  /// The random data in the L1 of senders, and the copies of receivers.
  class Traffic {
   public:
    Traffic(Mapping mapping, Way way, std::vector<Phase> phases, std::uint64_t seed)
        : mapping_(std::move(mapping)), way_(way), phases_(std::move(phases)) {
      receivers_ = mapping_.front().second.num_cores();
      for (const Phase& p : phases_) bytes_ += p.entry * p.entries;
      const std::uint32_t copies = way_ == kBroadcast || way_ == kByAddress ? 1 : receivers_;
      source_ = MeshBuffer::create(*mesh_, ShardedBufferConfig{.cores = senders_of(mapping_),
                                                               .shard_bytes = bytes_ * copies});
      found_ = MeshBuffer::create(
          *mesh_, ShardedBufferConfig{.cores = receivers_of(mapping_), .shard_bytes = bytes_});
      std::mt19937_64 random(seed);
      std::vector<std::uint8_t> sent(source_->size());
      for (auto& byte : sent) byte = static_cast<std::uint8_t>(random());
      source_->write(0, sent);
      found_->write(0, std::vector<std::uint8_t>(found_->size()));
    }

    void add_sender(Program& program, const DataMovementConfig& like) const {
      DataMovementConfig config = like;
      config.compile_args = {way_, 1};
      const KernelHandle sender =
          CreateKernel(program, kernel("sender.cpp", kSender), senders_of(mapping_), config);
      SetRuntimeArgs(program, sender, senders_of(mapping_), arguments(*source_));
    }
    void add_receiver(Program& program, const DataMovementConfig& like,
                      std::uint32_t delay = 0) const {
      DataMovementConfig config = like;
      config.processor = DataMovementProcessor::RISCV_1;
      config.noc = NOC::NOC_1;
      config.compile_args = {delay};
      const KernelHandle receiver =
          CreateKernel(program, kernel("receiver.cpp", kReceiver), receivers_of(mapping_), config);
      SetRuntimeArgs(program, receiver, receivers_of(mapping_), arguments(*found_));
    }
    std::uint32_t found_address() const { return static_cast<std::uint32_t>(found_->address()); }

    void compare() const {
      for (const auto& [sender, its] : mapping_) {
        const std::vector<std::uint8_t> sent = source_->read_shard(0, sender);
        for (std::uint32_t r = 0; r < receivers_; ++r)
          EXPECT_TRUE(found_->read_shard(0, its.cores()[r]) == expected(sent, r))
              << "receiver " << its.cores()[r].str() << " of " << sender.str();
      }
    }

   private:
    std::vector<std::uint32_t> arguments(const MeshBuffer& of) const {
      std::vector<std::uint32_t> args{static_cast<std::uint32_t>(of.address()),
                                      static_cast<std::uint32_t>(phases_.size())};
      for (const Phase& p : phases_) args.insert(args.end(), {p.entry, p.entries, p.rows, p.pages});
      return args;
    }
    std::vector<std::uint8_t> expected(const std::vector<std::uint8_t>& sent,
                                       std::uint32_t r) const {
      std::vector<std::uint8_t> bytes;
      std::size_t at = 0;
      const auto take = [&](std::size_t from, std::size_t count) {
        const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(from);
        bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
      };
      for (const Phase& p : phases_)
        for (std::uint32_t i = 0; i < p.entries; ++i) {
          if (way_ == kBroadcast || way_ == kByAddress) {
            take(at, p.entry);
            at += p.entry;
            continue;
          }
          const std::uint32_t rows = way_ == kStrided ? p.rows : 1;
          const std::size_t part = p.entry / rows;
          for (std::uint32_t row = 0; row < rows; ++row)
            take(at + (row * receivers_ + r) * part, part);
          at += std::size_t{receivers_} * p.entry;
        }
      return bytes;
    }

    Mapping mapping_;
    Way way_;
    std::vector<Phase> phases_;
    std::uint32_t receivers_ = 0, bytes_ = 0;
    std::shared_ptr<MeshBuffer> source_, found_;
  };

  static DataMovementConfig named(std::uint8_t number) {
    return {.defines = of_pipe(), .names = {.pipes = {{"out", number}}}};
  }
  /// Sends through `pipe` in one program.
  static void send(const PrefetcherPipe& pipe, Way way, const std::vector<Phase>& phases,
                   std::uint64_t seed, std::uint32_t delay = 0) {
    const Traffic traffic({{pipe.sender_core(), pipe.receiver_cores()}}, way, phases, seed);
    Program program;
    const std::uint8_t number =
        experimental::AttachPrefetcherPipe(program, pipe, pipe.all_cores(), phases.front().entry);
    traffic.add_sender(program, named(number));
    traffic.add_receiver(program, named(number), delay);
    mesh_->run(0, program);
    traffic.compare();
  }
  static PrefetcherPipe pipe_of(std::uint32_t receivers, std::uint32_t ring) {
    return experimental::CreatePrefetcherPipe(*mesh_, {0, 0}, CoreRange({1, 0}, {receivers, 0}),
                                              ring);
  }
};

// The ring wraps at another place in each program, since 2816 bytes are no multiple of an entry's
// size.
TEST_F(RemoteBuffers, EveryWayOfWritingArrivesOverWrapsAndPrograms) {
  const auto pipe = pipe_of(3, 2816);
  send(pipe, kBroadcast, {{576, 9}}, 1);
  send(pipe, kStrided, {{1088, 7, 2, 2}}, 2);
  send(pipe, kToReceiver, {{272, 23}}, 3);
  send(pipe, kEachByItself, {{1088, 6}}, 4);
  send(pipe, kByAddress, {{1088, 5}}, 5);
  send(pipe, kNoc, {{176, 30}}, 6);
}

TEST_F(RemoteBuffers, SizesOfEntriesChangeOnTheWay) {
  const auto pipe = pipe_of(2, 9 * 1024);
  const std::vector<Phase> phases{{1088, 11},     {1024, 5, 2, 1}, {576, 17, 4, 3},
                                  {512, 3, 4, 2}, {2048, 1},       {16, 40}};
  send(pipe, kToReceiver, phases, 7);
  send(pipe, kStrided, phases, 8);
  send(pipe, kEachByItself, phases, 9);
}

TEST_F(RemoteBuffers, ASlowReceiverHoldsTheSender) {
  const auto pipe = pipe_of(2, 2 * 1088 + 16);
  send(pipe, kStrided, {{1088, 9}, {576, 9}}, 10, 3000);
  const auto one = pipe_of(1, 16);
  send(one, kBroadcast, {{16, 20}}, 11, 300);
}

// The sender's program ends before the receiver's begins, and another program sends while it runs.
TEST_F(RemoteBuffers, EndsInProgramsOfTheirOwn) {
  const auto pipe = pipe_of(2, 4096);
  const Mapping mapping{{pipe.sender_core(), pipe.receiver_cores()}};
  const auto attach = [&](Program& program, const CoreRangeSet& cores, std::uint32_t entry) {
    return named(experimental::AttachPrefetcherPipe(program, pipe, cores, entry));
  };
  for (const std::uint32_t entry : {576U, 1088U, 1088U}) {
    const Traffic traffic(mapping, kToReceiver, {{entry, 11}}, entry);
    Program sends, receives;
    traffic.add_sender(sends, attach(sends, pipe.sender_cores(), entry));
    traffic.add_receiver(receives, attach(receives, pipe.receiver_cores(), entry), 500);
    mesh_->enqueue(0, sends);
    mesh_->enqueue(0, receives);
    mesh_->finish();
    traffic.compare();
  }
}

// One kernel with one number serves three pipes of a space. A deleted pipe frees its cores.
TEST_F(RemoteBuffers, ASpaceHasManyPipes) {
  const CoreRange senders({0, 0}, {0, 3});
  const CoreRange domain({1, 0}, {6, 3});
  auto space = experimental::CreatePrefetcherPipeSpace(
      *mesh_, {senders, 0, domain, 3 * 576 + 32, 5, BufferType::L1});
  EXPECT_EQ(space.unclaimed_cores().num_cores(), 4U + 24U);
  const std::vector<std::pair<CoreCoord, CoreRangeSet>> wanted{{{0, 1}, CoreRange({1, 1}, {5, 1})},
                                                               {{0, 0}, CoreRange({2, 0}, {6, 0})},
                                                               {{0, 3}, CoreRange({1, 2}, {5, 2})}};
  for (int time = 0; time < 2; ++time) {
    const auto pipes = space.create_pipes(wanted);
    EXPECT_EQ(space.unclaimed_cores().num_cores(), 28U - 18U);
    const Traffic traffic(wanted, kStrided, {{576, 9, 3, 1}, {144, 20}}, 12 + time);
    Program program;
    for (const auto& pipe : pipes)
      EXPECT_EQ(experimental::AttachPrefetcherPipe(program, pipe, pipe.all_cores(), 576), 0);
    traffic.add_sender(program, named(0));
    traffic.add_receiver(program, named(0));
    mesh_->run(0, program);
    traffic.compare();
  }
  EXPECT_EQ(space.unclaimed_cores().num_cores(), 28U);
}

// Entries of the ring are pages of a circular buffer, starting at the pipe's position. Twice, then
// with another size.
TEST_F(RemoteBuffers, ComputeKernelsReadThroughTheRing) {
  const auto pipe = pipe_of(2, 5 * 1088 + 512);
  constexpr std::uint32_t kEntries = 8;
  for (const auto& [entry, pages] :
       {std::pair(1088U, 1U), std::pair(1088U, 2U), std::pair(576U, 1U), std::pair(576U, 3U)}) {
    const Traffic traffic({{pipe.sender_core(), pipe.receiver_cores()}}, kToReceiver,
                          {{entry, kEntries}}, 20 + entry);
    Program program;
    const std::uint8_t number =
        experimental::AttachPrefetcherPipe(program, pipe, pipe.all_cores(), entry);
    CircularBufferConfig config(pipe.ring_size() / entry * entry);
    config.index(3).set_page_size(entry / pages).set_data_format(DataFormat::Float16_b);
    experimental::CreateCircularBuffer(program, pipe.receiver_cores(), config, pipe, number);
    traffic.add_sender(program, named(number));
    CreateKernel(program, kernel("relaying.cpp", kRelaying), pipe.receiver_cores(),
                 DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                    .noc = NOC::NOC_1,
                                    .compile_args = {kEntries, pages},
                                    .defines = of_pipe(std::to_string(number))});
    const KernelHandle consumer =
        CreateKernel(program, kernel("consumer.cpp", kConsumer), pipe.receiver_cores(),
                     ComputeConfig{.compile_args = {kEntries * pages}});
    SetRuntimeArgs(program, consumer, pipe.receiver_cores(), {traffic.found_address()});
    mesh_->run(0, program);
    traffic.compare();
  }
}

TEST_F(RemoteBuffers, CrossNodeBuffersBeginEmptyWithEachLaunch) {
  const Mapping mapping{{{0, 0}, CoreRange({1, 0}, {3, 0})}, {{0, 2}, CoreRange({1, 2}, {3, 2})}};
  for (const Way way : {kBroadcast, kStrided, kToReceiver, kEachByItself}) {
    Program program;
    const std::uint8_t number = experimental::CreateCrossNodeDFB(program, *mesh_, mapping, 544, 4);
    EXPECT_EQ(number, 0);
    const Traffic traffic(mapping, way, {{544, 11, 2, 1}}, 30 + way);
    traffic.add_sender(program, {.defines = of_cross_node(number)});
    traffic.add_receiver(program, {.defines = of_cross_node(number)}, 100);
    for (int time = 0; time < 2; ++time) {
      mesh_->run(0, program);
      traffic.compare();
    }
  }
}

TEST_F(RemoteBuffers, ComputeKernelsReadThroughCrossNodeBuffers) {
  constexpr std::uint32_t kEntry = 1088, kEntries = 9;
  const CoreRangeSet receivers = CoreRange({1, 0}, {2, 0});
  const Traffic traffic({{{0, 0}, receivers}}, kToReceiver, {{kEntry, kEntries}}, 40);
  Program program;
  const std::uint8_t other =
      experimental::CreateCrossNodeDFB(program, *mesh_, CoreCoord{0, 0}, CoreCoord{4, 0}, 16, 1);
  const std::uint8_t number =
      experimental::CreateCrossNodeDFB(program, *mesh_, CoreCoord{0, 0}, receivers, kEntry, 2);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(number, 1);
  CircularBufferConfig config(2 * kEntry);
  config.index(3).set_page_size(kEntry).set_data_format(DataFormat::Float16_b);
  experimental::CreateCrossNodeRelayDataflowBuffer(program, receivers, config, number);
  traffic.add_sender(program, {.defines = of_cross_node(number)});
  CreateKernel(program, kernel("relaying.cpp", kRelaying), receivers,
               DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                  .noc = NOC::NOC_1,
                                  .compile_args = {kEntries, 1},
                                  .defines = of_cross_node(number)});
  const KernelHandle consumer = CreateKernel(program, kernel("consumer.cpp", kConsumer), receivers,
                                             ComputeConfig{.compile_args = {kEntries}});
  SetRuntimeArgs(program, consumer, receivers, {traffic.found_address()});
  for (int time = 0; time < 2; ++time) mesh_->run(0, program);
  traffic.compare();
}

std::string refusal(const std::function<void()>& use) {
  return tvp::test::fault_of([&] { use(); }, {}, "");
}

TEST_F(RemoteBuffers, WhatDoesNotFitIsRefused) {
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  const CoreRangeSet receivers = CoreRange({1, 0}, {2, 0});
  const auto make = [&](CoreCoord sender, const CoreRangeSet& its, std::uint32_t ring) {
    return refusal([&] { experimental::CreatePrefetcherPipe(*mesh_, sender, its, ring); });
  };
  EXPECT_EQ(make({0, 0}, receivers, 64), "");
  says(make({1, 0}, receivers, 64), "core (1, 0) is of another pipe, or in this one twice");
  says(make({0, 0}, receivers, 40), "40 bytes; expected a positive multiple of 16");
  says(make({0, 0}, {}, 64), "no core that may receive");

  auto space = experimental::CreatePrefetcherPipeSpace(
      *mesh_, {CoreCoord{0, 0}, 0, receivers, 64, 1, BufferType::L1});
  says(refusal([&] { space.create_pipe({1, 0}, CoreCoord{2, 0}); }), "is no sender of the space");
  says(refusal([&] { space.create_pipe({0, 0}, CoreCoord{3, 0}); }), "no receiver of the space");
  says(refusal([&] { space.create_pipe({0, 0}, receivers); }), "has 2 receivers; expected 1 to 1");

  const auto pipe = pipe_of(2, 4096);
  const auto attach = [&](const CoreRangeSet& cores, std::uint32_t entry) {
    return refusal([&] {
      Program program;
      experimental::AttachPrefetcherPipe(program, pipe, cores, entry);
    });
  };
  EXPECT_EQ(attach(pipe.all_cores(), 4096), "");
  says(attach(pipe.all_cores(), 4112), "entries of 4112 bytes");
  says(attach(pipe.all_cores(), 24), "entries of 24 bytes");
  says(attach(CoreCoord{1, 0}, 64), "all its receivers, or none");
  says(attach(CoreCoord{4, 0}, 64), "neither its sender nor a receiver");

  const auto relay = [&](std::uint32_t page, std::uint8_t number, CoreCoord core) {
    return refusal([&] {
      Program program;
      experimental::AttachPrefetcherPipe(program, pipe, receivers, 1024);
      CircularBufferConfig config(12288);  // each page is a part of this size
      config.index(3).set_page_size(page);
      experimental::CreatePrefetcherPipeRelayDataflowBuffer(program, core, config, number);
    });
  };
  EXPECT_EQ(relay(1024, 0, {1, 0}), "");
  EXPECT_EQ(relay(512, 0, {1, 0}), "");
  says(relay(96, 0, {1, 0}), "pages of 96 bytes, which do not divide the entries of pipe 0, 1024");
  says(relay(1024, 1, {1, 0}), "pipe 1, which core (1, 0) does not have");
  says(relay(1024, 0, {0, 0}), "pipe 0, which core (0, 0) does not have");

  const auto cross = [&](const CrossNodeDFB::Mapping& mapping, std::uint32_t entry,
                         std::uint32_t entries) {
    return refusal([&] {
      Program program;
      experimental::CreateCrossNodeDFB(program, *mesh_, mapping, entry, entries);
    });
  };
  EXPECT_EQ(cross({{{0, 0}, receivers}}, 16, 1), "");
  says(cross({{{1, 0}, receivers}}, 16, 1), "core (1, 0) is in its mapping twice");
  says(cross({{{0, 0}, receivers}}, 8, 1), "entries of 8 bytes");
  says(cross({{{0, 0}, receivers}}, 16, 0), "has no entries");
  says(cross({{{0, 0}, receivers}}, 1U << 16, 1U << 16), "rings of 4294967296 bytes");
  says(cross({}, 16, 1), "has no sender");
}

}  // namespace
}  // namespace tvp::runtime
