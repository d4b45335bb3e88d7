#include "models/dram/controller/banked_controller.h"

#include <algorithm>

#include "foundation/regs/noc.h"
#include "models/noc/noc_protocol.h"
#include "models/support/payload_rules.h"
#include "models/support/tile_scheduler.h"

namespace tvp::dram {

using support::Cycle;

namespace {

/// Each channel of a tile has a separate address space.
Preset one_channel(Preset preset) {
  preset.organization.channels = 1;
  return preset;
}

}  // namespace

BankedController::BankedController(const sc_core::sc_module_name& name, const DramConfig& config,
                                   std::uint64_t bytes, support::Calendar& calendar, Period aiclk)
    : Controller(name, bytes, calendar),
      config_(config),
      preset_(one_channel(config.banked_preset())),
      mapping_(config.mapping.value(), preset_.organization, config.hash_banks),
      burst_bytes_(preset_.organization.burst_bytes()),
      to_mem_(aiclk, preset_.timing.tck),
      to_cycles_(preset_.timing.tck, aiclk),
      channel_(preset_, config.channel_options()) {
  if (mapping_.bytes() < bytes) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "dram.preset",
                            std::string(preset_.name) + " has " + std::to_string(mapping_.bytes()) +
                                " bytes a channel, a channel of the chip " + std::to_string(bytes));
  }
}

tlm::tlm_sync_enum BankedController::begin(tlm::tlm_generic_payload& payload,
                                           sc_core::sc_time& delay) {
  const Cycle now = calendar_.now() + noc::to_cycles(delay);
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (free_.empty()) {
    free_.push_back(static_cast<unsigned>(transfers_.size()));
    transfers_.emplace_back();
  }
  const unsigned index = free_.back();
  free_.pop_back();
  Transfer& transfer = transfers_[index];
  transfer = Transfer{};
  transfer.payload = &payload;
  transfer.asked = now;
  transfer.address = address;
  transfer.bytes = bytes;
  transfer.write = payload.is_write();
  transfer.bursts =
      static_cast<unsigned>((address + bytes - 1) / burst_bytes_ - address / burst_bytes_ + 1);
  ++open_;
  order_.push_back(index);
  scheduler().wake(*this, now);
  return tlm::TLM_ACCEPTED;
}

void BankedController::run() {
  while (next() != support::kNever && may_act(next())) step(next());
}

/// Simulates the channel up to this cycle of AICLK.
void BankedController::step(Cycle now) {
  feed(now);
  channel_.advance(to_mem_.down(now) + 1);
  for (const Completion& completion : channel_.completions()) take(now, completion);
  channel_.clear_completions();
  // Commands have freed slots.
  if (!order_.empty()) feed(now);
  answer_alone(now);
  const MemCycle decision = channel_.next_decision();
  const Cycle command = decision == kNeverMem ? support::kNever : to_cycles_.up(decision);
  const Cycle next = std::min(command, merge_awaited_);
  set_next(next == support::kNever ? next : std::max(next, now + 1));
}

/// Passes bursts to the channel in order. The controller accepts further requests as long as it has
/// room for their bytes.
void BankedController::feed(Cycle now) {
  merge_awaited_ = support::kNever;
  std::size_t fed = 0;
  for (; fed < order_.size(); ++fed) {
    const unsigned index = order_[fed];
    Transfer& transfer = transfers_[index];
    if (transfer.write && transfer.fed == 0) {
      if (const Cycle done = merges_done(transfer); done > now) {
        merge_awaited_ = done;
        break;
      }
    }
    while (transfer.fed < transfer.bursts && feed_burst(index, now)) {
      if (transfer.write && transfer.fed == 0) begin_merges(transfer, now);
      ++transfer.fed;
    }
    if (transfer.fed < transfer.bursts) break;
    say_taken(transfer, now);
  }
  order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(fed));
  std::uint64_t ahead = 0;
  for (const unsigned index : order_) {
    if (ahead > config_.queue_bytes) break;
    say_taken(transfers_[index], now);
    ahead += transfers_[index].bytes;
  }
}

/// The cycle at which the writes that this one waits for are merged. Longer writes wait for none.
Cycle BankedController::merges_done(const Transfer& transfer) const {
  if (transfer.bytes >= config_.merge_bytes) return 0;
  const std::uint64_t first = transfer.address / config_.merge_bytes;
  const std::uint64_t last = (transfer.address + transfer.bytes - 1) / config_.merge_bytes;
  Cycle done = 0;
  for (const Merge& merge : merges_) {
    if (merge.place == first || merge.place == last) done = std::max(done, merge.done);
  }
  return done;
}

void BankedController::begin_merges(const Transfer& transfer, Cycle now) {
  if (transfer.bytes >= config_.merge_bytes) return;
  std::erase_if(merges_, [now](const Merge& merge) { return merge.done <= now; });
  const std::uint64_t first = transfer.address / config_.merge_bytes;
  const std::uint64_t last = (transfer.address + transfer.bytes - 1) / config_.merge_bytes;
  const Cycle done = now + config_.merge_cycles;
  merges_.push_back({first, done});
  if (last != first) merges_.push_back({last, done});
}

/// False if the channel has no room for the next burst now.
bool BankedController::feed_burst(unsigned index, Cycle now) {
  const Transfer& transfer = transfers_[index];
  const Part part = part_of(transfer, transfer.fed);
  const Location location = mapping_.decode(part.address);
  while (!channel_.accepts(location.bank, transfer.write)) {
    // An idle channel catches up with the bytes that arrived earlier in this write.
    const MemCycle decision = channel_.next_decision();
    if (decision > to_mem_.down(now)) return false;
    channel_.advance(decision + 1);
  }
  const MemCycle at = std::max(channel_.now(), to_mem_.up(arrival_of(transfer, now)));
  const std::uint64_t tag = std::uint64_t{index} << kBurstBits | transfer.fed;
  channel_.enqueue({tag, location.row, location.bank, location.column, transfer.write,
                    is_partial(transfer, part)},
                   at);
  return true;
}

/// The bytes of a write arrived one after the other, so an idle channel has already begun with the
/// first ones.
Cycle BankedController::arrival_of(const Transfer& transfer, Cycle now) const {
  const auto* header = transfer.payload->get_extension<noc::NocExtension>();
  if (!transfer.write || header == nullptr || header->flits < 2) return now;
  const Cycle streamed = header->data_cycles();
  const Cycle at_this_burst =
      std::min(streamed, streamed * transfer.fed / std::max(transfer.bursts, 1U));
  return std::min(now, transfer.asked - std::min(transfer.asked, streamed - at_this_burst));
}

void BankedController::say_taken(Transfer& transfer, Cycle now) {
  if (transfer.taken) return;
  transfer.taken = true;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = noc::to_time(now - calendar_.now());
  port->nb_transport_bw(*transfer.payload, phase, delay);
}

BankedController::Part BankedController::part_of(const Transfer& transfer, unsigned burst) const {
  const std::uint64_t first = transfer.address / burst_bytes_ + burst;
  const std::uint64_t begin = std::max(first * burst_bytes_, transfer.address);
  const std::uint64_t end = std::min((first + 1) * burst_bytes_, transfer.address + transfer.bytes);
  return {begin, static_cast<std::uint32_t>(begin - transfer.address),
          static_cast<std::uint32_t>(end - begin)};
}

bool BankedController::is_partial(const Transfer& transfer, const Part& part) const {
  return transfer.write &&
         (part.bytes < burst_bytes_ || transfer.payload->get_byte_enable_ptr() != nullptr);
}

/// Moves the bytes of a finished burst now, independent of other bursts.
void BankedController::take(Cycle now, const Completion& completion) {
  const auto index = static_cast<unsigned>(completion.tag >> kBurstBits);
  const auto burst = static_cast<unsigned>(completion.tag & ((1U << kBurstBits) - 1));
  Transfer& transfer = transfers_[index];
  if (completion.forwarded && !transfer.answered) {
    const Transfer& writer = transfers_[completion.writer_tag >> kBurstBits];
    const auto written = static_cast<unsigned>(completion.writer_tag & ((1U << kBurstBits) - 1));
    const Part to = part_of(transfer, burst);
    const Part from = part_of(writer, written);
    support::copy_enabled(
        transfer.payload->get_data_ptr() + to.offset,
        writer.payload->get_data_ptr() + from.offset + (to.address - from.address), to.bytes,
        *transfer.payload, to.offset);
    observed(*transfer.payload, to.offset, to.bytes, {now, to_cycles_.up(completion.done)});
  } else if (!transfer.answered) {
    move(transfer, burst, {now, to_cycles_.up(completion.done)});
  }
  if (!completion.forwarded && busy_signal_.on()) {
    const MemCycle end = completion.done - config_.response_cycles;
    busy_signal_.occupy(to_cycles_.down(end - preset_.timing.bl), to_cycles_.down(end));
  }
  transfer.done = std::max(transfer.done, completion.done);
  if (++transfer.moved < transfer.bursts) return;
  if (!transfer.answered) answer(transfer, now, transfer.done);
  free(index);
}

void BankedController::move(const Transfer& transfer, unsigned burst, const Moment& moment) {
  const Part part = part_of(transfer, burst);
  Controller::move(*transfer.payload, part.offset, part.bytes, moment);
}

/// If a read has the channel to itself, its remaining bursts follow at the rate of the data bus. So
/// the time of its response is known early enough to start the response.
void BankedController::answer_alone(Cycle now) {
  if (open_ != 1) return;
  const auto alone = std::find_if(transfers_.begin(), transfers_.end(),
                                  [](const Transfer& t) { return t.payload != nullptr; });
  Transfer& transfer = *alone;
  if (transfer.write || transfer.answered || transfer.moved == 0) return;
  const Timing& t = preset_.timing;
  const MemCycle left = transfer.bursts - transfer.moved;
  const MemCycle done = to_mem_.down(now) + left * t.tccd_s + t.cl + t.bl + config_.response_cycles;
  const Cycle end = to_cycles_.up(done) + latency_of(transfer);
  const auto* header = transfer.payload->get_extension<noc::NocExtension>();
  if (header == nullptr || now + header->data_flits() < end) return;
  if (channel_.next_refresh() <= done) return;
  for (unsigned burst = 0; burst < transfer.bursts; ++burst) {
    move(transfer, burst, {now, to_cycles_.up(done)});
  }
  answer(transfer, now, done);
}

Cycle BankedController::latency_of(const Transfer& transfer) const {
  return transfer.write ? config_.banked_write_cycles : config_.banked_read_cycles;
}

void BankedController::answer(Transfer& transfer, Cycle now, MemCycle done) {
  say_taken(transfer, now);
  transfer.answered = true;
  transfer.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  if (auto* header = transfer.payload->get_extension<noc::NocExtension>())
    header->announced_at = now;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  // A write streams in while its bursts execute, so the last one may have been done before now.
  const Cycle at = std::max(calendar_.now(), to_cycles_.up(done) + latency_of(transfer));
  sc_core::sc_time delay = noc::to_time(at - calendar_.now());
  port->nb_transport_bw(*transfer.payload, phase, delay);
}

void BankedController::free(unsigned index) {
  transfers_[index].payload = nullptr;
  free_.push_back(index);
  --open_;
}

}  // namespace tvp::dram
