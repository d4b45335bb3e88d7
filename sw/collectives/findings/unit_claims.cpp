#include "sw/collectives/findings/claim.h"
#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

namespace {

std::string units(const std::string& keys, const std::string& bytes) {
  return collective_run("pim_rank", keys, bytes);
}

std::string text_of(double found, double said) {
  return figure(found) + " µs, the document " + figure(said) + " µs";
}

}  // namespace

std::vector<MachineClaim> unit_claims() {
  return {
      {"001 headline",
       "An all-reduce of a value takes 38 µs on 4 units, 1.3 ms on 32.",
       "simulated time within a factor of 2",
       {"run pim_headline"},
       [](const std::vector<Metrics>& runs) {
         const double four = runs[0].at("nodes_4_as_written");
         const double many = runs[0].at("nodes_32_as_written");
         return MachineEvidence{"4 units: " + text_of(four, runs[0].at("nodes_4_document")) +
                                    "; 32 units: " + text_of(many, runs[0].at("nodes_32_document")),
                                four > 19 && four < 76 && many > 650 && many < 2600};
       },
       "6 and 62 rounds of one value over a mesh at 350 MHz take far less time. The document does "
       "not define its times. Here simulated time and wall time are separate metrics."},
      {"001 rounds of the ring grow as N",
       "2(N-1) rounds, each the longest hop.",
       "32 units over 4 units: 62/6, within 20 %",
       {"run pim_headline"},
       [](const std::vector<Metrics>& runs) {
         const double found = runs[0].at("nodes_32_as_written") / runs[0].at("nodes_4_as_written");
         return MachineEvidence{figure(found), found > 0.8 * 62 / 6 && found < 1.2 * 62 / 6};
       },
       "There are 62 rounds instead of 6, and the longest way has 10 links instead of 3. But most "
       "of a round is work of the cores."},
      {"M1 whole value a step, 32 units",
       "Sending the whole value in each step is fine.",
       "time as of chunks, within 10 %; maximum of 4096 bytes of int32",
       {"run pim_allreduce --set op=max,type=int32,bytes=4096",
        "run pim_allreduce --set op=max,type=int32,bytes=4096,variant=as_written"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"chunks", "whole values"}) + "; all units sent " +
                                    figure(runs[0].at("message_bytes")) + ", " +
                                    figure(runs[1].at("message_bytes")) + " bytes",
                                ratio(runs, 1) < 1.1};
       },
       "It sends 32 times the bytes, and the second half has no effect. The operation is a maximum "
       "because sums would be wrong (M2)."},
      {"M3 heap or binomial, short, 32 units",
       "A heap tree is good for broadcasts.",
       "t_heap ≤ t_binomial; 64 bytes",
       {units("op=broadcast,algo=binomial", "64"), units("op=broadcast,algo=heap", "64")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"binomial", "heap"}), ratio(runs, 1) <= 1};
       },
       "This differs from the ideal machine: at 64 bytes a send occupies core and DMA, not the "
       "port, and the root sends twice instead of five times."},
      {"M4 heap or binomial, bulk, 32 units",
       "With segments the heap is the better tree.",
       "t_heap < t_binomial; 64K, P = 16",
       {units("op=broadcast,algo=binomial,segments=16", "64K"),
        units("op=broadcast,algo=heap,segments=16", "64K"),
        units("op=broadcast,algo=chain,segments=16", "64K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"binomial", "heap", "chain"}), ratio(runs, 1) < 1};
       },
       "The root has two children instead of five. The chain is better still."},
      {"C20 rings on a mesh, 32 units",
       "The ring's closed form is exact, its conditions being met.",
       "row by row as fast as a Hamiltonian way, within 1 %; all_gather of 256 bytes and 64K",
       {units("op=all_gather,algo=ring,order=hamiltonian:4x8", "256"),
        units("op=all_gather,algo=ring", "256"),
        units("op=all_gather,algo=ring,order=hamiltonian:4x8", "64K"),
        units("op=all_gather,algo=ring", "64K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{"256: " + times(runs, {"Hamiltonian", "row by row"}) +
                                    "; 64K: " + times(runs, {"Hamiltonian", "row by row"}, 2),
                                near(ratio(runs, 1), 1)};
       },
       "Four of 32 steps take more than one link, but a step takes hundreds of cycles in cores, "
       "DMA and banks. The mesh is not the limit."},
      {"001 direct network or host, 32 units",
       "Units that talk to each other beat the way through "
       "the host.",
       "t_ring < t_host; all-reduce of 64K int32",
       {"run pim_allreduce --set algorithm=host,type=int32", "run pim_allreduce --set type=int32"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"host", "ring"}), ratio(runs, 1) < 1};
       },
       "The factor is three, not tens, if the host reads and writes one rank. This holds for "
       "integers only."},
      {"001 direct network or host, sums of floats",
       "The same for any type.",
       "t_ring < t_host; all-reduce of 64K fp32",
       {"run pim_allreduce --set algorithm=host", "run pim_allreduce"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"host", "ring"}), ratio(runs, 1) < 1};
       },
       "A core without floating point adds one pair in a few hundred cycles; the host adds at the "
       "rate of its memory."},
      {"001 west-first lowers congestion",
       "West-First routing relieves loaded meshes.",
       "t_west_first < t_xy; all_to_all of 16 KiB",
       {"run pim_all_to_all --set bytes=16384,mesh.routing=xy",
        "run pim_all_to_all --set bytes=16384,mesh.routing=west_first",
        "run pim_all_to_all --set bytes=16384,mesh.routing=yx"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"xy", "west-first", "yx"}), ratio(runs, 1) < 1};
       },
       "The traffic is already even; choices to the east only unbalance it. The forbidden turns "
       "prevent deadlocks, not congestion."},
      {"001 bufferless routers",
       "Routers that hold a packet at the input cost time.",
       "t_hold > 1.01 t_buffered; all_to_all of 16 KiB",
       {"run pim_all_to_all --set bytes=16384,mesh.flow_control=buffered",
        "run pim_all_to_all --set bytes=16384,mesh.flow_control=hold",
        "run pim_all_to_all --set bytes=16384,mesh.flow_control=deflection"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"buffered", "hold", "deflection"}),
                                ratio(runs, 1) > 1.01};
       },
       "Units inject less than the mesh can carry, so buffers stay empty."},
      {"001 shared pins",
       "The host's traffic on the same pins costs a collective nothing.",
       "within 1 % beside a stream of the host's reads; all-reduce of 16 KiB on 128 units",
       {"run pim_allreduce --system pim_dimm --set bytes=16384,type=int32,form=hierarchical",
        "run pim_allreduce --system pim_dimm --set bytes=16384,type=int32,form=hierarchical,"
        "host_traffic.pattern=stream"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"alone", "beside the host"}), near(ratio(runs, 1), 1)};
       },
       "The steps between chips and ranks alone use the pins, and they are short."},
      {"hierarchy, 128 units",
       "Tiers of the machine as tiers of the algorithm beat a flat ring.",
       "t_tiers < t_flat; all-reduce of 16 KiB on pim_dimm",
       {"run pim_allreduce --system pim_dimm --set bytes=16384,type=int32,form=flat",
        "run pim_allreduce --system pim_dimm --set bytes=16384,type=int32,form=hierarchical"},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"flat", "tiers"}) + "; n_alpha " +
                                    figure(runs[0].at("n_alpha")) + ", " +
                                    figure(runs[1].at("n_alpha")),
                                ratio(runs, 1) < 1};
       },
       "It sends the same bytes in an eighth of the steps, and few of them cross the pins."},
  };
}

}  // namespace tvp::collectives
