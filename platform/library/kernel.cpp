#include "platform/library/kernel.h"

namespace tvp::platform {

/// Guards libsystemc, which exists once in a process, even if several copies of this library are
/// loaded. A visible inline variable is a unique symbol (STB_GNU_UNIQUE). The mutex is recursive,
/// since a callback may call again.
__attribute__((visibility("default"))) inline std::recursive_mutex systemc_mutex;

Kernel::Kernel() : context_(std::make_unique<sc_core::sc_simcontext>()) {
  // SystemC warns about the second kernel of a process if it starts without any activity.
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
