#pragma once

namespace tvp::cli {

/// Raises the limit of this process's stacks to what a run needs, as far as the machine lets it.
/// Throws HostError if that is too little.
void raise_stack_limit();

}  // namespace tvp::cli
