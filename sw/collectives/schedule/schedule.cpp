#include "sw/collectives/schedule/schedule.h"

#include <algorithm>
#include <array>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

struct Named {
  Primitive primitive;
  const char* name;
  bool divided_input;   ///< N shares of input
  bool divided_output;  ///< N shares of output
  bool reduces;
};

constexpr std::array<Named, 10> kPrimitives{{
    {Primitive::kBroadcast, "broadcast", false, false, false},
    {Primitive::kReduce, "reduce", false, false, true},
    {Primitive::kAllReduce, "all_reduce", false, false, true},
    {Primitive::kReduceScatter, "reduce_scatter", true, false, true},
    {Primitive::kAllGather, "all_gather", false, true, false},
    {Primitive::kAllToAll, "all_to_all", true, true, false},
    {Primitive::kGather, "gather", false, true, false},
    {Primitive::kScatter, "scatter", true, false, false},
    {Primitive::kSendRecv, "send_recv", false, false, false},
    {Primitive::kCustom, "custom", false, false, true},
}};

const Named& row(Primitive primitive) {
  return *std::ranges::find(kPrimitives, primitive, &Named::primitive);
}

}  // namespace

std::uint32_t Schedule::input_chunks() const {
  if (primitive == Primitive::kCustom) return custom_inputs;
  return row(primitive).divided_input ? size() * share : share;
}
std::uint32_t Schedule::output_chunks() const {
  if (primitive == Primitive::kCustom) return custom_outputs;
  return row(primitive).divided_output ? size() * share : share;
}
std::uint32_t Schedule::vector_chunks() const { return std::max(input_chunks(), output_chunks()); }

std::uint32_t Schedule::longest_message() const {
  std::uint32_t longest = 1;
  for (const RankProgram& rank : ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (step.to != kNobody || step.from != kNobody) longest = std::max(longest, step.count);
  return longest;
}

std::string name_of(Primitive primitive) { return row(primitive).name; }

Primitive primitive_named(const std::string& name) {
  std::string names;
  for (const Named& each : kPrimitives) {
    if (name == each.name) return each.primitive;
    names += (names.empty() ? "" : ", ");
    names += each.name;
  }
  runtime::bad_use("collective " + name, "expected one of " + names);
}

bool reduces(Primitive primitive) { return row(primitive).reduces; }

}  // namespace tvp::collectives
