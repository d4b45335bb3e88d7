#pragma once

#include <string>

namespace tvp::dram {

/// Policies and sizes of a channel's controller.
struct ChannelOptions {
  std::string page = "open";
  unsigned page_timeout_cycles = 200;
  std::string scheduler = "fr_fcfs";
  unsigned starvation_cap = 16;
  std::string refresh = "all_bank";
  unsigned refresh_postpone = 0;
  unsigned read_queue = 32;
  unsigned write_queue = 32;
  unsigned bank_queue = 8;
  unsigned write_high = 24;
  unsigned write_low = 8;
  bool finishes_rows = false;  ///< the bus turns after the requests whose rows are open
  unsigned response_cycles = 2;
};

}  // namespace tvp::dram
