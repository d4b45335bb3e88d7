#include "models/rtl/rtl_crossbar.h"

// Verilator's headers use names of SystemC without their namespace.
#include <systemc.h>

#include "Vcrossbar.h"
#include "Vcrossbar___024root.h"
#include "models/rtl/refuse.h"

namespace tvp::rtl {

using dram::MemCycle;

namespace {

constexpr unsigned kBeatBits = 8;
constexpr unsigned kBeatsInWord = 4;  // Verilator has wide pins as words of 32 bits
constexpr MemCycle kLimit = MemCycle{1} << RtlCrossbar::kCycleBits;

}  // namespace

RtlCrossbar::RtlCrossbar(const std::string& where, const RtlModule::Crossbar& crossbar)
    : CkBlock(crossbar.clock, where), rtl_(std::make_unique<Vcrossbar>(where.c_str())) {
  if (crossbar.ports > kPorts) {
    refuse("pim.crossbar", "rtl joins up to " + std::to_string(kPorts) +
                               " chips of a rank, pim.hierarchy has " +
                               std::to_string(crossbar.ports));
  }
  rtl_->rst = 1;
  edge();
  rtl_->rst = 0;
  rtl_->eval();
  pin_waves().add({"in_busy", crossbar.ports}, [this] { return std::uint64_t{rtl_->in_busy}; });
  pin_waves().add({"out_valid", crossbar.ports}, [this] { return std::uint64_t{rtl_->out_valid}; });
  for (unsigned port = 0; port < crossbar.ports; ++port) {
    pin_waves().add({"source_of_" + std::to_string(port), crossbar.ports}, [this, port] {
      return std::uint64_t{rtl_->rootp->crossbar__DOT__source[port]};
    });
  }
}

RtlCrossbar::~RtlCrossbar() = default;

void RtlCrossbar::edge() {
  rtl_->clk = 1;
  rtl_->eval();
  rtl_->clk = 0;
  rtl_->eval();
}

bool RtlCrossbar::is_idle() const { return rtl_->idle != 0; }

void RtlCrossbar::tick() {
  rtl_->tick = 1;
  edge();
  rtl_->tick = 0;
}

void RtlCrossbar::request(std::uint32_t inputs, std::uint32_t outputs, MemCycle earliest) {
  rtl_->delay = static_cast<std::uint32_t>(delay_until(earliest, kLimit));
  rtl_->inputs = static_cast<std::uint16_t>(inputs);
  rtl_->outputs = static_cast<std::uint16_t>(outputs);
  rtl_->eval();
}

MemCycle RtlCrossbar::ready(std::uint32_t inputs, std::uint32_t outputs, MemCycle earliest) {
  request(inputs, outputs, earliest);
  return now() + rtl_->start;
}

void RtlCrossbar::connect(std::uint32_t inputs, std::uint32_t outputs, MemCycle begin,
                          MemCycle end) {
  request(inputs, outputs, begin);
  delay_until(end, kLimit);
  if (now() + rtl_->start != begin) {
    fail("connects at " + std::to_string(now() + rtl_->start) + ", asked for at " +
         std::to_string(begin));
  }
  if (rtl_->full != 0) fail("expected fewer connections at a time");
  rtl_->length = static_cast<std::uint32_t>(end - begin);
  rtl_->take = 1;
  edge();
  rtl_->take = 0;
  rtl_->eval();
}

void RtlCrossbar::drive(unsigned input, std::uint8_t beat) {
  std::uint32_t& word = rtl_->in_data[input / kBeatsInWord];
  const unsigned shift = input % kBeatsInWord * kBeatBits;
  word = (word & ~(0xFFU << shift)) | std::uint32_t{beat} << shift;
  rtl_->eval();
}

bool RtlCrossbar::is_valid(unsigned output) const { return (rtl_->out_valid >> output & 1) != 0; }

std::uint8_t RtlCrossbar::beat(unsigned output) const {
  return static_cast<std::uint8_t>(rtl_->out_data[output / kBeatsInWord] >>
                                   output % kBeatsInWord * kBeatBits);
}

}  // namespace tvp::rtl
