// A device in SystemVerilog (gcd_device.sv) on the bus of a Tensix tile; firmware polls it.
#include <tensix_vp/systemc/board.h>
#include <tensix_vp/systemc/rtl_device.h>

#include <cstdio>

#include "gcd_device.h"
#include "tile_host.h"

namespace {

struct Host : TileHost {
  using TileHost::TileHost;
  std::uint32_t mailbox[5] = {0, 0, 0, 1071, 462};  // firmware/gcd.c: done, result, polls, a, b

  void run() override {
    write(1, 1, 0x8000, mailbox, sizeof mailbox);
    start(1, 1, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(1, sc_core::SC_US);
      read(1, 1, 0x8000, mailbox, sizeof mailbox);
    }
    sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int, char**) {
  tensix_vp::Board::Parameters parameters;
  parameters.foreign_devices = {{.chip = 0, .x = 1, .y = 1}};  // from address 0x80000000 on
  tensix_vp::Board board("board", parameters);
  tensix_vp::RtlDevice device("device", make_gcd_device());  // with a clock of 1 GHz
  Host host("host");
  host.bus.bind(board.pcie);
  board.device({.chip = 0, .x = 1, .y = 1}).bind(device.socket);
  sc_core::sc_start();
  std::printf("gcd(%u, %u) = %u after %u polls\n", host.mailbox[3], host.mailbox[4],
              host.mailbox[1], host.mailbox[2]);
  return host.mailbox[1] == 21 && host.mailbox[2] > 1 ? 0 : 1;
}
