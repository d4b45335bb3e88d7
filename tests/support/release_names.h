#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::test {

/// Names of tt-metal that the programming examples of its releases use (sw/metalium/releases.txt).
class ReleaseNames {
 public:
  struct Release {
    std::string name, date, commit;
    unsigned examples = 0;  ///< host programs
  };
  struct Name {
    std::string kind;     ///< header, name, member, enumerator or macro, after the side
    std::string side;     ///< host, data_movement or compute
    std::string text;     ///< qualified
    std::string used_in;  ///< for each release 'x' or '-'
  };

  /// Throws std::runtime_error with file and line of a line that is none of these.
  explicit ReleaseNames(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(file + " cannot be read");
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.empty() || line.front() == '#') continue;
      std::istringstream words(line);
      Name name;
      words >> name.side >> name.kind >> name.text >> name.used_in;
      if (name.side == "release") {
        releases_.push_back({name.kind, name.text, name.used_in, 0});
        words >> releases_.back().examples;
      } else if (name.used_in.size() == releases_.size()) {
        names_.push_back(name);
      }
      if (words.fail() || (name.side != "release" && name.used_in.size() != releases_.size()))
        throw std::runtime_error(file + ":" + std::to_string(number) +
                                 ": expected SIDE KIND NAME and a mark for each release, or "
                                 "release NAME DATE COMMIT EXAMPLES");
    }
  }

  const std::vector<Release>& releases() const { return releases_; }
  const std::vector<Name>& names() const { return names_; }
  void add(Name name) { names_.push_back(std::move(name)); }

  /// Number of names of a side that a release uses: its headers, or all its other names.
  std::size_t count(std::size_t release, bool host, bool headers) const {
    std::size_t names = 0;
    for (const Name& name : names_)
      names += name.used_in[release] == 'x' && (name.side == "host") == host &&
               (name.kind == "header") == headers;
    return names;
  }

  /// A source that compiles if all names of the side exist. Each name has kLinesOfName lines; those
  /// of other sides are empty.
  std::string source(std::string_view side) const {
    std::string text;
    for (std::size_t i = 0; i < names_.size(); ++i)
      text += names_[i].side == side ? lines_of(names_[i], std::to_string(i)) : "\n\n\n";
    return text;
  }
  static constexpr std::size_t kLinesOfName = 3;

  /// "NAME (RELEASES)".
  std::string described(std::size_t index) const {
    const Name& name = names_[index];
    std::string text = name.text + " (";
    for (std::size_t i = 0; i < releases_.size(); ++i)
      if (name.used_in[i] == 'x') text += (text.back() == '(' ? "" : ", ") + releases_[i].name;
    return text + ")";
  }

 private:
  static std::string lines_of(const Name& name, const std::string& number) {
    if (name.kind == "macro") return "#ifndef " + name.text + "\n#error no such macro\n#endif\n";
    const std::string check = "check_" + number;
    if (name.kind == "header") return "#include \"" + name.text + "\"\n\n\n";
    if (name.kind == "member")
      return "struct " + check + " : " + name.text.substr(0, name.text.rfind("::")) + " { using " +
             name.text + "; };\n\n\n";
    if (name.kind == "enumerator")
      return "[[maybe_unused]] constexpr auto " + check + " = " + name.text + ";\n\n\n";
    const bool global = name.text.find("::") == std::string::npos;
    return "namespace " + check + " { using " + (global ? "::" : "") + name.text + "; }\n\n\n";
  }

  std::vector<Release> releases_;
  std::vector<Name> names_;
};

}  // namespace tvp::test
