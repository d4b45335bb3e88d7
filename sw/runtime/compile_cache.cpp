#include "sw/runtime/compile_cache.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "foundation/content_hash.h"
#include "foundation/read_file.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using foundation::ContentHash;
using foundation::read_file;
namespace {

namespace fs = std::filesystem;

constexpr const char* kImage = "image.elf";
constexpr const char* kManifest = "manifest";
constexpr const char* kDependencies = "dependencies.d";
constexpr const char* kMessages = "messages";

/// Tells at a glance that a file is unchanged: time of the last write and size.
std::string stamp_of(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "absent";
  return std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + "." +
         std::to_string(info.st_size);
}

/// Files of a make rule "target: file file \⏎ file".
std::vector<std::string> files_of_rule(const std::string& rule) {
  std::vector<std::string> files;
  std::istringstream words(rule.substr(std::min(rule.size(), rule.find(": ") + 1)));
  for (std::string word; words >> word;)
    if (word != "\\") files.push_back(word);
  return files;
}

/// A compiler at work in its own folder.
struct Process {
  pid_t pid = -1;
  std::size_t job = 0;
  std::string folder;
};

pid_t start(std::vector<std::string> command, const std::string& folder) {
  command.insert(command.end(),
                 {"-o", folder + "/" + kImage, "-MD", "-MF", folder + "/" + kDependencies});
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);

  const std::string messages = folder + "/" + kMessages;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    bad_use(command[0],
            "cannot be started; install Debian's gcc-riscv64-unknown-elf and "
            "picolibc-riscv64-unknown-elf");
  return pid;
}

}  // namespace

CompileCache::CompileCache(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) bad_use(folder_, "cannot be made as the kernel cache: " + error.message());
}

std::string CompileCache::default_folder() {
  if (const char* set = std::getenv("TENSIX_VP_CACHE"); set != nullptr && *set != 0) return set;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != 0)
    return std::string(xdg) + "/tensix-vp";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "/tmp") + "/.cache/tensix-vp";
}

std::string CompileCache::hash_of_file(const std::string& path) const {
  const std::string stamp = stamp_of(path);
  auto& [known_stamp, hash] = file_hashes_[path];
  if (known_stamp != stamp) {
    known_stamp = stamp;
    hash = stamp == "absent" ? stamp : ContentHash().add(read_file(path)).hex();
  }
  return hash;
}

bool CompileCache::up_to_date(const std::string& entry) const {
  std::ifstream manifest(entry + "/" + kManifest);
  if (!manifest) return false;
  std::string hash;
  std::string stamp;
  std::string path;
  while (manifest >> hash >> stamp && manifest.ignore() && std::getline(manifest, path))
    if (stamp_of(path) != stamp && hash_of_file(path) != hash) return false;
  return fs::exists(entry + "/" + kImage);
}

void CompileCache::write_manifest(const std::string& entry, const Job& job) const {
  std::ofstream manifest(entry + "/" + kManifest);
  const auto note = [&](const std::string& path) {
    manifest << hash_of_file(path) << ' ' << stamp_of(path) << ' ' << path << '\n';
  };
  for (const std::string& path : files_of_rule(read_file(entry + "/" + kDependencies))) note(path);
  for (const std::string& path : job.inputs) note(path);
}

void CompileCache::publish(const std::string& folder, const std::string& entry) const {
  std::error_code error;
  fs::rename(folder, entry, error);
  if (!error) return;
  // There is one already: of another process, just as good, or stale. Readers always find one.
  if (!up_to_date(entry))
    renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, entry.c_str(), RENAME_EXCHANGE);
  fs::remove_all(folder, error);
}

std::string CompileCache::generated(const std::map<std::string, std::string>& files) {
  ContentHash hash;
  for (const auto& [name, text] : files) hash.add(name).add(text);
  std::string folder = folder_ + "/generated-" + hash.hex();
  if (fs::exists(folder)) return folder;
  const std::string scratch = folder + "." + std::to_string(getpid());
  fs::create_directories(scratch);
  for (const auto& [name, text] : files) {
    fs::create_directories(fs::path(scratch + "/" + name).parent_path());
    std::ofstream(scratch + "/" + name) << text;
  }
  std::error_code error;
  fs::rename(scratch, folder, error);
  if (error) fs::remove_all(scratch);  // another process was first, with the same content
  return folder;
}

std::vector<std::string> CompileCache::build(const std::vector<Job>& jobs) {
  std::vector<std::string> entries;
  std::map<std::string, std::size_t> missing;  // entry to the first job that wants it
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ContentHash hash;
    for (const std::string& word : jobs[i].command) hash.add(word);
    hash.add(jobs[i].key_text);
    for (const std::string& path : jobs[i].inputs) hash.add(path);
    entries.push_back(folder_ + "/" + hash.hex());
    if (missing.count(entries.back()) == 0 && !up_to_date(entries.back()))
      missing.emplace(entries.back(), i);
  }

  const auto begin = std::chrono::steady_clock::now();
  const std::size_t limit = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Process> running;
  std::string failed;
  std::string failed_text;
  const auto finish_one = [&] {
    const Process process = running.front();
    running.erase(running.begin());
    int status = 0;
    while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
    }
    const Job& job = jobs[process.job];
    if (status != 0) {
      if (failed.empty()) {
        failed = job.name;
        failed_text = read_file(process.folder + "/" + kMessages);
      }
      fs::remove_all(process.folder);
      return;
    }
    write_manifest(process.folder, job);
    publish(process.folder, entries[process.job]);
    ++compiled_;
  };
  for (const auto& [entry, job] : missing) {
    if (running.size() == limit) finish_one();
    const std::string folder = entry + "." + std::to_string(getpid());
    fs::create_directories(folder);
    running.push_back({start(jobs[job].command, folder), job, folder});
  }
  while (!running.empty()) finish_one();
  if (!missing.empty())
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!failed.empty()) throw CompileError(failed, failed_text);

  for (std::string& entry : entries) entry += std::string("/") + kImage;
  return entries;
}

}  // namespace tvp::runtime
