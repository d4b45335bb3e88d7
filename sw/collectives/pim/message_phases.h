#pragma once

#include <vector>

#include "sw/collectives/pim/phase_table.h"
#include "sw/collectives/pim/pim_plan.h"
#include "sw/collectives/pim/pim_request.h"

namespace tvp::collectives {

/// For each level of a plan the phases of a step, in which no two messages share a link. A level
/// has no phases if all its messages may be sent at once. A broadcast has one list for all levels.
std::vector<Phases> message_phases(const PimRequest& request, const PimPlan& plan,
                                   PhaseTable& table);

}  // namespace tvp::collectives
