#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <tlm>

#include "models/riscv/debug/core_status.h"
#include "models/riscv/decode/identity.h"
#include "models/riscv/execute/execution_state.h"
#include "models/riscv/execute/local_memory.h"
#include "models/riscv/polls/poll_sleep.h"
#include "models/riscv/tensix_instruction_port.h"
#include "models/support/bus_access.h"
#include "models/support/probe.h"

namespace tvp::riscv {

class Core;

/// Loads and stores of a core that the interpreter does not make itself. The interpreter makes
/// plain, aligned ones of L1 and local data RAM. This class handles registers on the bus, recorded
/// and replayed loads of a poll, faults, and all accesses while the memories are observed.
class LoadStoreUnit {
 public:
  static constexpr std::uint32_t kLocalBase = 0xFFB00000;
  static constexpr std::uint32_t kPushAddress = 0xFFE40000;  ///< INSTRN_BUF_BASE
  using Cycle = support::Cycle;
  using Socket = tlm_utils::simple_initiator_socket<Core>;

  /// kLater: not before cycle(). kStopped: the core does not continue.
  enum class Outcome : std::uint8_t { kDone, kLater, kStopped };

  LoadStoreUnit(const Identity& identity, ExecutionState& state, CoreStatus& status,
                PollSleep& sleep, support::WatchHub& watches, Socket& bus);
  LoadStoreUnit(const LoadStoreUnit&) = delete;
  LoadStoreUnit& operator=(const LoadStoreUnit&) = delete;
  ~LoadStoreUnit();

  void connect(TensixInstructionPort& port) { instructions_ = &port; }
  LocalMemory& local() { return local_; }
  const LocalMemory& local() const { return local_; }

  void set_probe(support::Probe* probe);
  /// Asks for direct access to L1, which begins at address 0. A refusal also reports its size.
  void map_l1();
  /// Ends direct access. Accesses then use the bus with the same times.
  void unmap_l1();
  /// The directly accessible ranges have changed.
  void remapped();
  std::uint32_t l1_size() const { return l1_size_; }

  // Each sets cycle() and latency().
  Outcome load(std::uint32_t address, unsigned bytes, Cycle c);
  Outcome store(std::uint32_t address, unsigned bytes, std::uint32_t value, Cycle c);
  Outcome push(std::uint32_t instruction, Cycle c);
  /// An atomic operation on L1, with the old value as result.
  Outcome atomic(Code code, std::uint32_t address, std::uint32_t operand, Cycle c);

  /// Cycle at which the last access acted, or will act.
  Cycle cycle() const { return cycle_; }
  /// Latency of a load, or time until the bus takes the next store, which is 0 for L1.
  std::uint32_t latency() const { return latency_; }
  /// Value of the last load.
  std::uint32_t value() const { return value_; }
  bool is_local(std::uint32_t address) const { return address - kLocalBase < local_.size(); }

  /// True if the fetch of the word at pc at cycle t must be retried after the agents that it
  /// affects.
  bool fetch_disturbs(std::uint32_t pc, Cycle t);
  /// Reads the instruction word at pc if it is in L1.
  bool read_code(std::uint32_t pc, std::uint32_t& word);
  // For debuggers, without time and side effects.
  bool debug_read(std::uint32_t address, void* data, std::uint32_t bytes);
  bool debug_write(std::uint32_t address, const void* data, std::uint32_t bytes);

 private:
  Outcome load_l1(std::uint32_t address, unsigned bytes);
  Outcome store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value);
  /// Reports an access of L1 above s_.l1_direct.
  void report(tlm::tlm_command command, std::uint32_t address, unsigned bytes,
              std::uint32_t value = 0);
  Outcome transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes);
  Outcome refused(tlm::tlm_command command, std::uint32_t address);
  Outcome load_register(std::uint32_t address, unsigned bytes, support::Watch& watch);
  bool disturbs(std::uint32_t address, unsigned bytes, bool write);
  bool disturbs_all();
  Outcome block(support::Watch watch, std::uint32_t address);
  std::uint32_t align(std::uint32_t address, unsigned bytes, const char* what);
  [[noreturn]] void stop(const foundation::Fault& fault, tlm::tlm_command command,
                         std::uint32_t address) const;
  void fill_payload(tlm::tlm_command command, std::uint32_t address, unsigned bytes);

  const Identity& identity_;
  ExecutionState& s_;
  CoreStatus& status_;
  PollSleep& sleep_;
  support::WatchHub& watches_;
  Socket& bus_;
  TensixInstructionPort* instructions_ = nullptr;
  LocalMemory local_;
  std::uint32_t l1_size_ = 0;
  support::Probe* probe_ = nullptr;

  // State of the current access.
  Cycle cycle_ = 0;
  std::uint32_t latency_ = 0;
  std::uint32_t value_ = 0;
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;
};

}  // namespace tvp::riscv
