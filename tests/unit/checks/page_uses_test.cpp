#include "platform/checks/record/page_uses.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

using Misused = PageUses::Misuse::Kind;

constexpr std::uint32_t kPage = 64, kFirst = 0x1000, kSecond = kFirst + 2 * kPage,
                        kThird = kSecond + 3 * kPage;

/// Buffers 0, 1 and 2 of two, three and one pages, one after the other in L1.
class PageUsesTest : public testing::Test, public PageUses::Listener {
 protected:
  PageUsesTest() {
    uses_.set_listener(this);
    hold({{2, kPage, kFirst, false}, {3, kPage, kSecond, false}, {1, kPage, kThird, false}});
  }
  void hold(const std::vector<PageUses::Buffer>& buffers) { uses_.hold(buffers); }
  void misused(const PageUses::Misuse& misuse) override { misuses_.push_back(misuse); }

  void use(BusMaster core, std::uint32_t address, bool writes, std::uint32_t bytes = kPage) {
    uses_.used({core, 0x20, address, bytes, writes});
  }
  void reads(BusMaster core, std::uint32_t address) { use(core, address, false); }
  void writes(BusMaster core, std::uint32_t address) { use(core, address, true); }
  /// Pushes one page.
  void push(unsigned buffer, BusMaster by) {
    uses_.pushed(buffer, ++pushed_.at(buffer), by);
    if (all_look_) look(buffer);
  }
  void pop(unsigned buffer, BusMaster by) {
    uses_.popped(buffer, ++popped_.at(buffer), by);
    if (all_look_) look(buffer);
  }
  void look(unsigned buffer) {
    for (const BusMaster core :
         {BusMaster::kB, BusMaster::kNc, BusMaster::kT0, BusMaster::kT1, BusMaster::kT2}) {
      uses_.read_pushed(buffer, core);
      uses_.read_popped(buffer, core);
    }
  }

  bool all_look_ = true;  ///< all cores read the count after each push and pop
  PageUses uses_;
  std::vector<PageUses::Misuse> misuses_;
  std::array<std::uint32_t, 3> pushed_{}, popped_{};
};

TEST_F(PageUsesTest, PagesThatWerePushedAreRead) {
  for (unsigned i = 0; i < 5; ++i) {
    writes(BusMaster::kNc, kFirst + i % 2 * kPage);
    push(0, BusMaster::kNc);
    reads(BusMaster::kT0, kFirst + i % 2 * kPage);
    pop(0, BusMaster::kThcon);
  }
  uses_.end();
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PageUsesTest, OneThatIsPushedLaterIsReported) {
  push(0, BusMaster::kNc);
  reads(BusMaster::kT0, kFirst + kPage);
  EXPECT_TRUE(misuses_.empty());
  push(0, BusMaster::kNc);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNotPushed);
  EXPECT_EQ(misuses_[0].buffer, 0U);
  EXPECT_EQ(misuses_[0].page, 1U);
  EXPECT_EQ(misuses_[0].other, BusMaster::kNc);
  EXPECT_EQ(misuses_[0].user.core, BusMaster::kT0);
  EXPECT_EQ(misuses_[0].user.pc, 0x20U);
  uses_.end();
  EXPECT_EQ(misuses_.size(), 1U);
}

TEST_F(PageUsesTest, OneThatWasPoppedIsReportedWhenItIsPushedAgain) {
  push(2, BusMaster::kThcon);
  pop(2, BusMaster::kB);
  reads(BusMaster::kB, kThird);
  push(2, BusMaster::kThcon);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].buffer, 2U);
  EXPECT_EQ(misuses_[0].other, BusMaster::kT2);
}

// The number of pages does not divide 2^16, so the first page moves when the counts wrap.
TEST_F(PageUsesTest, CountsOfSixteenBitsGoRound) {
  for (unsigned i = 0; i < 70000; ++i) {
    push(1, BusMaster::kNc);
    reads(BusMaster::kT0, kSecond + i % 3 * kPage);
    pop(1, BusMaster::kThcon);
  }
  uses_.end();
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PageUsesTest, ACoreMayReadAPageThatItFills) {
  reads(BusMaster::kB, kFirst);
  push(0, BusMaster::kB);
  reads(BusMaster::kB, kSecond);  // scratch memory
  uses_.end();
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PageUsesTest, UnpackMayReadPagesOfPackUntilTheyArePopped) {
  writes(BusMaster::kT2, kThird);
  reads(BusMaster::kT0, kThird);  // a sum that grows
  writes(BusMaster::kT2, kThird);
  push(2, BusMaster::kThcon);
  EXPECT_TRUE(misuses_.empty());
  pop(2, BusMaster::kB);
  reads(BusMaster::kT0, kThird);
  push(2, BusMaster::kThcon);
  EXPECT_EQ(misuses_.size(), 1U);
}

TEST_F(PageUsesTest, UnpackingPagesThatAreNeverPushedIsReportedAtTheEnd) {
  reads(BusMaster::kT0, kSecond + kPage);
  EXPECT_TRUE(misuses_.empty());
  hold({});
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNeverPushed);
  EXPECT_EQ(misuses_[0].buffer, 1U);
  EXPECT_EQ(misuses_[0].page, 1U);
  EXPECT_FALSE(uses_.on());
}

TEST_F(PageUsesTest, UsesThatEndBehindABufferAreReported) {
  use(BusMaster::kNc, kFirst + kPage, true, kPage + 1);
  use(BusMaster::kB, kThird, false, kPage + 1);
  ASSERT_EQ(misuses_.size(), 2U);
  EXPECT_EQ(misuses_[0].kind, Misused::kBehindEnd);
  EXPECT_EQ(misuses_[0].buffer, 0U);
  EXPECT_EQ(misuses_[0].behind, 1U);
  EXPECT_EQ(misuses_[1].behind, PageUses::kNone);
}

TEST_F(PageUsesTest, PagesMayHoldLessThanATile) {
  use(BusMaster::kT0, kThird, false, 8 * kPage);
  push(2, BusMaster::kNc);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNotPushed);
  use(BusMaster::kT0, kThird, false, 8 * kPage);
  push(0, BusMaster::kNc);
  use(BusMaster::kT0, kFirst, false, 8 * kPage);
  push(0, BusMaster::kNc);
  EXPECT_EQ(misuses_.size(), 1U);
}

TEST_F(PageUsesTest, PagesThatOthersFillAreNotWritten) {
  writes(BusMaster::kB, kSecond);
  push(1, BusMaster::kNc);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kOfOthers);
  EXPECT_EQ(misuses_[0].user.core, BusMaster::kB);
  EXPECT_EQ(misuses_[0].other, BusMaster::kNc);
}

TEST_F(PageUsesTest, ACoreMayWritePagesThatItPops) {
  push(1, BusMaster::kNc);
  writes(BusMaster::kB, kSecond);
  pop(1, BusMaster::kB);
  for (unsigned i = 0; i < 3; ++i) push(1, BusMaster::kNc);
  push(0, BusMaster::kNc);
  pop(0, BusMaster::kThcon);
  writes(BusMaster::kT2, kFirst + kPage);  // UNPACK pops, PACK writes
  push(0, BusMaster::kNc);
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PageUsesTest, TensorsAndSharedMemoryAreLeftAlone) {
  hold({{2, kPage, kFirst, false},
        {1, 2 * kPage, kFirst, false},
        {2, kPage, kSecond, true},
        {1, kPage, kFirst - kPage, false}});
  reads(BusMaster::kT0, kFirst);
  reads(BusMaster::kT0, kSecond);
  use(BusMaster::kB, kSecond, true, 4 * kPage);
  push(0, BusMaster::kNc);
  push(2, BusMaster::kNc);
  hold({});
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PageUsesTest, BuffersThatAreCountedInAnotherWayAreLeftAlone) {
  uses_.pushed(0, 3, BusMaster::kNc);
  reads(BusMaster::kT0, kFirst);
  uses_.popped(1, 1, BusMaster::kThcon);
  reads(BusMaster::kT0, kSecond);
  uses_.pushed(0, 4, BusMaster::kNc);
  uses_.pushed(1, 3, BusMaster::kNc);
  uses_.end();
  EXPECT_TRUE(misuses_.empty());
}

/// A tile with one command of a NIU. All its cores are at the same pc.
struct TileOfOneCommand : PageUses::Tile {
  bool has_command(std::uint32_t begin, std::uint32_t end, bool writes,
                   PageUses::User& found) const override {
    const bool is_it = under_way && command.writes == writes && command.address < end &&
                       begin < command.address + command.bytes;
    if (is_it) found = command;
    return is_it;
  }
  std::uint32_t pc_of(BusMaster) const override { return 0x40; }

  bool under_way = false;
  PageUses::User command;
};

/// A tile in which nothing has written at or above 0x10000.
struct TileWithoutBytes : TileOfOneCommand {
  bool is_unwritten(std::uint32_t address, std::uint32_t) const override {
    return address >= 0x10000;
  }
};

TEST_F(PageUsesTest, UnpackingUnwrittenMemoryOutsideOfBuffersIsReported) {
  TileWithoutBytes tile;
  uses_.set_tile(tile);
  push(0, BusMaster::kNc);
  reads(BusMaster::kT0, 0xF000);
  reads(BusMaster::kB, 0x10000);  // a send is reported at its destination
  writes(BusMaster::kT2, 0x10000);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kT0, 0x10000);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNothing);
  EXPECT_EQ(misuses_[0].user.address, 0x10000U);
}

TEST_F(PageUsesTest, AReadWithoutAReadOfTheCountIsReported) {
  all_look_ = false;
  push(0, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kT0);
  push(0, BusMaster::kNc);
  reads(BusMaster::kT0, kFirst);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kT0, kFirst + kPage);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kUnseenPush);
  EXPECT_EQ(misuses_[0].page, 1U);
  EXPECT_EQ(misuses_[0].other, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kT0);
  reads(BusMaster::kT0, kFirst + kPage);
  EXPECT_EQ(misuses_.size(), 1U);
}

/// The count shows more pages than the core waits for.
TEST_F(PageUsesTest, AReadOfMorePagesThanAwaitedIsReported) {
  all_look_ = false;
  for (unsigned i = 0; i < 2; ++i) push(0, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kT0, 1 + 1);
  reads(BusMaster::kT0, kFirst);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kT0, kFirst + kPage);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kUnseenPush);
  EXPECT_EQ(misuses_[0].page, 1U);
  uses_.read_pushed(0, BusMaster::kT0, 1 + 3);  // it waits on
  reads(BusMaster::kT0, kFirst + kPage);
  EXPECT_EQ(misuses_.size(), 2U);
  uses_.read_pushed(0, BusMaster::kT0, 1 + 2);
  reads(BusMaster::kT0, kFirst + kPage);
  EXPECT_EQ(misuses_.size(), 2U);
}

TEST_F(PageUsesTest, AWriteWithoutAReadOfTheOtherCountIsReported) {
  all_look_ = false;
  for (unsigned i = 0; i < 2; ++i) push(0, BusMaster::kNc);
  writes(BusMaster::kNc, kFirst);  // no core has popped it
  uses_.read_pushed(0, BusMaster::kB);
  pop(0, BusMaster::kB);
  writes(BusMaster::kNc, kFirst);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kUnseenPop);
  EXPECT_EQ(misuses_[0].other, BusMaster::kB);
  uses_.read_popped(0, BusMaster::kNc);
  writes(BusMaster::kNc, kFirst);
  EXPECT_EQ(misuses_.size(), 1U);
}

TEST_F(PageUsesTest, PopsOfPagesThatWereNotSeenAreReported) {
  all_look_ = false;
  TileOfOneCommand tile;
  uses_.set_tile(tile);
  push(0, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kB);
  push(0, BusMaster::kNc);
  uses_.popped(0, 2, BusMaster::kB);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kPopsUnseen);
  EXPECT_EQ(misuses_[0].page, 1U);
  EXPECT_EQ(misuses_[0].user.core, BusMaster::kB);
  EXPECT_EQ(misuses_[0].user.pc, 0x40U);
}

TEST_F(PageUsesTest, CommandsUnderWayWhenAPageIsHandedOverAreReported) {
  all_look_ = false;
  TileOfOneCommand tile;
  uses_.set_tile(tile);
  tile.under_way = true;
  tile.command = {BusMaster::kNc, 0x80, kFirst + kPage / 2, kPage / 2, true};
  push(0, BusMaster::kNc);
  tile.under_way = false;
  push(0, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kB);
  reads(BusMaster::kB, kFirst + kPage);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kB, kFirst);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNotArrived);
  EXPECT_EQ(misuses_[0].user.pc, 0x80U);
  EXPECT_EQ(misuses_[0].other, BusMaster::kB);

  tile.under_way = true;
  tile.command = {BusMaster::kB, 0x84, kFirst, kPage, false};
  pop(0, BusMaster::kB);
  EXPECT_EQ(misuses_.size(), 1U);
  uses_.read_popped(0, BusMaster::kNc);
  writes(BusMaster::kNc, kFirst);
  ASSERT_EQ(misuses_.size(), 2U);
  EXPECT_EQ(misuses_[1].kind, Misused::kNotSent);
  EXPECT_EQ(misuses_[1].user.core, BusMaster::kB);
  EXPECT_EQ(misuses_[1].other, BusMaster::kNc);
}

TEST_F(PageUsesTest, OtherTilesThatOverwriteUnreadPagesAreReported) {
  uses_.written_for_others(BusMaster::kNoc1, kFirst, kPage);
  push(0, BusMaster::kNc);
  uses_.written_for_others(BusMaster::kNoc1, kFirst + kPage, kPage);
  // The core that has pushed the page may use it as scratch memory.
  uses_.written_for_others(BusMaster::kNoc1, kFirst, kPage, BusMaster::kNc);
  EXPECT_TRUE(misuses_.empty());
  uses_.written_for_others(BusMaster::kNoc1, kFirst + kPage / 2, kPage / 2);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kOverwritten);
  EXPECT_EQ(misuses_[0].user.core, BusMaster::kNoc1);
  EXPECT_EQ(misuses_[0].page, 0U);
  EXPECT_EQ(misuses_[0].other, BusMaster::kNc);
  uses_.written_for_others(BusMaster::kNoc1, kFirst, kPage, BusMaster::kB);
  EXPECT_EQ(misuses_.size(), 2U);
  pop(0, BusMaster::kThcon);
  uses_.written_for_others(BusMaster::kNoc1, kFirst, kPage);
  uses_.written_for_others(BusMaster::kNoc1, kFirst - kPage, kPage);
  EXPECT_EQ(misuses_.size(), 2U);
}

TEST_F(PageUsesTest, PagesThatPackPushesEmptyAreReportedWhenTheyAreRead) {
  writes(BusMaster::kT2, kFirst);
  for (unsigned i = 0; i < 2; ++i) push(0, BusMaster::kThcon);
  uses_.read_pushed(0, BusMaster::kB);
  reads(BusMaster::kB, kFirst);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kB, kFirst + kPage);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNeverPacked);
  EXPECT_EQ(misuses_[0].page, 1U);
}

TEST_F(PageUsesTest, PagesOfAResultThatPackPushesEmptyAreReportedAtTheEnd) {
  hold({{3, kPage, kFirst, true}, {2, kPage, kThird, true}});
  use(BusMaster::kT2, kFirst, true, kPage / 2);
  use(BusMaster::kT2, kFirst + 2 * kPage, true, 4 * kPage);  // the tensor is larger than the buffer
  for (unsigned i = 0; i < 3; ++i) push(0, BusMaster::kThcon);
  push(1, BusMaster::kNc);
  EXPECT_TRUE(misuses_.empty());
  hold({});
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kEmptyResult);
  EXPECT_EQ(misuses_[0].buffer, 0U);
  EXPECT_EQ(misuses_[0].page, 1U);
}

// PACK pushes pages with older data, which UNPACK reads.
TEST_F(PageUsesTest, OperandsThatPackPushesAreNoResults) {
  hold({{2, kPage, kFirst, true}});
  for (unsigned i = 0; i < 2; ++i) push(0, BusMaster::kThcon);
  use(BusMaster::kT0, kFirst, false, kPage);
  use(BusMaster::kT0, kFirst + kPage, false, kPage);
  hold({});
  EXPECT_TRUE(misuses_.empty());
}

// The firmware of UNPACK resets the counts.
TEST_F(PageUsesTest, CountsThatAreSetBackEndAResult) {
  hold({{3, kPage, kFirst, true}});
  push(0, BusMaster::kThcon);
  uses_.pushed(0, 0, BusMaster::kT0);
  hold({});
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kEmptyResult);
}

// An example is a buffer whose pages are only counted.
TEST_F(PageUsesTest, ResultsInMemoryOfOtherBuffersAreLeftAlone) {
  hold({{3, kPage, kFirst, true}, {3, kPage, kFirst, true}, {2, kPage, kFirst + kPage, true}});
  for (unsigned buffer = 0; buffer < 3; ++buffer) push(buffer, BusMaster::kThcon);
  hold({});
  EXPECT_TRUE(misuses_.empty());
}

/// The same buffers, with reports of all writes of L1.
class PagesWithWrites : public PageUsesTest, public Probe::Listener {
 protected:
  PagesWithWrites() {
    probe_.listen(*this, Probe::bit(ProbeEvent::Kind::kFirstWrite));
    probe_.set_watches(hub_);
    uses_.set_probe(probe_);
  }
  void on(const ProbeEvent& event) override {
    uses_.written(static_cast<std::uint32_t>(event.address), event.bytes);
  }
  bool awaits(std::uint32_t first, std::uint32_t last) const override {
    return uses_.awaits(first, last);
  }
  void begin() {
    hold({{2, kPage, kFirst, false}, {3, kPage, kSecond, false}, {1, kPage, kThird, false}});
  }
  /// A store, or another write of L1.
  void stored(std::uint32_t address, std::uint32_t bytes = 4) {
    hub_.l1_written(address, bytes, 0, 0);
  }
  support::WatchHub hub_;
  Probe probe_;
};

TEST_F(PagesWithWrites, AnUnwrittenPageIsReportedWithItsPusherWhenItIsRead) {
  begin();
  push(0, BusMaster::kNc);
  push(1, BusMaster::kB);  // a token: no core reads its content
  pop(1, BusMaster::kNc);
  EXPECT_TRUE(misuses_.empty());
  reads(BusMaster::kT0, kFirst);
  EXPECT_TRUE(misuses_.empty());  // the result has not left the tile yet
  reads(BusMaster::kB, kFirst - kPage);
  ASSERT_EQ(misuses_.size(), 1U);
  EXPECT_EQ(misuses_[0].kind, Misused::kNeverFilled);
  EXPECT_EQ(misuses_[0].user.core, BusMaster::kNc);
  EXPECT_EQ(misuses_[0].other, BusMaster::kT0);
  EXPECT_EQ(misuses_[0].buffer, 0U);
  EXPECT_EQ(misuses_[0].page, 0U);
}

TEST_F(PagesWithWrites, AnyWriteFillsAPageForGood) {
  begin();
  stored(kFirst + kPage - 4);              // a store of a core at the end of page 0
  writes(BusMaster::kNc, kFirst + kPage);  // a NIU will write page 1
  stored(kSecond + kPage - 8, kPage);      // a write that covers two pages
  uses_.written_for_others(BusMaster::kNoc0, kSecond + 2 * kPage, kPage);
  for (const std::uint32_t page : {kFirst, kFirst + kPage, kFirst}) {
    push(0, BusMaster::kNc);
    reads(BusMaster::kT0, page);  // the data of the first round is still there
    pop(0, BusMaster::kThcon);
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    push(1, BusMaster::kNc);
    reads(BusMaster::kB, kSecond + i * kPage);
  }
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PagesWithWrites, BlocksMayBeFilledInPart) {
  begin();
  stored(kSecond + kPage);
  uses_.pushed(1, 3, BusMaster::kNc);
  uses_.read_pushed(1, BusMaster::kT0);
  for (std::uint32_t i = 0; i < 3; ++i) reads(BusMaster::kT0, kSecond + i * kPage);
  EXPECT_TRUE(misuses_.empty());
  uses_.pushed(0, 2, BusMaster::kNc);
  uses_.read_pushed(0, BusMaster::kT0);
  reads(BusMaster::kT0, kFirst);
  reads(BusMaster::kB, kFirst - kPage);
  EXPECT_EQ(misuses_.size(), 1U);
}

// An idle core may execute the same reads as the others. Its results do not leave the tile.
TEST_F(PagesWithWrites, ReadsWithoutEffectAreNotReported) {
  begin();
  push(0, BusMaster::kNc);
  reads(BusMaster::kT0, kFirst);
  hold({});
  EXPECT_TRUE(misuses_.empty());
}

TEST_F(PagesWithWrites, EarlierWritesOfHostAndOtherTilesCount) {
  uses_.written_by_host(kFirst, 16);
  uses_.written_for_others(BusMaster::kNoc1, kFirst + kPage + 32, 16);
  stored(kSecond);  // a store of the previous program
  begin();
  for (unsigned i = 0; i < 2; ++i) {
    push(0, BusMaster::kNc);
    reads(BusMaster::kT0, kFirst + i * kPage);
  }
  EXPECT_TRUE(misuses_.empty());
  push(1, BusMaster::kNc);
  reads(BusMaster::kT0, kSecond);
  reads(BusMaster::kB, kFirst - kPage);
  EXPECT_EQ(misuses_.size(), 1U);
}

/// These pages help a user to find the cause of a wrong result.
TEST_F(PageUsesTest, UnpoppedPagesAreKeptAfterTheEnd) {
  push(0, BusMaster::kNc);
  push(0, BusMaster::kNc);
  pop(0, BusMaster::kT0);
  push(1, BusMaster::kT2);
  push(2, BusMaster::kNc);
  pop(2, BusMaster::kT0);
  EXPECT_TRUE(uses_.left().empty());
  uses_.pushed(0, 0, BusMaster::kNc);  // firmware resets the counts
  uses_.popped(0, 0, BusMaster::kNc);
  hold({});
  ASSERT_EQ(uses_.left().size(), 2U);
  EXPECT_EQ(uses_.left()[0].buffer, 0U);
  EXPECT_EQ(uses_.left()[0].pages, 1U);
  EXPECT_TRUE(uses_.left()[0].popped);
  EXPECT_EQ(uses_.left()[0].last_push.core, BusMaster::kNc);
  EXPECT_EQ(uses_.left()[1].buffer, 1U);
  EXPECT_FALSE(uses_.left()[1].popped);
  hold({});
  EXPECT_EQ(uses_.left().size(), 2U);
  hold({{2, kPage, kFirst, false}});
  EXPECT_TRUE(uses_.left().empty());
}

TEST_F(PageUsesTest, WhereUnpackReadLastIsKeptBehindTheEnd) {
  push(0, BusMaster::kNc);
  reads(BusMaster::kT0, kFirst);
  push(1, BusMaster::kT2);
  reads(BusMaster::kT0, kSecond);
  push(2, BusMaster::kNc);
  EXPECT_TRUE(uses_.inputs().empty());
  hold({});
  ASSERT_EQ(uses_.inputs().size(), 2U);
  EXPECT_EQ(uses_.inputs()[0].buffer, 0U);
  EXPECT_EQ(uses_.inputs()[0].address, kFirst);
  EXPECT_EQ(uses_.inputs()[1].address, kSecond);
  hold({{2, kPage, kFirst, false}});
  EXPECT_TRUE(uses_.inputs().empty());
}

TEST_F(PagesWithWrites, FirstWritesAreNotAwaitedWhenAllPagesAreWritten) {
  begin();
  EXPECT_TRUE(hub_.is_watched({kFirst, kFirst + 3}));
  EXPECT_FALSE(hub_.is_watched({kFirst - 4, kFirst - 1}));
  EXPECT_FALSE(hub_.is_watched({kThird + kPage, kThird + kPage + 3}));
  stored(kFirst + 8);
  EXPECT_FALSE(hub_.is_watched({kFirst, kFirst + kPage - 1}));
  EXPECT_TRUE(hub_.is_watched({kFirst, kFirst + kPage}));
  stored(kFirst, 6 * kPage);
  EXPECT_FALSE(hub_.is_watched({0, ~0U}));
  hold({{2, kPage, kFirst, true}});  // other tiles fill a tensor
  EXPECT_FALSE(hub_.is_watched({0, ~0U}));
  hold({{2, kPage, kFirst, false}, {2, kPage, kFirst, false}});
  EXPECT_FALSE(hub_.is_watched({0, ~0U}));
}

}  // namespace
}  // namespace tvp::checks
