#pragma once

#include <cstdint>
#include <string_view>

#include "foundation/settings.h"

namespace tvp::workloads {

/// The keys of a workload, initializers of its members: `Number size = number("size", …);`. A key's
/// source is the workload unless it names another one.
class WorkloadSettings : public foundation::SettingGroup {
 protected:
  using Number = foundation::Setting<std::uint32_t>;
  using Flag = foundation::Setting<bool>;
  using Choice = foundation::Choice;

  explicit WorkloadSettings(std::string_view name) : SettingGroup(name, SetBy::kRun) {}

  Number number(std::string_view name, std::string_view unit, std::string_view doc,
                const Number::Range& range, std::string_view source = kSource) {
    return {*this, {name, unit, doc, source}, range};
  }
  Flag flag(std::string_view name, std::string_view doc, bool value,
            std::string_view source = kSource) {
    return {*this, {name, "", doc, source}, value};
  }
  Choice choice(std::string_view name, std::string_view doc, const Choice::Names& names,
                std::string_view source = kSource) {
    return {*this, {name, "", doc, source}, names};
  }

 private:
  static constexpr std::string_view kSource = "workload";
};

}  // namespace tvp::workloads
