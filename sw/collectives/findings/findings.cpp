#include "sw/collectives/findings/findings.h"

#include <fstream>

#include "foundation/output_file.h"
#include "sw/collectives/findings/claim.h"
#include "sw/collectives/tool/tool_arguments.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr const char* kHead = R"(# Claims of the literature on collectives, decided

<!-- made by: ./vp collectives findings out=sw/collectives/FINDINGS.md -->
Each row has a claim, its measurement, and the decision. The claims are from "Collective Algorithms: A Network
Topology-Free Introduction" (Lu, 2026; sections 3 to 8, appendices A to D). C1 to C20 are places where this text
contradicts itself or can be refuted. M1 to M5 are claims on a design of a processing-in-memory system, and 001 is the
design document of a PIM interconnect.

The first chapters measure on the ideal machine ([ideal](ideal/README.md)), which has full-duplex ports. α is the time of
a message, M/BW the time of the whole vector at a port, L = ⌈log2 N⌉, P the number of segments. The checker proved each
schedule before it was timed, except where correctness is the question. The last chapters measure on modelled machines:
firmware runs on chips and PIM units, and every element of the results is checked.

`./vp collectives findings about=NAME` repeats a row. The last column has the keys for `./vp run collective --set`, or
the commands of the row.
)";

std::string cell(const std::string& text) { return text.empty() ? "—" : text; }

const char* decision(const Evidence& found) {
  if (!found.measured) return "not measured";
  return found.holds ? "confirmed" : "refuted";
}

std::string row(const Claim& claim) {
  const Evidence found = claim.measure();
  return "| " + claim.name + " | " + claim.statement + " | " + claim.formula + " | " +
         cell(found.one_port) + " | " + cell(found.two_ports) + " | " + cell(found.three_ports) +
         " | " + cell(found.elsewhere) + " | **" + decision(found) + "** " + claim.reason + " | " +
         (claim.run.empty() ? "—" : "`" + claim.run + "`") + " |\n";
}

std::string row(const MachineClaim& claim, const RunCommand& run) {
  std::vector<Metrics> runs;
  std::string commands;
  for (const std::string& command : claim.commands) {
    runs.push_back(run(command));
    commands += (commands.empty() ? "`./vp " : "<br>`./vp ") + command + "`";
  }
  const MachineEvidence found = claim.judge(runs);
  return "| " + claim.name + " | " + claim.statement + " | " + claim.formula + " | " +
         found.measured + " | **" + (found.holds ? "confirmed" : "refuted") + "** " + claim.reason +
         " | " + commands + " |\n";
}

struct Chapter {
  const char* title;
  std::vector<Claim> (*claims)();
};
constexpr Chapter kChapters[] = {
    {"Broadcast and reduce", rooted_claims},
    {"All-reduce", all_reduce_claims},
    {"All-gather, reduce-scatter, all-to-all, point to point", exchange_claims},
    {"Segments, crossovers, metrics", pipeline_claims},
    {"Placement on a mesh, whole values, heaps", placement_claims},
};

struct MachineChapter {
  const char* title;
  std::vector<MachineClaim> (*claims)();
};
constexpr MachineChapter kMachines[] = {
    {"On the ethernet fabric between chips", chip_claims},
    {"At a switch that combines and multicasts", star_claims},
    {"On the units of PIM systems", unit_claims},
};

}  // namespace

std::string findings_page(const std::string& about, const RunCommand& run) {
  std::string made = kHead;
  std::size_t rows = 0;
  for (const Chapter& chapter : kChapters) {
    std::string table;
    for (const Claim& claim : chapter.claims()) {
      if (claim.name.find(about) == std::string::npos) continue;
      table += row(claim);
      ++rows;
    }
    if (table.empty()) continue;
    made += std::string("\n## ") + chapter.title +
            "\n\n| claim | statement | formula | 1 port | 2 ports | 3 ports | topology, switch, "
            "checker | "
            "decision | modelled machines |\n|---|---|---|---|---|---|---|---|---|\n" +
            table;
  }
  for (const MachineChapter& chapter : kMachines) {
    if (!run) break;
    std::string table;
    for (const MachineClaim& claim : chapter.claims()) {
      if (claim.name.find(about) == std::string::npos) continue;
      table += row(claim, run);
      ++rows;
    }
    if (table.empty()) continue;
    made += std::string("\n## ") + chapter.title +
            "\n\n| claim | statement | formula | measurement | decision | commands |\n"
            "|---|---|---|---|---|---|\n" +
            table;
  }
  if (rows == 0) runtime::bad_use("about=" + about, "no claim has this text in its name");
  return made;
}

std::string findings_command(const std::vector<std::string>& words, const RunCommand& run) {
  ToolArguments arguments(words);
  const std::string about = arguments.text("about").value_or("");
  const std::optional<std::string> out = arguments.text("out");
  arguments.require_used();
  // Checks the file before the runs, which take minutes; the file keeps its contents until they
  // end.
  if (out && !std::ofstream(*out, std::ios::app)) runtime::bad_use(*out, "cannot be written");
  std::string page = findings_page(about, run);
  if (!out) return page;
  foundation::write_file(*out, page);
  return *out + " written\n";
}

}  // namespace tvp::collectives
