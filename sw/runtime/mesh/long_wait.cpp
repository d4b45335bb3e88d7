#include "sw/runtime/mesh/long_wait.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sw/runtime/printing/waiting_cores.h"

namespace tvp::runtime {

void LongWait::look_at_cores(Time now) {
  next_ *= 2;
  if (reported_ || !library_.has_report()) return;
  const auto report = nlohmann::json::parse(library_.report(), nullptr, false);
  if (!report.is_object() || !report.contains("cores") || !report.contains("waiting")) return;
  std::string running;
  for (const auto& core : report.at("cores"))
    if (core.value("state", "") == "running")
      running += "\n  " + core.value("name", "") + " running in " + core.value("source", "?");
  const std::string waiting = waiting_lines(report);
  const std::uint64_t ps = library_.time_ps();
  if (!running.empty() && waiting == waiting_) {
    reported_ = true;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
    out_ << "tensix-vp: no end after " << seconds << " s; for the last "
         << (ps - looked_ps_) / 1'000'000
         << " us of simulated time all cores but these have waited:" << running << waiting
         << std::endl;
  }
  waiting_ = waiting;
  looked_ps_ = ps;
}

}  // namespace tvp::runtime
