// The report of a mesh network: curves and maps of the offered loads.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/machine/mesh_machine.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;
using mesh::LoadPoint;

namespace {

Json series(const std::string& name, const std::vector<LoadPoint>& points,
            double (*value)(const LoadPoint&)) {
  Json x = Json::array();
  Json y = Json::array();
  for (const LoadPoint& point : points) {
    x.push_back(point.offered);
    y.push_back(value(point));
  }
  return {{"name", name}, {"x", x}, {"y", y}};
}

Json curve(const std::string& name, const std::string& y_label, const char* y_scale, Json list) {
  return {{"name", name},
          {"x_label", "offered load, flits/node/cycle"},
          {"y_label", y_label},
          {"y_scale", y_scale},
          {"series", std::move(list)}};
}

Json curves_of(const std::vector<LoadPoint>& points) {
  const auto mean = [](const LoadPoint& p) { return p.mean_latency; };
  const auto p50 = [](const LoadPoint& p) { return static_cast<double>(p.p50); };
  const auto p99 = [](const LoadPoint& p) { return static_cast<double>(p.p99); };
  const auto accepted = [](const LoadPoint& p) { return p.accepted; };
  const auto offered = [](const LoadPoint& p) { return p.offered; };
  // Beyond saturation, queueing makes latencies a hundred times larger. A linear scale would hide
  // the knee of the curve.
  return Json::array({curve("latency", "cycles", "log",
                            Json::array({series("mean", points, mean), series("p50", points, p50),
                                         series("p99", points, p99)})),
                      curve("throughput", "flits/node/cycle", "linear",
                            Json::array({series("accepted", points, accepted),
                                         series("offered", points, offered)}))});
}

/// Share of the measured cycles in which a link of one direction carries a flit. Rows run from
/// north to south, with the coordinates of the routers.
Json heatmap_of(const mesh::MeshTopology& topology, const LoadPoint& point, mesh::Port port,
                double cycles) {
  Json values = Json::array();
  Json rows = Json::array();
  for (unsigned row = 0; row < topology.height(); ++row) {
    Json line = Json::array();
    for (unsigned x = 0; x < topology.width(); ++x) {
      const unsigned node = topology.node_at(x, topology.height() - 1 - row);
      const std::uint64_t flits =
          point.statistics.link_flits[std::size_t{node} * mesh::kPorts + mesh::index(port)];
      line.push_back(static_cast<double>(flits) / cycles);
    }
    values.push_back(std::move(line));
    rows.push_back(std::to_string(topology.height() - 1 - row));
  }
  return {{"name", std::string("load of links ") + mesh::name_of(port) + " at an offered load of " +
                       Json(point.offered).dump()},
          {"unit", "flits/cycle"},
          {"rows", rows},
          {"columns", topology.width()},
          {"values", std::move(values)}};
}

void add_metric(Json& metrics, const std::string& name, double value, const char* unit) {
  metrics[name] = {{"value", value}, {"unit", unit}};
}

Json metrics_of(const std::vector<LoadPoint>& points, unsigned nodes) {
  Json metrics = Json::object();
  const LoadPoint& last = points.back();
  const mesh::Statistics& s = last.statistics;
  add_metric(metrics, "offered", last.offered, "flits/node/cycle");
  add_metric(metrics, "accepted", last.accepted, "flits/node/cycle");
  add_metric(metrics, "accepted_of_all_nodes", last.accepted * nodes, "flits/cycle");
  add_metric(metrics, "latency_mean", last.mean_latency, "cycles");
  add_metric(metrics, "latency_p50", static_cast<double>(last.p50), "cycles");
  add_metric(metrics, "latency_p99", static_cast<double>(last.p99), "cycles");
  add_metric(metrics, "latency_max", static_cast<double>(last.max), "cycles");
  add_metric(metrics, "latency_empty_mesh", last.zero_load_latency, "cycles");
  add_metric(metrics, "packets_routed", static_cast<double>(s.packets_routed), "");
  add_metric(metrics, "packets_blocked", static_cast<double>(s.packets_blocked), "");
  add_metric(metrics, "total_hops", static_cast<double>(s.total_hops), "");
  add_metric(metrics, "packets_delivered", static_cast<double>(s.packets_delivered), "");
  add_metric(metrics, "packets_lost", static_cast<double>(last.lost), "");
  add_metric(metrics, "packets_sent_again", static_cast<double>(last.retries), "");
  if (last.urgent_latency > 0) {
    add_metric(metrics, "urgent_latency_mean", last.urgent_latency, "cycles");
    add_metric(metrics, "urgent_latency_p99", static_cast<double>(last.urgent_p99), "cycles");
  }
  if (points.size() == 1) return metrics;
  double throughput = 0;
  for (const LoadPoint& point : points) throughput = std::max(throughput, point.accepted);
  add_metric(metrics, "throughput_max", throughput, "flits/node/cycle");
  const auto saturated =
      std::find_if(points.begin(), points.end(), [](const LoadPoint& p) { return p.is_saturated; });
  if (saturated != points.end()) {
    add_metric(metrics, "saturated_from", saturated->offered, "flits/node/cycle");
  }
  return metrics;
}

}  // namespace

void MeshMachine::describe(Json& json) const {
  const std::string stuck = sweep_.why_stuck();
  if (!stuck.empty()) json["stuck"] = stuck;
  json["points"] = Json::array();
  support::Cycle begin = 0;
  const auto ns = [&](support::Cycle cycle) { return static_cast<double>(to_ps(cycle)) / 1000.0; };
  for (const LoadPoint& point : sweep_.points()) {
    const support::Cycle end = begin + point.cycles;
    json["points"].push_back({{"offered", point.offered},
                              {"begin_ns", ns(begin)},
                              {"end_ns", ns(end)},
                              {"accepted", point.accepted},
                              {"mean_latency", point.mean_latency},
                              {"p50", point.p50},
                              {"p99", point.p99},
                              {"max", point.max},
                              {"saturated", point.is_saturated},
                              {"verdict", point.verdict},
                              {"lost", point.lost},
                              {"faults", point.fault_log},
                              {"partition", point.partition}});
    begin = end;
  }
  if (sweep_.points().empty()) return;
  json["metrics"] = metrics_of(sweep_.points(), sweep_.topology().nodes());
  json["curves"] = curves_of(sweep_.points());
  json["heatmaps"] = Json::array();
  const double cycles = sweep_.traffic().measure_cycles;
  for (const mesh::Port port :
       {mesh::Port::kNorth, mesh::Port::kEast, mesh::Port::kSouth, mesh::Port::kWest}) {
    json["heatmaps"].push_back(heatmap_of(sweep_.topology(), sweep_.points().back(), port, cycles));
  }
}

}  // namespace tvp::platform
