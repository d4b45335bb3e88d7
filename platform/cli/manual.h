#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace tvp::cli {

/// Man page, completion for two shells, and reference page, generated from the same declarations as
/// `--help`.
class Manual {
 public:
  /// Completion offers `workloads` and `systems` where a command expects one.
  Manual(const CLI::App& app, std::vector<std::string> workloads, std::vector<std::string> systems);

  /// `form`: man, bash, zsh or markdown. Throws foundation::Fault(kDescription) for other values.
  std::string text(const std::string& form) const;

 private:
  struct Option {
    std::string name;   ///< with its dashes
    std::string value;  ///< kind of value in capitals; "" for a flag
    std::string help;
    bool is_required;
    bool may_repeat;
  };
  struct Command {
    std::string name;
    std::string summary;
    std::string positional;  ///< in capitals; "" if there is none
    std::string positional_help;
    std::vector<Option> options;
  };

  std::string usage(const Command& command) const;
  std::vector<std::string> names() const;
  /// The words that completion offers for the positional argument; "" for files.
  std::string words_of(const Command& command) const;
  std::string man() const;
  std::string bash() const;
  std::string zsh() const;
  std::string markdown() const;

  std::string summary_;
  std::vector<Command> commands_;
  std::vector<std::string> workloads_;
  std::vector<std::string> systems_;
};

}  // namespace tvp::cli
