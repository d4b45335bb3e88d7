#include "platform/cli/calibration_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "foundation/fault.h"
#include "foundation/source_root.h"
#include "foundation/toml_source.h"
#include "platform/cli/options.h"

namespace tvp::cli {

namespace {

using foundation::Fault;
using foundation::FaultKind;

constexpr std::int64_t kTableSchema = 2;

/// A table of a file that knows its place for error messages.
class TableReader {
 public:
  TableReader(const std::string& file, const toml::table& table, std::string what)
      : file_(file), table_(table), what_(std::move(what)) {}

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    throw Fault(FaultKind::kDescription,
                file_ + ":" + std::to_string(std::max(1U, node.source().begin.line)), message);
  }

  void allow_only(std::initializer_list<const char*> keys) const {
    for (const auto& [key, node] : table_) {
      const auto same = [&, &key = key](const char* known) { return key.str() == known; };
      if (std::any_of(keys.begin(), keys.end(), same)) continue;
      std::string known;
      for (const char* k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
      fail(node, "unknown key '" + std::string(key.str()) + "' of " + what_ + ": expected one of " +
                     known);
    }
  }

  const toml::node* find(const char* key) const { return table_.get(key); }

  const toml::node& need(const char* key, const std::string& expected) const {
    if (const toml::node* node = find(key)) return *node;
    fail(table_, "missing " + std::string(key) + " of " + what_ + ": expected " + expected);
  }

  std::string text(const char* key) const {
    const toml::node& node = need(key, "a text");
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty()) fail(node, std::string(key) + ": expected a text");
    return *value;
  }

  /// Above 0 and at most `most`.
  double number(const char* key, double most) const {
    const std::string expected =
        most < HUGE_VAL ? "a number above 0, at most " + std::to_string(static_cast<int>(most))
                        : "a number above 0";
    const toml::node& node = need(key, expected);
    const double value = positive(node, std::string(key) + ": expected " + expected);
    if (value > most) fail(node, std::string(key) + ": expected " + expected);
    return value;
  }

  /// Positive numbers: one, or the smallest and largest of a list.
  Span span(const char* key) const {
    const std::string expected = "a number above 0, or a list of at least two";
    const toml::node& node = need(key, expected);
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      const double only = positive(node, std::string(key) + ": expected " + expected);
      return {.least = only, .most = only};
    }
    std::vector<double> numbers;
    for (const toml::node& entry : *list)
      numbers.push_back(positive(entry, std::string(key) + ": expected " + expected));
    if (numbers.size() < 2) fail(node, std::string(key) + ": expected " + expected);
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    return {.least = *least, .most = *most};
  }

  /// Tables of an array; at least one.
  std::vector<TableReader> tables(const char* key, const std::string& what) const {
    const std::string expected = "a list of tables with at least one";
    const toml::node& node = need(key, expected);
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty() || !array->is_array_of_tables()) {
      fail(node, std::string(key) + ": expected " + expected);
    }
    std::vector<TableReader> readers;
    for (const toml::node& entry : *array) readers.emplace_back(file_, *entry.as_table(), what);
    return readers;
  }

  TableReader table(const char* key, const std::string& what) const {
    const toml::node& node = need(key, "a table");
    if (!node.is_table()) fail(node, std::string(key) + ": expected a table");
    return {file_, *node.as_table(), what};
  }

  /// The text for the name under `key` in the file's table `names`.
  std::string named(const char* key, const TableReader& names) const {
    const std::string name = text(key);
    if (names.find(name.c_str()) != nullptr) return names.text(name.c_str());
    std::string known;
    for (const auto& [other, node] : names.table_) {
      known += (known.empty() ? "" : ", ") + std::string(other.str());
    }
    fail(*find(key), std::string(key) + " '" + name + "': expected a name in " + names.what_ +
                         (known.empty() ? "" : ", one of " + known));
  }

 private:
  double positive(const toml::node& node, const std::string& expected) const {
    const auto value = node.value<double>();
    if (!value || !std::isfinite(*value) || *value <= 0) fail(node, expected);
    return *value;
  }

  const std::string& file_;
  const toml::table& table_;
  std::string what_;
};

/// One file.
class FileReader {
 public:
  FileReader(const std::string& file, const toml::table& table, const WorkloadRegistry& workloads,
             std::vector<CalibrationRow>& rows)
      : file_(file),
        workloads_(workloads),
        rows_(rows),
        root_(file, table, "a table of measurements") {}

  void read() {
    root_.allow_only({"schema", "family", "rule", "tolerance", "spread", "system", "draws",
                      "sources", "mechanisms", "reasons", "run"});
    const toml::node& schema = root_.need("schema", std::to_string(kTableSchema));
    if (schema.value_exact<std::int64_t>() != kTableSchema) {
      root_.fail(schema, "schema: expected " + std::to_string(kTableSchema));
    }
    read_draws();
    for (const TableReader& run : root_.tables("run", "a run")) read_run(run);
  }

 private:
  /// Samples of what the source leaves open. They are the same for all rows of a family.
  void read_draws() {
    if (root_.find("draws") == nullptr) return;
    const TableReader draws = root_.table("draws", "draws");
    draws.allow_only({"seed", "system"});
    const std::string expected = "expected seed or system, a list of at least two";
    if ((draws.find("seed") == nullptr) == (draws.find("system") == nullptr))
      root_.fail(*root_.find("draws"), "draws: " + expected);
    const bool is_seed = draws.find("seed") != nullptr;
    const toml::node& node = *draws.find(is_seed ? "seed" : "system");
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() < 2) draws.fail(node, "draws: " + expected);
    if (!is_seed && root_.find("system") != nullptr) {
      root_.fail(*root_.find("system"), "system: expected no system beside those of 'draws'");
    }
    draws_.clear();
    for (const toml::node& entry : *list) {
      if (is_seed) {
        const auto seed = entry.value_exact<std::int64_t>();
        if (!seed || *seed < 0) draws.fail(entry, "draws.seed: expected integers from 0 on");
        draws_.push_back({"--seed", std::to_string(*seed)});
      } else {
        const auto system = entry.value_exact<std::string>();
        if (!system || system->empty())
          draws.fail(entry, "draws.system: expected names of systems, or files beside this one");
        draws_.push_back({"--system", place_of(*system)});
      }
    }
  }

  /// A file is relative to the table; a system's name stays unchanged.
  std::string place_of(const std::string& system) const {
    if (!system.ends_with(".toml")) return system;
    return (std::filesystem::path(file_).parent_path() / system).string();
  }

  void read_run(const TableReader& run) {
    run.allow_only({"workload", "system", "settings", "unit", "source", "mechanism", "rows"});
    const std::vector<std::string> arguments = arguments_of(run);
    for (const TableReader& row : run.tables("rows", "a row")) read_row(run, row, arguments);
  }

  std::vector<std::string> arguments_of(const TableReader& run) const {
    std::vector<std::string> arguments{run.text("workload")};
    try {
      workloads_.find(arguments.front());
    } catch (const Fault& fault) {
      run.fail(*run.find("workload"), fault.what());
    }
    for (const TableReader* says : {&run, &root_}) {
      if (says->find("system") == nullptr) continue;
      arguments.insert(arguments.end(), {"--system", says->text("system")});
      break;
    }
    if (const toml::node* settings = run.find("settings"))
      arguments.insert(arguments.end(), {"--set", settings_of(run, *settings, arguments.front())});
    return arguments;
  }

  /// True for keys of the workload, of the start of its cores, and of generated traffic. Other keys
  /// describe the model itself.
  static bool describes_load(const std::string& key, const std::string& load) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) return true;
    const std::string group = key.substr(0, dot);
    return group == load || group == "launch" || group == "traffic" || group == "dram_traffic";
  }

  static std::string settings_of(const TableReader& run, const toml::node& settings,
                                 const std::string& load) {
    const std::string expected = "settings: expected a list of texts key=value";
    const toml::array* array = settings.as_array();
    if (array == nullptr || array->empty()) run.fail(settings, expected);
    std::string all;
    for (const toml::node& setting : *array) {
      const auto text = setting.value_exact<std::string>();
      if (!text) run.fail(setting, expected);
      std::string other;
      try {
        for (const auto& [key, value] : parse_set(*text)) {
          if (!describes_load(key, load)) other = key;
        }
      } catch (const Fault&) {
        run.fail(setting, expected);
      }
      if (!other.empty())
        run.fail(setting, "settings: '" + other +
                              "' is a key of the model, and all rows are taken " +
                              "at its defaults: expected keys of '" + load + "'");
      all += (all.empty() ? "" : ",") + *text;
    }
    return all;
  }

  void read_row(const TableReader& run, const TableReader& row,
                const std::vector<std::string>& arguments) {
    row.allow_only({"name", "metric", "published", "unit", "source", "mechanism", "off"});
    // Missing values of the row come from the run.
    const auto of = [&](const char* key) -> const TableReader& {
      return row.find(key) != nullptr ? row : run;
    };
    CalibrationRow read{.name = row.text("name"),
                        .family = root_.text("family"),
                        .rule = root_.text("rule"),
                        .spread = root_.text("spread"),
                        .tolerance = root_.number("tolerance", 1),
                        .run = arguments,
                        .draws = draws_,
                        .metric = row.text("metric"),
                        .published = row.span("published"),
                        .unit = of("unit").text("unit"),
                        .source = of("source").named("source", names("sources")),
                        .mechanism = of("mechanism").named("mechanism", names("mechanisms"))};
    if (row.find("off") != nullptr) {
      const TableReader off = row.table("off", "a known deviation");
      off.allow_only({"measured", "reason"});
      read.deviation = {.measured = off.number("measured", HUGE_VAL),
                        .reason = off.named("reason", names("reasons"))};
    }
    const auto same = [&](const CalibrationRow& other) { return other.name == read.name; };
    if (std::any_of(rows_.begin(), rows_.end(), same)) {
      row.fail(*row.find("name"),
               "row '" + read.name + "' is there already: expected another name");
    }
    rows_.push_back(std::move(read));
  }

  TableReader names(const char* key) const {
    return root_.table(key, "[" + std::string(key) + "]");
  }

  const std::string& file_;
  const WorkloadRegistry& workloads_;
  std::vector<CalibrationRow>& rows_;
  TableReader root_;
  std::vector<std::vector<std::string>> draws_{{}};
};

std::string shipped_folder() {
  if (const char* folder = std::getenv("TENSIX_VP_VALIDATION")) return folder;
  return foundation::source_root() + "/platform/validation";
}

}  // namespace

std::string CalibrationRow::text_of(const std::vector<std::string>& run) {
  std::string text;
  for (const std::string& word : run) text += (text.empty() ? "" : " ") + word;
  return text;
}

void CalibrationTable::add_file(const std::string& file) {
  const foundation::TomlSource source(file);
  FileReader(file, source.root(), workloads_, rows_).read();
}

void CalibrationTable::add_shipped() {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_folder(), error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw Fault(FaultKind::kDescription, shipped_folder(),
                "no table of measurements: expected *.toml");
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) add_file(file);
}

}  // namespace tvp::cli
