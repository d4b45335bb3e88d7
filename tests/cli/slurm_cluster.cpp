#include "tests/cli/slurm_cluster.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "tests/support/port.h"

namespace tvp::test {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStartLimit{60};

std::string host_name() {
  char name[64] = {};
  gethostname(name, sizeof name - 1);
  return std::string(name).substr(0, std::string(name).find('.'));
}

}  // namespace

std::optional<std::string> SlurmCluster::missing() {
  if (geteuid() != 0) return "the daemons of Slurm need root";
  for (const char* name : {"munged", "slurmctld", "slurmd"}) {
    if (!fs::exists(std::string("/usr/sbin/") + name))
      return std::string(name) + " is missing (Debian: slurm-wlm, munge)";
  }
  return {};
}

// The daemons have sockets in the folder, whose names may have 107 bytes, so its name is short.
SlurmCluster::SlurmCluster(unsigned nodes) : scratch_("slurm"), folder_(scratch_.path()) {
  for (const char* part : {"", "/state", "/spool"}) fs::create_directories(folder_ + part);
  // munged refuses folders and keys that others can write.
  chmod(folder_.c_str(), 0755);
  std::ofstream key(folder_ + "/munge.key");
  std::random_device random;
  for (unsigned i = 0; i < 64; ++i) key << static_cast<char>(random());
  key.close();
  chmod((folder_ + "/munge.key").c_str(), 0400);

  std::ofstream conf(folder_ + "/slurm.conf");
  conf << "ClusterName=test\nSlurmctldHost=" << host_name() << "(127.0.0.1)\n"
       << "SlurmctldPort=" << Port().number() << "\nSlurmUser=root\nSlurmdUser=root\n"
       << "AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" << folder_ << "/munge.sock\n"
       << "StateSaveLocation=" << folder_ << "/state\nSlurmdSpoolDir=" << folder_ << "/spool/%n\n"
       << "SlurmctldPidFile=" << folder_ << "/ctld.pid\nSlurmdPidFile=" << folder_ << "/%n.pid\n"
       << "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n"
       << "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
       << "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n"
       << "SlurmdParameters=config_overrides\nKillWait=2\nMessageTimeout=60\nEnforcePartLimits="
          "ALL\n";
  std::string names;
  for (unsigned n = 1; n <= nodes; ++n) {
    names += (n == 1 ? "n" : ",n") + std::to_string(n);
    conf << "NodeName=n" << n << " NodeHostname=" << host_name()
         << " NodeAddr=127.0.0.1 CPUs=1 Port=" << Port().number() << "\n";
  }
  conf << "PartitionName=all Nodes=" << names << " Default=YES MaxTime=INFINITE State=UP\n";
  conf.close();

  munge_.emplace(
      start("munge",
            {"/usr/sbin/munged", "--foreground", "--force", "--socket=" + folder_ + "/munge.sock",
             "--key-file=" + folder_ + "/munge.key", "--pid-file=" + folder_ + "/munge.pid",
             "--log-file=" + folder_ + "/munged.log", "--seed-file=" + folder_ + "/munge.seed"}));
  const auto limit = std::chrono::steady_clock::now() + kStartLimit;
  while (!fs::exists(folder_ + "/munge.sock") && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  controller_.emplace(start("slurmctld", {"/usr/sbin/slurmctld", "-D", "-c"}));
  for (unsigned n = 1; n <= nodes; ++n) {
    const std::string name = "n" + std::to_string(n);
    nodes_.push_back(start(name, {"/usr/sbin/slurmd", "-D", "-N", name}));
  }
}

SlurmCluster::~SlurmCluster() {
  ask("scancel --signal=KILL --full --state=RUNNING --user=root");
  // Each daemon is the leader of a process group, which ends with the object.
}

foundation::Process SlurmCluster::start(const std::string& name,
                                        std::vector<std::string> command) const {
  foundation::ProcessStart begin = with_cluster(std::move(command));
  begin.output = folder_ + "/" + name + ".out";
  return foundation::Process(begin);
}

bool SlurmCluster::up() {
  const auto limit = std::chrono::steady_clock::now() + kStartLimit;
  while (std::chrono::steady_clock::now() < limit) {
    std::istringstream states(ask("sinfo --noheader --Node --format=%T").output);
    unsigned idle = 0;
    for (std::string state; states >> state;) idle += state == "idle" ? 1 : 0;
    if (idle == nodes_.size()) return true;
  }
  return false;
}

std::string SlurmCluster::log() const {
  std::string text;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string ending = entry.path().extension();
    if (ending == ".out" || ending == ".log") text += read_file(entry.path());
  }
  return text;
}

void SlurmCluster::lose(unsigned node) {
  kill(nodes_.at(node - 1).id(), SIGKILL);
  // Without this command the controller would wait for SlurmdTimeout.
  ask("scontrol update NodeName=n" + std::to_string(node) + " State=DOWN Reason=lost");
}

foundation::ProcessStart SlurmCluster::with_cluster(std::vector<std::string> command) const {
  return {.command = std::move(command), .environment = {"SLURM_CONF=" + folder_ + "/slurm.conf"}};
}

Outcome SlurmCluster::ask(const std::string& command) const {
  std::istringstream words(command);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  return execute(with_cluster(list));
}

}  // namespace tvp::test
