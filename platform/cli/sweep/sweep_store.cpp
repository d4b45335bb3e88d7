#include "platform/cli/sweep/sweep_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using report::SweptRun;

namespace {

constexpr const char* kPassed = "points";
constexpr const char* kFailed = "failed";
constexpr const char* kClaims = "claims";
constexpr const char* kReport = ".part";  // endings of the files of a run under way
constexpr const char* kErrors = ".errors";

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) foundation::throw_errno(folder, "cannot be written", error.value());
  // In a folder from elsewhere a link could lead to files of the user.
  if (fs::is_symlink(folder))
    throw foundation::Fault(foundation::FaultKind::kDescription, folder.string(),
                            "is a link: expected a folder");
}

/// Several machines may share the folder.
std::string process_name() {
  char host[64] = {};
  gethostname(host, sizeof host - 1);
  return std::string(host) + "." + std::to_string(getpid());
}

}  // namespace

SweepStore::SweepStore(const fs::path& folder) : folder_(folder) {
  make_folder(folder_ / kPassed);
  make_folder(folder_ / kFailed);
  const std::string file = folder_ / kPassed / kClaims;
  claims_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (claims_ < 0) foundation::throw_errno(file, "cannot be written", errno);
}

SweepStore::~SweepStore() { close(claims_); }

bool SweepStore::read(SweptRun& run) const {
  for (const char* kind : {kPassed, kFailed}) {
    const fs::path file = folder_ / kind / run.report_file;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    if (!report::read_record(foundation::read_file(file), run)) continue;
    if (!run.passed() || fs::exists(folder_ / run.report_file, error)) return true;
    run.exit_code = -1;
  }
  return false;
}

bool SweepStore::lock(const SweptRun& run, bool wanted) {
  // The byte of a run depends on its name only: processes with other plans use the same one.
  const std::string hash = foundation::ContentHash().add(run.report_file).hex().substr(0, 15);
  struct flock range {};
  range.l_type = wanted ? F_WRLCK : F_UNLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(std::stoull(hash, nullptr, 16));
  range.l_len = 1;
  while (fcntl(claims_, F_OFD_SETLK, &range) != 0) {
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno != EINTR)
      throw foundation::HostError(folder_ / kPassed / kClaims,
                                  "cannot be locked: " + foundation::reason_of(errno) +
                                      "; expected a file system with POSIX locks");
  }
  return true;
}

fs::path SweepStore::scratch(const SweptRun& run) const {
  return folder_ / kPassed / (run.report_file + "." + process_name() + kReport);
}

fs::path SweepStore::scratch_errors(const SweptRun& run) const {
  return scratch(run).replace_extension(kErrors);
}

void SweepStore::publish(const SweptRun& run) {
  // Only without working locks can two processes have the same run. The first result stays.
  SweptRun earlier = run;
  if (read(earlier)) return;
  const fs::path made = scratch(run);
  std::error_code missing;
  if (fs::is_regular_file(made, missing)) {
    fs::rename(made, folder_ / run.report_file);
  } else {
    fs::remove(folder_ / run.report_file);
  }
  forget(run);  // a record that is there belongs to another build or to other inputs
  const fs::path file = folder_ / (run.passed() ? kPassed : kFailed) / run.report_file;
  foundation::OutputFile record = foundation::OutputFile::create_beside(file);
  try {
    record.write(foundation::json_text(report::record_of(run)) + "\n");
    record.close();
    // Unlike a rename, a link never replaces a record.
    if (link(record.path().c_str(), file.c_str()) != 0 && errno != EEXIST)
      foundation::throw_errno(file, "cannot be written", errno);
  } catch (...) {
    unlink(record.path().c_str());
    throw;
  }
  unlink(record.path().c_str());
}

void SweepStore::forget(const SweptRun& run) {
  for (const char* kind : {kPassed, kFailed}) fs::remove(folder_ / kind / run.report_file);
}

void SweepStore::clean() const {
  for (const auto& entry : fs::directory_iterator(folder_ / kPassed)) {
    if (entry.path().extension() != ".json" && entry.path().filename() != kClaims)
      fs::remove(entry.path());
  }
}

}  // namespace tvp::cli
