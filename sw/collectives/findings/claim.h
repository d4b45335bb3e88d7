#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/collectives/ideal/machine.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// What a measurement of a claim shows.
struct Evidence {
  std::string one_port = "";
  std::string two_ports = "";
  std::string three_ports = "";
  std::string elsewhere = "";  ///< on a topology, at a switch, by the checker
  bool holds = false;
  bool measured = true;  ///< false: nothing that a fabric could decide
};

/// A statement of the literature on collectives, and how to decide it.
struct Claim {
  std::string name;       ///< e.g. "C5 binomial pipelined"
  std::string statement;  ///< what is claimed
  std::string formula;
  std::function<Evidence()> measure;
  std::string reason;  ///< why it comes out as it does
  std::string run;     ///< keys of the rows on modelled machines, if there are any
};

// By subject, in the order of the document.
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
/// "n_alpha a, n_beta b" on a machine with so many ports; as numbers below.
std::string cost_text(const Schedule& schedule, std::uint32_t ports);
double alpha_count(const Schedule& schedule, std::uint32_t ports);
double beta_count(const Schedule& schedule, std::uint32_t ports);
/// With alpha and M / BW in ticks, on one port.
std::uint64_t time_of(const Schedule& schedule, std::uint64_t alpha, std::uint64_t whole,
                      std::uint32_t slots = 8);
/// On a topology whose links alone limit; hop in the ticks of a chunk.
std::uint64_t time_on(const Schedule& schedule, const std::string& topology, std::uint64_t chunk,
                      std::uint64_t hop);
/// Within 1 %.
bool near(double value, double expected);
std::string figure(double value);
/// Evidence of cost on 1, 2, 3 ports; holds when one port costs what is given.
Evidence cost_evidence(const Schedule& schedule, double alpha, double beta);
/// What is the first thing wrong with a schedule, or "right".
std::string judged(const Schedule& schedule);

}  // namespace tvp::collectives
