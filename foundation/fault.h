#pragma once

#include <stdexcept>
#include <string>

namespace tvp::foundation {

/// The origin of a fault. It selects the exit code of a run.
enum class FaultKind {
  kFirmware,     ///< the program did what silicon leaves undefined or silently accepts
  kUnmodelled,   ///< the program used something real that this model does not have
  kDescription,  ///< bad system description, key or input
  kInternal,     ///< a defect of the platform (violated horizon, lost packet)
};

/// An error that stops a run. `where` names the block ("chip0.tensix(1,2).BRISC"), `what()` is the
/// whole text.
class Fault : public std::runtime_error {
 public:
  Fault(FaultKind kind, std::string where, const std::string& message);
  Fault(const Fault&);
  Fault& operator=(const Fault&);
  ~Fault() override;
  FaultKind kind() const { return kind_; }
  const std::string& where() const { return where_; }
  const std::string& message() const { return message_; }

 private:
  FaultKind kind_;
  std::string where_;
  std::string message_;
};

/// Decides whether a firmware fault stops the run (the default) or is reported while the model goes
/// on as silicon does (`faults=warn`). No other class makes this decision.
class FaultPolicy {
 public:
  virtual ~FaultPolicy() = default;
  /// Throws the fault, or records it and returns. kUnmodelled, kDescription and kInternal always
  /// throw.
  virtual void raise(const Fault& fault) = 0;
};

/// Always throws. The default, and for tests.
class StopOnFault : public FaultPolicy {
 public:
  void raise(const Fault& fault) override { throw fault; }
};

}  // namespace tvp::foundation
