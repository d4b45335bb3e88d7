// The virtual channel on which an answer leaves a NIU, and answers that wait.

#include "models/noc/niu/niu_answers.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "tests/unit/noc/wormhole_grid.h"

namespace tvp::noc::niu_answers_test {
namespace {

/// Takes the headers of packets; packets leave when the test says so.
class FirstHop : public sc_core::sc_module {
 public:
  explicit FirstHop(const sc_core::sc_module_name& name)
      : sc_module(name), to_network("to_network"), socket("socket") {
    to_network.bind(socket);
    socket.register_nb_transport_fw(this, &FirstHop::nb_transport);
  }
  NiuToNetworkSocket to_network;  ///< connects to the NIU; a socket must be in a module
  tlm_utils::simple_target_socket<FirstHop, 32, NocProtocol> socket;
  std::vector<Packet*> packets;

 private:
  tlm::tlm_sync_enum nb_transport(tlm::tlm_generic_payload& packet, tlm::tlm_phase&,
                                  sc_core::sc_time&) {
    packets.push_back(&packet_of(packet));
    return tlm::TLM_ACCEPTED;
  }
};

class NoAgent : public support::Agent {
  void run() override {}
};

class NiuAnswersTest : public ::testing::Test {
 protected:
  /// True if the answer of 8 KiB leaves at once.
  bool respond() {
    Packet& request = output_.allocate(32);
    return answers_.respond(answers_.make(request, PacketKind::kReadResponse, 8192), 0);
  }
  unsigned used(unsigned buddy) const {
    return output_.used(vc::number(vc::kClassResponse, buddy, 0));
  }
  /// Buddies of the packets that have left, in order.
  std::vector<unsigned> buddies() const {
    std::vector<unsigned> all;
    for (const Packet* packet : first_hop_.packets) all.push_back(packet->header().buddy);
    return all;
  }

  NocConfig config_;
  foundation::StopOnFault faults_;
  support::Calendar calendar_{{}};
  support::WatchHub watches_;
  NoAgent agent_;
  NiuContext context_{
      config_, {.grid = wormhole_grid(), .x = 1, .y = 1}, calendar_, watches_, faults_, agent_};
  NiuSteps steps_{agent_, calendar_, 0};
  FirstHop first_hop_{"first_hop"};
  NiuOutput output_{context_, first_hop_.to_network};
  NiuAnswers answers_{context_, steps_, output_};
};

TEST_F(NiuAnswersTest, TheLessUsedChannelIsTakenUntilBothAreFull) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const unsigned most = config_.packets_per_vc;
  for (unsigned i = 0; i < 2 * most; ++i) {
    EXPECT_TRUE(respond()) << i;
    EXPECT_EQ(used(0) + used(1), i + 1);
    EXPECT_EQ(used(0), i / 2 + 1) << "they take turns, the first one begins";
  }
  EXPECT_FALSE(respond());
  EXPECT_FALSE(answers_.idle());
  std::vector<std::string> lines;
  answers_.describe_pending(lines);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("waits for a virtual channel: "), std::string::npos) << lines[0];

  // A place on the second channel becomes free, and the waiting answer takes it.
  output_.freed(*first_hop_.packets.at(1));
  EXPECT_NE(answers_.vc_freed(0), nullptr);
  EXPECT_TRUE(answers_.idle());
  EXPECT_EQ(buddies().back(), 1U);
  EXPECT_EQ(used(1), most);
}

}  // namespace
}  // namespace tvp::noc::niu_answers_test
