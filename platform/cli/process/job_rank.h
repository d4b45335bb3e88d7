#pragma once

#include <optional>

namespace tvp::cli {

/// The place of this process among those that mpirun has started.
class JobRank {
 public:
  /// Reads the environment of OpenMPI.
  JobRank();

  /// Rank 0 does the command, and `run` and `exec` share their simulation with the other ranks.
  /// Other ranks serve rank 0 instead. Returns the exit code of another rank, nothing for rank 0
  /// and for `sweep --mpi`, which all ranks do.
  std::optional<int> take_part(int argc, const char* const* argv) const;
  /// Children of this process are no ranks.
  static void forget();

 private:
  static int serve();

  unsigned rank_ = 0;
  unsigned size_ = 1;
};

}  // namespace tvp::cli
