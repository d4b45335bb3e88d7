#pragma once

#include <ucontext.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/collectives/layout.h"

namespace tvp::testing {

/// Units with a bank, a DMA engine and a stop each, whose programs are fibers of this thread.
/// Asynchronous events happen in random order: descriptors, departures and arrivals of messages and
/// of their parts, steps of programs.
/// The order is weaker than the machine's. Descriptors and departures of a unit are in order, and
/// so are messages per source, destination and channel. The parts of a message arrive in any order
/// before the message counts.
class UnitSystem {
 public:
  UnitSystem(unsigned units, std::uint32_t bank_bytes, std::uint64_t seed);
  ~UnitSystem();

  class Transport;
  using Program = std::function<void(Transport&)>;
  /// Runs a program on each unit of `started` until all have ended. Returns "" or the error.
  std::string run(const std::vector<unsigned>& started, const Program& program);

  std::vector<std::uint8_t>& bank(unsigned unit);
  std::uint64_t messages() const { return messages_; }
  std::uint32_t barriers() const { return generation_; }
  /// Fails the test from now on if a message is in flight when the units pass a barrier.
  void expect_quiet_barriers() { quiet_barriers_ = true; }

 private:
  struct Unit;
  struct Flight;
  void choose();
  bool act(unsigned choice);
  void wait(Unit& unit, std::function<bool()> until);
  void depart(Unit& unit);
  bool land_a_part(Unit& unit, std::uint32_t channel, Flight& flight);
  void fail(const std::string& text);
  static void enter(unsigned high, unsigned low);

  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<unsigned> started_;
  std::mt19937_64 random_;
  struct Flight {
    std::vector<std::uint8_t> bytes;
    std::uint32_t offset;
    std::vector<std::uint32_t> parts{};  ///< offsets of parts that have not arrived
    std::uint32_t part_bytes = 0;
  };
  std::map<std::tuple<unsigned, unsigned, std::uint32_t>, std::vector<Flight>> flights_;
  /// The switch's pending reductions by unit of member 0 and number. Operands are by unit; each
  /// names the place of its result in its own window.
  std::map<std::pair<unsigned, std::uint32_t>, std::map<unsigned, Flight>> reductions_;
  ucontext_t scheduler_{};
  const Program* program_ = nullptr;
  unsigned at_barrier_ = 0;
  std::uint32_t generation_ = 0;
  std::uint64_t messages_ = 0;
  bool quiet_barriers_ = false;
  std::string failure_;
};

/// A unit's view of the transport.
class UnitSystem::Transport {
 public:
  using Ticket = std::uint32_t;
  Transport(UnitSystem& system, unsigned unit) : system_(system), unit_(unit) {}

  std::uint32_t unit() const { return unit_; }
  std::uint64_t cycles() const { return 0; }
  Ticket dma_read_async(void* wram, std::uint32_t bank, std::uint32_t bytes);
  Ticket dma_write_async(std::uint32_t bank, const void* wram, std::uint32_t bytes);
  void dma_wait(Ticket ticket);
  bool dma_done(Ticket ticket) const;
  void set_window(std::uint32_t channel, void* base, std::uint32_t bytes);
  Ticket send_async(std::uint32_t unit, std::uint32_t channel, std::uint32_t offset,
                    const void* data, std::uint32_t bytes);
  void send_wait(Ticket ticket);
  bool send_done(Ticket ticket) const;
  void signal(std::uint32_t unit, std::uint32_t channel) {
    send_async(unit, channel, 0, nullptr, 0);
  }
  template <std::uint32_t form = 0>
  Ticket multicast_async(const tvp::firmware::collectives::Group& group, std::uint32_t to_members,
                         std::uint32_t channel, std::uint32_t offset, const void* data,
                         std::uint32_t bytes) {
    return order(group, 0, to_members, channel, offset, data, bytes, nullptr);
  }
  template <typename Reduction, std::uint32_t form = 0>
  Ticket reduce_async(const tvp::firmware::collectives::Group& group, std::uint32_t from_members,
                      std::uint32_t to_members, std::uint32_t channel, std::uint32_t offset,
                      const void* data, std::uint32_t bytes) {
    return order(group, from_members, to_members, channel, offset, data, bytes, &Reduction::reduce);
  }
  void wait_arrivals(std::uint32_t channel, std::uint32_t count);
  std::uint32_t arrivals(std::uint32_t channel) const;
  /// Waits until something has happened to this unit. A polling program calls this in every round
  /// without progress, so that a deadlock is detected.
  void idle();
  void wait_word(const std::uint32_t& word, std::uint32_t count);
  void barrier();

 private:
  using Combine = void (*)(void* mine, const void* received, std::uint32_t bytes);
  Ticket order(const tvp::firmware::collectives::Group& group, std::uint32_t from_members,
               std::uint32_t to_members, std::uint32_t channel, std::uint32_t offset,
               const void* data, std::uint32_t bytes, Combine combine);

  std::uint64_t happenings() const;

  UnitSystem& system_;
  unsigned unit_;
};

}  // namespace tvp::testing
