#include "platform/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "platform/cli/all_commands.h"
#include "platform/cli/command_options.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/interrupt.h"
#include "platform/cli/version.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr const char* kTest =
    "test [ctest arguments]: builds and runs all tests (a command of the launcher ./vp)\n";

}  // namespace

struct CommandLine::Parser {
  CLI::App app{"tensix-vp: a timed virtual platform of Tenstorrent Wormhole and PIM systems", "vp"};
  CLI::App* help = nullptr;
  std::map<const Command*, CLI::App*> commands;
};

CommandLine::CommandLine() : commands_(all_commands()), parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.require_subcommand(1);
  app.set_version_flag("--version", kVersion);
  app.footer("Besides, " + std::string(kTest) + "'vp help COMMAND' shows what a command takes.");
  for (const auto& command : commands_) {
    CLI::App* added = app.add_subcommand(command->name(), command->summary());
    CommandOptions options(*added);
    command->add_options(options);
    parser_->commands[command.get()] = added;
  }
  parser_->help = app.add_subcommand("help", "this, or what a command takes");
  parser_->help->add_option("command", help_topic_, "one of the commands");
}

CommandLine::~CommandLine() = default;

int CommandLine::execute(int argc, const char* const* argv) {
  CLI::App& app = parser_->app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "vp: %s ('vp --help' shows the usage)\n", error.what());
    return kUsage;
  }
  try {
    return dispatch();
  } catch (const Interrupted&) {
    std::fprintf(stderr, "vp: interrupted\n");
    return kInterrupted;
  } catch (const Fault& fault) {
    std::fprintf(stderr, "vp: %s\n", fault.what());
    return kUsage;
  } catch (const foundation::HostError& error) {
    std::fprintf(stderr, "vp: %s\n", error.what());
    return kHost;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vp: defect of the platform: %s\n", error.what());
    return kDefect;
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
  if (help_topic_.empty()) {
    // Not App::help(), which shows that of the command that was given.
    std::fputs(app.get_formatter()->make_help(&app, "vp", CLI::AppFormatMode::Normal).c_str(),
               stdout);
    return 0;
  }
  if (help_topic_ == "test") {
    std::fputs(kTest, stdout);
    return 0;
  }
  std::string known;
  for (const auto& command : commands_) {
    if (command->name() == help_topic_) {
      std::fputs(parser_->commands.at(command.get())->help("vp").c_str(), stdout);
      return 0;
    }
    known += command->name() + ", ";
  }
  throw Fault(FaultKind::kDescription, "help",
              "unknown command '" + help_topic_ + "': expected one of " + known +
                  "test; vp list NAME tells of workloads, systems and keys");
}

}  // namespace tvp::cli
