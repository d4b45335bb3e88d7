#include "platform/cli/commands/list_command.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "platform/cli/catalogue.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/limits.h"
#include "platform/cli/options.h"
#include "platform/cli/run/settings_check.h"
#include "platform/system/descriptor_files.h"
#include "platform/system/system_description.h"
#include "platform/system/system_drawing.h"
#include "platform/system/system_folder.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;
using platform::SystemDescription;

void ListCommand::add_options(CommandOptions& options) {
  options.word("what", what_,
               "system to show, by name or file, or text to find in names and descriptions");
  options.option("--descriptors", descriptors_,
                 "write cluster and SoC descriptors of the system for tt-umd to this folder");
  options.flag("--json", json_, "print JSON");
  options.flag("--limits", limits_, "list the limits of each model instead");
}

int ListCommand::execute() {
  check_named("--descriptors", descriptors_);
  check_together();
  if (limits_) return list_limits();
  if (names_a_system()) return list_system();
  if (descriptors_) {
    throw Fault(
        FaultKind::kDescription, "list --descriptors",
        (what_ ? "'" + *what_ + "' is no system: " : "") + "expected the name or file of a system");
  }
  return list_catalogue();
}

/// Refuses combinations of options of which one has no effect.
void ListCommand::check_together() const {
  const auto refuse = [](const char* option, const char* other) {
    throw Fault(FaultKind::kDescription, std::string("list ") + option,
                std::string("goes without ") + other + ": expected one of both");
  };
  if (limits_ && what_) refuse("--limits", "a word to look for");
  if (limits_ && json_) refuse("--limits", "--json");
  if (limits_ && descriptors_) refuse("--limits", "--descriptors");
  if (json_ && descriptors_) refuse("--json", "--descriptors");
}

bool ListCommand::names_a_system() const {
  if (!what_) return false;
  if (what_->find('/') != std::string::npos || what_->ends_with(".toml")) return true;
  const auto names = SystemDescription::list(platform::system_folder());
  return std::find(names.begin(), names.end(), *what_) != names.end();
}

int ListCommand::list_system() const {
  const auto system = SystemDescription::load(*what_, platform::system_folder());
  check_line("list", what_);
  check_settings("system=" + *what_ + "\n");  // settings of the description itself
  if (descriptors_) {
    for (const std::string& file : platform::write_descriptors(system, *descriptors_)) {
      print(file + "\n");
    }
    return 0;
  }
  const std::string text =
      json_ ? foundation::json_text(nlohmann::ordered_json::parse(system.to_json()), 2) + "\n"
            : platform::SystemDrawing(system).text();
  print(text);
  return 0;
}

int ListCommand::list_catalogue() const {
  const WorkloadRegistry workloads;
  const Catalogue catalogue(workloads, what_.value_or(""));
  if (catalogue.empty()) {
    throw Fault(
        FaultKind::kDescription, "list",
        "'" + *what_ + "' is no system, and in no name or text of workloads, systems and keys");
  }
  const std::string text =
      json_ ? foundation::json_text(catalogue.json(), 2) + "\n" : catalogue.text();
  print(text);
  return 0;
}

}  // namespace tvp::cli
