#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tvp::cli {

/// A job array of Slurm whose tasks all execute the same command. Slurm's own programs do the work:
/// sbatch, squeue, scancel, sinfo and scontrol. Their settings come from the environment, for
/// example SBATCH_PARTITION.
class SlurmJob {
 public:
  /// A task that ended without success.
  struct Loss {
    std::string task;
    std::string node;
    std::string state;  ///< as Slurm names it: NODE_FAIL, FAILED, TIMEOUT, …
  };
  struct State {
    unsigned active = 0;   ///< tasks that run or wait
    unsigned running = 0;  ///< tasks that have a node
    std::string reason;    ///< why tasks wait, or why the queue does not answer
    std::vector<Loss> losses;

    /// True if tasks wait, a node was lost, and none of the others can run them.
    bool stuck() const;
  };

  /// The script and the output of the tasks go to the folder `slurm` in `folder`.
  explicit SlurmJob(const std::filesystem::path& folder) : folder_(folder / "slurm") {}

  /// Takes over the job of an earlier process in the same folder; false if none is active.
  bool attach();
  /// Submits `tasks` tasks, or fewer if the queue takes fewer. Throws foundation::HostError with
  /// the text of sbatch if the queue rejects the job.
  void submit(const std::vector<std::string>& command, std::size_t tasks,
              const std::vector<std::string>& options);
  const std::string& id() const { return id_; }
  State state() const;
  /// The first line that a task wrote; empty if none.
  std::string output_of(const std::string& task) const;
  void cancel() const;
  /// Forgets a job that is over, so that the next process submits a new one.
  void close() const;

  /// The number of processors of the cluster.
  static std::size_t processors();

 private:
  std::filesystem::path job_file() const { return folder_ / "job"; }

  std::filesystem::path folder_;
  std::string id_;
};

}  // namespace tvp::cli
