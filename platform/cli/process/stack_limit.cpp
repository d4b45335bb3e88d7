#include "platform/cli/process/stack_limit.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "foundation/host_error.h"

namespace tvp::cli {

namespace {

constexpr rlim_t kUsual = 8U << 20;  ///< default of Linux distributions
constexpr rlim_t kLeast = 1U << 20;  ///< every workload has run with a quarter of it

}  // namespace

void raise_stack_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kUsual) return;
  limit.rlim_cur = std::min(kUsual, limit.rlim_max);
  if (limit.rlim_cur < kLeast || setrlimit(RLIMIT_STACK, &limit) != 0) {
    throw foundation::HostError("", "the stack may have only " +
                                        std::to_string(limit.rlim_cur >> 10) + " KiB; expected " +
                                        std::to_string(kLeast >> 10) +
                                        " KiB or more (raise the limit with ulimit -s 8192)");
  }
  // The kernel checks the limit when the main stack grows; threads took theirs at the start.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, limit.rlim_cur);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

}  // namespace tvp::cli
