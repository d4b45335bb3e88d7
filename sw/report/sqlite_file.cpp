#include "sw/report/sqlite_file.h"

#include <sqlite3.h>

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
  Database() { check(sqlite3_open(":memory:", &handle_)); }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql) {
    check(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr));
  }
  void add(const SweepTable& table);
  /// The content of the database's file.
  std::string bytes() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> content(
        sqlite3_serialize(handle_, "main", &size, 0), sqlite3_free);
    if (content == nullptr) throw foundation::HostError("SQLite", "out of memory");
    return {reinterpret_cast<const char*>(content.get()), static_cast<std::size_t>(size)};
  }

 private:
  void check(int result) const {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    throw foundation::HostError("SQLite", sqlite3_errmsg(handle_));
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
  SweepTable units("units");
  units.add_column("name", "");
  units.add_column("unit", "");
  std::set<std::string> named;
  Database database;
  database.execute("BEGIN");
  for (const SweepTable& table : tables) {
    database.add(table);
    for (const SweepTable::Column& column : table.columns())
      if (!column.unit.empty() && named.insert(column.name).second)
        units.add_row({column.name, column.unit});
  }
  database.add(units);
  database.execute("COMMIT");
  foundation::replace_file(path, database.bytes());
}

}  // namespace tvp::report
