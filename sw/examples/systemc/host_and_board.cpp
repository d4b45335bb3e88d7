// A loosely timed initiator writes firmware and data through PCI Express, starts a core and waits
// for its result.
#include <tensix_vp/systemc/board.h>

#include <cstdio>

#include "tile_host.h"

namespace {

struct Host : TileHost {
  using TileHost::TileHost;
  bool right = false;

  void run() override {
    constexpr std::uint32_t kMailbox = 0x8000, kValues = 61;  // firmware/sum.c
    std::uint32_t mailbox[3 + kValues] = {kValues};
    for (std::uint32_t i = 0; i < kValues; ++i) mailbox[3 + i] = i + 1;
    write(1, 1, kMailbox, mailbox, sizeof mailbox);
    start(1, 1, FIRMWARE);
    while (mailbox[1] == 0) {
      wait(100, sc_core::SC_NS);
      read(1, 1, kMailbox, mailbox, 12);
    }
    std::printf("sum %u at %s\n", mailbox[2], sc_core::sc_time_stamp().to_string().c_str());
    right = mailbox[2] == kValues * (kValues + 1) / 2;
    sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int, char**) {
  tensix_vp::Board board("board");
  Host host("host");
  host.bus.bind(board.pcie);
  sc_core::sc_start();
  return host.right ? 0 : 1;
}
