#include "sw/collectives/files/schedule_file.h"

#include "foundation/input_file.h"
#include "foundation/output_file.h"
#include "sw/collectives/files/msccl_xml.h"
#include "sw/collectives/files/schedule_json.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

bool is_xml(const std::string& path) {
  if (path.ends_with(".xml")) return true;
  if (path.ends_with(".json")) return false;
  runtime::bad_use(path, "expected a name that ends in .json or .xml");
}

}  // namespace

Schedule read_schedule(const std::string& path) {
  const bool xml = is_xml(path);
  const std::string text = foundation::read_input_file(path);
  return xml ? from_msccl(text, path) : from_json(text, path);
}

void write_schedule(const Schedule& schedule, const std::string& path) {
  const std::string text = is_xml(path) ? to_msccl(schedule) : to_json(schedule);
  foundation::write_file(path, text);
}

}  // namespace tvp::collectives
