#include "platform/cli/run/output_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "foundation/same_file.h"

namespace tvp::cli {

void OutputNames::reads(const std::string& option, const std::string& file) {
  names_.push_back({.option = option, .file = file, .is_read = true});
}

void OutputNames::add(const std::string& option, const std::string& file) {
  for (const Name& other : names_) {
    if (!foundation::same_file(file, other.file)) continue;
    throw foundation::Fault(foundation::FaultKind::kDescription, option + " " + file,
                            std::string(other.is_read ? "is read by " : "is the file of ") +
                                other.option + " " + other.file +
                                ": expected a file of its own for each output");
  }
  names_.push_back({.option = option, .file = file});
}

void check_writable(const std::string& file, const char* what) {
  const int created = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = errno;
  int opened = created;
  if (created < 0 && error == EEXIST) {
    opened = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    error = errno;
  }
  if (opened >= 0) close(opened);
  if (created >= 0) unlink(file.c_str());
  if (opened >= 0 || error == ENXIO) return;  // a pipe that nobody reads yet
  const std::string text =
      std::string("cannot write ") + what + " to " + file + ": " + std::strerror(error);
  if (foundation::is_of_the_host(error)) throw foundation::HostError("", text);
  throw foundation::Fault(foundation::FaultKind::kDescription, "", text);
}

}  // namespace tvp::cli
