#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platform/checks/event_types.h"
#include "platform/checks/record/page_order.h"

namespace tvp::checks {

/// Compares a tile's uses of circular buffer pages in L1 with its pushes and pops. Only software
/// follows these rules; hardware does not know them. Uses that occur in correct programs are never
/// reported. A read of a page before its push is wrong if another core pushes the page later. A
/// core that fills a page and reads it without a push uses it as scratch memory.
///
/// Uses that are right only by luck of timing are reported as well. A core that uses a page must
/// have read the count that hands it over, or a later count of a core that has read it (PageOrder).
///
/// A pushed page must have been written since its program began: by a NIU for this tile or for
/// others, by units, or by stores of cores. Earlier writes of other tiles or the host count too.
/// Unwritten pages are legal tokens until a core unpacks or sends their content.
///
/// Buffers that share memory are not checked, nor buffers that are not counted page by page from
/// the first one on.
class PageUses {
 public:
  static constexpr unsigned kBuffers = 32;
  static constexpr unsigned kNone = ~0U;

  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer
    std::uint32_t page_bytes = 0;
    std::uint32_t address = 0;
    bool is_tensor = false;    ///< other tiles and the host fill its memory, too; it may be larger
    std::uint32_t format = 0;  ///< 1 + number of the DataFormat; 0: not known
  };
  /// A use of L1: by a command of a data-movement core, or by an instruction of T0 or T2.
  struct User {
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;  ///< 0: not known
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool writes = false;
  };
  struct Misuse {
    enum class Kind : std::uint8_t {
      kNotPushed,    ///< reads a page that `other` pushes later
      kNeverPushed,  ///< unpacks a page of a buffer that no core pushes before the program ends
      kBehindEnd,    ///< begins in the buffer and ends behind it
      kOfOthers,     ///< writes a page that `other` pushes and that the writer does not own
      kUnseenPush,   ///< reads a page without knowledge of the push by `other`
      kUnseenPop,    ///< writes a page without knowledge of the pop by `other`
      kPopsUnseen,   ///< pops a page without knowledge of the push by `other`
      kNotArrived,   ///< pushes a page before its NoC read is over; `other` reads the page
      kNotSent,      ///< pops a page before its NoC write has left; `other` fills the page
      kNeverPacked,  ///< reads a page that `other` (T2) has pushed without ever filling it
      kOverwritten,  ///< a NIU writes for another tile to a page that `other` has pushed
      kEmptyResult,  ///< T2 pushes a page of a tensor that nothing fills before the program ends
      kNeverFilled,  ///< pushes a page that nothing has written; `other` reads the page
      kNothing,      ///< unpacks memory outside of all buffers that nothing has written
    };
    Kind kind = Kind::kNotPushed;
    User user;
    unsigned buffer = kNone;
    std::uint32_t page = 0;
    BusMaster other = BusMaster::kDebug;
    unsigned behind = kNone;      ///< for kBehindEnd: the next buffer
    std::uint32_t pushed_at = 0;  ///< for kNeverPacked: the pc of the last push; 0: not known
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void misused(const Misuse& misuse) = 0;
  };

  /// The activity of the tile's cores and NIUs.
  class Tile {
   public:
    virtual ~Tile() = default;
    /// Finds a command that has not yet written, or read, all of [begin, end), as far as cores know
    /// from its counters. False if there is none.
    virtual bool has_command(std::uint32_t begin, std::uint32_t end, bool writes,
                             User& found) const = 0;
    virtual std::uint32_t pc_of(BusMaster core) const = 0;
    /// True if nothing has written any of it since power-on.
    virtual bool is_unwritten(std::uint32_t /*address*/, std::uint32_t /*bytes*/) const {
      return false;
    }
    /// True if other tiles have written data whose announcement no core has read.
    virtual bool has_arrivals() const { return false; }
    /// `core` pushes the pages of that buffer in [begin, end).
    virtual void pushes(BusMaster /*core*/, std::uint32_t /*pc*/, unsigned /*buffer*/,
                        std::uint32_t /*begin*/, std::uint32_t /*end*/) {}
    /// The cores know of all data that other tiles have written so far.
    virtual void announced_otherwise() {}
    virtual void host_writes(std::uint32_t /*address*/, std::uint32_t /*bytes*/) {}
    virtual void program_begins() {}
    virtual void program_ends() {}
  };

  /// Must be called before the first event. Without a listener nothing is recorded.
  void set_listener(Listener* listener) { listener_ = listener; }
  void set_tile(Tile& tile) { tile_ = &tile; }
  /// Sets the probe from which written() gets the first write of each page by any agent.
  void set_probe(Probe& probe) { probe_ = &probe; }
  /// `*pc` is the address at which a core pushed the instruction that the units execute.
  void set_pushed_at(const std::uint32_t* pc) { pushed_at_ = pc; }
  /// The value of `*pc` of set_pushed_at(); 0: not known.
  std::uint32_t pushed_at() const { return pushed_at_ == nullptr ? 0 : *pushed_at_; }

  /// Sets the buffers of the next program. Their counts start at 0.
  void hold(std::span<const Buffer> buffers);
  /// The program has ended.
  void end();
  bool on() const { return !places_.empty(); }
  /// The program has a circular buffer of this number.
  bool has(unsigned buffer) const { return buffer < kBuffers && states_[buffer].place.pages != 0; }
  /// The buffer's pages and place, as the host has announced them.
  const Buffer& buffer(unsigned number) const { return states_[number].place; }
  /// True if the page at this address is pushed and not popped. Nothing outside of the buffers
  /// whose pages are counted.
  std::optional<bool> is_pushed(std::uint32_t address) const;
  /// Pages of a buffer that no core had popped when the last program ended. Some programs leave
  /// pages on purpose.
  struct Left {
    unsigned buffer = 0;
    std::uint32_t pages = 0;
    User last_push;
    bool popped = false;  ///< a core has popped other pages of the buffer
  };
  const std::vector<Left>& left() const { return left_; }
  /// The last place in a buffer that UNPACK read in the last program.
  struct Input {
    unsigned buffer = 0;
    std::uint32_t address = 0;
    std::uint32_t pc = 0;  ///< pc at which its core pushed the instruction; 0: not known
  };
  const std::vector<Input>& inputs() const { return inputs_; }
  /// A buffer of which a core has pushed pages in the last program.
  struct Pushed {
    Buffer place{};
    unsigned buffer = 0;
    User last_push;
  };
  const std::vector<Pushed>& pushed() const { return pushed_; }

  void used(const User& user);
  /// A use by an instruction of a Tensix thread.
  void used_by_thread(unsigned thread, std::uint32_t address, std::uint32_t bytes, bool writes) {
    used({.core = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + thread),
          .pc = pushed_at(),
          .address = address,
          .bytes = bytes,
          .writes = writes});
  }
  void written(std::uint32_t address, std::uint32_t bytes);
  bool awaits(std::uint32_t first, std::uint32_t last) const;
  /// A write by the host at any time.
  void written_by_host(std::uint32_t address, std::uint32_t bytes) {
    if (listener_ == nullptr) return;
    note_foreign(address, bytes);
    if (tile_ != nullptr) tile_->host_writes(address, bytes);
  }
  /// NIU `niu` writes for another tile at any time, or for the core `core_here` of this one. A core
  /// that has pushed a page may write there until another core pops the page.
  void written_for_others(BusMaster niu, std::uint32_t address, std::uint32_t bytes,
                          BusMaster core_here = BusMaster::kDebug);
  /// The buffer's count of pushed or popped pages is now `count`, of which the low 16 bits count.
  void pushed(unsigned buffer, std::uint32_t count, BusMaster by);
  void popped(unsigned buffer, std::uint32_t count, BusMaster by);
  /// `by` reads the count of pushed or popped pages. `awaited`: 1 + the count, of 16 bits, for
  /// which it waits; 0: not known.
  void read_pushed(unsigned buffer, BusMaster by, std::uint32_t awaited = 0);
  void read_popped(unsigned buffer, BusMaster by, std::uint32_t awaited = 0);

 private:
  /// A command that was not over when its page was handed over.
  struct Late {
    std::uint32_t page = 0;
    User command;
  };
  struct State {
    Buffer place;
    bool shared = false;
    bool counted = true;  ///< pushes and pops have followed the rules so far
    std::uint16_t pushed = 0;
    std::uint16_t popped = 0;
    std::uint32_t front = 0;  ///< the page that is popped next
    std::int32_t held = 0;
    /// For each page, true if PACK has filled it since it was popped. UNPACK may read such a page
    /// without a push, for example sums in the result. Empty until PACK fills one.
    std::vector<bool> packed;
    /// For each page, true if something has filled it since the program began, or if the host or
    /// another tile did earlier.
    std::vector<bool> filled;
    std::uint32_t pushers = 0;  ///< a bit for each BusMaster
    std::uint32_t poppers = 0;
    PageOrder::Count pushes;
    PageOrder::Count pops;
    BusMaster last_pusher = BusMaster::kDebug;
    BusMaster last_popper = BusMaster::kDebug;
    std::vector<Late> late;
    std::uint32_t pushed_in_all = 0;
    std::optional<std::int32_t> left{};  ///< pages at the end, before firmware resets the counts
    std::optional<std::uint32_t> unpacked_at{};  ///< where UNPACK read last
    std::uint32_t unpacked_by = 0;               ///< pc of that
    User last_push;
    User empty_push;  ///< the last push of pages that nothing had filled
  };
  /// Memory of one buffer, or of several that share it.
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    unsigned buffer = 0;  ///< the first of these buffers
    bool is_tensor = false;
    std::uint32_t unfilled = 0;  ///< pages whose first write is awaited
  };
  /// A use that is wrong if another core pushes the page.
  struct Doubt {
    User user;
    unsigned buffer = 0;
    std::uint32_t page = 0;
  };
  static constexpr std::size_t kMostDoubts = 64;

  /// True if uses of the buffer can be distinguished: its memory belongs to no other buffer.
  static bool is_watched(const State& state) {
    return state.counted && !state.shared && !state.place.is_tensor;
  }
  static std::uint32_t bit(BusMaster core) { return 1U << static_cast<unsigned>(core); }
  Place* place_of(std::uint32_t address);
  void use_page(Place& place, std::uint32_t page, const User& user);
  void fill(Place& place, std::uint32_t address, std::uint64_t end);
  void fill_page(Place& place, std::uint32_t page);
  void await_first_writes();
  void note_foreign(std::uint32_t address, std::uint32_t bytes);
  bool is_foreign(std::uint32_t address, std::uint32_t bytes) const;
  void read_count(const PageOrder::Count& count, std::uint32_t now, std::uint32_t end,
                  std::uint32_t awaited, BusMaster by);
  static bool is_held(const State& state, std::uint32_t page);
  void read_held(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void report_unfilled(Misuse misuse);
  void use(const User& user);
  void report_given_away();
  void use_behind(const User& user);
  void write_free(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void report_late(State& state, unsigned buffer, std::uint32_t page, const User& user);
  void note_late(State& state, std::uint32_t first, std::uint32_t count, bool writes);
  void report_push(const State& state, unsigned buffer, std::uint32_t first, std::uint32_t count,
                   BusMaster by);
  void look_at_pop(State& state, unsigned buffer, std::uint32_t count, BusMaster by);
  static void note_input(State& state, const User& user) {
    state.unpacked_at = user.address;
    state.unpacked_by = user.pc;
  }
  User now_of(BusMaster core) const;
  void report_empty_result(unsigned buffer);
  static void note_left(State& state);
  void gather_left();
  void decide(unsigned buffer, std::uint32_t first, std::uint32_t count, BusMaster by);

  Listener* listener_ = nullptr;
  Tile* tile_ = nullptr;
  Probe* probe_ = nullptr;
  const std::uint32_t* pushed_at_ = nullptr;
  PageOrder order_;
  std::array<State, kBuffers> states_{};
  std::vector<Left> left_;
  std::vector<Input> inputs_;
  std::vector<Pushed> pushed_;
  std::vector<Place> places_;         ///< in the order of addresses
  std::size_t last_ = 0;              ///< index in places_ of the last use
  const Place* packed_in_ = nullptr;  ///< place of PACK's last write
  std::uint32_t packed_at_ = 0;       ///< pc of the instruction of this write
  std::vector<Doubt> doubts_;
  /// Reads of unfilled pages. They are reported when results leave the tile or enter a tensor.
  std::vector<Misuse> without_effect_;
  std::uint32_t unfilled_ = 0;  ///< sum of Place::unfilled
  /// Granule of L1 in which writes of the host or for others since power-on are recorded.
  static constexpr std::uint32_t kGranuleBytes = 16;
  std::vector<bool> foreign_;
};

}  // namespace tvp::checks
