#pragma once

#include <memory>
#include <mutex>
#include <systemc>

namespace tvp::platform {

/// A separate SystemC kernel.
///
/// libsystemc has one kernel per process, behind a global pointer to its context, and cannot start
/// a second time. All users of the library share it. This class owns a context and makes it current
/// while an `Inside` exists. The previous context, for example of a SystemC host or of another copy
/// of this library, then becomes current again.
class Kernel {
 public:
  Kernel();
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Makes this kernel current until the end of the scope. Other threads wait. Null changes
  /// nothing.
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
