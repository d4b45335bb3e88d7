#include "foundation/setting_needs.h"

#include <algorithm>
#include <string_view>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

constexpr std::string_view kBegin = " (only with ";

/// Cuts the text up to the next separator off. Returns what was cut off.
std::string cut(std::string& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  std::string part = text.substr(0, end);
  text.erase(0, std::min(end + separator.size(), text.size()));
  return part;
}

const SettingBase* find(const std::vector<SettingsRegistry::Entry>& all, const std::string& key) {
  const auto entry = std::ranges::find(all, key, &SettingsRegistry::Entry::key);
  return entry == all.end() ? nullptr : entry->setting;
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

std::vector<SettingNeed> needs_of(const SettingBase& setting, const std::string& group) {
  std::vector<SettingNeed> needs;
  const std::string& doc = setting.info().doc;
  const std::size_t begin = doc.rfind(kBegin);
  if (begin == std::string::npos || !doc.ends_with(")")) return needs;
  std::string rest = doc.substr(begin + kBegin.size());
  rest.pop_back();
  while (!rest.empty()) {
    std::string values = cut(rest, " or ");
    SettingNeed need;
    const std::size_t equals = values.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Fault(
          FaultKind::kInternal, "settings",
          "doc of " + group + "." + setting.info().name + ": '" + values + "', expected key=value");
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

std::optional<WithoutEffect> without_effect(const SettingsRegistry& registry,
                                            const std::string& key) {
  const std::vector<SettingsRegistry::Entry> all = registry.all();
  const SettingBase* const setting = find(all, key);
  if (setting == nullptr) return std::nullopt;
  const std::vector<SettingNeed> needs =
      needs_of(*setting, key.substr(0, std::min(key.rfind('.'), key.size())));
  if (needs.empty()) return std::nullopt;
  WithoutEffect result;
  std::string expected;
  for (const SettingNeed& need : needs) {
    const SettingBase* const other = find(all, need.key);
    if (other == nullptr) {
      throw Fault(FaultKind::kInternal, "settings",
                  key + " needs " + need.key + ", expected a key that exists");
    }
    if (need.is_met(other->text())) return std::nullopt;
    expected += (expected.empty() ? "" : " or ") + need.text();
    if (std::ranges::count(result.needs, need.key) != 0) continue;
    result.text += (result.needs.empty() ? "" : " and ") + need.key + "=" + other->text();
    result.needs.push_back(need.key);
  }
  result.text = "'" + key + "' has no effect with " + result.text + ": expected " + expected;
  return result;
}

}  // namespace tvp::foundation
