// Two chips joined by a link of the user: firmware on their ethernet tiles sends data there and
// back.
#include <tensix_vp/systemc/board.h>
#include <tlm_utils/passthrough_target_socket.h>

#include <cstdio>
#include <vector>

#include "tile_host.h"

namespace {

using tensix_vp::Board;
using tensix_vp::EthernetPacket;
using tensix_vp::EthernetPhase;

constexpr unsigned kX = 9, kY = 0;  // the tile of ethernet channel 0
constexpr std::uint32_t kMailbox = 0x18000, kSent = 0x19000, kWords = 1024;  // firmware/echo.c

/// One direction of a link: a cable with a latency.
class Cable : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<Cable, 32, tensix_vp::EthernetTypes> in;
  tlm_utils::simple_initiator_socket<Cable, 32, tensix_vp::EthernetTypes> out;
  unsigned packets = 0;

  explicit Cable(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.register_nb_transport_fw(this, &Cable::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(EthernetPacket& packet, EthernetPhase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == EthernetPhase::kFirstBit) ++packets;
    sc_core::sc_time later = delay + sc_core::sc_time(400, sc_core::SC_NS);
    return out->nb_transport_fw(packet, phase, later);
  }
};

struct Host : TileHost {
  const unsigned end;  ///< end of the link: 0 or 1
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kWords);
  std::uint32_t cycles = 0;

  Host(const sc_core::sc_module_name& name, unsigned end) : TileHost(name), end(end) {}
  void run() override {
    std::uint32_t mailbox[12] = {0, end, 1};  // one round
    write(kX, kY, kMailbox, mailbox, sizeof mailbox);
    for (std::uint32_t i = 0; i < kWords; ++i) words[i] = 3 * i;
    if (end == 0) write(kX, kY, kSent, words.data(), 4 * kWords);
    start(kX, kY, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(100, sc_core::SC_NS);
      read(kX, kY, kMailbox, mailbox, 16);
    }
    cycles = mailbox[3];
    read(kX, kY, kSent, words.data(), 4 * kWords);
    if (end == 0) sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int, char**) {
  Board::Parameters parameters;
  parameters.foreign_links = {{.chip = 0, .channel = 0}};
  Board a("a", parameters), b("b", parameters);
  Cable there("there"), back("back");
  Host host_a("host_a", 0), host_b("host_b", 1);
  host_a.bus.bind(a.pcie);
  host_b.bus.bind(b.pcie);
  a.ethernet({.chip = 0, .channel = 0}).out.bind(there.in);
  there.out.bind(b.ethernet({.chip = 0, .channel = 0}).in);
  b.ethernet({.chip = 0, .channel = 0}).out.bind(back.in);
  back.out.bind(a.ethernet({.chip = 0, .channel = 0}).in);
  sc_core::sc_start();

  bool right = true;
  for (std::uint32_t i = 0; i < kWords; ++i) right = right && host_a.words[i] == 3 * i + 1;
  std::printf("%u words there and back in %u ns, %u and %u packets: %s\n", kWords, host_a.cycles,
              there.packets, back.packets, right ? "right" : "wrong");
  return right ? 0 : 1;
}
