#include "sw/runtime/buffers/sender_mapping.h"

#include <set>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

void check_mapping(const std::string& where, const SenderMapping& mapping) {
  if (mapping.empty()) bad_use(where, "has no sender");
  std::set<CoreCoord> seen;
  for (const auto& [sender, receivers] : mapping) {
    if (!seen.insert(sender).second)
      bad_use(where, "core " + sender.str() + " is in its mapping twice");
    if (receivers.cores().empty()) bad_use(where, "sender " + sender.str() + " has no receiver");
    for (const CoreCoord core : receivers.cores())
      if (!seen.insert(core).second)
        bad_use(where,
                "core " + core.str() + " is in its mapping twice; a receiver has one sender");
  }
}

}  // namespace tvp::runtime
