#pragma once

#include <memory>
#include <mutex>
#include <systemc>

namespace tvp::platform {

/// A SystemC kernel of one's own.
///
/// libsystemc has one kernel a process, behind a global pointer to its context; it does not start a
/// second time, and all that load the library share it. A context of one's own does both: it is
/// there for SystemC while somebody is `Inside`, and what was there before comes back behind it,
/// which may be that of a host that simulates something itself, or of another copy of this library.
class Kernel {
 public:
  Kernel();
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Until the end of the scope SystemC is this kernel, for this thread alone: other clusters wait.
  /// Null: as it was.
  class Inside {
   public:
    explicit Inside(const Kernel* kernel);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    std::lock_guard<std::recursive_mutex> alone_;
    sc_core::sc_simcontext* before_;
  };

 private:
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace tvp::platform
