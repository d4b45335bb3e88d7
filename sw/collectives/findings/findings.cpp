#include "sw/collectives/findings/findings.h"

#include <fstream>
#include <map>
#include <sstream>

#include "foundation/output_file.h"
#include "foundation/read_file.h"
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

/// The rows of a page by the names of their claims.
std::map<std::string, std::string> rows_of(const std::string& page) {
  std::map<std::string, std::string> rows;
  std::istringstream stream(page);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("| ") && !line.starts_with("| claim |"))
      rows[line.substr(2, line.find(" | ") - 2)] = line;
  return rows;
}

std::string decision_of(const std::string& line) {
  const std::size_t begin = line.find("**");
  const std::size_t end = line.find("**", begin + 2);
  return end == std::string::npos ? "" : line.substr(begin + 2, end - begin - 2);
}

}  // namespace

std::string stale_rows(const std::string& page, const std::string& older,
                       const std::string& about) {
  const std::map<std::string, std::string> now = rows_of(page);
  const std::map<std::string, std::string> before = rows_of(older);
  std::string changed;
  std::string stale;
  for (const auto& [name, line] : now) {
    const auto old = before.find(name);
    if (old == before.end()) {
      stale += "\n" + name + " is missing";
      continue;
    }
    if (old->second == line) continue;
    if (const std::string was = decision_of(old->second); was != decision_of(line))
      changed += "\nthe decision on " + name + " is " + decision_of(line) + ", was " + was;
    stale += "\n" + name + " is stale, found\n  " + line + "\ninstead of\n  " + old->second;
  }
  for (const auto& [name, line] : before)
    if (!now.contains(name) && name.find(about) != std::string::npos)
      stale += "\n" + name + " is no claim";
  return changed + stale;
}

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
  const std::optional<std::string> against = arguments.text("against");
  arguments.require_used();
  if (out && against)
    runtime::bad_use("collectives findings", "has out= and against=: expected one of the two");
  if (against) {
    const std::string older = foundation::read_file(*against);
    const std::string stale = stale_rows(findings_page(about, run), older, about);
    if (!stale.empty()) runtime::bad_use(*against, "does not have the claims of today:" + stale);
    return *against + " has the claims of today\n";
  }
  // Checks the file before the runs, which take minutes; the file keeps its contents until they
  // end.
  if (out && !std::ofstream(*out, std::ios::app)) runtime::bad_use(*out, "cannot be written");
  std::string page = findings_page(about, run);
  if (!out) return page;
  foundation::write_file(*out, page);
  return *out + " written\n";
}

}  // namespace tvp::collectives
