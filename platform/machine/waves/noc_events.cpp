#include "platform/machine/waves/noc_events.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tvp::platform {

namespace {

/// Names of tt_metal/tools/profiler/event_metadata.hpp.
const char* npe_type(noc::PacketKind kind, bool broadcast) {
  switch (kind) {
    case noc::PacketKind::kReadRequest:
      return "READ";
    case noc::PacketKind::kInlineWrite:
      return "WRITE_INLINE";
    case noc::PacketKind::kAtomic:
      return "SEMAPHORE_INC";
    default:
      return broadcast ? "WRITE_MULTICAST" : "WRITE_";
  }
}

constexpr const char* kNpeCores[] = {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC"};

}  // namespace

bool NocEvents::is_name(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.starts_with("noc_trace") && name.ends_with(".json");
}

NocEvents::NocEvents(const std::string& file, const std::vector<std::unique_ptr<Chip>>& chips)
    : file_(file) {
  for (const auto& chip : chips) {
    observers_.emplace_back(events_, *chip);
    for (unsigned noc = 0; noc < 2; ++noc) chip->torus(noc).set_observer(&observers_.back());
  }
}

void NocEvents::Observer::arrives(unsigned noc, const noc::NocExtension& header, noc::Node from,
                                  noc::Node to, support::Cycle) {
  // Hardware, too, sends requests: no core stands behind these.
  if (noc::is_response(header.kind) || header.sender > support::BusMaster::kE) return;
  const auto noc0 = [&](noc::Node node) {
    if (noc == 0) return node;
    const auto [x, y] = chip_.spec().mirrored({node.x, node.y});
    return noc::Node{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  };
  events_.push_back({.chip = chip_.id(),
                     .from = from,
                     .core = header.sender,
                     .when = header.issued,
                     .noc = noc,
                     .kind = header.kind,
                     .broadcast = header.broadcast,
                     .to = header.broadcast ? noc0(header.target) : to,
                     .start = header.broadcast ? noc0(header.start) : to,
                     .vc = header.first_vc(),
                     .bytes = header.bytes,
                     .sequence = header.sequence});
}

void NocEvents::write() {
  if (!file_.is_open()) return;
  std::sort(events_.begin(), events_.end(),
            [](const Event& a, const Event& b) { return a.order() < b.order(); });
  // A broadcast arrives many times.
  events_.erase(std::unique(events_.begin(), events_.end(),
                            [](const Event& a, const Event& b) { return a.order() == b.order(); }),
                events_.end());
  const char* separator = "[\n";
  for (const Event& event : events_) {
    nlohmann::ordered_json json = {{"run_host_id", 1},
                                   {"op_name", ""},
                                   {"proc", kNpeCores[static_cast<std::size_t>(event.core)]},
                                   {"noc", event.noc == 0 ? "NOC_0" : "NOC_1"},
                                   {"vc", event.vc},
                                   {"src_device_id", event.chip},
                                   {"sx", event.from.x},
                                   {"sy", event.from.y},
                                   {"num_bytes", event.bytes},
                                   {"type", npe_type(event.kind, event.broadcast)},
                                   {"timestamp", event.when}};
    if (event.broadcast) {
      json["mcast_start_x"] = event.start.x;
      json["mcast_start_y"] = event.start.y;
      json["mcast_end_x"] = event.to.x;
      json["mcast_end_y"] = event.to.y;
    } else {
      json["dx"] = event.to.x;
      json["dy"] = event.to.y;
    }
    file_.write(separator + json.dump());
    separator = ",\n";
  }
  file_.write(events_.empty() ? "[]\n" : "\n]\n");
  file_.close();
}

}  // namespace tvp::platform
