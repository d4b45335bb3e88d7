#include "tests/mutation/plan.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "foundation/toml_source.h"
#include "tests/mutation/toml_texts.h"

namespace tvp::mutation {

namespace fs = std::filesystem;

namespace {

Mutation named(const foundation::TomlSource& source, const toml::table& table,
               const fs::path& root) {
  Mutation m{.file = text(source, table, "file"),
             .from = text(source, table, "from"),
             .to = text(source, table, "to"),
             .rule = text(source, table, "name")};
  const std::string code = read_text(root / m.file);
  m.offset = code.find(m.from);
  if (m.offset == std::string::npos || code.find(m.from, m.offset + 1) != std::string::npos)
    source.fail(table, "from: expected a text that is once in " + m.file);
  m.line = 1 + static_cast<std::size_t>(std::count(
                   code.begin(), code.begin() + static_cast<std::ptrdiff_t>(m.offset), '\n'));
  m.column = m.offset - (code.rfind('\n', m.offset) + 1) + 1;
  return m;
}

}  // namespace

const char* name_of(Survivor::Kind kind) {
  return kind == Survivor::Kind::kEquivalent ? "equivalent" : "free";
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error(file.string() + " cannot be read");
  return text.str();
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(file.string() + " cannot be written");
}

Plan::Plan(const fs::path& file, const fs::path& root) {
  const foundation::TomlSource source(file.string());
  each_table(source.root(), "group", [&](const toml::table& table) {
    Group group{.name = text(source, table, "name"),
                .files = texts(source, table, "files"),
                .without = {},
                .targets = texts(source, table, "targets"),
                .tests = text(source, table, "tests"),
                .draws = static_cast<unsigned>(table["draws"].value_or(0)),
                .named = {}};
    if (table.contains("without")) group.without = texts(source, table, "without");
    each_table(table, "mutant", [&](const toml::table& mutant) {
      group.named.push_back(named(source, mutant, root));
    });
    groups.push_back(std::move(group));
  });
  each_table(source.root(), "survivor", [&](const toml::table& table) {
    survivors.push_back({.file = text(source, table, "file"),
                         .from = text(source, table, "from"),
                         .to = text(source, table, "to"),
                         .line = text(source, table, "line"),
                         .kind = survivor_kind(source, table),
                         .reason = text(source, table, "reason")});
  });
}

std::vector<std::string> sources_of(const Group& group, const fs::path& root) {
  std::vector<std::string> all;
  for (const std::string& name : group.files) {
    if (!fs::is_directory(root / name)) {
      all.push_back(name);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / name)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".h")
        all.push_back(entry.path().lexically_relative(root).string());
    }
  }
  std::erase_if(all, [&](const std::string& file) {
    return std::any_of(group.without.begin(), group.without.end(), [&](const std::string& folder) {
      return file == folder || file.starts_with(folder + "/");
    });
  });
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Mutation> all_of(const Group& group, const fs::path& root) {
  std::vector<Mutation> all = group.named;
  for (const std::string& file : sources_of(group, root)) {
    const auto some = mutations_of(file, read_text(root / file));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<Mutation> draw(const Group& group, const fs::path& root, std::uint64_t seed) {
  std::vector<Mutation> all = all_of(group, root);
  std::mt19937_64 random(seed);
  std::shuffle(all.begin() + static_cast<std::ptrdiff_t>(group.named.size()), all.end(), random);
  all.resize(std::min(all.size(), group.named.size() + group.draws));
  return all;
}

}  // namespace tvp::mutation
