#pragma once

namespace tvp::cli {

/// Raises the stack limit of this process to what a run needs. Throws HostError if the host permits
/// too little.
void raise_stack_limit();

}  // namespace tvp::cli
