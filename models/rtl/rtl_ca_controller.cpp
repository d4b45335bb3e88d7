#include "models/rtl/rtl_ca_controller.h"

#include <bit>

// Verilator's headers use names of SystemC without their namespace.
#include <systemc.h>

#include "Vca_controller.h"
#include "Vca_controller___024root.h"
#include "models/rtl/refuse.h"

namespace tvp::rtl {

using dram::MemCycle;

namespace {

/// Refuses features that the RTL lacks.
void check(const RtlModule::CaController& controller) {
  if (controller.ranks > RtlCaController::kRanks) {
    refuse("pim.ca_bus", "rtl has chip selects of " + std::to_string(RtlCaController::kRanks) +
                             " ranks, a channel has " + std::to_string(controller.ranks));
  }
  if (controller.request_cycles > RtlCaController::kMostRequestCycles) {
    refuse("pim.bus_request_cycles", std::to_string(controller.request_cycles) +
                                         " with pim.ca_bus=rtl: expected 0 to " +
                                         std::to_string(RtlCaController::kMostRequestCycles));
  }
}

}  // namespace

RtlCaController::RtlCaController(const std::string& where,
                                 const RtlModule::CaController& controller)
    : CkBlock(controller.clock, where), rtl_(std::make_unique<Vca_controller>(where.c_str())) {
  check(controller);
  rtl_->activate_slots = static_cast<std::uint8_t>(controller.timing.activate_slots);
  rtl_->column_slots = static_cast<std::uint8_t>(controller.timing.column_slots);
  rtl_->other_slots = static_cast<std::uint8_t>(controller.timing.other_slots);
  rtl_->request_cycles = static_cast<std::uint16_t>(controller.request_cycles);
  rtl_->rst = 1;
  edge();
  rtl_->rst = 0;
  rtl_->eval();
  add_wave_rows();
}

RtlCaController::~RtlCaController() = default;

void RtlCaController::add_wave_rows() {
  constexpr unsigned kCodeBits = 4, kAddressBits = 14, kBankBits = 4;
  pin_waves().add({"cs_n", kRanks}, [this] { return std::uint64_t{selected_} ^ 0xFF; });
  pin_waves().add({"act_ras_cas_we_n", kCodeBits}, [this] {
    return std::uint64_t{(shown_.act_n ? 8U : 0U) | (shown_.ras_n ? 4U : 0U) |
                         (shown_.cas_n ? 2U : 0U) | (shown_.we_n ? 1U : 0U)};
  });
  pin_waves().add({"address", kAddressBits}, [this] { return std::uint64_t{shown_.address}; });
  pin_waves().add({"bank", kBankBits}, [this] {
    return std::uint64_t{shown_.bank_group} << 2 | std::uint64_t{shown_.bank};
  });
  for (unsigned group = 0; group < kGroups; ++group) {
    pin_waves().add({"arrived_" + std::to_string(group), kRanks}, [this, group] {
      return std::uint64_t{rtl_->rootp->ca_controller__DOT__arrived[group]};
    });
  }
}

void RtlCaController::edge() {
  rtl_->clk = 1;
  rtl_->eval();
  rtl_->clk = 0;
  rtl_->eval();
}

bool RtlCaController::is_idle() const { return rtl_->idle != 0; }

void RtlCaController::tick() {
  rtl_->tick = 1;
  edge();
  rtl_->tick = 0;
}

void RtlCaController::sample() {
  const ddr::CaPins now = pins();
  if (now.cs_n == 0xFF) return;
  shown_ = now;
  selected_ |= static_cast<std::uint8_t>(~now.cs_n);
}

void RtlCaController::forget() {
  shown_ = {};
  selected_ = 0;
}

ddr::CaPins RtlCaController::pins() const {
  return {.cs_n = rtl_->cs_n,
          .act_n = rtl_->act_n != 0,
          .ras_n = rtl_->ras_n != 0,
          .cas_n = rtl_->cas_n != 0,
          .we_n = rtl_->we_n != 0,
          .address = rtl_->address,
          .bank_group = rtl_->bank_group,
          .bank = rtl_->bank_address};
}

/// Makes the request that is on the pins.
void RtlCaController::take(MemCycle earliest) {
  rtl_->eval();
  if (rtl_->speaks != 0 && rtl_->fits == 0) {
    fail("no free slots within " + std::to_string(kSlots) + " cycles of CK from " +
         std::to_string(now()) + " on for a request for cycle " + std::to_string(earliest));
  }
  if (rtl_->wrong != 0) fail("rank " + std::to_string(rtl_->rank) + " is twice at one barrier");
  rtl_->take = 1;
  edge();
  rtl_->take = 0;
}

MemCycle RtlCaController::issue(const Command& command, MemCycle earliest) {
  rtl_->delay = static_cast<std::uint16_t>(delay_until(earliest, kSlots));
  if (command.ranks >= 1U << kRanks) {
    fail("rank " + std::to_string(std::bit_width(command.ranks) - 1) +
         " is selected: expected one of 0 to " + std::to_string(kRanks - 1));
  }
  if (command.words * rtl_->other_slots > kMostSlots) {
    fail("a message of " + std::to_string(command.words) + " words: expected at most " +
         std::to_string(kMostSlots) + " slots");
  }
  rtl_->arrive = 0;
  rtl_->command = static_cast<std::uint8_t>(command.code);
  rtl_->ranks = static_cast<std::uint8_t>(command.ranks);
  rtl_->operand = command.operand & ((1U << ddr::kPimBits) - 1);
  rtl_->group = command.group & 3;
  rtl_->bank = command.bank & 3;
  rtl_->words = static_cast<std::uint8_t>(command.words);
  rtl_->eval();
  const MemCycle slot = now() + rtl_->start;
  take(earliest);
  return slot;
}

ddr::ExternalCaBus::Answer RtlCaController::arrive(const Arrival& arrival, MemCycle earliest) {
  rtl_->delay = static_cast<std::uint16_t>(delay_until(earliest, kSlots));
  if (arrival.place == kNoPlace) {
    arrival.place = static_cast<unsigned>(std::countr_one(groups_));
    if (arrival.place == kGroups) {
      fail("more than " + std::to_string(kGroups) + " groups of ranks at barriers");
    }
    groups_ |= 1U << arrival.place;
  }
  rtl_->arrive = 1;
  rtl_->ranks = static_cast<std::uint8_t>(arrival.ranks);
  rtl_->rank = static_cast<std::uint8_t>(arrival.rank);
  rtl_->gathering = static_cast<std::uint8_t>(arrival.place);
  rtl_->broadcasts = arrival.broadcasts;
  rtl_->releases = arrival.releases;
  rtl_->eval();
  const Answer answer{.spoken = rtl_->speaks != 0,
                      .slot = now() + rtl_->start,
                      .wanted = now() + rtl_->wanted,
                      .all = rtl_->all != 0,
                      .known = now() + rtl_->known};
  take(earliest);
  if (answer.all) {
    groups_ &= ~(1U << arrival.place);
    arrival.place = kNoPlace;
  }
  return answer;
}

}  // namespace tvp::rtl
