// Random collectives of every kind, size and number of units, on every geometry and flow control,
// some with transient link faults. Each must have the golden result. A few run always.
// TVP_RANDOM_COLLECTIVES=2000 runs more, TVP_RANDOM_SEED=7 selects other ones, and a failure's seed
// repeats it.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "sw/collectives/pim/pim_run.h"
#include "sw/runtime/pim_system.h"
#include "tests/system/benches/in_child.h"

namespace tvp::workloads::pim::random_collectives_test {
namespace {

using collectives::PimRequest;
using collectives::PimRun;

constexpr std::uint32_t kLargest = 1 << 20;
constexpr std::uint64_t kLargestOfAll = 64ull
                                        << 20;  ///< bytes of all units, to limit the time of a run

struct Geometry {
  const char* name;
  const char* settings;
  unsigned units;
  bool tiers;
};
constexpr Geometry kGeometries[] = {
    {"rank", "", 32, false},
    {"row", "pim.hierarchy=bank=8 chip=1\nmesh.width=8\nmesh.height=1\n", 8, false},
    {"tiers",
     "pim.hierarchy=bank=8 chip=2 rank=2\npim.network=tiers\nmesh.width=4\nmesh.height=2\n", 32,
     true},
    {"dimm", "pim.hierarchy=bank=8 chip=8 rank=2\npim.network=tiers\nmesh.width=4\nmesh.height=2\n",
     128, true},
    {"channels",
     "pim.hierarchy=bank=4 chip=2 rank=2 channel=2\npim.network=tiers\nmesh.width=2\n"
     "mesh.height=2\n",
     32, true},
};

/// A random case. Cases that the platform must refuse are sampled again (`Draw::legal`).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed), request_(*collective()) {
    const Geometry& geometry = kGeometries[below(std::size(kGeometries))];
    settings_ = geometry.settings;
    flow_control_ = one_of({"hold", "deflection", "drop", "buffered", "static"});
    routing_ = one_of(
        {"xy", "yx", "west_first", "north_last", "negative_first", "odd_even", "minimal_adaptive"});
    set("mesh.flow_control", flow_control_);
    set("mesh.routing", routing_);
    if (flow_control_ == "buffered") {
      vcs_ = 1 + below(4);
      set("mesh.vcs", std::to_string(vcs_));
      set("mesh.buffer_flits", one_of({"1", "2", "8", "64"}));
    }
    packet_bytes_ = one_of({"8", "12", "64", "64", "2048"});
    set("pim.packet_bytes", packet_bytes_);
    set("pim.flit_bytes", one_of({"1", "8", "32"}));
    has_faults_ = flow_control_ != "static" && below(4) == 0;
    if (has_faults_) {
      set("mesh.random_link_faults", std::to_string(1 + below(3)));
      set("mesh.random_fault_cycles", one_of({"10", "60", "250"}));
      set("mesh.random_fault_until", one_of({"2000", "20000"}));
      set("mesh.fault_seed", std::to_string(seed));
    }
    draw_request(geometry);
    request_.seed = seed;
  }

  bool legal() const {
    const bool deadlocks = routing_ == "minimal_adaptive" && (flow_control_ == "hold" || vcs_ == 1);
    const bool scheduled = flow_control_ == "static";
    if (request_.form == "in_switch" && packet_bytes_ == "12") return false;  // of elements
    const bool broadcast = request_.collective->has_root();
    const bool in_switch = request_.form == "in_switch" && broadcast;
    return !deadlocks && !(scheduled && (in_switch || !request_.pipelined));
  }
  const PimRequest& request() const { return request_; }
  const std::string& settings() const { return settings_; }
  std::string text() const {
    return settings_ + request_.collective->name + " " + request_.form + " " + request_.op + " " +
           request_.type + ", " + std::to_string(request_.bytes) +
           " bytes, nodes=" + std::to_string(request_.nodes) + " order=" + request_.order +
           " sync=" + request_.sync + " root=" + std::to_string(request_.root) +
           (request_.hierarchical ? " hierarchical" : "") +
           (request_.pipelined ? "" : " not pipelined");
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  std::string one_of(std::initializer_list<const char*> names) {
    return names.begin()[below(names.size())];
  }
  void set(const std::string& key, const std::string& value) {
    settings_ += key + "=" + value + "\n";
  }
  const collectives::PimCollective* collective() {
    const auto& all = collectives::pim_collectives();
    return &all[below(all.size())];
  }

  void draw_request(const Geometry& geometry) {
    PimRequest& r = request_;
    do {
      const auto& forms = r.collective->forms;
      r.form = forms[below(forms.size())];
    } while (r.form == "host" || (r.form == "in_switch" && !geometry.tiers));
    if (r.form == "in_switch") set("pim.dq_halves", "true");  // receives while it sends
    r.type = one_of({"fp32", "int32", "int64"});
    r.op = one_of({"sum", "max", "min", "prod"});
    r.hierarchical = r.form == "in_switch" || (geometry.units > 8 && below(2) == 0);
    r.nodes = r.hierarchical || below(2) == 0 ? 0 : 1 + below(geometry.units);
    r.pipelined = !r.collective->has_root() || r.hierarchical || below(4) != 0;
    const bool one_way = flow_control_ == "static" || !r.pipelined || r.form == "in_switch";
    r.sync = one_way ? "auto" : one_of({"auto", "credits", "barriers"});
    const unsigned nodes = r.nodes == 0 ? geometry.units : r.nodes;
    r.root = below(nodes);
    // All powers of two are equally frequent.
    const double exponent = static_cast<double>(random_() % 1000) / 999 * std::log2(kLargest);
    const auto bytes = static_cast<std::uint64_t>(std::exp2(exponent));
    const std::uint64_t most = kLargestOfAll / nodes;
    r.bytes = static_cast<std::uint32_t>(std::min(bytes, most)) / 8 * 8;
    if (r.bytes == 0) r.bytes = 8;
  }

  std::mt19937_64 random_;
  std::string settings_;
  std::string flow_control_;
  std::string routing_;
  std::string packet_bytes_;
  unsigned vcs_ = 2;
  bool has_faults_ = false;
  PimRequest request_;
};

std::string run(const Draw& draw) {
  return in_child(draw.settings(), [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimRun run(system, draw.request());
    run.place_operands();
    PimRun::Outcome outcome;
    run.run_units(outcome);
    run.judge(outcome);
    return outcome.reason;
  });
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomCollectives, EndRight) {
  const std::uint64_t runs = from_environment("TVP_RANDOM_COLLECTIVES", 12);
  constexpr std::uint64_t kSeeds = 1'000'000;  // larger seeds select a single case
  std::uint64_t seed = from_environment("TVP_RANDOM_SEED", 1);
  if (seed < kSeeds) seed *= kSeeds;
  for (std::uint64_t i = 0; i < runs; ++seed) {
    const Draw draw(seed);
    if (!draw.legal()) continue;
    ++i;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed),
                draw.request().form.c_str());
    std::fflush(stdout);
    EXPECT_EQ(run(draw), "right") << "seed " << seed << "\n" << draw.text();
  }
}

}  // namespace
}  // namespace tvp::workloads::pim::random_collectives_test
