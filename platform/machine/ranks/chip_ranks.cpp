#include "platform/machine/ranks/chip_ranks.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace tvp::platform {

using foundation::Fault;
using support::Cycle;

namespace {

/// Posted calls are sent when they are so large, so that the other rank can begin.
constexpr std::size_t kMostPosted = std::size_t{1} << 20;

std::vector<unsigned> ids_of(const SystemDescription& system) {
  std::vector<unsigned> ids;
  for (const ChipDescription& chip : system.chips) ids.push_back(chip.id);
  return ids;
}

}  // namespace

void put_fault(Message& message, const Fault& fault) {
  message.put(fault.kind()).put_text(fault.where()).put_text(fault.message());
}

Fault fault_in(Message& message) {
  const auto kind = message.get<foundation::FaultKind>();
  std::string where = message.get_text();
  return {kind, std::move(where), message.get_text()};
}

ChipRanks::ChipRanks(Ranks& ranks, const SystemDescription& system, const std::string& placement)
    : ranks_(ranks),
      ids_(ids_of(system)),
      placement_(system, ranks.size(), placement),
      posted_(ranks.size()) {
  for (unsigned rank = 0; rank < ranks.size(); ++rank)
    ranks_.set_task(rank, rank == 0 ? "the host program and " + placement_.chips_of(0)
                                    : placement_.chips_of(rank));
}

nlohmann::ordered_json ChipRanks::to_json() const {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return {{"rank", rank()},
          {"chips", placement_.chips_of(rank())},
          {"cpu_s", seconds(used.ru_utime) + seconds(used.ru_stime)},
          {"waited_s", ranks_.waited_s()},
          {"waited_cpu_s", ranks_.waited_cpu_s()},
          {"windows", windows_},
          {"calls", calls_},
          {"sent_messages", ranks_.sent_messages()},
          {"sent_bytes", ranks_.sent_bytes()},
          {"largest_memory_mib", used.ru_maxrss / 1024}};
}

ChipRanks::~ChipRanks() {
  if (!is_host() || !is_whole()) return;
  for (unsigned rank = 1; rank < size(); ++rank) {
    posted_[rank].clear();
    posted_[rank].put(RankCall::kDrop);
    flush(rank);
  }
}

unsigned ChipRanks::owner_of(unsigned chip) const {
  const auto found = std::ranges::find(ids_, chip);
  if (found == ids_.end()) return rank();
  return placement_.rank_of(static_cast<std::size_t>(found - ids_.begin()));
}

void ChipRanks::join(std::size_t number, ethernet::Link& link, unsigned end, unsigned other_rank,
                     const foundation::Period& clock) {
  if (links_.size() <= number) links_.resize(number + 1);
  links_[number] = &link;
  channels_.push_back(std::make_unique<RankLinkChannel>(
      other_rank, static_cast<std::uint32_t>(number), static_cast<std::uint8_t>(1 - end), clock));
  link.end(end).connect(*channels_.back());
}

void ChipRanks::set_warnings(std::function<std::vector<Warnings>()> take,
                             std::function<void(std::vector<Warnings>)> note) {
  take_warnings_ = std::move(take);
  note_warnings_ = std::move(note);
}

// ---- Calls ----------------------------------------------------------------------------------

void ChipRanks::post(unsigned rank, RankCall call, const Message& arguments) {
  Message& posted = posted_[rank];
  posted.put(call).put_bytes(arguments.bytes().data(), arguments.size());
  if (posted.size() > kMostPosted) flush(rank);
}

void ChipRanks::flush(unsigned rank) {
  if (posted_[rank].size() == 0) return;
  ranks_.send(rank, posted_[rank]);
  posted_[rank].clear();
}

void ChipRanks::send_posted() {
  for (unsigned rank = 1; rank < size(); ++rank) flush(rank);
}

Message ChipRanks::ask(unsigned rank, RankCall call, const Message& arguments) {
  post(rank, call, arguments);
  flush(rank);
  return received_answer(rank);
}

std::vector<Message> ChipRanks::ask_all(RankCall call, const Message& arguments) {
  for (unsigned rank = 1; rank < size(); ++rank) {
    post(rank, call, arguments);
    flush(rank);
  }
  std::vector<Message> answers;
  std::exception_ptr failure;
  for (unsigned rank = 1; rank < size(); ++rank) {
    try {
      answers.push_back(received_answer(rank));
    } catch (const Fault&) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return answers;
}

void ChipRanks::sync() {
  if (!std::exchange(is_changed_, false)) return;
  others_next_ = support::kNever;
  for (Message& answer : ask_all(RankCall::kSync))
    others_next_ = std::min(others_next_, answer.get<Cycle>());
}

void ChipRanks::answer(const Message& result, const Fault* failure) {
  Message message;
  put_warnings(message);
  message.put(failure != nullptr);
  if (failure != nullptr) put_fault(message, *failure);
  message.put_bytes(result.bytes().data(), result.size());
  ranks_.send(0, message);
}

Message ChipRanks::received_answer(unsigned rank) {
  ++calls_;
  Message message = ranks_.receive(rank);
  note_warnings_(warnings_in(message));
  if (message.get<bool>()) throw fault_in(message);
  return message;
}

// ---- Windows --------------------------------------------------------------------------------

void ChipRanks::put_warnings(Message& message) {
  const std::vector<Warnings> all = take_warnings_();
  message.put(static_cast<std::uint32_t>(all.size()));
  for (const Warnings& each : all) {
    message.put(each.place).put(static_cast<std::uint32_t>(each.kept.size()));
    for (const HeldFaultPolicy::Kept& kept : each.kept) {
      put_fault(message, kept.fault);
      message.put_text(kept.lines);
    }
  }
}

std::vector<ChipRanks::Warnings> ChipRanks::warnings_in(Message& message) {
  std::vector<Warnings> all(message.get<std::uint32_t>());
  for (Warnings& each : all) {
    each.place = message.get<std::size_t>();
    const auto count = message.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
      Fault fault = fault_in(message);
      each.kept.push_back({std::move(fault), message.get_text()});
    }
  }
  return all;
}

std::optional<ChipRanks::Stop> ChipRanks::exchange(const std::optional<Stop>& mine, Cycle next) {
  ++windows_;
  std::optional<Stop> first = mine;
  others_next_ = support::kNever;
  for (const auto& channel : channels_)
    others_next_ = std::min(others_next_, channel->first_arrival());
  next = std::min(next, others_next_);
  std::vector<Warnings> warnings;
  if (is_host()) warnings = take_warnings_();
  for (unsigned rank = 0; rank < size(); ++rank) {
    if (rank == this->rank()) continue;
    Message message;
    message.put(next).put(mine.has_value());
    if (mine) {
      message.put(mine->place).put(mine->now);
      put_fault(message, mine->fault);
    }
    if (rank == 0) put_warnings(message);
    for (const auto& channel : channels_)
      if (channel->rank() == rank) channel->release(message);
    ranks_.send(rank, message);
  }
  ethernet::LinkMessage arrived;
  for (unsigned rank = 0; rank < size(); ++rank) {
    if (rank == this->rank()) continue;
    Message message = ranks_.receive(rank);
    others_next_ = std::min(others_next_, message.get<Cycle>());
    if (message.get<bool>()) {
      const auto place = message.get<std::size_t>();
      const auto now = message.get<Cycle>();
      Fault fault = fault_in(message);
      if (!first || place < first->place) first = Stop{place, now, std::move(fault)};
    }
    if (is_host()) {
      for (Warnings& each : warnings_in(message)) warnings.push_back(std::move(each));
    }
    while (!message.at_end()) {
      const auto number = message.get<std::uint32_t>();
      const auto end = message.get<std::uint8_t>();
      message.get_bytes(&arrived, message.get<std::uint32_t>());
      links_.at(number)->end(end).receive(arrived);
    }
  }
  if (!warnings.empty()) {
    std::ranges::stable_sort(warnings, {}, &Warnings::place);
    note_warnings_(std::move(warnings));
  }
  return first;
}

}  // namespace tvp::platform
