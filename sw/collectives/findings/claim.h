#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/collectives/ideal/ideal_machine.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The result of a measurement of a claim.
struct Evidence {
  std::string one_port{};
  std::string two_ports{};
  std::string three_ports{};
  std::string elsewhere{};  ///< on a topology, at a switch, by the checker
  bool holds = false;
  bool measured = true;  ///< false: an ideal fabric cannot decide it
};

/// A statement of the literature on collectives, and its measurement.
struct Claim {
  std::string name;       ///< e.g. "C5 binomial pipelined"
  std::string statement;  ///< the claim in words
  std::string formula;
  std::function<Evidence()> measure;
  std::string reason;  ///< the reason of the result
  std::string run;     ///< keys of the rows on modelled machines, if there are any
};

// The claims by subject, in the order of the document.
std::vector<Claim> rooted_claims();  ///< broadcast and reduce
std::vector<Claim> all_reduce_claims();
std::vector<Claim> exchange_claims();   ///< all_gather, reduce_scatter, all_to_all, point to point
std::vector<Claim> pipeline_claims();   ///< segments, metrics, crossovers
std::vector<Claim> placement_claims();  ///< rings on meshes, whole values, heaps

// --- What measurements share ---------------------------------------------------

inline constexpr std::uint32_t kMany = 1500;  ///< segments, with which fill and drain are below 1 %

/// A schedule of the registry.
Schedule built(const std::string& algorithm, Primitive primitive, std::uint32_t ranks,
               std::uint32_t segments = 1, const std::string& variant = "",
               std::uint32_t buffer = 0);
/// "n_alpha a, n_beta b" on a machine with this number of ports; the functions below return the
/// numbers.
std::string cost_text(const Schedule& schedule, std::uint32_t ports);
double alpha_count(const Schedule& schedule, std::uint32_t ports);
double beta_count(const Schedule& schedule, std::uint32_t ports);
/// The time on one port, with alpha and M / BW in ticks.
std::uint64_t time_of(const Schedule& schedule, std::uint64_t alpha, std::uint64_t whole,
                      std::uint32_t slots = 8);
/// The time on a topology whose links are the only limit; `hop` is in ticks of a chunk.
std::uint64_t time_on(const Schedule& schedule, const std::string& topology, std::uint64_t chunk,
                      std::uint64_t hop);
/// Within 1 %.
bool near(double value, double expected);
std::string figure(double value);
/// Measures the cost on 1, 2 and 3 ports. The claim holds if one port costs the given numbers.
Evidence cost_evidence(const Schedule& schedule, double alpha, double beta);
/// Counts the messages one after the other of schedules for N = 8, 15, 16, 64, 72 and 512. Ports
/// are 1, 2, 3 and no limit. The claim holds if one port needs as many as `expected` returns.
Evidence steps_evidence(const char* algorithm, Primitive primitive,
                        std::uint32_t (*expected)(std::uint32_t ranks));
/// The first problem of a schedule, or "right".
std::string judged(const Schedule& schedule);

}  // namespace tvp::collectives
