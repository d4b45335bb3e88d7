#include "sw/collectives/algorithms/pairwise.h"

#include <bit>

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::vector<Primitive> Pairwise::primitives() const {
  return {Primitive::kAllToAll, Primitive::kSendRecv, Primitive::kGather, Primitive::kScatter};
}

std::string Pairwise::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  if (request.primitive != Primitive::kAllToAll)
    return request.variant.empty() || request.variant == "offset"
               ? ""
               : "variant " + request.variant + ": only all_to_all has it";
  if (request.variant == "xor" && !is_power_of_two(request.ranks))
    return "variant xor with " + std::to_string(request.ranks) + " ranks: expected a power of two";
  return {};
}

Schedule Pairwise::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  if (request.primitive == Primitive::kSendRecv) builder.set_peer(request.peer);
  if (request.primitive == Primitive::kAllToAll)
    all_to_all(builder, request);
  else
    rooted(builder, request);
  return builder.finish(title(request));
}

std::vector<std::uint32_t> Pairwise::offsets(const ScheduleRequest& request) {
  std::vector<std::uint32_t> made;
  if (request.variant == "quadratic") {
    // Triangular numbers modulo a power of two pass every residue once.
    const std::uint32_t mask = std::bit_ceil(request.ranks) - 1;
    for (std::uint32_t round = 1, delta = 1; round <= mask; ++round, delta = (delta + round) & mask)
      if (delta < request.ranks) made.push_back(delta);
  } else {
    for (std::uint32_t offset = 1; offset < request.ranks; ++offset) made.push_back(offset);
  }
  return made;
}

void Pairwise::all_to_all(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t n = request.ranks;
  const std::uint32_t k = request.segments;
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    auto outward = builder.at(rank, 0);
    auto inward = builder.at(rank, 1);
    for (const std::uint32_t offset : offsets(request)) {
      const bool exchange = request.variant == "xor";
      const std::uint32_t to = exchange ? rank ^ offset : (rank + offset) % n;
      const std::uint32_t from = exchange ? to : (rank + n - offset) % n;
      for (std::uint32_t segment = 0; segment < k; ++segment) {
        outward.send(to, input(to * k + segment));
        inward.receive(from, output(from * k + segment));
      }
    }
    builder.at(rank, 2).copy(input(rank * k), output(rank * k), k);
  }
}

void Pairwise::rooted(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t k = request.segments;
  const std::uint32_t root = request.root;
  auto lane = builder.at(root);
  for (std::uint32_t distance = 1; distance < request.ranks; ++distance) {
    const std::uint32_t other = (root + distance) % request.ranks;
    if (request.primitive == Primitive::kSendRecv && other != request.peer) continue;
    for (std::uint32_t segment = 0; segment < k; ++segment) {
      auto partner = builder.at(other);
      if (request.primitive == Primitive::kGather) {
        partner.send(root, input(segment));
        lane.receive(other, output(other * k + segment));
      } else {
        const bool scatter = request.primitive == Primitive::kScatter;
        lane.send(other, input((scatter ? other * k : 0) + segment));
        partner.receive(root, output(segment));
      }
    }
  }
  if (request.primitive == Primitive::kGather)
    builder.at(root, 1).copy(input(0), output(root * k), k);
  else if (request.primitive == Primitive::kScatter)
    builder.at(root, 1).copy(input(root * k), output(0), k);
}

}  // namespace tvp::collectives
