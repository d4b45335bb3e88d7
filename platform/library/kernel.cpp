#include "platform/library/kernel.h"

namespace tvp::platform {

/// Of libsystemc, so one a process, whatever copies of this library it has loaded: an inline
/// variable that is visible is a unique symbol (STB_GNU_UNIQUE). A callback may call again.
__attribute__((visibility("default"))) inline std::recursive_mutex systemc_mutex;

Kernel::Kernel() : context_(std::make_unique<sc_core::sc_simcontext>()) {
  // What SystemC says of the second kernel of a process that starts with nothing to do yet.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                          sc_core::SC_DO_NOTHING);
}

Kernel::~Kernel() {
  const Inside inside(this);
  context_.reset();
}

Kernel::Inside::Inside(const Kernel* kernel)
    : alone_(systemc_mutex), before_(sc_core::sc_curr_simcontext) {
  if (kernel != nullptr) sc_core::sc_curr_simcontext = kernel->context_.get();
}

Kernel::Inside::~Inside() { sc_core::sc_curr_simcontext = before_; }

}  // namespace tvp::platform
