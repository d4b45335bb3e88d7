#include "models/dram/page_policy.h"

namespace tvp::dram {

std::unique_ptr<PagePolicy> make_page_policy(std::string_view name, MemCycle timeout) {
  if (name == "closed") return std::make_unique<ClosedPage>();
  if (name == "timeout") return std::make_unique<TimeoutPage>(timeout);
  return std::make_unique<OpenPage>();
}

}  // namespace tvp::dram
