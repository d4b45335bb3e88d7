#include "models/dram/traffic/traffic_player.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tvp::dram {

TrafficPlayer::TrafficPlayer(MemorySystem& memory, TrafficSource& source, unsigned outstanding)
    : memory_(memory),
      source_(source),
      burst_shift_(static_cast<unsigned>(std::countr_zero(memory.mapping().burst_bytes()))),
      pool_(outstanding) {
  done_.reserve(outstanding);
  for (unsigned i = 0; i < outstanding; ++i) pool_[i].next_free = i + 1;
  fetch();
}

/// Gets the next request, and its time as soon as the event from which it counts is known.
void TrafficPlayer::fetch() {
  using From = TrafficRequest::From;
  more_ = source_.next(next_request_);
  if (!more_) return;
  awaits_ = next_request_.from == From::kAnswer && open_ > 0;
  if (next_request_.from == From::kIssue) next_request_.not_before += now_;
  if (next_request_.from == From::kAnswer && !awaits_) {
    next_request_.not_before += totals_.last_done;
  }
}

MemCycle TrafficPlayer::next_time() {
  MemCycle next = retry_at_;
  if (!done_.empty()) next = std::min(next, done_.front().at);
  if (more_ && !blocked_ && !awaits_ && open_ < pool_.size()) {
    next = std::min(next, std::max(next_request_.not_before, now_));
  }
  for (std::size_t i = 0; i < memory_.channels(); ++i) {
    next = std::min(next, memory_.channel(i).next_decision());
  }
  return next;
}

void TrafficPlayer::run(MemCycle until) {
  for (MemCycle at = next_time(); at < until; at = next_time()) {
    now_ = std::max(now_, at);
    retire(now_);
    inject(now_);
    for (std::size_t i = 0; i < memory_.channels(); ++i) {
      DramChannel& channel = memory_.channel(i);
      channel.advance(now_ + 1);
      if (!channel.completions().empty()) collect(channel);
    }
    ++now_;
  }
}

void TrafficPlayer::retire(MemCycle now) {
  while (!done_.empty() && done_.front().at <= now) {
    Open& open = pool_[done_.front().index];
    open.used = false;
    open.next_free = free_;
    free_ = done_.front().index;
    --open_;
    ++totals_.answered;
    totals_.last_done = done_.front().at;
    (open.write ? totals_.write_latency : totals_.read_latency).add(done_.front().at - open.wanted);
    std::pop_heap(done_.begin(), done_.end(), later);
    done_.pop_back();
  }
  if (!awaits_ || open_ > 0) return;
  awaits_ = false;
  next_request_.not_before += totals_.last_done;
}

void TrafficPlayer::inject(MemCycle now) {
  retry_at_ = kNeverMem;
  blocked_ = false;
  while (more_ && !awaits_ && open_ < pool_.size() && next_request_.not_before <= now) {
    if (!try_issue(now)) {
      blocked_ = true;
      return;
    }
    fetch();
  }
}

bool TrafficPlayer::try_issue(MemCycle now) {
  const Location location = memory_.mapping().decode(next_request_.address);
  DramChannel& channel = memory_.channel(location.channel);
  const bool write = next_request_.write;
  if (!channel.accepts(location.bank, write)) return false;
  const unsigned index = free_;
  Open& open = pool_[index];
  free_ = open.next_free;
  ++open_;
  ++totals_.issued;
  open.used = true;
  open.write = write;
  open.wanted = next_request_.not_before > 0 ? next_request_.not_before : now;
  open.burst = next_request_.address >> burst_shift_;
  if (write) {
    open.value = ++last_value_;
    values_.change(open.burst).expected = open.value;
  } else {
    open.value = values_.get(open.burst).expected;
  }
  channel.enqueue({index, location.row, location.bank, location.column, write, false}, now);
  return true;
}

void TrafficPlayer::collect(DramChannel& channel) {
  for (const Completion& completion : channel.completions()) answer(completion);
  channel.clear_completions();
  if (blocked_) retry_at_ = now_ + 1;
}

/// Counts the bytes of a burst as moved in the memory; the answer leaves at its time.
void TrafficPlayer::answer(const Completion& completion) {
  if (completion.tag >= pool_.size() || !pool_[completion.tag].used) {
    ++totals_.wrong_answers;
    return;
  }
  const auto index = static_cast<unsigned>(completion.tag);
  const Open& open = pool_[index];
  if (open.write) {
    values_.change(open.burst).stored = open.value;
  } else {
    const std::uint32_t seen =
        completion.forwarded ? pool_[completion.writer_tag].value : values_.get(open.burst).stored;
    if (seen != open.value) ++totals_.wrong_data;
  }
  done_.push_back({completion.done, index});
  std::push_heap(done_.begin(), done_.end(), later);
}

std::string TrafficPlayer::error() const {
  const Totals& t = totals_;
  if (t.wrong_answers > 0) {
    return std::to_string(t.wrong_answers) + " answers belong to no open request";
  }
  if (t.issued != t.answered) {
    return std::to_string(t.issued) + " requests but " + std::to_string(t.answered) + " answers";
  }
  if (t.wrong_data > 0) {
    return std::to_string(t.wrong_data) + " reads did not see the last write to their address";
  }
  return "";
}

}  // namespace tvp::dram
