#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platform/debug/target.h"

namespace tvp::debug {

/// The commands of the GDB remote serial protocol (GDB manual, appendix Remote Protocol), all-stop,
/// with multiprocess extensions: core n is process n, and its only thread has number 1.
class GdbServer {
 public:
  enum class Next : std::uint8_t {
    kAnswer,    ///< `text` is the reply
    kGo,        ///< no reply before the next stop
    kGoBack,    ///< `steps` says how far; no reply before the stop
    kLeave,     ///< reply, then go on without the debugger
    kEndOfRun,  ///< reply, then end
  };
  struct Answer {
    std::string text;
    Next next = Next::kAnswer;
    bool steps = false;  ///< kGo: some core only steps; kGoBack: by one instruction
  };

  explicit GdbServer(Target& target) : target_(target) {}

  /// A new debugger connects: forgets what the last one knew.
  void reset();
  Answer handle(const std::string& packet);
  /// Remembers the stop and returns the packet that reports it.
  std::string stopped(const Stop& stop);
  /// Text for the user's terminal while the cores run.
  static std::string console(const std::string& text);

  /// The state of the conversation with the debugger, for another server that takes it over.
  nlohmann::json conversation() const;
  void take_over(const nlohmann::json& conversation);
  /// The core that a step back is for.
  unsigned selected() const { return continue_ != 0 ? continue_ : general_; }

  bool acknowledges() const { return acknowledges_; }
  const Stop& last_stop() const { return stop_; }
  /// True if this core was announced to the debugger.
  bool knows(unsigned core) const;
  /// False if the debugger needs a stop of kind kStarted for this core. gdb reads the description
  /// of the target for its first process, and for another one only when that one executes a file.
  bool has_description(unsigned core) const;
  /// The last kGo was for one process only: `schedule-multiple` is off.
  bool went_alone() const { return went_alone_; }
  /// The last kGo was for this thread only; 0: for several. The debugger then steps it past a
  /// breakpoint and does not expect a stop of another thread.
  unsigned limited_to() const { return limited_to_; }

 private:
  struct Thread {
    bool every = false;
    unsigned core = 0;     ///< 0: any
    bool process = false;  ///< all threads of it
  };
  static Thread take_thread(std::string_view& text);
  /// One action of a vCont packet.
  struct Action {
    bool steps = false;
    std::uint32_t from = 0;  ///< the step continues while the pc is in [from, to)
    std::uint32_t to = 0;
    Thread whom = {.every = true};
  };
  /// Empty if the action is malformed or names an unknown core.
  std::optional<Action> take_action(std::string_view text);

  Answer query(std::string_view text);
  Answer kill(std::string_view text);
  Answer set_thread(std::string_view text);
  Answer read_registers();
  Answer write_registers(std::string_view digits);
  Answer read_register(std::string_view text);
  Answer write_register(std::string_view text);
  Answer read_memory(std::string_view text);
  Answer write_memory(std::string_view text, bool binary);
  Answer change_trap(std::string_view text, bool insert);
  Answer resume(std::string_view text);
  Answer resume_old(char action);
  Answer go_back(std::string_view text);
  Answer detach(std::string_view text);
  Answer transfer(std::string_view text);
  Answer monitor(std::string_view digits);
  std::string thread_list();
  std::string threads_document();
  std::string thread_name(unsigned core) const;
  void note(unsigned core);

  Target& target_;
  bool acknowledges_ = true;
  bool multiprocess_ = false;
  bool went_alone_ = false;
  unsigned limited_to_ = 0;
  unsigned general_ = 0;   ///< core that register, memory and breakpoint packets are for
  unsigned continue_ = 0;  ///< core that c and s are for; 0: all
  Stop stop_;
  std::vector<unsigned> known_;
  bool follows_starts_ = false;
  std::set<unsigned> described_;
};

}  // namespace tvp::debug
