// Communicators of groups of ranks, which run different collectives at the same time.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "foundation/fault.h"
#include "sw/collectives/library/communicator.h"
#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/pim_system.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::int32_t>;
using Group = std::vector<std::uint32_t>;

const std::string kSystem = TVP_SYSTEM;
const bool kUnits = kSystem.starts_with("pim");
constexpr auto kInt = DataType::kInt32;

/// The number of rank `rank` of the whole system at index i.
std::int32_t number(std::uint32_t rank, std::uint64_t i) {
  return static_cast<std::int32_t>((rank + 1) * 1000003 * (i + 7) % 999983) - 499991;
}

std::vector<std::uint8_t> bytes_of(const Words& words) {
  std::vector<std::uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}
Words words_of(const std::vector<std::uint8_t>& bytes) {
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

class CollectiveGroups : public testing::Test {
 protected:
  void SetUp() override {
    library_ = runtime::DeviceLibrary::open(TVP_LIBRARY);
    library_->configure("system=" + kSystem);
    const std::string file = (fs::path(TVP_KERNEL_FOLDER) / "groups.json").string();
    const Communicator::Options options{.l1_bytes = 256 * 1024, .tuning_file = file};
    if (kUnits) {
      units_ = std::make_unique<runtime::PimSystem>(*library_);
      all_ = std::make_unique<Communicator>(*units_, *library_, options);
    } else {
      mesh_ = std::make_shared<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
      all_ = std::make_unique<Communicator>(*mesh_, options);
    }
  }
  /// On t3000 the left and the right half of the mesh; on units, even and odd ones.
  std::uint32_t color(std::uint32_t rank) const {
    return kUnits ? rank % 2 : rank % mesh_->shape().columns * 2 / mesh_->shape().columns;
  }
  std::vector<std::uint32_t> colors() const {
    std::vector<std::uint32_t> made;
    for (std::uint32_t rank = 0; rank < all_->size(); ++rank) made.push_back(color(rank));
    return made;
  }
  Group members(std::uint32_t of_color) const {
    Group made;
    for (std::uint32_t rank = 0; rank < all_->size(); ++rank)
      if (color(rank) == of_color) made.push_back(rank);
    return made;
  }

  DeviceMemory make(Communicator& calls, std::uint64_t count) {
    if (!kUnits)
      return runtime::CreateBuffer(
          calls.mesh() ? *calls.mesh() : *mesh_,
          runtime::InterleavedBufferConfig{.size = count * 4, .page_size = 1024});
    const BankRange range{next_, count * 4};
    next_ += count * 4;
    return range;
  }
  void write(const DeviceMemory& memory, const Group& group, std::uint32_t rank,
             const Words& words) {
    if (!kUnits) return std::get<0>(memory)->write(group[rank], bytes_of(words));
    units_->own_by_host(group[rank]);
    units_->write_bank(group[rank], std::get<1>(memory).address, bytes_of(words));
  }
  Words read(const DeviceMemory& memory, const Group& group, std::uint32_t rank) {
    if (!kUnits) return words_of(std::get<0>(memory)->read(group[rank]));
    units_->own_by_host(group[rank]);
    const BankRange range = std::get<1>(memory);
    return words_of(units_->read_bank(group[rank], range.address, range.bytes));
  }
  DeviceMemory filled(Communicator& calls, const Group& group, std::uint64_t count) {
    DeviceMemory memory = make(calls, count);
    for (std::uint32_t rank = 0; rank < group.size(); ++rank) {
      Words words(count);
      for (std::uint64_t i = 0; i < count; ++i) words[i] = number(group[rank], i);
      write(memory, group, rank, words);
    }
    return memory;
  }
  void expect_sums(const DeviceMemory& memory, const Group& group, std::uint64_t count) {
    Words sums(count, 0);
    for (const std::uint32_t member : group)
      for (std::uint64_t i = 0; i < count; ++i) sums[i] += number(member, i);
    for (std::uint32_t rank = 0; rank < group.size(); ++rank)
      EXPECT_EQ(read(memory, group, rank), sums) << "rank " << rank;
  }
  void expect_all(const DeviceMemory& memory, const Group& group, std::uint64_t count) {
    Words all;
    for (const std::uint32_t member : group)
      for (std::uint64_t i = 0; i < count; ++i) all.push_back(number(member, i));
    for (std::uint32_t rank = 0; rank < group.size(); ++rank)
      EXPECT_EQ(read(memory, group, rank), all) << "rank " << rank;
  }

  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::PimSystem> units_;
  std::shared_ptr<runtime::MeshDevice> mesh_;
  std::unique_ptr<Communicator> all_;
  std::uint64_t next_ = 4096;
};

TEST_F(CollectiveGroups, RunDifferentCollectivesAtTheSameTime) {
  constexpr std::uint64_t kSums = 4096;
  constexpr std::uint64_t kShare = 1024;
  const Group left = members(0);
  const Group right = members(1);
  {
    const auto groups = all_->split(colors());
    ASSERT_EQ(groups.size(), 2U);
    Communicator& reduces = *groups[0];
    Communicator& gathers = *groups[1];
    ASSERT_EQ(reduces.size(), left.size());
    const CallOptions ring{.algorithm = "ring", .blocking = false};
    for (const bool again : {false, true}) {
      const auto operands = filled(reduces, left, kSums);
      const auto sums = make(reduces, kSums);
      const auto share = filled(gathers, right, kShare);
      const auto whole = make(gathers, kShare * right.size());
      const Call one = reduces.all_reduce(operands, sums, kInt, ReduceOp::kSum, ring);
      const Call two = gathers.all_gather(share, whole, kInt, ring);
      EXPECT_FALSE(one.done());
      EXPECT_FALSE(two.done());
      two.wait();
      one.wait();
      EXPECT_EQ(one.record().schedule, "all_reduce ring N=" + std::to_string(left.size()));
      if (again) {  // before that, groups of chips start their routers
        EXPECT_LT(one.record().begin_ns, two.record().end_ns);
        EXPECT_LT(two.record().begin_ns, one.record().end_ns);
      }
      expect_sums(sums, left, kSums);
      expect_all(whole, right, kShare);
    }
    // Calls of one group come one after the other.
    const auto operands = filled(gathers, right, kShare);
    const auto first = make(gathers, kShare);
    const auto second = make(gathers, kShare * right.size());
    const Call one = gathers.all_reduce(operands, first, kInt, ReduceOp::kSum, ring);
    const Call two = gathers.all_gather(operands, second, kInt, ring);
    two.wait();
    EXPECT_TRUE(one.done());
    EXPECT_LE(one.record().end_ns, two.record().begin_ns);
    expect_sums(first, right, kShare);
    expect_all(second, right, kShare);
  }
  Group everybody;
  for (std::uint32_t rank = 0; rank < all_->size(); ++rank) everybody.push_back(rank);
  const auto operands = filled(*all_, everybody, kShare);
  const auto sums = make(*all_, kShare);
  all_->all_reduce(operands, sums, kInt, ReduceOp::kSum, {.algorithm = "ring"});
  expect_sums(sums, everybody, kShare);
}

TEST_F(CollectiveGroups, RefuseWhatIsNoGroup) {
  const auto refusal = [&](const std::vector<std::uint32_t>& of) {
    return tvp::test::fault_of([&] { all_->split(of); }, foundation::FaultKind::kDescription);
  };
  const std::string ranks = std::to_string(all_->size());
  EXPECT_EQ(refusal({0, 1}), "split: 2 colors: expected one for each of " + ranks + " ranks");
  std::vector<std::uint32_t> alone(all_->size(), 7);
  alone[1] = 3;
  EXPECT_EQ(refusal(alone), "split: rank 1 alone has color 3: expected groups of 2 or more ranks");
  if (!kUnits) {
    EXPECT_EQ(refusal({0, 1, 1, 0, 0, 1, 1, 0}),
              "split: ranks 0, 3, 4, 7 of a mesh of 2 x 4 have one color: expected a rectangle of "
              "the mesh");
  }
  const auto groups = all_->split(colors());
  const auto memory = make(*all_, 1024);
  EXPECT_NE(tvp::test::fault_of([&] { all_->all_reduce(memory, memory, kInt); },
                                foundation::FaultKind::kDescription)
                .find("all_reduce: the communicator has groups (split)"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp::collectives
