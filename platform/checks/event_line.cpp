#include "platform/checks/event_line.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"

namespace tvp::checks {

using Json = nlohmann::ordered_json;
using support::ProbeEvent;

namespace {

/// In the order of ProbeEvent::Kind.
constexpr const char* kKindNames[ProbeEvent::kKinds] = {
    "command",         "source_read",    "answer",       "counter_read", "request",
    "served",          "read",           "written",      "unpack",       "stream_read",
    "stream_written",  "announce",       "first_write",  "reset",        "program_ends",
    "buffer",          "program_begins", "kernel",       "argument",     "given",
    "answers_counted", "semaphore",      "reconfigured", "dst_selected", "dst_read",
    "dst_written",     "dst_changed",    "dst_loaded",   "math",         "mailbox",
    "tasklet",         "barrier"};

/// All fields but the kind.
template <typename Event, typename Visit>
void for_each_field(Event& event, const Visit& visit) {
  visit("agent", event.agent);
  visit("core", event.core);
  visit("memory", event.memory);
  visit("request", event.request);
  visit("remote", event.remote);
  visit("is_posted", event.is_posted);
  visit("is_broadcast", event.is_broadcast);
  visit("is_local", event.is_local);
  visit("is_own", event.is_own);
  visit("is_linked", event.is_linked);
  visit("x0", event.x0);
  visit("y0", event.y0);
  visit("x1", event.x1);
  visit("y1", event.y1);
  visit("vc", event.vc);
  visit("layout", event.layout);
  visit("step", event.step);
  visit("pc", event.pc);
  visit("bytes", event.bytes);
  visit("packets", event.packets);
  visit("index", event.index);
  visit("instruction", event.instruction);
  visit("stream", event.stream);
  visit("thread", event.thread);
  visit("is_written", event.is_written);
  visit("rows", event.rows);
  visit("units", event.units);
  visit("value", event.value);
  visit("pushed", event.pushed);
  visit("popped", event.popped);
  visit("stored_end", event.stored_end);
  visit("address", event.address);
  visit("remote_address", event.remote_address);
  visit("cycle", event.cycle);
  visit("done", event.done);
  visit("offered", event.offered.instruction);
  visit("offered_pc", event.offered.pc);
  visit("offered_thread", event.offered.thread);
}

}  // namespace

std::string to_line(const ProbeEvent& event) {
  Json all, line;
  const auto into = [](Json& json) {
    return [&json](const char* name, const auto& value) {
      json[name] = static_cast<std::uint64_t>(value);
    };
  };
  line["kind"] = kKindNames[static_cast<unsigned>(event.kind)];
  Json defaults;
  const ProbeEvent none;
  for_each_field(none, into(defaults));
  for_each_field(event, into(all));
  for (const auto& [name, value] : all.items())
    if (value != defaults[name]) line[name] = value;
  return line.dump();
}

ProbeEvent from_line(const std::string& line) {
  const auto refuse = [&](const std::string& why) {
    return foundation::Fault(foundation::FaultKind::kDescription, "event stream",
                             why + " in the line: " + line);
  };
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) throw refuse("an event is an object of JSON; there is none");
  ProbeEvent event;
  std::size_t known = 1;
  const auto kind =
      std::find(std::begin(kKindNames), std::end(kKindNames),
                json.contains("kind") && json["kind"].is_string() ? json["kind"].get<std::string>()
                                                                  : std::string());
  if (kind == std::end(kKindNames)) throw refuse("an event has a known \"kind\"; there is none");
  event.kind = static_cast<ProbeEvent::Kind>(kind - std::begin(kKindNames));
  for_each_field(event, [&](const char* name, auto& value) {
    if (!json.contains(name)) return;
    if (!json[name].is_number_unsigned()) throw refuse(std::string(name) + " is no number");
    value = static_cast<std::decay_t<decltype(value)>>(json[name].get<std::uint64_t>());
    ++known;
  });
  if (known != json.size()) throw refuse("a field is unknown");
  return event;
}

}  // namespace tvp::checks
