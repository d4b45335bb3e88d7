#include "platform/machine/monitor/tile_monitor.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <sstream>

#include "foundation/hex.h"
#include "foundation/regs/overlay.h"
#include "foundation/regs/tensix_config.h"
#include "models/tensix/coprocessor/datum.h"
#include "platform/machine/monitor/l1_tile.h"

namespace tvp::platform {

namespace {

namespace cfg = regs::config;
namespace datum = tensix::coprocessor::datum;
using tensix::coprocessor::Dst;
using tensix::coprocessor::SrcBank;

constexpr unsigned kColumns = tensix::coprocessor::kColumns;
constexpr unsigned kMathThread = 1;

std::optional<std::uint32_t> number(const std::string& word) {
  const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
  std::uint32_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [at, error] =
      std::from_chars(word.data() + (is_hex ? 2 : 0), end, value, is_hex ? 16 : 10);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

std::string expected(const std::string& text) { return "expected " + text + "\n"; }

/// Columns of text, as wide as their widest word.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string made;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
      made += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return made;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

enum class Shown : std::uint8_t { kNumber, kHex, kFormat };

struct ConfigRow {
  std::string name;
  cfg::Field field;
  Shown shown = Shown::kNumber;
};

/// Settings that decide about data: formats, addresses, dimensions and modes.
std::vector<ConfigRow> config_rows() {
  std::vector<ConfigRow> rows = {
      {"SrcA format of the ALU", cfg::alu::kSrcAFormat, Shown::kFormat},
      {"SrcB format of the ALU", cfg::alu::kSrcBFormat, Shown::kFormat},
      {"Dst format of the ALU", cfg::alu::kDstFormat, Shown::kFormat},
      {"Dst in 32 bits, matrix unit", cfg::alu::kFp32Enabled},
      {"Dst in 32 bits, vector unit", cfg::alu::kSfpuFp32Enabled},
      {"INT8 math", cfg::alu::kInt8MathEnabled},
      {"relu of packers", cfg::alu::kApplyRelu},
      {"relu threshold", cfg::alu::kReluThreshold, Shown::kHex},
      {"packers read 32 bits", cfg::pack::kRead32bData},
  };
  for (unsigned i = 0; i < std::size(cfg::kUnpacker); ++i) {
    const cfg::UnpackerFields& of = cfg::kUnpacker[i];
    const std::string name = "unpacker " + std::to_string(i) + " ";
    rows.push_back({name + "format in L1", of.tile.in_data_format, Shown::kFormat});
    rows.push_back({name + "format out", of.out_data_format, Shown::kFormat});
    rows.push_back({name + "address (16 B)", of.base_context(0), Shown::kHex});
    rows.push_back({name + "address of context 1", of.base_context(1), Shown::kHex});
    rows.push_back({name + "x dim", of.tile.x_dim});
    rows.push_back({name + "y dim", of.tile.y_dim});
    rows.push_back({name + "z dim", of.tile.z_dim});
    rows.push_back({name + "transposes", of.haloize_mode});
    rows.push_back({name + "tilizes", of.tileize_mode});
    rows.push_back({name + "to Dst", of.unpack_to_dst});
  }
  for (unsigned i = 0; i < std::size(cfg::kPacker); ++i) {
    const cfg::PackerFields& of = cfg::kPacker[i];
    const std::string name = "packer " + std::to_string(i) + " ";
    rows.push_back({name + "format in Dst", of.in_data_format, Shown::kFormat});
    rows.push_back({name + "format in L1", of.out_data_format, Shown::kFormat});
    rows.push_back({name + "address (16 B)", of.l1_dest_addr, Shown::kHex});
    rows.push_back({name + "adds to L1", of.l1_accumulate});
    rows.push_back({name + "offset in Dst", of.dest_offset});
  }
  return rows;
}

std::string format_text(std::uint32_t value) {
  switch (static_cast<cfg::DataFormat>(value)) {
    case cfg::DataFormat::kFp32:
      return "fp32";
    case cfg::DataFormat::kFp16:
      return "fp16";
    case cfg::DataFormat::kBfp8a:
      return "bfp8";
    case cfg::DataFormat::kBfp4a:
      return "bfp4";
    case cfg::DataFormat::kTf32:
      return "tf32";
    case cfg::DataFormat::kBf16:
      return "bf16";
    case cfg::DataFormat::kBfp8:
      return "bfp8_b";
    case cfg::DataFormat::kBfp4:
      return "bfp4_b";
    case cfg::DataFormat::kInt32:
      return "int32";
    case cfg::DataFormat::kInt16:
      return "int16";
    case cfg::DataFormat::kFp8:
      return "fp8";
    case cfg::DataFormat::kBfp2a:
      return "bfp2";
    case cfg::DataFormat::kInt8:
      return "int8";
    case cfg::DataFormat::kBfp2:
      return "bfp2_b";
  }
  return std::to_string(value);
}

/// Exponent 0 is zero; the layouts of register_files.h.
double float_of(bool is_negative, std::uint32_t mantissa, std::uint32_t exponent, int bias) {
  if (exponent == 0) return 0;
  const double size = std::ldexp(1 + mantissa / 1024.0, static_cast<int>(exponent) - bias);
  return is_negative ? -size : size;
}

double src_value(std::uint32_t x, bool is_fp16) {
  return float_of((x >> 18 & 1) != 0, x >> 8 & 0x3FF, is_fp16 ? x & 0x1F : x & 0xFF,
                  is_fp16 ? 15 : 127);
}

std::string bank_text(const SrcBank& bank, bool is_fp16) {
  return matrix_text(SrcBank::kRows, kColumns, [&](unsigned row, unsigned column) {
    return number_text(src_value(bank.rows[row][column], is_fp16));
  });
}

bool is_fp16(std::uint32_t format) {
  switch (static_cast<cfg::DataFormat>(format)) {
    case cfg::DataFormat::kFp16:
    case cfg::DataFormat::kFp8:
    case cfg::DataFormat::kBfp8a:
    case cfg::DataFormat::kBfp4a:
    case cfg::DataFormat::kBfp2a:
      return true;
    default:
      return false;
  }
}

std::string src_text(const tensix::coprocessor::SrcFile& file, std::uint32_t format) {
  std::string text;
  for (unsigned i = 0; i < file.bank.size(); ++i) {
    const bool of_unpackers =
        file.bank[i].allowed_client == tensix::coprocessor::SrcClient::kUnpackers;
    text += "bank " + std::to_string(i) + " of the " +
            (of_unpackers ? "unpackers" : "matrix unit") + (file.matrix_bank == i ? ", next" : "") +
            "\n" + bank_text(file.bank[i], is_fp16(format));
  }
  return text;
}

}  // namespace

TileMonitor::TileMonitor(Chip& chip, tensix::TensixTile& tile, checks::ChipChecks& checks,
                         const checks::Provenance& provenance)
    : chip_(chip),
      tile_(tile),
      checks_(checks),
      of_tile_(checks.at(tile.x(), tile.y())),
      provenance_(provenance) {}

const std::vector<TileMonitor::Command>& TileMonitor::commands() {
  using M = TileMonitor;
  static const std::vector<Command> all = {
      {"buffers", "", "circular buffers: place, format, pages pushed, popped and there",
       &M::buffers},
      {"semaphores", "", "semaphores of the program, and those of the coprocessor", &M::semaphores},
      {"noc", "", "packets of the chip that are under way, with their senders", &M::packets},
      {"config", "[THREAD]", "configuration of the coprocessor that decides about data",
       &M::config},
      {"dst", "[TILE] [bf16|fp16|fp32|hex]", "a tile of Dst; - in rows without data", &M::dst},
      {"srca", "", "both banks of SrcA", &M::src_a},
      {"srcb", "", "both banks of SrcB", &M::src_b},
      {"lreg", "[REGISTER]", "LReg0 to LReg7 of the vector unit, or one", &M::lreg},
      {"tile", "ADDRESS [FORMAT]", "a tile in L1 as a matrix", &M::tile_in_l1},
      {"place", "ADDRESS", "the allocation at an address of L1", &M::place},
      {"writer", "ADDRESS", "the last writer of an address of L1", &M::writer},
  };
  return all;
}

std::string TileMonitor::help() {
  Table table;
  for (const Command& each : commands())
    table.add({std::string("monitor ") + each.name, each.arguments, each.purpose});
  return table.text();
}

std::optional<std::string> TileMonitor::answer(std::string_view command) {
  std::istringstream in{std::string(command)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.empty()) return std::nullopt;
  for (const Command& each : commands())
    if (words.front() == each.name) return (this->*each.show)({words.begin() + 1, words.end()});
  return std::nullopt;
}

std::uint32_t TileMonitor::word_at(std::uint32_t address) const {
  std::uint32_t value = 0;
  tile_.core(tensix::TileCore::kB).debug_read(address, &value, sizeof value);
  return value;
}

std::uint32_t TileMonitor::counted(unsigned buffer, bool pushes) {
  using regs::overlay::kRemoteDestBufSize, regs::overlay::kRemoteDestBufStart;
  return word_at(
             regs::overlay::stream_reg(buffer, pushes ? kRemoteDestBufSize : kRemoteDestBufStart)) &
         0xFFFF;
}

std::string TileMonitor::buffers(const Words& /*arguments*/) {
  if (of_tile_ == nullptr || of_tile_->record() == nullptr) return "checks are off\n";
  const checks::PageUses& uses = of_tile_->record()->page_uses;
  Table table;
  table.add({"buffer", "address", "pages", "bytes", "format", "pushed", "popped", "there"});
  bool any = false;
  for (unsigned i = 0; i < checks::PageUses::kBuffers; ++i) {
    if (!uses.has(i)) continue;
    any = true;
    const auto& buffer = uses.buffer(i);
    const auto format =
        buffer.format == 0 ? std::nullopt : datum_format_numbered(buffer.format - 1);
    const std::uint32_t pushed = counted(i, true), popped = counted(i, false);
    table.add({std::to_string(i), foundation::hex(buffer.address), std::to_string(buffer.pages),
               std::to_string(buffer.page_bytes), format ? name_of(*format) : "?",
               std::to_string(pushed), std::to_string(popped),
               std::to_string((pushed - popped) & 0xFFFF)});
  }
  return any ? table.text() : "the tile has no program with circular buffers\n";
}

std::string TileMonitor::semaphores(const Words& /*arguments*/) {
  Table table;
  table.add({"semaphore", "address", "value", "maximum"});
  if (of_tile_ != nullptr)
    for (const auto& given : of_tile_->given())
      if (given.what.starts_with("semaphore "))
        table.add({given.what.substr(10), foundation::hex(given.address),
                   std::to_string(word_at(given.address))});
  const auto& sync = tile_.coprocessor().backend().sync();
  for (unsigned i = 0; i < tensix::coprocessor::SyncUnit::kSemaphores; ++i)
    table.add({"coprocessor " + std::to_string(i), "", std::to_string(sync.semaphore(i).value),
               std::to_string(sync.semaphore(i).max)});
  return table.text();
}

std::string TileMonitor::packets(const Words& /*arguments*/) {
  std::vector<std::string> lines;
  chip_.describe_packets(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text.empty() ? "no packet is under way\n" : text;
}

std::string TileMonitor::config(const Words& arguments) {
  unsigned first = 0, last = tensix::coprocessor::kThreads - 1;
  if (!arguments.empty()) {
    first = last = number(arguments[0]).value_or(tensix::coprocessor::kThreads);
    if (first >= tensix::coprocessor::kThreads) return expected("a thread: 0, 1 or 2");
  }
  const auto& state = tile_.coprocessor().state().config;
  Table table;
  std::vector<std::string> head = {"setting"};
  for (unsigned t = first; t <= last; ++t) head.push_back("T" + std::to_string(t));
  table.add(head);
  for (const ConfigRow& row : config_rows()) {
    std::vector<std::string> words = {row.name};
    for (unsigned t = first; t <= last; ++t) {
      const std::uint32_t value = row.field.get(state.of(t));
      words.push_back(row.shown == Shown::kFormat ? format_text(value)
                      : row.shown == Shown::kHex  ? foundation::hex(value)
                                                  : std::to_string(value));
    }
    table.add(words);
  }
  return table.text();
}

std::string TileMonitor::dst(const Words& arguments) {
  constexpr unsigned kRows = 64;  // rows of a tile
  const auto& state = tile_.coprocessor().state();
  const auto& config = state.config.of(kMathThread);
  unsigned tile = 0;
  std::string format = cfg::alu::kFp32Enabled.get(config) != 0     ? "fp32"
                       : is_fp16(cfg::alu::kDstFormat.get(config)) ? "fp16"
                                                                   : "bf16";
  for (const std::string& word : arguments) {
    if (const auto value = number(word)) {
      tile = *value;
    } else if (word == "bf16" || word == "fp16" || word == "fp32" || word == "hex") {
      format = word;
    } else {
      return expected("a tile's number, and a format of bf16, fp16, fp32, hex");
    }
  }
  const bool wide = format == "fp32";
  const unsigned tiles = (wide ? Dst::kRows / 2 : Dst::kRows) / kRows;
  if (tile >= tiles) return expected("a tile from 0 to " + std::to_string(tiles - 1));
  const Dst& dst = state.registers.dst;
  return "tile " + std::to_string(tile) + " of Dst as " + format + ", its faces in turn\n" +
         matrix_text(kRows, kColumns, [&](unsigned line, unsigned column) -> std::string {
           const unsigned row = kRows * tile + line;
           if (wide ? dst.undefined32(row) : dst.undefined16(row)) return "-";
           if (wide)
             return number_text(
                 std::bit_cast<float>(datum::dst_to_ieee32(dst.read32(row, column))));
           const std::uint32_t x = dst.read16(row, column);
           if (format == "hex") return foundation::hex(x, 4);
           if (format == "bf16")
             return number_text(std::bit_cast<float>(datum::dst_to_ieee16(x) << 16));
           return number_text(float_of((x & 0x8000) != 0, x >> 5 & 0x3FF, x & 0x1F, 15));
         });
}

std::string TileMonitor::src_a(const Words& /*arguments*/) {
  const auto& state = tile_.coprocessor().state();
  return src_text(state.registers.srca, cfg::alu::kSrcAFormat.get(state.config.of(kMathThread)));
}

std::string TileMonitor::src_b(const Words& /*arguments*/) {
  const auto& state = tile_.coprocessor().state();
  return src_text(state.registers.srcb, cfg::alu::kSrcBFormat.get(state.config.of(kMathThread)));
}

std::string TileMonitor::lreg(const Words& arguments) {
  using tensix::coprocessor::VectorUnit;
  constexpr unsigned kGeneral = 8, kAcross = 8;
  unsigned first = 0, last = kGeneral - 1;
  if (!arguments.empty()) {
    first = last = number(arguments[0]).value_or(VectorUnit::kRegisters);
    if (first >= VectorUnit::kRegisters)
      return expected("a register from 0 to " + std::to_string(VectorUnit::kRegisters - 1));
  }
  const VectorUnit& vector = tile_.coprocessor().backend().vector();
  std::string text = "enabled lanes " + foundation::hex(vector.enabled_lanes(), 8) + "\n";
  for (unsigned i = first; i <= last; ++i) {
    const VectorUnit::Lanes& lanes = vector.lreg(i);
    text += "LReg" + std::to_string(i) + "\n" +
            matrix_text(VectorUnit::kLanes / kAcross, kAcross, [&](unsigned row, unsigned column) {
              const std::uint32_t bits = lanes[row * kAcross + column];
              return foundation::hex(bits, 8) + " " + number_text(std::bit_cast<float>(bits));
            });
  }
  return text;
}

std::optional<unsigned> TileMonitor::buffer_at(std::uint32_t address) const {
  if (of_tile_ == nullptr || of_tile_->record() == nullptr) return std::nullopt;
  const checks::PageUses& uses = of_tile_->record()->page_uses;
  for (unsigned i = 0; i < checks::PageUses::kBuffers; ++i) {
    if (!uses.has(i)) continue;
    const auto& buffer = uses.buffer(i);
    const std::uint64_t bytes = std::uint64_t{buffer.pages} * buffer.page_bytes;
    if (address >= buffer.address && address - buffer.address < bytes) return i;
  }
  return std::nullopt;
}

std::string TileMonitor::tile_in_l1(const Words& arguments) {
  const std::optional<std::uint32_t> address =
      arguments.empty() ? std::nullopt : number(arguments[0]);
  if (!address) return expected("an address in L1, and a format if no circular buffer is there");
  std::optional<DatumFormat> format;
  if (arguments.size() > 1) {
    format = datum_format_named(arguments[1]);
    if (!format) return expected("one of " + datum_format_names());
  } else if (const std::optional<unsigned> buffer = buffer_at(*address)) {
    const std::uint32_t number = of_tile_->record()->page_uses.buffer(*buffer).format;
    if (number != 0) format = datum_format_numbered(number - 1);
  }
  if (!format)
    return "no circular buffer with a known format is at this address: expected one of " +
           datum_format_names() + " with it\n";
  std::vector<std::uint8_t> bytes(L1Tile::bytes(*format));
  if (!tile_.core(tensix::TileCore::kB)
           .debug_read(*address, bytes.data(), static_cast<std::uint32_t>(bytes.size())))
    return expected(std::to_string(bytes.size()) + " bytes in L1 from " +
                    foundation::hex(*address) + " on");
  const L1Tile tile(*format, bytes);
  return "tile at " + foundation::hex(*address) + " as " + name_of(*format) + "\n" +
         matrix_text(L1Tile::kSide, L1Tile::kSide, [&](unsigned row, unsigned column) {
           return number_text(tile.at(row, column));
         });
}

std::string TileMonitor::place(const Words& arguments) {
  const std::optional<std::uint32_t> address =
      arguments.empty() ? std::nullopt : number(arguments[0]);
  if (!address || !tile_.l1().contains(*address, 1)) return expected("an address in L1");
  std::string text;
  if (const std::optional<unsigned> buffer = buffer_at(*address)) {
    const auto& at = of_tile_->record()->page_uses.buffer(*buffer);
    const std::uint32_t offset = *address - at.address;
    text += "circular buffer " + std::to_string(*buffer) + ", byte " +
            std::to_string(offset % at.page_bytes) + " of page " +
            std::to_string(offset / at.page_bytes) + "\n";
  }
  if (of_tile_ != nullptr)
    for (const auto& given : of_tile_->given())
      if (*address >= given.address && *address - given.address < given.bytes)
        text += given.what +
                (given.each == 0
                     ? ""
                     : ", element " + std::to_string((*address - given.address) / given.each)) +
                "\n";
  const noc::Node node{static_cast<std::uint8_t>(tile_.x()), static_cast<std::uint8_t>(tile_.y())};
  if (const auto* const buffer = checks_.l1_buffers().around(node, *address))
    text += "buffer of the host from " + foundation::hex(buffer->begin) + " to " +
            foundation::hex(buffer->end) + ", byte " + std::to_string(*address - buffer->begin) +
            "\n";
  return text.empty() ? "nothing is allocated there\n" : text;
}

std::string TileMonitor::writer(const Words& arguments) {
  const std::optional<std::uint32_t> address =
      arguments.empty() ? std::nullopt : number(arguments[0]);
  if (!address || !tile_.l1().contains(*address, 1)) return expected("an address in L1");
  const std::string text = provenance_.of_l1(tile_.x(), tile_.y(), *address);
  return text.empty() ? "no write is recorded\n" : text + "\n";
}

}  // namespace tvp::platform
