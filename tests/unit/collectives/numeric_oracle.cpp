#include "tests/unit/collectives/numeric_oracle.h"

#include <algorithm>

namespace tvp::collectives {

namespace {

constexpr std::uint64_t kDivision = 0x9E37'79B9'7F4A'7C15;  ///< stands for "divided by N"

bool takes(const Step& step) {
  return step.kind == StepKind::kReceive || step.kind == StepKind::kReceiveReduce;
}

}  // namespace

NumericOracle::NumericOracle(const Schedule& schedule, std::uint32_t slots, std::uint64_t seed)
    : schedule_(schedule), slots_(slots), random_(seed) {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    auto& memories = memories_.emplace_back();
    for (const std::uint32_t size :
         {schedule.input_chunks(), schedule.output_chunks(), schedule.scratch}) {
      auto& memory = memories.emplace_back(size);
      for (Number& each : memory) each = random_();
    }
    inputs_.push_back(memories[0]);
    lanes_.emplace_back(schedule.ranks[rank].lanes.size());
  }
}

bool NumericOracle::sound() const {
  // A step with an unknown rank, lane or chunk is wrong.
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (const Lane& lane : schedule_.ranks[rank].lanes)
      for (const Step& step : lane.steps) {
        const bool gives = step.kind == StepKind::kSend || (takes(step) && step.to != kNobody);
        if (gives && (step.to >= schedule_.size() || step.to == rank)) return false;
        if (takes(step) && (step.from >= schedule_.size() || step.from == rank)) return false;
        for (const Place& place : {step.source, step.destination}) {
          if (place.memory == Memory::kNone) continue;
          const auto memory = static_cast<std::size_t>(place.memory);
          if (place.index + step.count > memories_[rank][memory].size()) return false;
        }
        for (const Dependency& each : step.after)
          if (each.lane >= schedule_.ranks[rank].lanes.size() ||
              each.step >= schedule_.ranks[rank].lanes[each.lane].steps.size())
            return false;
      }
  return true;
}

bool NumericOracle::right() {
  if (!sound()) return false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < lanes_[rank].size(); ++lane) order.emplace_back(rank, lane);
  for (bool moved = true; moved && !broken_;) {
    moved = false;
    std::shuffle(order.begin(), order.end(), random_);
    for (const auto& [rank, lane] : order) {
      // Some lanes run far ahead, some not at all.
      for (auto steps = random_() % 4; steps > 0 && !broken_; --steps)
        if (!advance(rank, lane)) break;
    }
    for (const auto& [rank, lane] : order) {
      if (broken_ || moved) break;
      moved = advance(rank, lane);
    }
  }
  if (broken_) return false;
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < lanes_[rank].size(); ++lane)
      if (lanes_[rank][lane].step < schedule_.ranks[rank].lanes[lane].steps.size()) return false;
  for (const auto& [connection, messages] : connections_)
    if (!messages.empty()) return false;
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t index = 0; index < schedule_.output_chunks(); ++index) {
      bool said = true;
      const Number wanted = expected(rank, index, said);
      if (said && memories_[rank][1][index] != wanted) return false;
    }
  return true;
}

NumericOracle::Number* NumericOracle::at(std::uint32_t rank, const Place& place,
                                         std::uint32_t chunk) {
  return &memories_[rank][static_cast<std::size_t>(place.memory)][place.index + chunk];
}

bool NumericOracle::has_room(const Connection& connection) const {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return true;
  std::size_t chunks = 0;
  for (const Message& each : found->second) chunks += each.chunks.size();
  return chunks < slots_;
}

bool NumericOracle::put(const Connection& connection, std::uint32_t count, std::uint32_t chunk,
                        Number number) {
  auto& messages = connections_[connection];
  if (chunk == 0) messages.push_back({count, {}, 0});
  // With two messages in flight on one connection, their chunks may be mixed.
  if (messages.empty() || messages.back().sent != chunk || messages.back().count != count)
    return false;
  messages.back().chunks.push_back(number);
  ++messages.back().sent;
  return true;
}

bool NumericOracle::advance(std::uint32_t rank, std::uint32_t lane) {
  LaneState& state = lanes_[rank][lane];
  const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
  if (state.step == steps.size()) return false;
  const Step& step = steps[state.step];
  for (const Dependency& each : step.after)
    if (state.chunk == 0 && lanes_[rank][each.lane].step <= each.step) return false;
  if (step.kind == StepKind::kNothing) {
    ++state.step;
    return true;
  }
  const bool gives = step.kind == StepKind::kSend || (takes(step) && step.to != kNobody);
  const Connection out{rank, step.to, step.channel};
  if (gives && !has_room(out)) return false;
  Number number = 0;
  if (takes(step)) {
    auto& messages = connections_[{step.from, rank, step.channel}];
    if (messages.empty() || messages.front().chunks.empty()) return false;
    Message& message = messages.front();
    if (message.count != step.count) return !(broken_ = true);
    number = message.chunks.front();
    message.chunks.pop_front();
    if (message.sent == message.count && message.chunks.empty()) messages.pop_front();
  }
  if (step.kind != StepKind::kReceive) {
    if (step.source.memory == Memory::kNone) return !(broken_ = true);
    number += *at(rank, step.source, state.chunk);
  }
  if (step.kind == StepKind::kReduce) number += *at(rank, step.destination, state.chunk);
  if (step.kind == StepKind::kScale) number *= kDivision;
  if (step.kind != StepKind::kSend && step.destination.memory != Memory::kNone)
    *at(rank, step.destination, state.chunk) = number;
  if (gives && !put(out, step.count, state.chunk, number)) return !(broken_ = true);
  if (++state.chunk == step.count) {
    ++state.step;
    state.chunk = 0;
  }
  return true;
}

NumericOracle::Number NumericOracle::expected(std::uint32_t rank, std::uint32_t index,
                                              bool& said) const {
  const std::uint32_t k = schedule_.share;
  const auto sum = [&](std::uint32_t chunk) {
    Number all = 0;
    for (const auto& input : inputs_) all += input[chunk];
    return schedule_.average ? all * kDivision : all;
  };
  const bool is_root = rank == schedule_.root;
  switch (schedule_.primitive) {
    case Primitive::kBroadcast:
      return inputs_[schedule_.root][index];
    case Primitive::kSendRecv:
      said = rank == schedule_.peer;
      return inputs_[schedule_.root][index];
    case Primitive::kReduce:
      said = is_root;
      return sum(index);
    case Primitive::kAllReduce:
      return sum(index);
    case Primitive::kReduceScatter:
      return sum(rank * k + index);
    case Primitive::kGather:
      said = is_root;
      return inputs_[index / k][index % k];
    case Primitive::kAllGather:
      return inputs_[index / k][index % k];
    case Primitive::kAllToAll:
      return inputs_[index / k][rank * k + index % k];
    case Primitive::kCustom:
      said = false;
      return 0;
    case Primitive::kScatter:
      break;
  }
  return inputs_[schedule_.root][rank * k + index];
}

}  // namespace tvp::collectives
