// Collectives that a host program calls, on buffers of chips and on banks of PIM units.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>

#include "foundation/fault.h"
#include "sw/collectives/library/ccl.h"
#include "sw/collectives/library/communicator.h"
#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/pim_system.h"
#include "sw/runtime/sharding/mesh_composer.h"
#include "sw/runtime/sharding/mesh_mapper.h"
#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::int32_t>;

const std::string kSystem = TVP_SYSTEM;
const bool kUnits = kSystem.starts_with("pim");
constexpr auto kInt = DataType::kInt32;

std::vector<std::uint8_t> bytes_of(const Words& words) {
  std::vector<std::uint8_t> bytes(words.size() * 4);
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}
Words words_of(const std::vector<std::uint8_t>& bytes) {
  Words words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

/// The number of rank `rank` at index i.
std::int32_t number(std::uint32_t rank, std::uint64_t i) {
  return static_cast<std::int32_t>((rank + 1) * 1000003 * (i + 7) % 999983) - 499991;
}

/// One system per process, with its own file of measurements.
class Ranks {
 public:
  static Ranks& get() {
    static Ranks ranks;
    return ranks;
  }
  Communicator& calls() { return *calls_; }
  std::uint32_t size() const { return calls_->size(); }
  runtime::MeshDevice& mesh() { return *mesh_; }
  runtime::PimSystem& units() { return *units_; }

  /// Allocates memory for `count` numbers; on chips with pages of `page` numbers.
  DeviceMemory make(std::uint64_t count, std::uint64_t page = 0) {
    if (kUnits) {
      const BankRange range{next_, count * 4};
      next_ += (count * 4 + 15) / 8 * 8;
      return range;
    }
    return runtime::CreateBuffer(
        *mesh_, runtime::InterleavedBufferConfig{.size = count * 4,
                                                 .page_size = (page == 0 ? count : page) * 4});
  }
  void reset() { next_ = 4096; }
  void write(const DeviceMemory& memory, std::uint32_t rank, const Words& words) {
    if (!kUnits) {
      std::get<0>(memory)->write(rank, bytes_of(words));
    } else {
      units_->own_by_host(rank);
      units_->write_bank(rank, std::get<1>(memory).address, bytes_of(words));
    }
  }
  Words read(const DeviceMemory& memory, std::uint32_t rank) {
    if (!kUnits) return words_of(std::get<0>(memory)->read(rank));
    units_->own_by_host(rank);
    const BankRange range = std::get<1>(memory);
    return words_of(units_->read_bank(rank, range.address, range.bytes));
  }
  /// Allocates memory and fills it with numbers of each rank.
  DeviceMemory filled(std::uint64_t count, std::uint64_t page = 0) {
    DeviceMemory memory = make(count, page);
    for (std::uint32_t rank = 0; rank < size(); ++rank) {
      Words words(count);
      for (std::uint64_t i = 0; i < count; ++i) words[i] = number(rank, i);
      write(memory, rank, words);
    }
    return memory;
  }

 private:
  Ranks() : library_(runtime::DeviceLibrary::open(TVP_LIBRARY)) {
    library_->configure("system=" + kSystem);
    const std::string file = (fs::path(TVP_KERNEL_FOLDER) / "measured.json").string();
    fs::remove(file);
    const Communicator::Options options{.tuning_file = file};
    if (kUnits) {
      units_ = std::make_unique<runtime::PimSystem>(*library_);
      calls_ = std::make_unique<Communicator>(*units_, *library_, options);
    } else {
      mesh_ = std::make_unique<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
      calls_ = std::make_unique<Communicator>(*mesh_, options);
    }
  }
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::PimSystem> units_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
  std::unique_ptr<Communicator> calls_;
  std::uint64_t next_ = 4096;
};

class CollectiveCalls : public testing::Test {
 protected:
  void SetUp() override { ranks_.reset(); }
  void expect(const DeviceMemory& memory, std::uint32_t rank, std::uint64_t count,
              const std::function<std::int32_t(std::uint64_t)>& golden) {
    const Words found = ranks_.read(memory, rank);
    ASSERT_EQ(found.size(), count);
    for (std::uint64_t i = 0; i < count; ++i)
      ASSERT_EQ(found[i], golden(i)) << "rank " << rank << ", element " << i;
  }
  std::int32_t sum(std::uint64_t i) const {
    std::int32_t total = 0;
    for (std::uint32_t rank = 0; rank < n_; ++rank) total += number(rank, i);
    return total;
  }

  Ranks& ranks_ = Ranks::get();
  Communicator& calls_ = ranks_.calls();
  const std::uint32_t n_ = ranks_.size();
};

/// Counts: whole chunks, one element, an odd count.
constexpr std::uint64_t kCounts[] = {1024, 1, 37};

TEST_F(CollectiveCalls, AllReduceLeavesTheSumEverywhere) {
  for (const std::uint64_t count : {std::uint64_t{4096}, std::uint64_t{1}, std::uint64_t{1001}}) {
    ranks_.reset();
    const auto input = ranks_.filled(count);
    const auto output = ranks_.make(count);
    const Call call = calls_.all_reduce(input, output, kInt, ReduceOp::kSum, {.algorithm = "ring"});
    EXPECT_TRUE(call.done());
    EXPECT_GT(call.record().time_ns, 0);
    EXPECT_EQ(call.record().staged, count != 4096) << count;
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(output, rank, count, [&](std::uint64_t i) { return sum(i); });
  }
}

TEST_F(CollectiveCalls, SharesGoWhereTheyBelong) {
  for (const std::uint64_t count : kCounts) {
    ranks_.reset();
    const auto one = ranks_.filled(count);
    const auto all = ranks_.filled(n_ * count);
    const auto out_one = ranks_.make(count);
    const auto out_all = ranks_.make(n_ * count);
    const std::uint32_t root = n_ - 1;
    calls_.all_gather(one, out_all, kInt, {.algorithm = "ring"});
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(out_all, rank, n_ * count, [&](std::uint64_t i) {
        return number(static_cast<std::uint32_t>(i / count), i % count);
      });
    calls_.reduce_scatter(all, out_one, kInt, ReduceOp::kSum, {.algorithm = "ring"});
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(out_one, rank, count, [&](std::uint64_t i) { return sum(rank * count + i); });
    calls_.all_to_all(all, out_all, kInt, {.algorithm = "pairwise"});
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(out_all, rank, n_ * count, [&](std::uint64_t i) {
        return number(static_cast<std::uint32_t>(i / count), rank * count + i % count);
      });
    calls_.gather(one, out_all, kInt, root, {.algorithm = "binomial"});
    expect(out_all, root, n_ * count, [&](std::uint64_t i) {
      return number(static_cast<std::uint32_t>(i / count), i % count);
    });
    calls_.scatter(all, out_one, kInt, root, {.algorithm = "binomial"});
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(out_one, rank, count, [&](std::uint64_t i) { return number(root, rank * count + i); });
  }
}

TEST_F(CollectiveCalls, OneRankGivesOrTakes) {
  constexpr std::uint64_t kCount = 640;
  const auto input = ranks_.filled(kCount);
  const auto output = ranks_.make(kCount);
  calls_.broadcast(input, output, kInt, 1, {.algorithm = "binomial"});
  for (std::uint32_t rank = 0; rank < n_; ++rank)
    expect(output, rank, kCount, [](std::uint64_t i) { return number(1, i); });
  calls_.reduce(input, output, kInt, ReduceOp::kMax, 2, {.algorithm = "binomial"});
  expect(output, 2, kCount, [&](std::uint64_t i) {
    std::int32_t most = number(0, i);
    for (std::uint32_t rank = 1; rank < n_; ++rank) most = std::max(most, number(rank, i));
    return most;
  });
  calls_.send_recv(input, output, kInt, 2, 0, {.algorithm = "pairwise"});
  expect(output, 0, kCount, [](std::uint64_t i) { return number(2, i); });
}

TEST_F(CollectiveCalls, AMemoryMayBeItsOwnResult) {
  constexpr std::uint64_t kCount = 2048;
  const auto both = ranks_.filled(kCount);
  EXPECT_TRUE(
      calls_.all_reduce(both, both, kInt, ReduceOp::kSum, {.algorithm = "ring"}).record().staged);
  for (std::uint32_t rank = 0; rank < n_; ++rank)
    expect(both, rank, kCount, [&](std::uint64_t i) { return sum(i); });
}

/// The choice uses alpha and beta. The first call measures them, later calls read the file.
TEST_F(CollectiveCalls, TheChooserSaysWhatItChoseAndWhy) {
  constexpr std::uint64_t kCount = 4096;
  const auto input = ranks_.filled(kCount);
  const auto output = ranks_.make(kCount);
  const Call call = calls_.all_reduce(input, output, kInt);
  for (std::uint32_t rank = 0; rank < n_; ++rank)
    expect(output, rank, kCount, [&](std::uint64_t i) { return sum(i); });
  for (std::uint32_t rank = 0; rank < n_; ++rank)
    expect(input, rank, kCount, [&](std::uint64_t i) { return number(rank, i); });
  const Choice& choice = call.record().choice;
  ASSERT_FALSE(choice.candidates.empty());
  EXPECT_EQ(choice.candidates.front().algorithm, choice.algorithm);
  EXPECT_NE(choice.reason.find("alpha "), std::string::npos) << choice.reason;
  unsigned usable = 0;
  for (std::size_t i = 1; i < choice.candidates.size(); ++i) {
    if (!choice.candidates[i].refusal.empty()) continue;
    ++usable;
    EXPECT_GE(choice.candidates[i].time_ns, choice.candidates[i - 1].time_ns);
  }
  EXPECT_GE(usable, 3U) << choice.text();
  EXPECT_TRUE(fs::exists(calls_.tuning_file()));
  // The estimates use measurements of other schedules and sizes.
  for (const Estimate& each : choice.candidates) {
    if (!each.refusal.empty()) continue;
    const Call tried = calls_.all_reduce(input, output, kInt, ReduceOp::kSum,
                                         {.algorithm = each.algorithm, .segments = each.segments});
    EXPECT_LT(std::abs(std::log2(tried.record().time_ns / each.time_ns)), 1)  // a factor of 2
        << each.algorithm << " took " << tried.record().time_ns << " ns\n"
        << choice.text();
  }
}

void expect_refusal(const std::string& text, const std::function<void()>& call) {
  EXPECT_TRUE(tvp::test::faults([&] { call(); }, {}, {text})) << "expected a refusal: " << text;
}

TEST_F(CollectiveCalls, WhatDoesNotGoTogetherIsRefused) {
  const auto some = ranks_.make(64);
  const auto more = ranks_.make(128);
  const auto odd = ranks_.make(4 * n_ + 1);
  expect_refusal("expected an output of 256", [&] { calls_.all_reduce(some, more, kInt); });
  expect_refusal("expected an output of " + std::to_string(256 * n_),
                 [&] { calls_.all_gather(some, more, kInt); });
  expect_refusal(n_ % 8 == 0 ? "expected shares of" : "expected an output of",
                 [&] { calls_.reduce_scatter(odd, some, kInt); });
  expect_refusal("root " + std::to_string(n_),
                 [&] { calls_.broadcast(some, some, kInt, n_, {.algorithm = "chain"}); });
  expect_refusal("expected another rank",
                 [&] { calls_.send_recv(some, some, kInt, 1, 1, {.algorithm = "pairwise"}); });
  expect_refusal("expected kFloat32, kBfloat16 or kInt32",
                 [&] { calls_.all_reduce(some, some, static_cast<DataType>(7)); });
  expect_refusal("operation 9",
                 [&] { calls_.all_reduce(some, some, kInt, static_cast<ReduceOp>(9)); });
  expect_refusal("algorithm best: expected one of", [&] {
    calls_.all_reduce(some, some, kInt, ReduceOp::kSum, {.algorithm = "best"});
  });
  expect_refusal("does not support all_reduce", [&] {
    calls_.all_reduce(some, some, kInt, ReduceOp::kSum, {.algorithm = "pairwise"});
  });
}

TEST_F(CollectiveCalls, MemoriesOfAnotherMachineAreRefused) {
  const auto some = ranks_.make(64);
  if (kUnits) {
    expect_refusal("all_reduce.output: is a buffer of a mesh",
                   [&] { calls_.all_reduce(some, std::shared_ptr<runtime::MeshBuffer>(), kInt); });
    expect_refusal("of banks that have", [&] {
      calls_.all_reduce(some, BankRange{ranks_.units().bank_bytes() - 8, 256}, kInt);
    });
    expect_refusal("expected elements of 4 bytes", [&] {
      calls_.all_reduce(BankRange{0, 6}, BankRange{64, 6}, kInt);
    });
    expect_refusal("at least one", [&] {
      calls_.all_reduce(BankRange{0, 0}, BankRange{64, 0}, kInt);
    });
    const std::uint64_t half = ranks_.units().bank_bytes() / 2;
    expect_refusal("bytes of a bank", [&] {
      calls_.all_reduce(BankRange{0, half + 4}, BankRange{half - 4, half + 4}, kInt, ReduceOp::kSum,
                        {.algorithm = "ring"});
    });
  } else {
    expect_refusal("all_reduce.input: is a part of banks", [&] {
      calls_.all_reduce(BankRange{0, 256}, some, kInt);
    });
    expect_refusal("is null: expected a buffer of the mesh",
                   [&] { calls_.all_reduce(std::shared_ptr<runtime::MeshBuffer>(), some, kInt); });
    runtime::MeshDevice other(ranks_.mesh().library(), {});
    const auto elsewhere = runtime::CreateBuffer(
        other, runtime::InterleavedBufferConfig{.size = 256, .page_size = 256});
    expect_refusal("of another mesh", [&] { calls_.all_reduce(some, elsewhere, kInt); });
    expect_refusal("the queue belongs to another mesh", [&] {
      calls_.all_reduce(some, some, kInt, ReduceOp::kSum,
                        {.algorithm = "ring", .queue = &other.mesh_command_queue()});
    });
    const auto halves = runtime::CreateBuffer(
        ranks_.mesh(), runtime::InterleavedBufferConfig{.size = 6, .page_size = 6});
    expect_refusal("expected elements of 4 bytes",
                   [&] { calls_.all_reduce(halves, halves, kInt); });
  }
}

// Chips only.

/// Pages of a size that the collective supports are used in place; others are copied.
TEST_F(CollectiveCalls, PagesOfManySizes) {
  if (kUnits) GTEST_SKIP() << "banks have no pages";
  constexpr std::uint64_t kCount = 24576;
  for (const std::uint64_t page : {8U, 512U, 1024U, 8192U, 12U}) {
    const auto input = ranks_.filled(kCount, page);
    const auto output = ranks_.make(kCount, page == 512 ? 1024 : page);
    const Call call = calls_.all_reduce(input, output, kInt, ReduceOp::kSum, {.algorithm = "ring"});
    EXPECT_EQ(call.record().staged, page == 12) << page;
    for (std::uint32_t rank = 0; rank < n_; ++rank)
      expect(output, rank, kCount, [&](std::uint64_t i) { return sum(i); });
  }
}

/// A measurement is only valid for the models that it was made with.
TEST_F(CollectiveCalls, TheFileOfTheModelsIsKnown) {
  if (kUnits) GTEST_SKIP() << "the same library";
  EXPECT_TRUE(fs::is_regular_file(ranks_.mesh().library().file()))
      << ranks_.mesh().library().file();
}

/// Two queues with different routers run calls in the order of events.
TEST_F(CollectiveCalls, QueuesRunCallsInOrderWithoutTheHostWaiting) {
  if (kUnits) GTEST_SKIP() << "PIM systems have no queues";
  constexpr std::uint64_t kCount = 1024;
  runtime::MeshCommandQueue& first = ranks_.mesh().mesh_command_queue(0);
  runtime::MeshCommandQueue& second = ranks_.mesh().mesh_command_queue(1);
  const auto input = ranks_.filled(kCount);
  const auto sums = ranks_.make(kCount);
  const auto all = ranks_.make(n_ * kCount);
  const auto again = ranks_.make(kCount);
  const CallOptions ring{.algorithm = "ring", .queue = &first, .blocking = false};
  const Call one = calls_.all_reduce(input, sums, kInt, ReduceOp::kSum, ring);
  EXPECT_FALSE(one.done());
  const Call two = calls_.all_gather(sums, all, kInt, ring);
  CallOptions other = ring;
  other.queue = &second;
  const Call three = calls_.reduce_scatter(all, again, kInt, ReduceOp::kMax, other);
  EXPECT_FALSE(three.done());
  three.wait();
  EXPECT_TRUE(one.done());
  EXPECT_TRUE(two.done());
  for (std::uint32_t rank = 0; rank < n_; ++rank)
    expect(again, rank, kCount, [&](std::uint64_t i) { return sum(i); });
  first.finish();
}

TEST_F(CollectiveCalls, TensorsByTtnnsNames) {
  if (kUnits) GTEST_SKIP() << "tensors are of meshes";
  namespace sharding = runtime::sharding;
  runtime::MeshDevice& mesh = ranks_.mesh();
  const sharding::TensorShape whole{1, n_ * 32, 64};
  Words content(n_ * 32 * 64);
  std::iota(content.begin(), content.end(), 0);
  const CallOptions ring{.algorithm = "ring"};
  for (const auto order :
       {runtime::TensorLayoutType::LIN_ROW_MAJOR, runtime::TensorLayoutType::TILED_NFACES}) {
    const sharding::DeviceLocalLayoutConfig layout{.order = order};
    const auto shards = sharding::DistributedBuffer::create(
        mesh, sharding::ShardTensorToMesh(mesh, 1), whole, 4, layout);
    shards->write(bytes_of(content));
    const auto gathered = ccl::all_gather(calls_, shards, 1, layout, ring);
    for (std::uint32_t d = 0; d < n_; ++d)
      EXPECT_EQ(words_of(gathered->read_shard({0, d})), content);
    const auto sums = ccl::reduce_scatter(calls_, gathered, -2, kInt, layout, ring);
    Words expected = content;
    for (std::int32_t& each : expected) each *= static_cast<std::int32_t>(n_);
    EXPECT_EQ(words_of(sums->read()), expected);
    const auto reduced = ccl::all_reduce(calls_, gathered, kInt, layout, ring);
    EXPECT_EQ(words_of(reduced->read_shard({0, 1})), expected);
    const auto copies = ccl::all_broadcast(calls_, shards, layout, {.algorithm = "chain"});
    ASSERT_EQ(copies.size(), n_);
    EXPECT_EQ(copies[1]->read_shard({0, 0}), shards->read_shard({0, 1}));
    const auto sent =
        ccl::point_to_point(calls_, shards, {0, 2}, {0, 1}, layout, {.algorithm = "pairwise"});
    EXPECT_EQ(sent->read_shard({0, 2}), shards->read_shard({0, 1}));
    EXPECT_THROW(ccl::all_gather(calls_, shards, 2, layout, ring), sharding::ShardingError);
    EXPECT_THROW(ccl::all_gather(calls_, shards, 3, layout, ring), sharding::ShardingError);
  }
}

}  // namespace
}  // namespace tvp::collectives
