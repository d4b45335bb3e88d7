#pragma once

#include <stdexcept>
#include <string>

#include "foundation/fault.h"

namespace tvp::runtime {

/// The cross compiler rejected a kernel or firmware. The text is the compiler's, with a hint for
/// missing names and headers. Exit code 3.
class CompileError : public foundation::Fault {
 public:
  CompileError(const std::string& source, const std::string& compiler_text)
      : Fault(foundation::FaultKind::kFirmware, source,
              "does not compile\n" + compiler_text + hint(compiler_text)) {}

 private:
  static std::string hint(const std::string& text) {
    for (const char* missing : {"not declared", "not been declared", "is not a member of",
                                "does not name a type", "No such file", "undefined reference"}) {
      if (text.find(missing) == std::string::npos) continue;
      return "\nSee firmware/api/README.md for the kernel API, and for spellings of its headers "
             "firmware/api/compat/headers.txt\n";
    }
    return "";
  }
};

/// Programs have not finished and never will: every core sleeps and no transaction is in flight.
/// `what()` names the cores that have not finished and their waits, if the library reports them.
/// Exit code 4.
class HangError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The time limit of the library or of the caller came before the end. Exit code 5.
class TimeLimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user ended the run, for example from a debugger. Exit code 130.
class InterruptedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void bad_use(const std::string& where, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, where, text);
}

/// The compiler's list of its input files is a make rule, so names must not contain line breaks.
inline void refuse_line_break(const std::string& path, const char* what) {
  if (path.find('\n') != std::string::npos)
    bad_use("'" + path + "'", std::string("expected no line break in the path of ") + what);
}

}  // namespace tvp::runtime
