#include "sw/report/sweep_table.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bit>
#include <cstdint>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"
#include "sw/report/parquet_file.h"
#include "sw/report/sqlite_file.h"
#include "tests/support/test_folder.h"

namespace tvp::report::sweep_table_test {
namespace {

using Type = SweepTable::Type;

/// Twenty rows, so that lengths of lists and levels have more than one byte.
SweepTable example() {
  SweepTable table("points");
  table.add_column("rounds", "");
  table.add_column("rate", "GB/s");
  table.add_column("kind", "");
  table.add_column("time", "ns");
  for (int i = 0; i < 20; ++i) {
    SweepTable::Cell time = 0.1 * i;
    if (i % 3 == 1) time = std::monostate();
    table.add_row({std::to_string(i - 10), std::to_string(i) + ".5",
                   i % 2 == 0 ? "a,\"b\"" : "c\xC3\xA9", time});
  }
  return table;
}

TEST(SweepTable, ColumnsHaveTheTypeOfTheirCells) {
  const SweepTable table = example();
  const Type expected[] = {Type::kInteger, Type::kReal, Type::kText, Type::kReal};
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(table.columns()[c].type(), expected[c]) << c;
  SweepTable seeds("seeds");
  seeds.add_column("seed", "");
  seeds.add_row({"18446744073709551615"});
  EXPECT_EQ(seeds.columns()[0].type(), Type::kText);  // a real number would lose digits
}

TEST(SweepTable, FiguresAreExactInCsv) {
  SweepTable table("points");
  table.add_column("x", "");
  table.add_column("x", "");
  for (const double value : {0.1, 1.0 / 3, 1022249.0, -7.0, 1e300})
    table.add_row({value, std::monostate()});
  EXPECT_EQ(table.to_csv(), "x,x (2)\n0.1,\n0.3333333333333333,\n1022249,\n-7,\n1e+300,\n");
}

TEST(SweepTable, ADatabaseHasItsRowsAndUnits) {
  const test::TestFolder folder("sweep_table");
  const std::string file = folder.file("sweep.sqlite");
  std::ofstream(file) << "no database";
  SweepTable failed("failed");
  failed.add_column("Rate", "GB/s");
  failed.add_column("rate", "");  // for SQL these are one name
  write_sqlite(file, {example(), failed});
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string text;
  const auto add = [](void* to, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(to) += std::string(values[i] == nullptr ? "-" : values[i]) + " ";
    return 0;
  };
  for (const char* sql : {"SELECT count(*), sum(rounds), typeof(rounds) FROM points",
                          "SELECT sum(rate), count(time), round(sum(time), 3) FROM points",
                          "SELECT rounds, time, kind FROM points WHERE rate IN (1.5, 2.5)",
                          "SELECT count(*) FROM failed", "SELECT * FROM units"}) {
    EXPECT_EQ(sqlite3_exec(database, sql, add, &text, nullptr), SQLITE_OK) << sql;
  }
  sqlite3_close(database);
  EXPECT_EQ(text,
            "20 -10 integer 200.0 13 12.0 -9 - c\xC3\xA9 -8 0.2 a,\"b\" 0 "
            "rate GB/s time ns Rate GB/s ");
}

TEST(SweepTable, AFullDiskIsNamed) {
  EXPECT_THROW(write_sqlite("/sys/sweep.sqlite", {example()}), std::exception);
  try {
    write_sqlite("/nowhere/sweep.sqlite", {example()});
    ADD_FAILURE() << "written";
  } catch (const foundation::Fault& fault) {
    EXPECT_NE(std::string(fault.what()).find("/nowhere/sweep.sqlite"), std::string::npos);
  }
}

/// Reads what the platform writes of Thrift's compact protocol, from the specification alone: the
/// path of the field's numbers, and its value.
class ThriftReader {
 public:
  ThriftReader(const std::string& bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  std::string read() {
    structure("");
    return text_;
  }
  std::size_t end() const { return at_; }

 private:
  unsigned char byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned char part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7F) << shift;
      if (part < 0x80) return value;
    }
  }
  void value(unsigned type, const std::string& path) {
    if (type == 5 || type == 6) {
      const std::uint64_t zigzag = varint();
      text_ += path + "=" + std::to_string(static_cast<std::int64_t>(zigzag >> 1)) + " ";
    } else if (type == 8) {
      const std::size_t size = varint();
      text_ += path + "=" + bytes_.substr(at_, size) + " ";
      at_ += size;
    } else if (type == 9) {
      const unsigned head = byte();
      const std::size_t size = head >> 4 == 15 ? varint() : head >> 4;
      for (std::size_t i = 0; i < size; ++i) value(head & 15, path + "[" + std::to_string(i) + "]");
    } else if (type == 12) {
      structure(path + ".");
    } else {
      ADD_FAILURE() << "type " << type;
    }
  }
  void structure(const std::string& path) {
    for (unsigned field = 0, head = byte(); head != 0; head = byte()) {
      field += head >> 4;
      value(head & 15, path + std::to_string(field));
    }
  }

  const std::string& bytes_;
  std::size_t at_;
  std::string text_;
};

std::uint64_t little(const std::string& bytes, std::size_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes.at(at + i))) << (8 * i);
  return value;
}

// The same bytes were read by two other programs, hyparquet and the Rust library parquet.
TEST(SweepTable, AParquetFileHasSchemaLevelsAndValues) {
  const std::string file = to_parquet(example());
  ASSERT_EQ(file.substr(0, 4) + file.substr(file.size() - 4), "PAR1PAR1");
  const std::size_t size = little(file, file.size() - 8, 4);
  const std::string footer = ThriftReader(file, file.size() - 8 - size).read();
  for (const char* part :
       {"1=1 ", "2[0].4=points 2[0].5=4 ", "2[1].1=2 2[1].3=1 2[1].4=rounds ",
        "2[2].1=5 2[2].3=1 2[2].4=rate ", "2[3].1=6 2[3].3=1 2[3].4=kind 2[3].6=0 ", "3=20 ",
        "4[0].1[3].3.3[0]=time ", "4[0].3=20 ", "5[0].1=unit:rate 5[0].2=GB/s ",
        "5[1].1=unit:time 5[1].2=ns "})
    EXPECT_NE(footer.find(part), std::string::npos) << part << " is not in " << footer;

  const std::string field = "4[0].1[3].3.9=";
  std::size_t at = std::stoul(footer.substr(footer.find(field) + field.size()));
  ThriftReader header(file, at);
  EXPECT_EQ(header.read().substr(0, 4), "1=0 ");
  at = header.end();
  EXPECT_EQ(little(file, at, 4), 4u);      // bytes of levels
  EXPECT_EQ(little(file, at + 4, 1), 7u);  // three groups of eight bits
  unsigned values = 0;
  for (unsigned row = 0; row < 20; ++row) {
    const bool there = (little(file, at + 5, 3) >> row & 1) != 0;
    EXPECT_EQ(there, row % 3 != 1) << row;
    if (!there) continue;
    EXPECT_EQ(std::bit_cast<double>(little(file, at + 8 + 8 * values, 8)), 0.1 * row);
    ++values;
  }
}

}  // namespace
}  // namespace tvp::report::sweep_table_test
