#include "foundation/setting_needs.h"

#include <algorithm>
#include <string_view>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

/// Cuts the text up to the next separator off. Returns what was cut off.
std::string cut(std::string& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  std::string part = text.substr(0, end);
  text.erase(0, std::min(end + separator.size(), text.size()));
  return part;
}

}  // namespace

bool SettingNeed::is_met(const std::string& value) const {
  return (std::ranges::count(values, value) != 0) != others;
}

std::string SettingNeed::text() const {
  std::string list = key + (others ? "!=" : "=");
  for (const std::string& value : values) list += (&value == values.data() ? "" : "|") + value;
  return list;
}

std::vector<SettingNeed> parse_needs(const std::string& text, const std::string& group) {
  std::vector<SettingNeed> needs;
  for (std::string rest = text; !rest.empty();) {
    std::string values = cut(rest, " or ");
    SettingNeed need;
    const std::size_t equals = values.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Fault(FaultKind::kInternal, "settings",
                  "'" + text + "' of a key of " + group + ": expected key=value");
    }
    need.others = values[equals - 1] == '!';
    need.key = values.substr(0, equals - (need.others ? 1 : 0));
    if (need.key.find('.') == std::string::npos && !group.empty())
      need.key = group + "." + need.key;
    values.erase(0, equals + 1);
    do {
      need.values.push_back(cut(values, "|"));
    } while (!values.empty());
    needs.push_back(std::move(need));
  }
  return needs;
}

}  // namespace tvp::foundation
