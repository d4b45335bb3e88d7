#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/ranks/message.h"

namespace tvp::platform {

/// The processes that simulate one system together. Rank 0 runs the host program; the others serve
/// it. Messages between two ranks keep their order.
class Ranks {
 public:
  /// Environment variable of a process whose simulation is to be shared among ranks.
  static constexpr const char* kVariable = "TENSIX_VP_RANKS";
  /// The library with the only implementation, beside libtensix_vp.so.
  static constexpr const char* kLibrary = "libtensix_vp_mpi.so";

  virtual ~Ranks() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  /// Says what a rank simulates, for the text about its loss.
  virtual void set_task(unsigned rank, const std::string& task) = 0;
  virtual void send(unsigned to, const Message& message) = 0;
  /// Waits for the next message of a rank. Throws HostError if a rank is lost.
  virtual Message receive(unsigned from) = 0;
  /// True after a HostError of receive().
  virtual bool is_broken() const = 0;
  virtual std::uint64_t sent_messages() const = 0;
  virtual std::uint64_t sent_bytes() const = 0;
  /// Time spent in receive(), and CPU time of it.
  virtual double waited_s() const = 0;
  virtual double waited_cpu_s() const = 0;
  /// Ends the communication. All ranks call it.
  virtual void close() = 0;

  /// Connects this process to the other ranks. Throws Fault(kDescription) if MPI is missing.
  static std::unique_ptr<Ranks> open();
};

}  // namespace tvp::platform
