#include "sw/collectives/findings/claim.h"
#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

namespace {

constexpr double kPortBytesPerNs = 0.5;  // switch.port_gb_s of pim_star
constexpr double kAlphaNs = 110;         // cut_through_ns + alu_ns / 2 of pim_star

std::string star(const std::string& keys, const std::string& bytes) {
  return collective_run("pim_star", keys, bytes);
}

constexpr const char* kPairOfUnits = "op=send_recv,algo=pairwise";
constexpr const char* kInSwitch = "op=all_reduce,algo=inc";

}  // namespace

std::vector<MachineClaim> star_claims() {
  return {
      {"C5 binomial broadcast, pipelined, at a switch",
       "With segments n_beta falls to 1 (3.2, 3.3).",
       "≤ 1.5 of send_recv; 256K, P = 16, N = 8",
       {star(kPairOfUnits, "256K"), star("op=broadcast,algo=binomial,segments=16", "256K"),
        star("op=broadcast,algo=heap,segments=16", "256K"),
        star("op=broadcast,algo=chain,segments=16", "256K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{ratios(runs, {"binomial", "heap", "chain"}), ratio(runs, 1) <= 1.5};
       },
       "The factors are 3, 2 and 1, as on the ideal machine: the root's port sends the whole "
       "vector once to each child."},
      {"3.3 switch broadcast, at a switch",
       "Two crossings of the switch, whatever N.",
       "≤ 1.1 of send_recv; 256K",
       {star(kPairOfUnits, "256K"), star("op=broadcast,algo=inc", "256K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{ratios(runs, {"multicast"}), ratio(runs, 1) <= 1.1};
       },
       "The switch multicasts while the root still sends."},
      {"5.3 switch all_reduce, at a switch",
       "Two crossings, M through a port.",
       "2 α_switch + M/BW within 1 %, headers in M; 256K",
       {star(kInSwitch, "256K")},
       [](const std::vector<Metrics>& runs) {
         const double predicted =
             2 * kAlphaNs + runs[0].at("switch.port_bytes_in") / kPortBytesPerNs;
         const double found = runs[0].at("switch.last_byte") - runs[0].at("switch.first_byte");
         return MachineEvidence{
             "formula " + figure(predicted / 1000) + " µs, found " + figure(found / 1000) + " µs",
             near(found, predicted)};
       },
       "Data moves up and down at the same time, in the two directions of a link."},
      {"C12 busbw with a switch",
       "busbw never exceeds the links (D).",
       "≤ 0.5 GB/s of a port; all_reduce, 256K",
       {star(kInSwitch, "256K")},
       [](const std::vector<Metrics>& runs) {
         const double found = runs[0].at("busbw");
         return MachineEvidence{figure(found) + " GB/s", found <= kPortBytesPerNs};
       },
       "The factor 2(N-1)/N is that of ranks that combine. If the network combines, each byte "
       "crosses a link once in each direction."},
      {"C12 busbw shows whether links are full",
       "busbw is the busiest link's rate (D).",
       "busbw near the rate of the root's port; binomial broadcast, 256K",
       {star("op=broadcast,algo=binomial", "256K")},
       [](const std::vector<Metrics>& runs) {
         const double port = runs[0].at("switch.port_bytes_out") / runs[0].at("time") / 1000;
         const double found = runs[0].at("busbw");
         return MachineEvidence{"port " + figure(port) + " GB/s, busbw " + figure(found) + " GB/s",
                                near(found, port)};
       },
       "The port is busy all the time, but the factor of the primitive does not include the L "
       "messages."},
      {"C12 what NVLS moves",
       "In-network all_reduce is M through a port (5.3).",
       "≤ 1.02 M of all_reduce by parts, each pulled by a rank and multicast; 256K, N = 8",
       {star(kInSwitch, "256K"), star("op=reduce_scatter,algo=inc", "256K"),
        star("op=all_gather,algo=inc", "256K")},
       [](const std::vector<Metrics>& runs) {
         const double whole = runs[0].at("switch.port_bytes_out");
         const double parts =
             runs[1].at("switch.port_bytes_out") + runs[2].at("switch.port_bytes_out");
         return MachineEvidence{"in one 1 M, by parts " + figure(parts / whole) + " M",
                                parts <= 1.02 * whole};
       },
       "It is (N+1)/N and credits: each rank sends its operands and multicasts its part of the "
       "result. Only a switch that combines and multicasts in one operation needs M."},
      {"C11 nothing in the network for all_gather, at a switch",
       "No switch accelerates all_gather or reduce_scatter (6).",
       "reduce_scatter in the switch not faster than the ring; 4K, int32",
       {star("op=reduce_scatter,algo=ring,type=int32", "4K"),
        star("op=reduce_scatter,algo=inc,type=int32", "4K"), star("op=all_gather,algo=ring", "4K"),
        star("op=all_gather,algo=inc", "4K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{"reduce_scatter " + times(runs, {"ring", "switch"}) +
                                    "; all_gather " + times(runs, {"ring", "switch"}, 2),
                                ratio(runs, 1) >= 1};
       },
       "The switch combines instead of the ranks in a reduce_scatter. In an all_gather one step "
       "replaces all steps, but every rank's port carries as many bytes as before."},
      {"C1 PAT with one chunk, at a switch",
       "L rounds with one chunk a link and round (A, B.4, 6).",
       "3 messages of a rank; N = 8, 4K",
       {star("op=all_gather,algo=pat", "4K"), star("op=all_gather,algo=pat,buffer=1", "4K")},
       [](const std::vector<Metrics>& runs) {
         const double one = runs[1].at("most_messages_sent");
         return MachineEvidence{"with room " + figure(runs[0].at("most_messages_sent")) +
                                    " messages, with one chunk " + figure(one) + "; " +
                                    times(runs, {"with room", "one chunk"}),
                                near(one, 3)};
       },
       "There are N - 1 messages of one chunk each. They are not slower here, because chunks that "
       "are not collected first are forwarded sooner."},
      {"C14 Bruck before pairwise, at a switch",
       "Up to M ~ α BW, so at small M (B.5).",
       "t_bruck < t_pairwise; 512",
       {star("op=all_to_all,algo=pairwise", "512"), star("op=all_to_all,algo=bruck", "512")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"pairwise", "Bruck"}), ratio(runs, 1) < 1};
       },
       "A rank sends to seven others without waiting. Bruck's rounds wait, and it reorders chunks "
       "in memory."},
      {"C17 the most bandwidth-hungry, at a switch",
       "No primitive moves more bytes than all_to_all (7).",
       "M sent by a rank; 64K, N = 8",
       {star("op=all_to_all,algo=pairwise", "64K"),
        star("op=all_reduce,algo=ring,type=int32", "64K")},
       [](const std::vector<Metrics>& runs) {
         const double all = runs[0].at("most_sent");
         const double sum = runs[1].at("most_sent");
         return MachineEvidence{"all_to_all " + figure(all) + ", all_reduce " + figure(sum),
                                all >= sum};
       },
       "The claim is true of the bisection, not of the volume."},
  };
}

}  // namespace tvp::collectives
