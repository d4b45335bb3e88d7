#include "sw/collectives/findings/machine_claim.h"

#include <cstdio>

namespace tvp::collectives {

namespace {

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

std::string collective_run(const std::string& system, const std::string& keys,
                           const std::string& bytes) {
  return "run collective --system " + system + " --set " + keys + ",bytes=" + bytes;
}

double ratio(const std::vector<Metrics>& runs, std::size_t run) {
  return runs[run].at("time") / runs[0].at("time");
}

std::string ratios(const std::vector<Metrics>& runs, const std::vector<std::string>& names) {
  std::string made;
  for (std::size_t i = 0; i < names.size(); ++i)
    made += (made.empty() ? "" : ", ") + names[i] + " " + rounded(ratio(runs, i + 1));
  return made;
}

std::string times(const std::vector<Metrics>& runs, const std::vector<std::string>& names,
                  std::size_t first) {
  std::string made;
  for (std::size_t i = 0; i < names.size(); ++i)
    made +=
        (made.empty() ? "" : ", ") + names[i] + " " + rounded(runs[first + i].at("time")) + " µs";
  return made;
}

}  // namespace tvp::collectives
