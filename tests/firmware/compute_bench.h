#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <ucontext.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/llk/issue.h"
#include "models/support/tile_scheduler.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/l1.h"
#include "tests/firmware/program.h"

namespace tvp::test {

/// Declares the programs of a compute kernel's three threads.
#define TVP_DECLARE_PROGRAM(name) extern const ThreadProgram name##_0, name##_1, name##_2
/// The kernel of these programs.
#define TVP_PROGRAM_OF(name)            \
  ComputeProgram {                      \
    { &name##_0, &name##_1, &name##_2 } \
  }

/// A build of a program: rows of a tile, and whether Dst has 32 bits.
struct Variant {
  const char* name;
  unsigned rows;
  bool fp32_dst;
  ComputeProgram program;
};

class ComputeBench;

/// Stands for a T core. Runs host code that calls the firmware's functions, one access per cycle.
class HostCore : public support::Agent, public llk::Backend {
 public:
  HostCore(ComputeBench& bench, unsigned thread) : bench_(bench), thread_(thread) {}
  ~HostCore() override = default;

  void start(std::function<void()> program, support::Cycle when);
  bool finished() const { return finished_; }

  void run() override;

  void push(llk::Word instruction) override;
  void store(std::uint32_t address, std::uint32_t value) override;
  std::uint32_t load(std::uint32_t address) override;

 private:
  static void enter();
  /// Ends this cycle's access; returns in the next cycle.
  void pass_cycle();

  ComputeBench& bench_;
  unsigned thread_;
  std::function<void()> program_;
  bool finished_ = true;
  std::vector<std::uint8_t> stack_ = std::vector<std::uint8_t>(256 * 1024);
  ucontext_t here_{};
  ucontext_t caller_{};
};

/// A coprocessor with its units and L1, three host threads that feed it, and the stream registers
/// of circular buffers.
class ComputeBench : public sc_core::sc_module, private tensix::coprocessor::CoprocessorClient {
 public:
  explicit ComputeBench(const sc_core::sc_module_name& name = "bench");

  /// Creates a circular buffer of `tiles` tiles at `address`, of which `filled` are pushed.
  void buffer(const ComputeProgram& program, unsigned id, std::uint32_t address,
              std::uint32_t tile_bytes, unsigned tiles, unsigned filled);
  /// Runs the three images until the coprocessor is idle; false after a timeout.
  bool execute(const ComputeProgram& program);
  support::Cycle cycles() const { return now_; }
  std::string waiting() const;

  std::uint8_t* l1() { return l1_.bytes(); }
  std::uint16_t received(unsigned buffer) const { return stream_[buffer][kReceived]; }
  std::uint16_t acked(unsigned buffer) const { return stream_[buffer][kAcked]; }
  void drop_opcode(regs::tensix::Opcode opcode) { coprocessor_.issue().dropped().set(opcode); }
  tensix::coprocessor::Coprocessor& coprocessor() { return coprocessor_; }

 private:
  friend class HostCore;
  static constexpr unsigned kReceived = 0;
  static constexpr unsigned kAcked = 1;

  void invalidate_instruction_caches(std::uint32_t, support::Cycle) override {}
  void write_instruction_ram(std::uint32_t, const std::uint8_t*, support::Cycle) override {}
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// Null if the address is no counter of a buffer.
  std::uint16_t* counter(std::uint32_t address);

  foundation::StopOnFault faults_;
  support::WatchHub watch_hub_;
  tensix::L1 l1_{1464 * 1024, watch_hub_};
  support::TileScheduler scheduler_;
  tensix::coprocessor::Coprocessor coprocessor_;
  tlm_utils::simple_target_socket<ComputeBench> registers_{"registers"};
  std::array<std::unique_ptr<HostCore>, 3> cores_;
  std::array<std::array<std::uint16_t, 2>, 64> stream_{};
  support::Cycle now_ = 0;
};

}  // namespace tvp::test
