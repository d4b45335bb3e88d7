#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "firmware/collectives/arguments.h"
#include "sw/collectives/cost.h"
#include "sw/collectives/plan.h"
#include "sw/collectives/request.h"
#include "sw/collectives/vectors.h"

namespace tvp::collectives {

using Bytes = std::vector<std::uint8_t>;

/// One collective: what it means, when who sends to whom, what that costs, and the program that
/// does it. There is one object of each (registry.h); it holds no state.
class Collective {
 public:
  virtual ~Collective() = default;

  // What it is called and what may be asked of it.
  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;
  /// The first one is the default. "host" is what hosts do without a network (HostPath).
  virtual std::vector<std::string> algorithms() const = 0;
  /// Combines elements, so that an operation is named.
  virtual bool reduces() const { return false; }
  /// Runs along rings, whose order is a setting.
  virtual bool has_ring() const { return false; }
  /// Starts from one rank, which is a setting, slice by slice or not.
  virtual bool has_root() const { return false; }
  /// The algorithm that the PIM interconnect document writes down; empty when it does not.
  virtual std::string document_algorithm() const { return ""; }

  // What it means.
  /// Does a rank's operand count?
  virtual bool has_operand(const Request& request, unsigned rank) const;
  /// Operand as it is in a bank.
  virtual Bytes operand(const Request& request, const Vectors& vectors, unsigned rank) const;
  virtual std::uint64_t result_bytes(const Vectors& vectors, unsigned rank) const;
  /// All ranks end with the same bytes.
  virtual bool same_everywhere() const { return false; }
  /// Results of all ranks, evaluated on the host.
  virtual std::vector<Bytes> evaluate(const Request& request, const Vectors& vectors,
                                      const std::vector<Bytes>& operands) const = 0;
  virtual Vectors::Verdict judge(const Request& request, const Vectors& vectors, unsigned rank,
                                 const Bytes& found) const = 0;
  /// What more there is to say about a wrong result.
  virtual std::string explain(const Request& request, const Vectors& vectors, unsigned rank,
                              const Vectors::Verdict& verdict, const Bytes& found) const;

  // How it goes.
  virtual TreeFlow tree_flow(const Request&) const { return TreeFlow::kPipelined; }
  /// Phases of each level in which nothing that is sent shares a link; none where all may send.
  virtual std::vector<Phases> schedule(const Request& request, const Plan& plan,
                                       PhaseTable& table) const = 0;
  virtual Cost cost(const Request& request, const Plan& plan) const = 0;
  /// busbw = algbw * factor, as nccl-tests define it.
  virtual double bus_factor(unsigned ranks) const = 0;
  /// Names of what is before and after Times::scattered, for phases of a run; none: one phase.
  virtual std::vector<std::string> halves(const Request&) const { return {}; }

  // What the units run.
  virtual std::string program() const { return "firmware/collectives/collective.cpp"; }
  /// What that program has to know beside what it has to know of every collective.
  virtual void complete(const Request& request,
                        firmware::collectives::Arguments& arguments) const = 0;

 protected:
  Collective() = default;
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;

  static Bytes part(const Bytes& bytes, Vectors::Chunk chunk);
};

}  // namespace tvp::collectives
