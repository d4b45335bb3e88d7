#include "models/ethernet/link_end.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "tests/support/fault_of.h"
#include "tests/unit/ethernet/recorded_peer.h"
#include "tests/unit/ethernet/two_tiles.h"

namespace tvp::ethernet::test::link_end_test {
namespace {

namespace txq = regs::ethernet::txq;

constexpr Cycle kEnd = 40000;
constexpr std::uint32_t kQueue = regs::ethernet::kTxq0;
constexpr std::uint32_t kSource = 0x18000;
constexpr std::uint32_t kDestination = 0x20000;

/// A tile on its own chip, which sends and waits for data of the other tile.
struct Side : sc_core::sc_module {
  Side(const sc_core::sc_module_name& name, unsigned index, const EthernetConfig& config,
       foundation::FaultPolicy& faults)
      : sc_module(name),
        calendar({.tile_to_tile = 20, .event_to_tile = 10}),
        end(std::string(name), 3, index, config),
        tile("tile", config, faults) {
    tile.queues.connect(end, calendar, calendar.add_tile(tile.scheduler), {});
    std::iota(tile.l1.bytes() + kSource, tile.l1.bytes() + kSource + 4096,
              static_cast<std::uint8_t>(17 * index));
  }
  void start(std::uint32_t bytes, std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) {
      tile.e.send(100 * i, kQueue, txq::kCmdL1Write, kSource, kDestination, bytes);
    }
    tile.e.read(kEnd - 10, regs::ethernet::kRxq0 + regs::ethernet::rxq::kWordCnt);
    tile.e.start();
    calendar.tile_woken(0);
  }
  std::uint32_t words_received() const { return tile.e.observed.back().value; }
  std::vector<std::uint8_t> received() const {
    auto* bytes = const_cast<Side*>(this)->tile.l1.bytes() + kDestination;
    return {bytes, bytes + 4096};
  }

  support::Calendar calendar;
  LinkEnd end;
  Tile tile;
};

/// The messages of two tiles to each other.
struct Recording {
  std::vector<Bytes> from_a;
  std::vector<Bytes> from_b;
};

/// One end of a link with its tile, connected to a recording of the other end.
class LinkEndAlone : public ::testing::Test {
 protected:
  /// Modules must exist before elaboration, so all tiles are created first.
  static void SetUpTestSuite() {
    if (a_ != nullptr) return;
    config_.link_latency_ps.set("330000");
    a_ = std::make_unique<Side>("a", 0, config_, faults_);
    b_ = std::make_unique<Side>("b", 1, config_, faults_);
    for (const char* name : {"alone0", "alone1"}) {
      alone_.push_back(std::make_unique<Side>(name, 0, config_, faults_));
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    record();
  }

  static void start(Side& side) { side.start(4096, 3); }

  /// The peer sends its messages between two windows.
  static void replay(Side& side, RecordedPeer& peer) {
    side.end.connect(peer);
    start(side);
    const Cycle window = side.end.min_latency_cycles();
    for (Cycle at = 0; at < kEnd; at += window) {
      side.calendar.run_until(std::min(at + window, kEnd));
      peer.say_until((at + window) * 1000);
    }
  }

  static inline std::unique_ptr<Side> a_;
  static inline std::unique_ptr<Side> b_;
  static inline std::vector<std::unique_ptr<Side>> alone_;
  static inline Recording recording_;

 private:
  static void record() {
    RecordingChannel to_a(a_->end);
    RecordingChannel to_b(b_->end);
    a_->end.connect(to_b);
    b_->end.connect(to_a);
    start(*a_);
    b_->start(2048, 2);
    const Cycle window = a_->end.min_latency_cycles();
    for (Cycle at = 0; at < kEnd; at += window) {
      a_->calendar.run_until(std::min(at + window, kEnd));
      b_->calendar.run_until(std::min(at + window, kEnd));
    }
    recording_ = {to_b.messages, to_a.messages};
  }

  static inline EthernetConfig config_;
  static inline foundation::StopOnFault faults_;
};

TEST_F(LinkEndAlone, DoesTheSameAgainstARecordedPeer) {
  ASSERT_GE(recording_.from_a.size(), 9u);  // data messages, which carry acknowledgements
  ASSERT_GT(recording_.from_b.size(), 4u);  // data messages and acknowledgements
  Side& side = *alone_[0];
  RecordedPeer peer(side.end, recording_.from_b, recording_.from_a);
  replay(side, peer);
  EXPECT_EQ(peer.surprises(), 0u);
  EXPECT_TRUE(peer.done());
  EXPECT_EQ(side.received(), a_->received());
  EXPECT_EQ(side.received()[5], 22u);  // 17 + 5, where 5 is b's old value
  EXPECT_EQ(side.words_received(), a_->words_received());
}

// Without acknowledgements the end sends everything again, which differs from the recording.
TEST_F(LinkEndAlone, SeesWhenAPeerIsToldSomethingElse) {
  std::vector<Bytes> says = recording_.from_b;
  for (Bytes& bytes : says) {
    LinkMessage message = to_message(bytes);
    message.packet.acknowledgement = 0;
    bytes = to_bytes(message);
  }
  Side& side = *alone_[1];
  RecordedPeer peer(side.end, says, recording_.from_a);
  replay(side, peer);
  EXPECT_GT(peer.surprises(), 0u);
}

struct Sink : PacketSink {
  void packet_arrived(const EthernetPacket& packet, Cycle now) override {
    arrivals.push_back({now, packet.sequence});
  }
  std::vector<std::pair<Cycle, unsigned>> arrivals;
};

LinkMessage message(std::uint32_t sequence, std::uint64_t arrival_ps) {
  LinkMessage m;
  m.sequence = sequence;
  m.arrival_ps = arrival_ps;
  m.packet.sequence = static_cast<std::uint8_t>(sequence);
  return m;
}

TEST(LinkEnd, TakesMessagesInAnyOrder) {
  EthernetConfig config;
  support::Calendar calendar({});
  Sink sink;
  LinkEnd end("end", 0, 0, config);
  end.attach(calendar, foundation::Period{1250, 1}, sink);
  end.receive(message(2, 500'001));
  end.receive(message(1, 499'999));
  end.receive(message(0, 498'751));
  calendar.run_until(1000);
  // Edge 400 is at 500 000 ps. Messages that arrive in one cycle keep their order.
  const std::vector<std::pair<Cycle, unsigned>> expected{{400, 0}, {400, 1}, {401, 2}};
  EXPECT_EQ(sink.arrivals, expected);
  EXPECT_EQ(end.statistics().received, 3u);
}

/// The changes of a signal in order.
struct Changes : support::SignalSink {
  void change(std::uint32_t, Cycle when, std::uint64_t value) override {
    all.emplace_back(when, value);
  }
  void add(std::uint32_t, Cycle, std::int64_t) override { ADD_FAILURE() << "not a level"; }
  std::vector<std::pair<Cycle, std::uint64_t>> all;
};

/// Discards all messages.
struct Nowhere : LinkChannel {
  void send(const LinkMessage&) override {}
};

// Waves show a line as busy from a packet's first byte to its last one. They also show the packet's
// length, kind and number.
TEST(LinkEnd, ShowsWhatIsOnTheLine) {
  EthernetConfig config;
  LinkEnd end("end", 0, 0, config);
  support::Calendar calendar({});
  Sink sink;
  Nowhere nowhere;
  end.attach(calendar, foundation::Period{1000, 1}, sink);
  end.connect(nowhere);
  Changes busy, packets;
  end.busy_signal().attach(busy, 0);
  end.packet_signal().attach(packets, 1);
  std::vector<LinkEnd::Transmission> lines;
  for (const auto& [bytes, ready] : {std::pair{16U, 100U}, {1488U, 200U}, {0U, 5000U}}) {
    EthernetPacket packet;
    packet.bytes = static_cast<decltype(packet.bytes)>(bytes);
    packet.kind =
        bytes == 0 ? EthernetPacket::Kind::kSequenceUpdate : EthernetPacket::Kind::kL1Write;
    lines.push_back(end.transmit(packet, ready));
  }
  const char* const kTexts[] = {"write 16 B #1", "write 1488 B #2", "update 0 B #3"};
  ASSERT_EQ(busy.all.size(), 6U);
  ASSERT_EQ(packets.all.size(), 6U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(busy.all[2 * i], (std::pair<Cycle, std::uint64_t>(lines[i].start, 1)));
    EXPECT_EQ(busy.all[2 * i + 1], (std::pair<Cycle, std::uint64_t>(lines[i].end, 0)));
    EXPECT_EQ(packets.all[2 * i].first, lines[i].start);
    EXPECT_EQ(LinkEnd::packet_text(packets.all[2 * i].second), kTexts[i]);
    EXPECT_EQ(packets.all[2 * i + 1].first, lines[i].end);
    EXPECT_EQ(LinkEnd::packet_text(packets.all[2 * i + 1].second), "");
  }
}

// 16 B and 50 B of overhead take 5280 ps at 12.5 B/ns. A packet that ends before the link breaks,
// or starts after it is repaired, is not lost.
TEST(LinkEnd, LosesOnlyWhatIsOnTheLineInAnOutage) {
  EthernetConfig config;
  LinkEnd end("end", 0, 0, config);
  support::Calendar calendar({});
  Sink sink;
  Nowhere nowhere;
  end.attach(calendar, foundation::Period{1000, 1}, sink);
  end.connect(nowhere);
  const struct {
    std::uint64_t from_ps, until_ps;
    unsigned lost;
  } kOutages[] = {{100'000, 105'280, 1},
                  {200'000 + 5280, 300'000, 0},
                  {300'000 + 5279, 400'000, 1},
                  {390'000, 400'000, 0},
                  {490'000, 500'001, 1}};
  Cycle ready = 0;
  for (const auto& outage : kOutages) {
    const std::uint64_t before = end.statistics().lost;
    end.break_down({{.from_ps = outage.from_ps, .until_ps = outage.until_ps}});
    EthernetPacket packet;
    packet.bytes = 16;
    packet.kind = EthernetPacket::Kind::kL1Write;
    end.transmit(packet, ready += 100);
    EXPECT_EQ(end.statistics().lost - before, outage.lost) << outage.from_ps;
  }
}

TEST(LinkEnd, RefusesToSendIntoNothing) {
  EthernetConfig config;
  LinkEnd end("link1", 0, 0, config);
  EXPECT_TRUE(tvp::test::faults([&] { end.transmit({}, 0); }, {}, {"link1"}));
}

}  // namespace
}  // namespace tvp::ethernet::test::link_end_test
