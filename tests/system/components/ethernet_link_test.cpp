// Links between chips that are modules of their own, ours or a user's: times and results equal
// those of a link inside a system. The TT-link layer repairs what a bad link does to packets.
// Random legal and illegal packets have the documented effects.

#include "tensix_vp/systemc/ethernet_link.h"

#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <vector>

#include "sw/examples/systemc/tile_host.h"
#include "tensix_vp/systemc/board.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/report_recorder.h"

namespace {

using sc_core::sc_time;
using tensix_vp::Board;
using tensix_vp::EthernetLink;
using tensix_vp::EthernetPacket;
using tensix_vp::EthernetPhase;
using tensix_vp::EthernetTypes;
using tvp::tests::ReportRecorder;
using Kind = EthernetPacket::Kind;
using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr unsigned kX = 9, kY = 0;  // the tile of ethernet channel 0
constexpr std::uint32_t kMailbox = 0x18000, kSent = 0x19000, kWords = 1024;  // firmware/echo.c
/// The default of ethernet.link_latency_ps.
sc_time latency() { return sc_time(326, sc_core::SC_NS); }

tlm::tlm_sync_enum send_phase(tlm::tlm_initiator_socket<32, EthernetTypes>& socket,
                              EthernetPacket& packet, EthernetPhase phase, sc_time delay) {
  return socket->nb_transport_fw(packet, phase, delay);
}

/// One direction of a link of a user. `damage`: it drops, corrupts, repeats and swaps packets.
class Cable : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<Cable, 32, EthernetTypes> in;
  tlm_utils::simple_initiator_socket<Cable, 32, EthernetTypes> out;
  unsigned damaged = 0;
  unsigned wrong = 0;  ///< calls against the protocol

  Cable(const sc_core::sc_module_name& name, bool damage)
      : sc_module(name), in("in"), out("out"), damage_(damage) {
    in.register_nb_transport_fw(this, &Cable::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(EthernetPacket& packet, EthernetPhase& phase, sc_time& delay) {
    const sc_time at = sc_core::sc_time_stamp() + delay;
    const bool first = phase == EthernetPhase::kFirstBit;
    if (first == open_ || at < last_) ++wrong;
    open_ = first;
    last_ = at;
    if (!damage_) return send_phase(out, packet, phase, delay + latency());
    if (first) {
      begin_ = at;
      return tlm::TLM_ACCEPTED;
    }
    length_ = at - begin_;
    const auto kind = static_cast<unsigned>(random_() % 12);
    if (kind < 4) ++damaged;
    EthernetPacket copy = packet;
    copy.corrupt = kind == 1;
    if (kind == 2 && !has_kept_) {
      kept_ = copy;
      has_kept_ = true;
    } else if (kind != 0) {
      forward(copy);
      if (kind == 3) forward(copy);
      if (has_kept_) forward(kept_);
      has_kept_ = false;
    }
    return tlm::TLM_COMPLETED;
  }
  void forward(EthernetPacket& packet) {
    const sc_time begin = std::max(begin_ + latency(), free_);
    free_ = begin + length_;
    send_phase(out, packet, EthernetPhase::kFirstBit, begin - sc_core::sc_time_stamp());
    send_phase(out, packet, EthernetPhase::kLastBit, free_ - sc_core::sc_time_stamp());
  }

  const bool damage_;
  std::mt19937 random_{1};
  bool open_ = false;
  sc_time last_, begin_, length_, free_;
  EthernetPacket kept_;
  bool has_kept_ = false;
};

/// Joins the hosts of both devices of a board.
class HostBus : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<HostBus> hosts;
  tlm_utils::simple_initiator_socket<HostBus> board;
  explicit HostBus(const sc_core::sc_module_name& name)
      : sc_module(name), hosts("hosts"), board("board") {
    hosts.register_b_transport(this, &HostBus::b_transport);
  }

 private:
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_time& delay) {
    board->b_transport(payload, delay);
  }
};

/// Runs the firmware and keeps what the core says.
struct Host : TileHost {
  unsigned end = 0;  ///< end of the link: 0 or 1
  unsigned rounds = 0;
  std::uint32_t mailbox[12] = {};
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kWords);

  Host(const std::string& name, unsigned device, unsigned at, unsigned count)
      : TileHost(name.c_str()), end(at), rounds(count) {
    bar0 = Board::bar(device, 0);
  }
  void run() override {
    mailbox[1] = end;
    mailbox[2] = rounds;
    write(kX, kY, kMailbox, mailbox, sizeof mailbox);
    for (std::uint32_t i = 0; i < kWords; ++i) words[i] = 3 * i;
    if (end == 0) write(kX, kY, kSent, words.data(), 4 * kWords);
    start(kX, kY, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(1, sc_core::SC_US);
      read(kX, kY, kMailbox, mailbox, sizeof mailbox);
    }
    read(kX, kY, kSent, words.data(), 4 * kWords);
  }
  bool right() const {
    for (std::uint32_t i = 0; i < kWords; ++i)
      if (words[i] != 3 * i + rounds) return false;
    return true;
  }
};

/// A system of one or two chips without harvested rows. Two are joined by a link.
std::string system_file(unsigned chips) {
  std::string file =
      (std::filesystem::temp_directory_path() /
       ("ethernet_link_" + std::to_string(::getpid()) + "_" + std::to_string(chips) + ".toml"))
          .string();
  std::ofstream out(file);
  out << "schema = 1\nname = \"chips\"\ndevices = [0" << (chips == 2 ? ", 1" : "") << "]\n";
  for (unsigned i = 0; i < chips; ++i)
    out << "[[chip]]\nid = " << i << "\npci_device = " << i << "\nharvested_rows = 0\n";
  if (chips == 2) out << "[[link]]\na = { chip = 0, channel = 0 }\nb = { chip = 1, channel = 0 }\n";
  return file;
}

Board::Parameters parameters_of(unsigned chips, const Settings& keys,
                                const std::vector<Board::EthernetChannel>& foreign) {
  Board::Parameters parameters;
  parameters.system = system_file(chips);
  for (const auto& [key, value] : keys) parameters.settings.emplace_back("ethernet." + key, value);
  parameters.foreign_links = foreign;
  return parameters;
}

/// Two chips that run the firmware, on one board or on two.
struct Pair {
  enum class Join { kInside, kLink, kCutLink, kCable, kBadCable, kDirect };

  std::unique_ptr<Board> a, b;  ///< `b` is null if both chips are on `a`
  std::unique_ptr<EthernetLink> link;
  std::unique_ptr<Cable> there, back;
  std::unique_ptr<HostBus> bus;
  std::unique_ptr<Host> host_a, host_b;

  Pair(const std::string& name, Join join, const Settings& keys = {}, unsigned rounds = 5) {
    const auto named = [&](const char* what) { return name + "_" + what; };
    if (join == Join::kInside || join == Join::kCutLink) {
      std::vector<Board::EthernetChannel> foreign;
      if (join == Join::kCutLink) foreign = {{0, 0}, {1, 0}};
      a = std::make_unique<Board>(named("board").c_str(), parameters_of(2, keys, foreign));
    } else {
      a = std::make_unique<Board>(named("a").c_str(), parameters_of(1, {}, {{0, 0}}));
      b = std::make_unique<Board>(named("b").c_str(), parameters_of(1, {}, {{0, 0}}));
    }
    host_a = std::make_unique<Host>(named("host_a"), 0, 0, rounds);
    host_b = std::make_unique<Host>(named("host_b"), b ? 0 : 1, 1, rounds);
    if (b) {
      host_a->bus.bind(a->pcie);
      host_b->bus.bind(b->pcie);
    } else {
      bus = std::make_unique<HostBus>(named("bus").c_str());
      host_a->bus.bind(bus->hosts);
      host_b->bus.bind(bus->hosts);
      bus->board.bind(a->pcie);
    }
    if (join == Join::kInside) return;
    const auto at_a = a->ethernet({0, 0});
    const auto at_b = b ? b->ethernet({0, 0}) : a->ethernet({1, 0});
    if (join == Join::kLink || join == Join::kCutLink) {
      link =
          std::make_unique<EthernetLink>(named("link").c_str(), EthernetLink::Parameters{keys, 0});
      link->end(0).bind(at_a);
      link->end(1).bind(at_b);
    } else if (join == Join::kDirect) {
      at_a.bind(at_b);
    } else {
      there = std::make_unique<Cable>(named("there").c_str(), join == Join::kBadCable);
      back = std::make_unique<Cable>(named("back").c_str(), join == Join::kBadCable);
      at_a.out.bind(there->in);
      there->out.bind(at_b.in);
      at_b.out.bind(back->in);
      back->out.bind(at_a.in);
    }
  }
};

/// A link that loses all packets. Its first answer comes before the packet that it answers.
class Loss : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<Loss, 32, EthernetTypes> in;
  tlm_utils::simple_initiator_socket<Loss, 32, EthernetTypes> out;
  bool answered = false;
  explicit Loss(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.register_nb_transport_fw(this, &Loss::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(EthernetPacket&, EthernetPhase&, sc_time&) {
    if (!answered) {
      answered = true;
      EthernetPacket packet;
      packet.kind = Kind::kSequenceUpdate;
      sc_time delay;
      out->b_transport(packet, delay);
    }
    return tlm::TLM_ACCEPTED;
  }
};

/// Sends random packets to an ethernet tile and predicts its registers and its L1.
class Sender : public TileHost {
 public:
  tlm_utils::passthrough_target_socket<Sender, 32, EthernetTypes> in;
  tlm_utils::simple_initiator_socket<Sender, 32, EthernetTypes> out;
  static constexpr std::uint32_t kBase = 0x20000, kBytes = 0x10000;
  std::vector<std::uint8_t> shadow = std::vector<std::uint8_t>(kBytes);
  std::vector<std::uint8_t> found = std::vector<std::uint8_t>(kBytes);
  std::uint32_t expected[2] = {}, drops[2] = {}, ends[2] = {}, counter = 0;
  std::uint32_t read_expected[2] = {}, read_drops[2] = {}, read_ends[2] = {}, read_counter = 0;
  std::uint64_t packets = 0, illegal = 0, acknowledgements = 0;

  Sender(const sc_core::sc_module_name& name, std::uint64_t count)
      : TileHost(name), in("in"), out("out"), count_(count) {
    in.register_nb_transport_fw(this, &Sender::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(EthernetPacket& packet, EthernetPhase& phase, sc_time&) {
    if (phase == EthernetPhase::kLastBit && packet.kind == Kind::kSequenceUpdate)
      ++acknowledgements;
    return phase == EthernetPhase::kFirstBit ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void run() override {
    for (packets = 0; packets < count_; ++packets) {
      fill();
      if (below(4) == 0) {
        break_rule();
      } else {
        carry(ns(below(3) * 100), ns(below(3) * 60));
        predict();
      }
      if (below(3) == 0) wait(ns(below(500)));
    }
    wait(std::max(last_, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp() +
         sc_time(10, sc_core::SC_US));
    read(kX, kY, kBase, found.data(), kBytes);
    read(kX, kY, 0xFFB94080, &read_counter, 4);
    for (unsigned i = 0; i < 2; ++i) {
      const std::uint64_t rxq = 0xFFB92000 + 0x1000 * i;
      read(kX, kY, rxq + 0x28, &read_ends[i], 4);
      read(kX, kY, rxq + 0x40, &read_expected[i], 4);
      read(kX, kY, rxq + 0x4C, &read_drops[i], 4);
    }
  }
  static sc_time ns(unsigned count) { return sc_time(double(count), sc_core::SC_NS); }

  void fill() {
    packet_.kind = static_cast<Kind>(below(4));
    packet_.queue = static_cast<std::uint8_t>(below(8) == 0);
    packet_.sequence =
        static_cast<std::uint8_t>(below(4) == 0 ? below(256) : expected[packet_.queue]);
    packet_.acknowledgement = static_cast<std::uint8_t>(below(256));
    packet_.corrupt = below(8) == 0;
    packet_.bytes = packet_.kind == Kind::kRaw         ? 1 + below(1500)
                    : packet_.kind == Kind::kL1Write   ? 16 * (1 + below(93))
                    : packet_.kind == Kind::kMmioWrite ? 4
                                                       : 0;
    packet_.address =
        packet_.kind == Kind::kMmioWrite ? 0xFFB94080 : kBase + 16 * below((kBytes - 1500) / 16);
    for (std::uint32_t i = 0; i < packet_.bytes; ++i)
      packet_.data[i] = static_cast<std::uint8_t>(random_());
  }
  /// Packets follow each other without overlap.
  void carry(const sc_time& gap, const sc_time& length) {
    const sc_time now = sc_core::sc_time_stamp();
    const sc_time first = std::max(now, last_) + gap;
    last_ = first + length;
    send_phase(out, packet_, EthernetPhase::kFirstBit, first - now);
    send_phase(out, packet_, EthernetPhase::kLastBit, last_ - now);
  }
  void predict() {
    const unsigned queue = packet_.queue;
    ++ends[queue];
    const bool in_order = packet_.sequence == expected[queue];
    if (queue == 1 || packet_.corrupt || packet_.kind == Kind::kRaw) {
      ++drops[queue];  // queue 1 is in raw mode, without a buffer
    } else if (packet_.kind != Kind::kSequenceUpdate) {
      if (!in_order) {
        ++drops[queue];
        return;
      }
      expected[queue] = (expected[queue] + 1) & 0xFF;
      if (packet_.kind == Kind::kL1Write) {
        std::memcpy(&shadow[packet_.address - kBase], packet_.data.data(), packet_.bytes);
      } else {
        std::uint32_t word = 0;
        std::memcpy(&word, packet_.data.data(), 4);
        counter += word;
      }
    }
  }
  void break_rule() {
    ++illegal;
    const sc_time now = sc_core::sc_time_stamp();
    const unsigned rule = below(9);
    if (rule == 0) {  // a last bit alone
      send_phase(out, packet_, EthernetPhase::kLastBit, std::max(now, last_) - now);
    } else if (rule == 1) {  // a second first bit
      const sc_time first = std::max(now, last_);
      send_phase(out, packet_, EthernetPhase::kFirstBit, first - now);
      send_phase(out, packet_, EthernetPhase::kFirstBit, first + ns(5) - now);
      last_ = first + ns(9);
      send_phase(out, packet_, EthernetPhase::kLastBit, last_ - now);
      predict();
    } else if (rule == 2) {  // the last bit before the first one
      const sc_time first = std::max(now, last_) + ns(20);
      send_phase(out, packet_, EthernetPhase::kFirstBit, first - now);
      send_phase(out, packet_, EthernetPhase::kLastBit, first - ns(1) - now);
      last_ = first;
      send_phase(out, packet_, EthernetPhase::kLastBit, last_ - now);
      predict();
    } else if (rule == 3) {  // a first bit inside the previous packet
      packet_.kind = Kind::kSequenceUpdate;
      packet_.bytes = 0;
      carry(ns(100), ns(10));
      predict();
      send_phase(out, packet_, EthernetPhase::kFirstBit, last_ - ns(1) - now);
    } else {
      if (rule == 4) packet_.queue = 2;
      if (rule == 5) packet_.kind = static_cast<Kind>(4 + below(252));
      if (rule == 6) packet_.bytes = packet_.kind == Kind::kRaw ? 0 : 3 + 16 * below(100);
      if (rule == 7) packet_.bytes = 1501 + below(1U << 30);
      if (rule == 8) {
        packet_.kind = Kind::kL1Write;
        packet_.bytes = 16;
        packet_.address = kBase + 1 + below(15);
      }
      carry(ns(0), ns(10));
    }
  }

  const std::uint64_t count_;
  std::mt19937 random_{static_cast<unsigned>(tvp::test::fuzz_seed())};
  EthernetPacket packet_;
  sc_time last_;
};

Board::Parameters warning() {
  Board::Parameters parameters = parameters_of(1, {}, {{0, 0}});
  parameters.settings.emplace_back("faults", "warn");
  return parameters;
}

std::string complaint_of_link(const Settings& settings) {
  try {
    const EthernetLink link("refused", EthernetLink::Parameters{settings, 0});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// SystemC elaborates once: all modules are there from the start.
struct Simulation {
  static constexpr unsigned kBadRounds = 20;
  const Settings errors = {{"drop_rate", "0.1"}, {"corrupt_rate", "0.1"}, {"error_seed", "7"}};
  ReportRecorder reports;
  Pair inside{"inside", Pair::Join::kInside};
  Pair linked{"linked", Pair::Join::kLink};
  Pair cut{"cut", Pair::Join::kCutLink};
  Pair cable{"cable", Pair::Join::kCable};
  Pair direct{"direct", Pair::Join::kDirect};
  Pair bad{"bad", Pair::Join::kBadCable, {}, kBadRounds};
  Pair inside_errors{"inside_errors", Pair::Join::kInside, errors};
  Pair linked_errors{"linked_errors", Pair::Join::kLink, errors};

  Board lost_board{"lost_board", parameters_of(1, {}, {{0, 0}})};
  Loss loss{"loss"};
  Host lost_host{"lost_host", 0, 0, 1};

  Board fuzz_board{"fuzz_board", warning()};
  Sender sender{"sender", tvp::test::fuzz_cases(2000)};

  std::vector<std::string> complaints;

  Simulation() {
    complaints = {complaint_of_link({{"line_bytes_per_ns", "1"}}),
                  complaint_of_link({{"drop_rate", "2"}})};
    Board::Parameters parameters;
    parameters.foreign_links = {{.chip = 0, .channel = 16}};
    try {
      const Board board("refused_board", parameters);
    } catch (const std::runtime_error& error) {
      complaints.emplace_back(error.what());
    }
    lost_host.bus.bind(lost_board.pcie);
    lost_board.ethernet({0, 0}).out.bind(loss.in);
    loss.out.bind(lost_board.ethernet({0, 0}).in);
    sender.bus.bind(fuzz_board.pcie);
    fuzz_board.ethernet({0, 0}).out.bind(sender.in);
    sender.out.bind(fuzz_board.ethernet({0, 0}).in);
    const sc_time step(1, sc_core::SC_MS);
    do {
      sc_core::sc_start(step);
    } while (!done() && sc_core::sc_time_stamp() < 1000 * step);
  }
  bool done() const {
    bool all = sender.read_ends[0] != 0;
    for (const Pair* pair :
         {&inside, &linked, &cut, &cable, &direct, &bad, &inside_errors, &linked_errors})
      all = all && pair->host_a->mailbox[0] != 0 && pair->host_b->mailbox[0] != 0;
    return all;
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(EthernetLink, HasTheTimesOfALinkInsideASystem) {
  Simulation& all = simulation();
  EXPECT_TRUE(all.inside.host_a->right());
  EXPECT_GT(all.inside.host_a->mailbox[3], 5000u);
  for (const Pair* pair : {&all.linked, &all.cut, &all.cable}) {
    EXPECT_TRUE(pair->host_a->right());
    EXPECT_EQ(pair->host_a->mailbox[3], all.inside.host_a->mailbox[3]);
    EXPECT_EQ(pair->host_b->mailbox[3], all.inside.host_b->mailbox[3]);
  }
  EXPECT_EQ(all.linked.link->statistics(0).dropped, 0u);
  EXPECT_GE(all.linked.link->statistics(0).packets, 5u * 4);
}

TEST(EthernetLink, OfNoLatencyIsFaster) {
  Simulation& all = simulation();
  EXPECT_TRUE(all.direct.host_a->right());
  // Ten messages wait for the latency.
  EXPECT_LT(all.direct.host_a->mailbox[3] + 10 * 300, all.inside.host_a->mailbox[3]);
}

TEST(EthernetLink, HasTheErrorsOfALinkInsideASystem) {
  Simulation& all = simulation();
  EXPECT_TRUE(all.inside_errors.host_a->right());
  EXPECT_TRUE(all.linked_errors.host_a->right());
  EXPECT_NE(all.inside_errors.host_a->mailbox[3], all.inside.host_a->mailbox[3]);
  EXPECT_EQ(all.linked_errors.host_a->mailbox[3], all.inside_errors.host_a->mailbox[3]);
  EXPECT_EQ(all.linked_errors.host_b->mailbox[3], all.inside_errors.host_b->mailbox[3]);
  EXPECT_GT(all.linked_errors.link->statistics(0).dropped, 0u);
  EXPECT_GT(all.linked_errors.link->statistics(0).corrupted, 0u);
}

TEST(EthernetLink, OfAUserMayDropDamageRepeatAndSwapPackets) {
  Simulation& all = simulation();
  EXPECT_TRUE(all.bad.host_a->right());
  EXPECT_GT(all.bad.there->damaged, 10u);
  EXPECT_GT(all.bad.back->damaged, 10u);
  for (const Pair* pair : {&all.cable, &all.bad}) {
    EXPECT_EQ(pair->there->wrong, 0u);
    EXPECT_EQ(pair->back->wrong, 0u);
  }
}

TEST(EthernetLink, ThatLosesEverythingIsNamed) {
  std::string found;
  for (const std::string& line : simulation().lost_board.waiting()) found += line + "\n";
  EXPECT_NE(
      found.find("lost_board.machine.chip0_ethernet_0.out: the other end has not acknowledged "
                 "4 packets of queue 0; the oldest one left at "),
      std::string::npos)
      << found;
}

TEST(EthernetLink, RefusesPacketsInThePast) {
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {"lost_board.machine.chip0_ethernet_0.in: ",
                                                      "and the chip is already at"}),
            1u);
}

TEST(EthernetLink, RandomPacketsHaveTheDocumentedEffects) {
  const Sender& sender = simulation().sender;
  ASSERT_EQ(sender.packets, tvp::test::fuzz_cases(2000));
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(sender.read_ends[i], sender.ends[i]);
    EXPECT_EQ(sender.read_expected[i], sender.expected[i]);
    EXPECT_EQ(sender.read_drops[i], sender.drops[i]);
  }
  EXPECT_EQ(sender.read_counter, sender.counter);
  EXPECT_TRUE(sender.found == sender.shadow);
  EXPECT_GT(sender.acknowledgements, 0u);
  EXPECT_GT(sender.illegal, 0u);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR,
                                  {"fuzz_board.machine.chip0_ethernet_0.in: ", "(now "}),
            sender.illegal);
}

TEST(EthernetLink, ReportsNothingElse) {
  const std::uint64_t expected = simulation().sender.illegal + 1;
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {}), expected);
  for (const ReportRecorder::Report& report : ReportRecorder::reports()) {
    const bool named = report.text.find("fuzz_board") == 0 || report.text.find("lost_board") == 0;
    EXPECT_TRUE(named || report.severity != sc_core::SC_ERROR) << report.text;
  }
}

TEST(EthernetLink, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"expected link_latency_ps, drop_rate", "ethernet.drop_rate",
                                  "no ethernet channel 16 of chip 0"};
  ASSERT_EQ(simulation().complaints.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(simulation().complaints[i].find(expected[i]), std::string::npos)
        << simulation().complaints[i];
}

}  // namespace
