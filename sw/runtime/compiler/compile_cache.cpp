#include "sw/runtime/compiler/compile_cache.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "sw/runtime/compiler/compile_progress.h"
#include "sw/runtime/compiler/dependency_file.h"
#include "sw/runtime/compiler/file_time.h"
#include "sw/runtime/compiler/unroll_hints.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using foundation::ContentHash;
using foundation::HostError;
using foundation::OutputFile;
using foundation::read_file;

namespace {

namespace fs = std::filesystem;

constexpr const char* kImage = "image.elf";
constexpr const char* kManifest = "manifest";
constexpr const char* kManifestBegin = "tensix-vp manifest 2";
constexpr const char* kDependencies = "dependencies.d";
constexpr const char* kAssembly = "kernel.s";
constexpr const char* kPreprocessed = "kernel.ii";
constexpr const char* kAbsent = "absent";
/// Never equal to the hash or stamp of a file.
constexpr const char* kChanged = "changed";

/// Time of the last write and size, which show if a file is unchanged.
std::string stamp_of(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return kAbsent;
  return std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + "." +
         std::to_string(info.st_size);
}

/// True if a file was written after that time.
bool written_after(const std::string& path, std::int64_t ns) {
  struct stat info {};
  return stat(path.c_str(), &info) != 0 || nanoseconds(info.st_mtim) > ns;
}

[[noreturn]] void cannot(const std::string& path, const std::string& what) {
  throw HostError(path, what + ": " + foundation::reason_of(errno));
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw HostError(
        path, "cannot be created in the kernel cache: " + foundation::reason_of(error.value()) +
                  "; TENSIX_VP_CACHE may name another folder");
}

/// A user who can write to the cache decides which programs run. Refuses a folder, or a symbolic
/// link to it, of a user other than this one and root, and a folder that all users may write to.
void check_owner(const std::string& folder) {
  struct stat link {
  }, target{};
  if (lstat(folder.c_str(), &link) != 0 || stat(folder.c_str(), &target) != 0)
    cannot(folder, "cannot be used as the kernel cache");
  for (const struct stat& info : {link, target})
    if (info.st_uid != geteuid() && info.st_uid != 0)
      bad_use(folder, "the kernel cache, or the symbolic link to it, belongs to user " +
                          std::to_string(info.st_uid) + "; expected user " +
                          std::to_string(geteuid()) + " or root (TENSIX_VP_CACHE names another)");
  if ((target.st_mode & S_IWOTH) != 0)
    bad_use(folder,
            "all users may write to the kernel cache; expected a folder of one user "
            "(chmod o-w, or TENSIX_VP_CACHE names another)");
}

std::string home_of_user() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) return home;
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> text;
  if (getpwuid_r(getuid(), &entry, text.data(), text.size(), &found) == 0 && found != nullptr &&
      found->pw_dir != nullptr && *found->pw_dir != 0) {
    return found->pw_dir;
  }
  bad_use("kernel cache",
          "the user has no home folder to keep it in: TENSIX_VP_CACHE or HOME names a folder");
}

}  // namespace

/// A tool at work in its own folder.
struct CompileCache::Running {
  ToolProcess process;
  std::string folder;
  std::string entry;
  const Job* job = nullptr;
  std::int64_t started_ns = 0;
  bool stops_at_assembly = false;
  bool preprocesses = false;  ///< to be compiled without hints that this compiler rejects
  std::string text = {};      ///< preprocessed source to compile
};

CompileCache::CompileCache(const std::string& folder)
    : folder_(fs::absolute(folder).string()), limit_(folder_, CacheLimit::from_environment()) {
  refuse_line_break(folder_, "the kernel cache");
  std::error_code error;
  fs::create_directories(fs::path(folder_).parent_path(), error);
  if (error) {
    errno = error.value();
    cannot(folder_, "cannot be made as the kernel cache");
  }
  // Private, like a home folder's content.
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    cannot(folder_, "cannot be made as the kernel cache");
  }
  if (!fs::is_directory(folder_, error)) bad_use(folder_, "is no folder for the kernel cache");
  check_owner(folder_);
  remove_leftovers(folder_);
  try {
    scratch_ = std::make_unique<CacheScratch>(folder_);
  } catch (const HostError&) {
    // Continues: all requested images may be there.
  }
}

std::string CompileCache::default_folder() {
  if (const char* set = std::getenv("TENSIX_VP_CACHE"); set != nullptr && *set != 0) return set;
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/tensix-vp";
  return home_of_user() + "/.cache/tensix-vp";
}

std::string CompileCache::hash_of_file(const std::string& path) const {
  const std::string stamp = stamp_of(path);
  auto& [known_stamp, hash] = file_hashes_[path];
  if (known_stamp != stamp) {
    const auto text = foundation::try_read_file(path);
    known_stamp = stamp;
    hash = text ? ContentHash().add(*text).hex() : kAbsent;
  }
  return hash;
}

std::optional<std::string> CompileCache::current_image(const std::string& entry) const {
  const auto text = foundation::try_read_file(entry + "/" + kManifest);
  if (!text) return std::nullopt;
  // The last line shows that the text is complete.
  const std::size_t end = text->rfind("end ");
  if (end == std::string::npos ||
      text->substr(end) != "end " + ContentHash().add(text->substr(0, end)).hex() + "\n") {
    return std::nullopt;
  }
  std::istringstream lines(text->substr(0, end));
  std::string begin, word, image;
  if (!std::getline(lines, begin) || begin != kManifestBegin) return std::nullopt;
  if (!(lines >> word >> image) || word != "image") return std::nullopt;
  if (hash_of_file(entry + "/" + kImage) != image) return std::nullopt;
  std::string hash, stamp, path;
  while (lines >> hash >> stamp && lines.ignore() && std::getline(lines, path)) {
    if (stamp_of(path) != stamp && hash_of_file(path) != hash) return std::nullopt;
  }
  return image;
}

void CompileCache::write_manifest(const std::string& folder, const Job& job,
                                  std::int64_t started_ns) const {
  std::string text = std::string(kManifestBegin) + "\nimage " +
                     ContentHash().add(read_file(folder + "/" + kImage)).hex() + "\n";
  const auto note = [&](const std::string& path) {
    if (path.find('\n') != std::string::npos || stamp_of(path) == kAbsent) {
      throw HostError(path, "no longer exists after " + job.name +
                                " was compiled with it, or has a line break in its name");
    }
    // It is then unknown which content the compiler read, so the next user compiles again.
    const bool changed = !path.starts_with(folder_) && written_after(path, started_ns);
    text += (changed ? std::string(kChanged) : hash_of_file(path)) + " " +
            (changed ? std::string(kChanged) : stamp_of(path)) + " " + path + "\n";
  };
  if (job.tool == Job::Tool::kCompiler) {
    const auto files = dependencies_of(read_file(folder + "/" + kDependencies), kImage);
    if (!files) throw HostError(job.name, "the compiler's list of files that it read is damaged");
    for (const std::string& path : *files) note(path);
  }
  for (const std::string& path : job.inputs) note(path);
  if (job.first_files)
    for (const std::string& path : *job.first_files) note(path);
  text += "end " + ContentHash().add(text).hex() + "\n";
  OutputFile manifest(folder + "/" + kManifest);
  manifest.write(text);
  manifest.sync();
  manifest.close();
}

void CompileCache::publish(const std::string& folder, const std::string& entry,
                           const std::function<bool()>& good) {
  const std::uint64_t bytes = CacheLimit::bytes_of(folder);
  const CacheLock lookup = limit_.lookup();
  if (std::rename(folder.c_str(), entry.c_str()) != 0) {
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
      cannot(entry, "cannot be put into the kernel cache");
    }
    // An entry already exists: from another process and equivalent, or stale or damaged.
    if (!good()) replace(folder, entry);
  }
  mark(entry);
  limit_.add(bytes);
}

void CompileCache::replace(const std::string& folder, const std::string& entry) {
  // With this call, readers always find an entry, if the file system supports it.
  if (renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, entry.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) cannot(entry, "cannot be replaced in the kernel cache");
  if (std::rename(entry.c_str(), new_scratch().c_str()) != 0 ||
      std::rename(folder.c_str(), entry.c_str()) != 0) {
    cannot(entry, "cannot be replaced in the kernel cache");
  }
}

void CompileCache::mark(const std::string& entry) const {
  limit_.mark(entry, scratch_ ? scratch_->since_ns() : file_time_now_ns());
}

void CompileCache::add_seconds_since(std::chrono::steady_clock::time_point begin) {
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void CompileCache::hold_limit() {
  if (!scratch_ || held_limit_) return;
  const auto begin = std::chrono::steady_clock::now();
  limit_.hold([this] { return new_scratch(); }, waiting_);
  held_limit_ = true;
  add_seconds_since(begin);
}

std::string CompileCache::new_scratch() {
  if (!scratch_) scratch_ = std::make_unique<CacheScratch>(folder_);
  return scratch_->new_path();
}

std::string CompileCache::generated(const std::map<std::string, std::string>& files) {
  ContentHash hash;
  for (const auto& [name, text] : files) hash.add(name).add(text);
  std::string folder = folder_ + "/generated-" + hash.hex();
  const auto good = [&] {
    for (const auto& [name, text] : files) {
      if (foundation::try_read_file(folder + "/" + name) != text) return false;
    }
    return true;
  };
  {
    const CacheLock lookup = limit_.lookup();
    if (good()) {
      mark(folder);
      return folder;
    }
  }
  const std::string scratch = new_scratch();
  for (const auto& [name, text] : files) {
    make_folder(fs::path(scratch + "/" + name).parent_path().string());
    foundation::write_file(scratch + "/" + name, text);
  }
  publish(scratch, folder, good);
  return folder;
}

bool CompileCache::has(const Job& job) const {
  std::map<std::string, const Job*> missing;
  look_up({job}, missing);
  return missing.empty();
}

std::vector<std::string> CompileCache::files_of(const Image& image) const {
  const std::string entry = fs::path(image.path).parent_path().string();
  std::istringstream lines(read_file(entry + "/" + kManifest));
  std::vector<std::string> files;
  std::string line;
  for (int i = 0; i < 2; ++i) std::getline(lines, line);  // skips the first line and the image's
  while (std::getline(lines, line) && !line.starts_with("end ")) {
    // Hash, stamp and path.
    files.push_back(line.substr(line.find(' ', line.find(' ') + 1) + 1));
  }
  return files;
}

void CompileCache::link_to(const Image& image, const std::string& path) {
  std::error_code error;
  if (fs::read_symlink(path, error) == image.path && !error) return;
  const std::string made = new_scratch();
  if (symlink(image.path.c_str(), made.c_str()) != 0 ||
      std::rename(made.c_str(), path.c_str()) != 0) {
    cannot(path, "cannot be created in the kernel cache");
  }
}

void CompileCache::unlink_from(const std::string& path) const {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    cannot(path, "cannot be removed from the kernel cache");
  }
}

CompileCache::Running CompileCache::start(const Job& job) {
  const std::string folder = new_scratch();
  make_folder(folder);
  std::vector<std::string> command = job.command;
  const std::string image = folder + "/" + kImage;
  const bool stops = static_cast<bool>(job.rewrite);
  if (stops) command.push_back("-S");
  if (job.tool == Job::Tool::kCompiler) {
    command.insert(command.end(), {"-o", stops ? folder + "/" + kAssembly : image, "-MD", "-MT",
                                   kImage, "-MF", folder + "/" + kDependencies});
  } else if (job.tool == Job::Tool::kLinker) {
    command.insert(command.end(), {"-o", image});
  } else {
    command.push_back(image);
  }
  const std::int64_t now = file_time_now_ns();
  return {ToolProcess(command, folder), folder, "", &job, now, stops};
}

CompileCache::Running CompileCache::preprocess(const Running& first) {
  const std::string text = first.folder + "/" + kPreprocessed;
  std::vector<std::string> command = preprocessing(first.job->command);
  command.insert(command.end(),
                 {"-o", text, "-MD", "-MT", kImage, "-MF", first.folder + "/" + kDependencies});
  Running next = {ToolProcess(command, first.folder),
                  first.folder,
                  first.entry,
                  first.job,
                  first.started_ns,
                  first.stops_at_assembly};
  next.preprocesses = true;
  next.text = text;
  return next;
}

CompileCache::Running CompileCache::compile_without_hints(const Running& first) {
  foundation::write_file(first.text, without_unroll_hints(read_file(first.text)));
  std::vector<std::string> command = compiling_preprocessed(first.job->command, first.text);
  if (first.stops_at_assembly) command.push_back("-S");
  const char* const made = first.stops_at_assembly ? kAssembly : kImage;
  command.insert(command.end(), {"-o", first.folder + "/" + made});
  Running next = {ToolProcess(command, first.folder),
                  first.folder,
                  first.entry,
                  first.job,
                  first.started_ns,
                  first.stops_at_assembly};
  next.text = first.text;
  return next;
}

CompileCache::Running CompileCache::go_on(const Running& first) {
  const std::string assembly = first.folder + "/" + kAssembly;
  try {
    foundation::write_file(assembly, first.job->rewrite(read_file(assembly)));
  } catch (const HostError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw CompileError(first.job->name, error.what());
  }
  std::vector<std::string> command = first.job->second_command;
  command.insert(command.end(), {assembly, "-o", first.folder + "/" + kImage});
  return {ToolProcess(command, first.folder),
          first.folder,
          first.entry,
          first.job,
          first.started_ns,
          false};
}

CompileCache::Running CompileCache::finish_one(std::vector<Running>& running) const {
  std::vector<ToolProcess> processes;
  for (Running& one : running) processes.push_back(std::move(one.process));
  const std::size_t ended = ToolProcess::wait_for_one(processes, waiting_);
  for (std::size_t i = 0; i < running.size(); ++i) running[i].process = std::move(processes[i]);
  Running one = std::move(running[ended]);
  running.erase(running.begin() + static_cast<std::ptrdiff_t>(ended));
  return one;
}

void CompileCache::keep(const std::string& folder, const std::string& entry, const Job& job,
                        std::int64_t started_ns) {
  const std::string image = folder + "/" + kImage;
  const int file = open(image.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || fsync(file) != 0) {
    const int error = errno;
    if (file >= 0) close(file);
    errno = error;
    cannot(image, "the compiled image of " + job.name + " cannot be kept");
  }
  close(file);
  write_manifest(folder, job, started_ns);
  for (const char* const made : {kDependencies, kAssembly, kPreprocessed}) {
    unlink((folder + "/" + made).c_str());
  }
  publish(folder, entry, [&] { return current_image(entry).has_value(); });
}

std::vector<CompileCache::Image> CompileCache::look_up(
    const std::vector<Job>& jobs, std::map<std::string, const Job*>& missing) const {
  std::vector<Image> images;
  const CacheLock lookup = limit_.lookup();
  for (const Job& job : jobs) {
    ContentHash hash;
    for (const std::string& word : job.command) hash.add(word);
    for (const std::string& word : job.second_command) hash.add(word);
    hash.add(job.key_text);
    for (const std::string& path : job.inputs) hash.add(path);
    const std::string entry = folder_ + "/" + hash.hex();
    const auto current = current_image(entry);
    if (current) {
      mark(entry);
    } else {
      missing.emplace(entry, &job);
    }
    images.push_back({entry + "/" + kImage, current.value_or("")});
  }
  return images;
}

std::vector<CompileCache::Image> CompileCache::build(const std::vector<Job>& jobs) {
  std::map<std::string, const Job*> missing;  // key: entry; value: the first job that needs it
  std::vector<Image> images = look_up(jobs, missing);
  if (missing.empty()) {
    hold_limit();
    return images;
  }

  std::vector<const Job*> to_run;
  for (const auto& [entry, job] : missing) to_run.push_back(job);
  preparing_(to_run);
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t limit = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Running> running;
  std::optional<CompileError> failed;
  std::map<std::string, std::string> made;  // hash of each entry
  CompileProgress progress(missing.size(), begin, CompileProgress::terminal());
  const auto take_one = [&] {
    const Running one = finish_one(running);
    const std::string trouble = one.process.trouble_of_the_host();
    if (!trouble.empty()) throw HostError(one.job->name, one.job->command[0] + " " + trouble);
    if (!one.process.succeeded()) {
      if (one.text.empty() && one.job->tool == Job::Tool::kCompiler &&
          only_unroll_hints(one.process.messages())) {
        running.push_back(preprocess(one));
        return;
      }
      if (!failed) failed.emplace(one.job->name, one.process.messages());
      return;
    }
    if (one.preprocesses) {
      running.push_back(compile_without_hints(one));
      return;
    }
    if (one.stops_at_assembly) {
      try {
        running.push_back(go_on(one));
      } catch (const CompileError& error) {
        if (!failed) failed = error;
      }
      return;
    }
    keep(one.folder, one.entry, *one.job, one.started_ns);
    made[one.entry] = hash_of_file(one.entry + "/" + kImage);
    if (one.job->counted) ++compiled_;
    progress.made_one(std::chrono::steady_clock::now());
  };
  for (const auto& [entry, job] : missing) {
    while (running.size() >= limit) take_one();
    running.push_back(start(*job));
    running.back().entry = entry;
  }
  while (!running.empty()) take_one();
  add_seconds_since(begin);
  held_limit_ = false;
  hold_limit();
  if (failed) throw *failed;

  for (Image& image : images) {
    if (image.hash.empty()) image.hash = made.at(fs::path(image.path).parent_path().string());
  }
  return images;
}

}  // namespace tvp::runtime
