#include "sw/report/parquet_file.h"

#include <bit>
#include <cstdint>
#include <cstdlib>

namespace tvp::report {

namespace {

using Type = SweepTable::Type;

// Numbers of parquet.thrift (github.com/apache/parquet-format).
enum PhysicalType : std::int32_t { kInt64 = 2, kDouble = 5, kByteArray = 6 };
constexpr std::int32_t kOptional = 1;      // FieldRepetitionType
constexpr std::int32_t kUtf8 = 0;          // ConvertedType
constexpr std::int32_t kPlain = 0;         // Encoding
constexpr std::int32_t kRle = 3;           // Encoding
constexpr std::int32_t kUncompressed = 0;  // CompressionCodec
constexpr std::int32_t kDataPage = 0;      // PageType
const std::string kMagic = "PAR1";

/// Writes Thrift's compact protocol, with which Parquet stores its headers
/// (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md).
class CompactWriter {
 public:
  void begin_struct() { last_.push_back(0); }
  void end_struct() {
    out_ += '\0';
    last_.pop_back();
  }
  void i32(int field, std::int64_t value) { number(field, kI32, value); }
  void i64(int field, std::int64_t value) { number(field, kI64, value); }
  void text(int field, const std::string& value) {
    header(field, kBinary);
    text(value);
  }
  void begin_struct(int field) {
    header(field, kStruct);
    begin_struct();
  }
  void begin_list_of_structs(int field, std::size_t size) { list(field, kStruct, size); }
  void texts(int field, const std::vector<std::string>& values) {
    list(field, kBinary, values.size());
    for (const std::string& value : values) text(value);
  }
  void enums(int field, const std::vector<std::int32_t>& values) {
    list(field, kI32, values.size());
    for (const std::int32_t value : values) zigzag(value);
  }
  const std::string& bytes() const { return out_; }

 private:
  static constexpr int kI32 = 5;
  static constexpr int kI64 = 6;
  static constexpr int kBinary = 8;
  static constexpr int kList = 9;
  static constexpr int kStruct = 12;

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  /// Fields are written in ascending order, at most 15 apart.
  void header(int field, int type) {
    out_ += static_cast<char>((field - last_.back()) << 4 | type);
    last_.back() = field;
  }
  void number(int field, int type, std::int64_t value) {
    header(field, type);
    zigzag(value);
  }
  void text(const std::string& value) {
    varint(value.size());
    out_ += value;
  }
  void list(int field, int type, std::size_t size) {
    header(field, kList);
    if (size < 15) {
      out_ += static_cast<char>(size << 4 | static_cast<unsigned>(type));
    } else {
      out_ += static_cast<char>(0xF0 | type);
      varint(size);
    }
  }

  std::string out_;
  std::vector<int> last_;  ///< last field of each open struct
};

template <typename Unsigned>
void add_little(std::string& out, Unsigned value) {
  for (std::size_t i = 0; i < sizeof value; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Levels of definition (1: there is a value), bit-packed in groups of eight, and then the values.
std::string page_of(const SweepTable::Column& column) {
  const std::size_t rows = column.cells.size();
  const std::size_t groups = (rows + 7) / 8;
  std::string levels;
  for (std::uint64_t head = groups << 1 | 1;; head >>= 7) {
    levels += static_cast<char>(head >= 0x80 ? head | 0x80 : head);
    if (head < 0x80) break;
  }
  const std::size_t bits = levels.size();
  levels.resize(bits + groups);
  std::string values;
  const Type type = column.type();
  for (std::size_t row = 0; row < rows; ++row) {
    const SweepTable::Cell& cell = column.cells[row];
    if (std::holds_alternative<std::monostate>(cell)) continue;
    levels[bits + row / 8] = static_cast<char>(levels[bits + row / 8] | 1 << row % 8);
    const auto* text = std::get_if<std::string>(&cell);
    if (type == Type::kText) {
      add_little(values, static_cast<std::uint32_t>(text->size()));
      values += *text;
    } else if (type == Type::kInteger) {
      add_little(values, static_cast<std::uint64_t>(std::strtoll(text->c_str(), nullptr, 10)));
    } else {
      const double value =
          text != nullptr ? std::strtod(text->c_str(), nullptr) : std::get<double>(cell);
      add_little(values, std::bit_cast<std::uint64_t>(value));
    }
  }
  std::string page;
  add_little(page, static_cast<std::uint32_t>(levels.size()));
  return page + levels + values;
}

std::int32_t physical(Type type) {
  return type == Type::kInteger ? kInt64 : type == Type::kReal ? kDouble : kByteArray;
}

struct Chunk {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

Chunk add_chunk(std::string& file, const SweepTable::Column& column) {
  const std::string page = page_of(column);
  CompactWriter header;
  header.begin_struct();  // PageHeader
  header.i32(1, kDataPage);
  header.i32(2, static_cast<std::int64_t>(page.size()));
  header.i32(3, static_cast<std::int64_t>(page.size()));
  header.begin_struct(5);  // DataPageHeader
  header.i32(1, static_cast<std::int64_t>(column.cells.size()));
  header.i32(2, kPlain);
  header.i32(3, kRle);  // levels of definition
  header.i32(4, kRle);  // levels of repetition: there are none
  header.end_struct();
  header.end_struct();
  const auto offset = static_cast<std::int64_t>(file.size());
  file += header.bytes() + page;
  return {offset, static_cast<std::int64_t>(file.size()) - offset};
}

std::string footer_of(const SweepTable& table, const std::vector<Chunk>& chunks) {
  const auto rows = static_cast<std::int64_t>(table.rows());
  std::int64_t bytes = 0;
  for (const Chunk& chunk : chunks) bytes += chunk.bytes;
  CompactWriter footer;
  footer.begin_struct();  // FileMetaData
  footer.i32(1, 1);       // version
  footer.begin_list_of_structs(2, chunks.size() + 1);
  footer.begin_struct();  // SchemaElement of the root
  footer.text(4, table.name());
  footer.i32(5, static_cast<std::int64_t>(chunks.size()));
  footer.end_struct();
  std::size_t units = 0;
  for (const SweepTable::Column& column : table.columns()) {
    footer.begin_struct();  // SchemaElement
    footer.i32(1, physical(column.type()));
    footer.i32(3, kOptional);
    footer.text(4, column.name);
    if (column.type() == Type::kText) footer.i32(6, kUtf8);
    footer.end_struct();
    units += column.unit.empty() ? 0 : 1;
  }
  footer.i64(3, rows);
  footer.begin_list_of_structs(4, 1);
  footer.begin_struct();  // RowGroup
  footer.begin_list_of_structs(1, chunks.size());
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const SweepTable::Column& column = table.columns()[c];
    footer.begin_struct();  // ColumnChunk
    footer.i64(2, chunks[c].offset);
    footer.begin_struct(3);  // ColumnMetaData
    footer.i32(1, physical(column.type()));
    footer.enums(2, {kPlain, kRle});
    footer.texts(3, {column.name});
    footer.i32(4, kUncompressed);
    footer.i64(5, rows);
    footer.i64(6, chunks[c].bytes);
    footer.i64(7, chunks[c].bytes);
    footer.i64(9, chunks[c].offset);
    footer.end_struct();
    footer.end_struct();
  }
  footer.i64(2, bytes);
  footer.i64(3, rows);
  footer.end_struct();
  footer.begin_list_of_structs(5, units);
  for (const SweepTable::Column& column : table.columns()) {
    if (column.unit.empty()) continue;
    footer.begin_struct();  // KeyValue
    footer.text(1, "unit:" + column.name);
    footer.text(2, column.unit);
    footer.end_struct();
  }
  footer.text(6, "tensix-vp");  // created_by
  footer.end_struct();
  return footer.bytes();
}

}  // namespace

std::string to_parquet(const SweepTable& table) {
  std::string file = kMagic;
  std::vector<Chunk> chunks;
  for (const SweepTable::Column& column : table.columns())
    chunks.push_back(add_chunk(file, column));
  const std::string footer = footer_of(table, chunks);
  file += footer;
  add_little(file, static_cast<std::uint32_t>(footer.size()));
  return file + kMagic;
}

}  // namespace tvp::report
