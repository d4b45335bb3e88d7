#include "platform/cli/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "foundation/fault.h"
#include "foundation/nearest_name.h"
#include "foundation/utf8.h"
#include "platform/cli/commands/all_commands.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/manual.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/ending.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/version.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Commands that the launcher `./vp` executes itself.
struct LauncherCommand {
  const char* name;
  const char* help;
};
constexpr LauncherCommand kLauncherCommands[] = {
    {"test", "test [CTEST ARGUMENTS]: build and run all tests\n"},
    {"lint",
     "lint [format|layers|shell|rtl|prose|tidy]…: check the source tree\n"
     "lint prose [--count] [PATH…]: check the prose below the paths\n"},
    {"coverage",
     "coverage [--at-least PERCENT] [FILE…]: measure line and toggle coverage of the RTL by its\n"
     "  unit tests, or add up coverage files of Verilator\n"},
    {"docs", "docs [--check]: build the documentation site in build/release/docs\n"},
    {"mutate",
     "mutate [--group PATTERN] [--draws N] [--seed N] [--at PATTERN] [--jobs N] [--list]\n"
     "  [--out FILE]: change the source tree in small ways and list changes that no test finds\n"
     "mutate --firmware [--program PATTERN] [--draws N] [--seed N] [--at PATTERN] [--jobs N]\n"
     "  [--list] [--out FILE]: change calls in kernels and judge the reports about them\n"},
};

}  // namespace

struct CommandLine::Parser {
  CLI::App app{"tensix-vp: a timed virtual platform of Tenstorrent Wormhole and PIM systems",
               foundation::program_name()};
  CLI::App* help = nullptr;
  std::map<const Command*, CLI::App*> commands;
};

CommandLine::CommandLine() : commands_(all_commands()), parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.require_subcommand(1);
  app.set_version_flag("--version", kVersion);
  for (const auto& command : commands_) {
    CLI::App* added = app.add_subcommand(command->name(), command->summary());
    CommandOptions options(*added);
    command->add_options(options);
    parser_->commands[command.get()] = added;
  }
  // The footer is set after the commands, which would inherit it otherwise.
  std::string footer;
  if (!foundation::is_installed()) {
    footer = "Commands of the launcher ./vp:\n";
    for (const LauncherCommand& launcher : kLauncherCommands) footer += launcher.help;
    footer += "\n";
  }
  app.footer(footer + "'" + name_ + " help COMMAND' shows the options of a command.");
  parser_->help = app.add_subcommand("help", "show all commands, or the options of one");
  parser_->help->add_option("command", help_topic_, "name of a command");
  parser_->help->add_option("--as", help_form_,
                            "print the whole manual in this form: man, bash, zsh or markdown");
}

CommandLine::~CommandLine() = default;

int CommandLine::execute(int argc, const char* const* argv) {
  CLI::App& app = parser_->app;
  take_interrupts(argc > 1 ? argv[1] : "");
  try {
    check_text(argc, argv);
    check_command(argc > 1 ? argv[1] : "");
    app.parse(argc, argv);
  } catch (const Fault& fault) {
    complain(fault.what());
    return kUsage;
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const std::string command = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
    const std::string option = unexpected();
    complain((command.empty() ? "" : command + ": ") + (option.empty() ? error.what() : option) +
             " ('" + name_ + (command.empty() ? " --help" : " help " + command) +
             "' shows the usage)");
    return kUsage;
  }
  try {
    return dispatch();
  } catch (const Interrupted&) {
    complain("interrupted");
    return kInterrupted;
  } catch (const std::exception&) {
    const Ending ending = Ending::of_current();
    const bool is_defect = ending.status == report::Status::kDefect;
    complain((is_defect ? "defect of the platform: " : "") + ending.reason);
    return static_cast<int>(ending.status);
  }
}

int CommandLine::dispatch() {
  if (parser_->help->parsed()) return help();
  for (const auto& command : commands_) {
    if (parser_->commands.at(command.get())->parsed()) return command->execute();
  }
  return kUsage;  // one is required
}

int CommandLine::help() const {
  const CLI::App& app = parser_->app;
  if (!help_form_.empty()) {
    const WorkloadRegistry registry;
    std::vector<std::string> workloads;
    for (const auto& workload : registry.all()) workloads.push_back(workload->name());
    const Manual manual(app, workloads,
                        platform::SystemDescription::list(platform::system_folder()));
    std::fputs(manual.text(help_form_).c_str(), stdout);
    return 0;
  }
  if (help_topic_.empty()) {
    // Not App::help(), which shows that of the command that was given.
    std::fputs(app.get_formatter()->make_help(&app, name_, CLI::AppFormatMode::Normal).c_str(),
               stdout);
    return 0;
  }
  for (const LauncherCommand& launcher : kLauncherCommands) {
    if (help_topic_ != launcher.name) continue;
    std::fputs(launcher.help, stdout);
    return 0;
  }
  for (const auto& command : commands_) {
    if (command->name() != help_topic_) continue;
    std::fputs(parser_->commands.at(command.get())->help(name_).c_str(), stdout);
    return 0;
  }
  unknown(help_topic_);
}

void CommandLine::take_interrupts(const std::string& word) const {
  for (const auto& command : commands_)
    if (command->name() == word && command->reports_interrupts()) catch_interrupts();
  release_interrupts();
}

/// Settings, reports and messages are UTF-8, like this program's variables. Words after -- belong
/// to another program.
void CommandLine::check_text(int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
    foundation::require_utf8("argument " + std::to_string(i), argv[i]);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("TENSIX_VP_"))
      foundation::require_utf8(std::string(text.substr(0, text.find('='))), text);
  }
}

void CommandLine::check_command(const std::string& word) const {
  if (word.empty() || word[0] == '-' || word == "help") return;
  for (const auto& command : commands_)
    if (command->name() == word) return;
  for (const LauncherCommand& launcher : kLauncherCommands)
    if (launcher.name == word)
      throw Fault(FaultKind::kDescription, word,
                  "is a command of the launcher of the source tree: ./vp " + word);
  unknown(word);
}

void CommandLine::unknown(const std::string& word) const {
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->name());
  names.emplace_back("help");
  for (const LauncherCommand& launcher : kLauncherCommands) names.emplace_back(launcher.name);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw Fault(FaultKind::kDescription, "",
              "unknown command '" + word + "': expected one of " + known + "; '" + name_ +
                  " list NAME' shows workloads, systems and keys" +
                  foundation::did_you_mean(word, names));
}

/// CLI11's own message names neither the unknown option nor a similar one.
std::string CommandLine::unexpected() const {
  for (const auto& [command, app] : parser_->commands) {
    if (!app->parsed()) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& word : app->remaining()) {
      const std::string option = word.substr(0, word.find('='));
      if (option.starts_with("--"))
        return "unknown option '" + option + "'" + foundation::did_you_mean(option, names);
    }
  }
  return "";
}

}  // namespace tvp::cli
