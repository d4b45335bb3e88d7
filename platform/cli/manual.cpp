#include "platform/cli/manual.h"

#include <CLI/CLI.hpp>
#include <cctype>

#include "foundation/fault.h"
#include "platform/cli/exit_code.h"

namespace tvp::cli {

namespace {

constexpr const char* kProgram = "tensix-vp";

struct Exit {
  int code;
  const char* meaning;
};
constexpr Exit kExits[] = {
    {0, "The run passed."},
    {1, "The result is wrong."},
    {2, "An argument or a system description is invalid."},
    {3, "The firmware caused a fault, or a kernel does not compile."},
    {4, "The firmware hangs."},
    {5, "The run reached --max-time."},
    {70, "The platform has a defect or reached one of its limits."},
    {71, "The host machine failed: a full disk, a read-only kernel cache, a killed compiler."},
    {130, "Ctrl-C, SIGTERM or SIGHUP interrupted the run."},
};

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// `text` with a backslash before each of `special`.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

/// A line of troff: dashes are minus signs, and no line begins with a request.
std::string troff(const std::string& text) {
  const std::string line = escaped(text, "\\-");
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Kind of the value of an option.
std::string kind_of(const std::string& option) {
  static const std::pair<const char*, const char*> kinds[] = {
      {"--system", "SYSTEM"},
      {"--set", "KEY=VALUE"},
      {"--vary", "KEY=VALUES"},
      {"--wave-scope", "PATTERN"},
      {"--wave-from", "TIME"},
      {"--wave-to", "TIME"},
      {"--max-time", "TIME"},
      {"--gdb", "PORT"},
      {"--seed", "N"},
      {"--jobs", "N"},
      {"--deviations", "N"},
      {"--metric", "NAME"},
      {"--only", "TEXT"},
      {"--out", "FOLDER"},
      {"--descriptors", "FOLDER"},
      {"--elf", "CORE=FILE"},
      {"--as", "FORM"},
  };
  for (const auto& [name, kind] : kinds)
    if (option == name) return kind;
  return "FILE";
}

}  // namespace

Manual::Manual(const CLI::App& app, std::vector<std::string> workloads,
               std::vector<std::string> systems)
    : summary_(app.get_description()),
      workloads_(std::move(workloads)),
      systems_(std::move(systems)) {
  for (const CLI::App* sub : app.get_subcommands({})) {
    Command command{sub->get_name(), sub->get_description(), "", "", {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional()) {
        const std::string name = upper(option->get_name());
        command.positional += (command.positional.empty() ? "" : " ") +
                              (option->get_required() ? name : "[" + name + "]") +
                              (option->get_items_expected_max() > 1 ? "…" : "");
        command.positional_help +=
            (command.positional_help.empty() ? "" : "; ") + name + ": " + option->get_description();
        continue;
      }
      if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
      const std::string name = "--" + option->get_lnames()[0];
      command.options.push_back({name, option->get_items_expected_max() == 0 ? "" : kind_of(name),
                                 option->get_description(), option->get_required(),
                                 option->get_items_expected_max() > 1 || name == "--set"});
    }
    commands_.push_back(std::move(command));
  }
}

std::string Manual::text(const std::string& form) const {
  if (form == "man") return man();
  if (form == "bash") return bash();
  if (form == "zsh") return zsh();
  if (form == "markdown") return markdown();
  throw foundation::Fault(foundation::FaultKind::kDescription, "--as " + form,
                          "expected man, bash, zsh or markdown");
}

std::string Manual::usage(const Command& command) const {
  std::string text = std::string(kProgram) + " " + command.name;
  for (const Option& option : command.options)
    if (option.is_required) text += " " + option.name + " " + option.value;
  if (!command.options.empty()) text += " [OPTION]…";
  return command.positional.empty() ? text : text + " " + command.positional;
}

std::vector<std::string> Manual::names() const {
  std::vector<std::string> all;
  for (const Command& command : commands_) all.push_back(command.name);
  return all;
}

std::string Manual::words_of(const Command& command) const {
  if (command.positional == "WORKLOAD") return joined(workloads_);
  if (command.name == "help") return joined(names());
  return command.name == "list" ? joined(systems_) + " " + joined(workloads_) : "";
}

std::string Manual::man() const {
  std::string page = ".TH TENSIX-VP 1\n.SH NAME\n" + troff(kProgram) + " \\- " +
                     troff(summary_.substr(summary_.find(": ") + 2)) + "\n.SH SYNOPSIS\n.B " +
                     troff(kProgram) + "\n.I COMMAND\n[\\fIOPTION\\fR]…\n";
  page += ".SH COMMANDS\n";
  for (const Command& command : commands_) {
    page += ".SS " + troff(usage(command)) + "\n" + troff(command.summary) + "\n";
    if (!command.positional_help.empty()) page += ".PP\n" + troff(command.positional_help) + "\n";
    for (const Option& option : command.options) {
      page += ".TP\n\\fB" + troff(option.name) + "\\fR " + troff(option.value) + "\n" +
              troff(option.help) + "\n";
    }
  }
  page += ".SH EXIT STATUS\n";
  for (const Exit& exit : kExits)
    page += ".TP\n.B " + std::to_string(exit.code) + "\n" + troff(exit.meaning) + "\n";
  page +=
      ".SH FILES\n.TP\n.I share/tensix\\-vp\nThis folder of the installation prefix holds chips, "
      "systems, firmware and wave files.\n.SH ENVIRONMENT\n.TP\n.B TENSIX_VP_CACHE\nFolder of "
      "compiled kernels.\n";
  return page;
}

std::string Manual::bash() const {
  std::string text = "# bash completion of tensix-vp, made by 'tensix-vp help --as bash'.\n";
  text +=
      "_tensix_vp() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n";
  text += "  local command=${COMP_WORDS[1]} options='' words=''\n  COMPREPLY=()\n";
  text += "  case $before in\n    --system) COMPREPLY=($(compgen -W '" + joined(systems_) +
          "' -f -- \"$word\")); return ;;\n";
  text += "    --out | --descriptors) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n  esac\n";
  text += "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '" + joined(names()) +
          " --help --version' -- \"$word\"))\n    return\n  fi\n  case $command in\n";
  for (const Command& command : commands_) {
    std::vector<std::string> options{"--help"};
    for (const Option& option : command.options) options.push_back(option.name);
    text += "    " + command.name + ") options='" + joined(options) + "'";
    if (const std::string offered = words_of(command); !offered.empty())
      text += " words='" + offered + "'";
    text += " ;;\n";
  }
  text +=
      "  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n";
  text += "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n";
  text += "       [ -n \"$words\" ] || COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\n";
  text += "complete -o filenames -F _tensix_vp tensix-vp\n";
  return text;
}

std::string Manual::zsh() const {
  const auto quoted = [](const std::string& help) {
    std::string text;
    for (const char c : escaped(help, "\\[]:")) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text;
  };
  std::string text = "#compdef tensix-vp\n# zsh completion, made by 'tensix-vp help --as zsh'.\n";
  text += "_tensix_vp() {\n  local -a commands\n  commands=(\n";
  for (const Command& command : commands_)
    text += "    '" + quoted(command.name) + ":" + quoted(command.summary) + "'\n";
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n";
  text += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command& command : commands_) {
    text += "    " + command.name + ")\n      _arguments -s";
    for (const Option& option : command.options) {
      text += " \\\n        '" + std::string(option.may_repeat ? "*" : "") + option.name + "[" +
              quoted(option.help) + "]";
      if (option.name == "--system") {
        text += ":system:(" + joined(systems_) + ")";
      } else if (option.value == "FOLDER") {
        text += ":folder:_files -/";
      } else if (option.value == "FILE") {
        text += ":file:_files";
      } else if (!option.value.empty()) {
        text += ":" + quoted(option.value) + ": ";
      }
      text += "'";
    }
    const std::string offered = words_of(command);
    text += " \\\n        '" + (offered.empty() ? "*:word:_files" : "1:word:(" + offered + ")") +
            "' ;;\n";
  }
  return text + "  esac\n}\n_tensix_vp \"$@\"\n";
}

std::string Manual::markdown() const {
  std::string text = "# Command line\n\n" + summary_ + ".\n";
  for (const Command& command : commands_) {
    text += "\n## " + command.name + "\n\n```\n" + usage(command) + "\n```\n\n" + command.summary +
            "\n";
    if (!command.positional_help.empty()) text += "\n`" + command.positional_help + "`\n";
    if (command.options.empty()) continue;
    text += "\n| option | meaning |\n|---|---|\n";
    for (const Option& option : command.options) {
      text += "| `" + option.name + (option.value.empty() ? "" : " " + option.value) + "` | " +
              escaped(option.help, "|*<") + " |\n";
    }
  }
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const Exit& exit : kExits)
    text += "| " + std::to_string(exit.code) + " | " + std::string(exit.meaning) + " |\n";
  return text;
}

}  // namespace tvp::cli
