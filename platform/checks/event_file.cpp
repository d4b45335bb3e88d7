#include "platform/checks/event_file.h"

#include "platform/checks/event_line.h"

namespace tvp::checks {

void EventFile::write(const std::string& tile, const support::ProbeEvent& event) {
  const std::string line = tile + ' ' + to_line(event) + '\n';
  const std::lock_guard lock(writing_);
  if (file_.is_open()) file_.write(line);
}

}  // namespace tvp::checks
