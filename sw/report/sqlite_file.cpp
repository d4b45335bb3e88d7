#include "sw/report/sqlite_file.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <set>

#include "foundation/host_error.h"
#include "foundation/output_file.h"

namespace tvp::report {

namespace {

using Type = SweepTable::Type;

/// Quotes a name for SQL.
std::string sql_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// A name that differs from the others in more than the case of letters, as SQL requires.
std::string column_name(std::string name, std::set<std::string>& used) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    return text;
  };
  while (!used.insert(lower(name)).second) name += "_";
  return name;
}

class Database {
 public:
  explicit Database(const std::string& path) : path_(path) {
    check(sqlite3_open(path.c_str(), &handle_));
    execute("PRAGMA journal_mode=OFF; BEGIN");  // the file becomes visible when it is complete
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql) {
    check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
  }
  void add(const SweepTable& table);

 private:
  void check(int result) const {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    const int error = sqlite3_system_errno(handle_);
    throw foundation::HostError(
        path_, "cannot be written: " +
                   (error != 0 ? foundation::reason_of(error) : sqlite3_errmsg(handle_)));
  }
  void bind(sqlite3_stmt* statement, int place, const SweepTable::Cell& cell) const {
    if (const auto* value = std::get_if<double>(&cell)) {
      check(sqlite3_bind_double(statement, place, *value));
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
      // The affinity of its column makes it a number where it is one.
      check(sqlite3_bind_text(statement, place, text->data(), static_cast<int>(text->size()),
                              SQLITE_TRANSIENT));
    } else {
      check(sqlite3_bind_null(statement, place));
    }
  }

  std::string path_;
  sqlite3* handle_ = nullptr;
};

void Database::add(const SweepTable& table) {
  std::string declared;
  std::string places;
  std::set<std::string> used;
  for (const SweepTable::Column& column : table.columns()) {
    const Type type = column.type();
    declared += (declared.empty() ? "" : ", ") + sql_name(column_name(column.name, used)) +
                (type == Type::kInteger ? " INTEGER"
                 : type == Type::kReal  ? " REAL"
                                        : " TEXT");
    places += places.empty() ? "?" : ", ?";
  }
  execute("CREATE TABLE " + sql_name(table.name()) + " (" + declared + ")");
  sqlite3_stmt* prepared = nullptr;
  const std::string insert = "INSERT INTO " + sql_name(table.name()) + " VALUES (" + places + ")";
  check(sqlite3_prepare_v2(handle_, insert.c_str(), -1, &prepared, nullptr));
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared,
                                                                             sqlite3_finalize);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < table.columns().size(); ++c)
      bind(prepared, static_cast<int>(c) + 1, table.columns()[c].cells[row]);
    check(sqlite3_step(prepared));
    check(sqlite3_reset(prepared));
  }
}

}  // namespace

void write_sqlite(const std::string& path, const std::vector<SweepTable>& tables) {
  foundation::OutputFile place = foundation::OutputFile::create_beside(path);
  const std::string scratch = place.path();
  place.close();
  try {
    SweepTable units("units");
    units.add_column("name", "");
    units.add_column("unit", "");
    std::set<std::string> named;
    Database database(scratch);
    for (const SweepTable& table : tables) {
      database.add(table);
      for (const SweepTable::Column& column : table.columns())
        if (!column.unit.empty() && named.insert(column.name).second)
          units.add_row({column.name, column.unit});
    }
    database.add(units);
    database.execute("COMMIT");
    if (std::rename(scratch.c_str(), path.c_str()) != 0)
      foundation::throw_errno(path, "cannot be written", errno);
  } catch (...) {
    unlink(scratch.c_str());
    throw;
  }
}

}  // namespace tvp::report
