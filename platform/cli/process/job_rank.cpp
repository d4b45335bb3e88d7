#include "platform/cli/process/job_rank.h"

#include <dlfcn.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "foundation/fault.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/library_path.h"

namespace tvp::cli {

namespace {

unsigned number_in(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// True if the command simulates in this process or in the program that it becomes.
bool simulates(int argc, const char* const* argv) {
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  const auto is_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
  // Words after -- belong to another program.
  const auto* const end =
      std::find_if(argv, argv + argc, [](std::string_view word) { return word == "--"; });
  return (command == "run" || command == "exec") && std::none_of(argv, end, is_help);
}

}  // namespace

JobRank::JobRank()
    : rank_(number_in("OMPI_COMM_WORLD_RANK", 0)), size_(number_in("OMPI_COMM_WORLD_SIZE", 1)) {}

std::optional<int> JobRank::take_part(int argc, const char* const* argv) const {
  if (size_ < 2) return std::nullopt;
  const auto has = [&](std::string_view option) {
    return std::any_of(argv, argv + argc, [&](std::string_view word) { return word == option; });
  };
  // The ranks share the runs of a sweep. Each run is one process.
  if (argc > 1 && std::string_view(argv[1]) == "sweep" && has("--mpi")) return std::nullopt;
  if (!simulates(argc, argv)) {
    forget();
    return rank_ == 0 ? std::nullopt : std::optional(0);
  }
  const auto is_device = [](std::string_view word) { return word.starts_with("--device"); };
  if (std::any_of(argv, argv + argc, is_device)) {
    if (rank_ != 0) return kUsage;
    complain("--device: another library has no ranks; run it without mpirun");
    return kUsage;
  }
  setenv("TENSIX_VP_RANKS", "mpi", 1);
  if (rank_ == 0) return std::nullopt;
  return serve();
}

void JobRank::forget() {
  unsetenv("OMPI_COMM_WORLD_RANK");
  unsetenv("OMPI_COMM_WORLD_SIZE");
}

/// Rank 0 decides about interrupts, and reports them.
int JobRank::serve() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const std::string path = library_path({});
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw foundation::Fault(foundation::FaultKind::kDescription, path, dlerror());
  auto* const function = reinterpret_cast<std::int32_t (*)()>(dlsym(library, "tensix_vp_serve"));
  if (function == nullptr)
    throw foundation::Fault(foundation::FaultKind::kDescription, path,
                            "has no tensix_vp_serve: expected the library of this program");
  return function();
}

}  // namespace tvp::cli
