#include "tests/mutation/kernel_mutation.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

namespace tvp::mutation {
namespace {

constexpr const char* kDelete = "delete";
constexpr const char* kSwap = "swap";
constexpr const char* kCount = "count";
constexpr const char* kIndex = "index";
constexpr const char* kSize = "size";
constexpr const char* kCore = "core";

/// Beginnings of the names of API calls. Functions of a kernel may share them.
constexpr std::string_view kApi[] = {"noc_",
                                     "cb_",
                                     "remote_cb_",
                                     "resize_remote_",
                                     "update_remote_",
                                     "align_local_",
                                     "get_noc_addr",
                                     "get_noc_multicast_addr",
                                     "get_write_ptr",
                                     "get_read_ptr",
                                     "async_",
                                     "tile_regs_",
                                     "compute_kernel_hw_startup",
                                     "reconfig_data_format",
                                     "pack_tile",
                                     "pack_reconfig_",
                                     "pack_untilize_",
                                     "copy_tile",
                                     "copy_block_",
                                     "mm_",
                                     "matmul_",
                                     "add_",
                                     "sub_",
                                     "mul_",
                                     "binary_",
                                     "binop_",
                                     "unary_",
                                     "init_unary_",
                                     "reduce_",
                                     "exp_",
                                     "relu_",
                                     "fill_tile",
                                     "tilize_",
                                     "untilize_",
                                     "sdpa_",
                                     "fabric_",
                                     "wait_for_fabric_",
                                     "wait_for_empty_write_slot",
                                     "send_payload_",
                                     "to_noc_",
                                     "set_unicast",
                                     "dma_",
                                     "send_",
                                     "set_window",
                                     "wait_arrivals",
                                     "multicast_async",
                                     "tasklet_barrier"};
/// Names that count only as a whole.
constexpr std::string_view kWholeNames[] = {"send",  "signal", "barrier", "open",
                                            "close", "lock",   "unlock"};
/// Calls whose second argument is a number of pages, signals or messages.
constexpr std::string_view kCounting[] = {
    "cb_reserve_back",      "cb_push_back",           "cb_wait_front",          "cb_pop_front",
    "remote_cb_wait_front", "remote_cb_pop_front",    "noc_semaphore_inc",      "noc_semaphore_set",
    "noc_semaphore_wait",   "remote_cb_reserve_back", "noc_semaphore_wait_min", "wait_arrivals"};
/// Calls with a number of bytes, and the place of this argument.
const std::map<std::string_view, std::size_t>& sizes() {
  static const std::map<std::string_view, std::size_t> all{
      {"noc_async_read", 2},
      {"noc_async_write", 2},
      {"noc_async_write_multicast", 2},
      {"noc_async_read_one_packet", 2},
      {"noc_async_write_one_packet", 2},
      {"noc_async_write_one_packet_with_trid", 2},
      {"noc_async_read_one_packet_set_state", 1},
      {"noc_async_write_one_packet_set_state", 1},
      {"dma_read", 2},
      {"dma_write", 2},
      {"dma_read_async", 2},
      {"dma_write_async", 2},
      {"send", 4},
      {"send_async", 4},
      {"multicast_async", 4},
      {"set_window", 2},
      {"to_noc_unicast_write", 1},
      {"to_noc_fused_unicast_write_atomic_inc", 1},
      {"send_payload_without_header_non_blocking_from_address", 1}};
  return all;
}
/// Calls with a coordinate or a unit, and the place of this argument.
const std::map<std::string_view, std::size_t>& places() {
  static const std::map<std::string_view, std::size_t> all{{"get_noc_addr", 0},
                                                           {"get_noc_multicast_addr", 2},
                                                           {"send", 0},
                                                           {"send_async", 0},
                                                           {"signal", 0}};
  return all;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

template <std::size_t kSize_>
bool is_one_of(std::string_view name, const std::string_view (&all)[kSize_]) {
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

bool is_api(std::string_view name) {
  return is_one_of(name, kWholeNames) ||
         std::any_of(std::begin(kApi), std::end(kApi),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind the last character
};

struct Call {
  std::string name;
  Span whole;  ///< with its qualification, without a semicolon
  std::vector<Span> arguments;
  std::size_t statement = 0;  ///< begin of the statement that contains it
  bool is_statement = false;  ///< the statement is this call alone
};

/// The calls of the API in a kernel's code without comments and texts.
class Calls {
 public:
  explicit Calls(const std::string& code) : code_(code) {
    for (std::size_t at = 0; at < code.size();) {
      if (!is_name(code[at]) || (at > 0 && is_name(code[at - 1]))) {
        ++at;
        continue;
      }
      if (const auto call = call_at(at)) all_.push_back(*call);
      while (at < code.size() && is_name(code[at])) ++at;
    }
  }
  const std::vector<Call>& all() const { return all_; }
  std::size_t behind_blanks(std::size_t at) const {
    while (at < code_.size() && is_blank(code_[at])) ++at;
    return at;
  }

 private:
  std::optional<Call> call_at(std::size_t name) const {
    Call call;
    std::size_t at = name;
    while (at < code_.size() && is_name(code_[at])) ++at;
    call.name = code_.substr(name, at - name);
    if (!is_api(call.name)) return {};
    if (at < code_.size() && code_[at] == '<') {
      at = code_.find_first_of(">;(){}", at);
      if (at == std::string::npos || code_[at] != '>') return {};
      ++at;
    }
    if (at >= code_.size() || code_[at] != '(') return {};
    const std::size_t close = matching(at);
    if (close == std::string::npos) return {};
    call.whole = {begin_of_chain(name), close + 1};
    // The definition or declaration of a function has a type in front of its name.
    const std::size_t before = before_blanks(call.whole.begin);
    const bool is_typed = before != std::string::npos && is_name(code_[before]) &&
                          !follows_word(before, "else") && !follows_word(before, "return");
    if (is_typed) return {};
    call.arguments = arguments(at + 1, close);
    call.statement = begin_of_statement(call.whole.begin);
    const std::size_t next = behind_blanks(call.whole.end);
    call.is_statement = call.statement == call.whole.begin && next < code_.size() &&
                        code_[next] == ';' && !follows_word(before, "return");
    return call;
  }
  /// The last character before the blanks before `at`.
  std::size_t before_blanks(std::size_t at) const {
    while (at > 0 && is_blank(code_[at - 1])) --at;
    return at == 0 ? std::string::npos : at - 1;
  }
  bool follows_word(std::size_t last, std::string_view word) const {
    if (last == std::string::npos || last + 1 < word.size()) return false;
    const std::size_t begin = last + 1 - word.size();
    return code_.compare(begin, word.size(), word) == 0 &&
           (begin == 0 || !is_name(code_[begin - 1]));
  }
  /// Begin of "transport_.template " or "pim::" before a name.
  std::size_t begin_of_chain(std::size_t at) const {
    constexpr std::string_view kTemplate = "template ";
    for (;;) {
      if (at >= kTemplate.size() &&
          code_.compare(at - kTemplate.size(), kTemplate.size(), kTemplate) == 0)
        at -= kTemplate.size();
      std::size_t link = 0;
      if (at >= 2 && (code_.compare(at - 2, 2, "::") == 0 || code_.compare(at - 2, 2, "->") == 0))
        link = 2;
      else if (at >= 1 && code_[at - 1] == '.')
        link = 1;
      if (link == 0) return at;
      std::size_t begin = at - link;
      if (begin > 0 && code_[begin - 1] == ']') {
        begin = code_.rfind('[', begin - 1);
        if (begin == std::string::npos) return at;
      }
      while (begin > 0 && is_name(code_[begin - 1])) --begin;
      at = begin;
    }
  }
  std::size_t matching(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < code_.size(); ++at) {
      if (code_[at] == '(') ++depth;
      if (code_[at] == ')' && --depth == 0) return at;
    }
    return std::string::npos;
  }
  std::size_t matching_back(std::size_t close) const {
    int depth = 0;
    for (std::size_t at = close + 1; at-- > 0;) {
      if (code_[at] == ')') ++depth;
      if (code_[at] == '(' && --depth == 0) return at;
    }
    return std::string::npos;
  }
  std::vector<Span> arguments(std::size_t begin, std::size_t end) const {
    std::vector<Span> all;
    int depth = 0;
    std::size_t first = begin;
    const auto add = [&](std::size_t last) {
      Span span{behind_blanks(first), last};
      while (span.end > span.begin && is_blank(code_[span.end - 1])) --span.end;
      if (span.end > span.begin) all.push_back(span);
    };
    for (std::size_t at = begin; at < end; ++at) {
      const char c = code_[at];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c != ',' || depth != 0) continue;
      add(at);
      first = at + 1;
    }
    add(end);
    return all;
  }
  /// True if the parenthesis closes the head of a loop or a condition.
  bool ends_head(std::size_t close) const {
    const std::size_t open = matching_back(close);
    if (open == std::string::npos) return false;
    const std::size_t last = before_blanks(open);
    return std::any_of(std::begin(kHeads), std::end(kHeads),
                       [&](std::string_view head) { return follows_word(last, head); });
  }
  std::size_t begin_of_statement(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i-- > 0;) {
      const char c = code_[i];
      if (c == ')' && depth == 0 && ends_head(i)) return behind_blanks(i + 1);
      if (c == ')') ++depth;
      if (c == '(' && depth > 0) --depth;
      const bool ends = c == ';' || c == '{' || c == '}';
      if (ends && (depth == 0 || c != ';')) return behind_blanks(i + 1);
      if (depth == 0 && follows_word(i, "else")) return behind_blanks(i + 1);
    }
    return behind_blanks(0);
  }

  static constexpr std::string_view kHeads[] = {"if", "for", "while", "constexpr"};
  const std::string& code_;
  std::vector<Call> all_;
};

/// Collects the changes of one kernel.
class Finder {
 public:
  Finder(const std::string& file, const std::string& source)
      : file_(file), source_(source), code_(code_of(source)), calls_(code_) {
    for (const Call& call : calls_.all()) {
      if (call.arguments.empty()) continue;
      const std::string first = text(call.arguments[0]);
      if (!is_identifier(first)) continue;
      if (call.name.starts_with("cb_")) note(buffers_, first);
      if (call.name.starts_with("noc_semaphore_")) note(semaphores_, first);
    }
  }

  std::vector<KernelMutation> find() {
    for (std::size_t i = 0; i < calls_.all().size(); ++i) {
      const Call& call = calls_.all()[i];
      if (call.is_statement) {
        drop(call);
        if (i + 1 < calls_.all().size()) swap(call, following(i));
      }
      for (std::size_t place = 0; place < call.arguments.size(); ++place) change(call, place);
    }
    return std::move(found_);
  }

 private:
  using Names = std::vector<std::string>;

  static void note(Names& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  static bool is_identifier(const std::string& text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(), is_name);
  }
  static bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 9 && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
  }

  std::string text(const Span& span) const {
    return source_.substr(span.begin, span.end - span.begin);
  }
  std::size_t line_of(std::size_t offset) const {
    return 1 + static_cast<std::size_t>(std::count(
                   source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  }
  std::size_t end_of_statement(const Call& call) const {
    const std::size_t end = code_.find(';', call.whole.end);
    return end == std::string::npos ? call.whole.end : end + 1;
  }
  /// The next call that is no argument of call `i`.
  const Call& following(std::size_t i) const {
    std::size_t next = i + 1;
    while (next + 1 < calls_.all().size() &&
           calls_.all()[next].whole.begin < calls_.all()[i].whole.end)
      ++next;
    return calls_.all()[next];
  }

  void add(const Call& call, const Span& changed, const std::string& to, const char* rule,
           std::size_t last) {
    KernelMutation m;
    m.change = {.file = file_,
                .line = line_of(changed.begin),
                .offset = changed.begin,
                .from = text(changed),
                .to = to,
                .rule = rule,
                .column = changed.begin - (source_.rfind('\n', changed.begin) + 1) + 1};
    m.call = call.name;
    m.trap = m.change;
    m.trap.offset = call.whole.begin;
    m.trap.from = text(call.whole);
    m.trap.to = "({ while (true) asm volatile(\"\"); " + m.trap.from + "; })";
    const std::size_t first_line = line_of(call.statement), last_line = line_of(last - 1);
    for (std::size_t line = first_line; line <= last_line; ++line) m.lines.insert(line);
    // A statement around the call, such as a loop, begins in an earlier line.
    m.lines.insert(line_of(call.whole.begin));
    for (std::size_t at = call.statement; at > 0;) {
      --at;
      if (is_blank(code_[at]) || code_[at] == ';' || code_[at] == '{' || code_[at] == '}') continue;
      m.around.insert(line_of(at));
      break;
    }
    std::size_t next = last;
    while (next < code_.size() &&
           (is_blank(code_[next]) || code_[next] == '}' || code_[next] == ';'))
      ++next;
    if (next < code_.size()) m.around.insert(line_of(next));
    found_.push_back(std::move(m));
  }

  void drop(const Call& call) {
    const Span whole{call.whole.begin, end_of_statement(call)};
    const std::string old = text(whole);
    // Later lines keep their numbers.
    const auto lines = static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n'));
    add(call, whole, ";" + std::string(lines, '\n'), kDelete, whole.end);
  }

  void swap(const Call& call, const Call& next) {
    const std::size_t end = end_of_statement(call);
    if (!next.is_statement || calls_.behind_blanks(end) != next.whole.begin) return;
    if (next.name == call.name || !order_matters(call, next)) return;
    const std::size_t last = end_of_statement(next);
    add(call, {call.whole.begin, last},
        text({next.whole.begin, last}) + text({end, next.whole.begin}) +
            text({call.whole.begin, end}),
        kSwap, last);
    found_.back().other = next.name;
  }
  /// The calls share an object, or one of them waits for the other's transfers.
  bool order_matters(const Call& one, const Call& other) const {
    const auto waits = [](const Call& call) {
      return call.name.find("barrier") != std::string::npos ||
             call.name.find("flushed") != std::string::npos ||
             call.name.starts_with("noc_semaphore_wait");
    };
    if (waits(one) && waits(other)) return false;
    if (waits(one) || waits(other)) return true;
    const bool registers =
        one.name.starts_with("tile_regs_") || other.name.starts_with("tile_regs_");
    const bool pages = one.name.starts_with("cb_") || other.name.starts_with("cb_");
    if (registers) return !pages;
    return std::any_of(one.arguments.begin(), one.arguments.end(), [&](const Span& mine) {
      return is_identifier(text(mine)) &&
             std::any_of(other.arguments.begin(), other.arguments.end(),
                         [&](const Span& theirs) { return text(mine) == text(theirs); });
    });
  }

  void change(const Call& call, std::size_t place) {
    const Span& span = call.arguments[place];
    const std::string argument = text(span);
    const auto put = [&](const std::string& to, const char* rule) {
      add(call, span, to, rule, end_of_statement(call));
    };
    const std::string whole = is_identifier(argument) ? argument : "(" + argument + ")";
    if (is_number(argument)) {
      const unsigned long value = std::stoul(argument);
      put(std::to_string(value + 1), kCount);
      if (value > 0) put(std::to_string(value - 1), kCount);
    } else if (place == 1 && is_one_of(call.name, kCounting)) {
      put(whole + " + 1", kCount);
      put(whole + " - 1", kCount);
    } else if (place == 0 &&
               (call.name == "noc_async_read_page" || call.name == "noc_async_write_page")) {
      put(whole + " + 1", kCount);
    }
    for (const Names* names : {&buffers_, &semaphores_}) {
      const auto found = std::find(names->begin(), names->end(), argument);
      if (found == names->end() || names->size() < 2) continue;
      put(found + 1 == names->end() ? names->front() : *(found + 1), kIndex);
    }
    const auto bytes = sizes().find(call.name);
    if (bytes != sizes().end() && bytes->second == place) put(whole + " / 2", kSize);
    const auto core = places().find(call.name);
    // get_noc_addr(address) has no coordinate.
    if (core != places().end() && core->second == place && call.arguments.size() > 1)
      put(whole + " + 1", kCore);
  }

  const std::string& file_;
  const std::string& source_;
  const std::string code_;
  const Calls calls_;
  Names buffers_;
  Names semaphores_;
  std::vector<KernelMutation> found_;
};

}  // namespace

std::vector<std::string> kernel_rules() {
  return {kDelete, kCount, kDelete, kSwap, kDelete, kIndex, kSize, kDelete, kCore};
}

std::vector<KernelMutation> kernel_mutations_of(const std::string& file,
                                                const std::string& source) {
  return Finder(file, source).find();
}

}  // namespace tvp::mutation
