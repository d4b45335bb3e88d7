#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "foundation/regs/tensix_dst.h"
#include "models/support/time.h"
#include "models/tensix/coprocessor/dst_reports.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

inline constexpr unsigned kThreads = 3;
inline constexpr unsigned kColumns = 16;

/// Owner of a bank of SrcA or SrcB (ISA TensixCoprocessor/SrcASrcB.md).
enum class SrcClient : std::uint8_t { kUnpackers, kMatrixUnit };

/// Rows of a bank. Access for writing counts as a change.
class SrcRows {
 public:
  static constexpr unsigned kRows = 64;
  using Row = std::array<std::uint32_t, kColumns>;

  SrcRows() = default;
  SrcRows(const SrcRows&) = default;
  SrcRows& operator=(const SrcRows& other) {
    rows_ = other.rows_;
    ++changes_;
    return *this;
  }

  Row& operator[](unsigned row) {
    ++changes_;
    return rows_[row];
  }
  const Row& operator[](unsigned row) const { return rows_[row]; }
  auto begin() {
    ++changes_;
    return rows_.begin();
  }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  /// The same number means the same datums.
  std::uint64_t changes() const { return changes_; }

 private:
  alignas(64) std::array<Row, kRows> rows_{};
  std::uint64_t changes_ = 0;
};

/// 64 rows of 16 datums of 19 bits: exponent in bits 7:0, mantissa or magnitude in bits 17:8, sign
/// in bit 18. BF16 has zero in bits 10:8, FP16 in bits 7:5. SrcASrcB.md shows integer "16".
struct SrcBank {
  static constexpr unsigned kRows = SrcRows::kRows;
  SrcRows rows;

  SrcClient allowed_client = SrcClient::kUnpackers;
  /// First cycle at which `allowed_client` may use the bank: the last row has arrived, or the last
  /// instruction that reads it was dispatched.
  Cycle allowed_from = 0;

  bool allows(SrcClient client, Cycle now) const {
    return allowed_client == client && now >= allowed_from;
  }
  void give(SrcClient client, Cycle from) {
    allowed_client = client;
    allowed_from = from;
  }
};

/// SrcA or SrcB with the current banks of its users.
struct SrcFile {
  std::array<SrcBank, 2> bank;
  std::uint8_t matrix_bank = 0;    ///< MatrixUnit.SrcABank / SrcBBank
  std::uint8_t unpacker_bank = 0;  ///< Unpackers[n].SrcBank
  /// Unpackers[n].SrcRow: first row of the next unpack of each thread.
  std::array<std::uint8_t, kThreads> unpacker_row{};

  SrcBank& at_matrix_unit() { return bank[matrix_bank]; }
  const SrcBank& at_matrix_unit() const { return bank[matrix_bank]; }
  SrcBank& at_unpacker() { return bank[unpacker_bank]; }
  const SrcBank& at_unpacker() const { return bank[unpacker_bank]; }

  /// The unpacker, or SETDVALID, hands its bank to the matrix unit, which may use it from cycle
  /// `from` on. `set_base` is SRCA_SET_Base or SRCB_SET_Base of the thread.
  void unpacker_flip(unsigned thread, unsigned set_base, Cycle from) {
    at_unpacker().give(SrcClient::kMatrixUnit, from);
    unpacker_bank ^= 1;
    unpacker_row[thread] = static_cast<std::uint8_t>((set_base << 4) & 0x3F);
  }
  /// CLEARDVALID with Reset.
  void reset(Cycle from) {
    matrix_bank = 0;
    unpacker_bank = 0;
    for (SrcBank& each : bank) each.give(SrcClient::kUnpackers, from);
  }
};

/// Dst: 1024 rows of 16 bits in each column, or 512 rows of 32 (ISA TensixCoprocessor/Dst.md).
/// Contents have the documented layout. BF16: sign 15, mantissa 14:8, exponent 7:0. FP16: sign 15,
/// mantissa 14:5, exponent 4:0. A 32-bit datum has its high half in row adjusted(row) and its low
/// half 8 rows further.
class Dst {
 public:
  static constexpr unsigned kRows = regs::dst::kRows;
  static constexpr unsigned kBlockRows = regs::dst::kBlockRows;
  using Row = std::array<std::uint16_t, kColumns>;

  Dst() { undefined_.fill(0xFF); }

  /// Row of the storage that holds the high halves of Dst32b[row].
  static constexpr unsigned adjusted(unsigned row) { return regs::dst::adjusted(row); }
  /// Row of the storage behind Dst16b[row].
  unsigned storage16(unsigned row) const {
    row &= kRows - 1;
    return dst16_in_dst32_ ? adjusted(row) : row;
  }
  /// Bit 11 of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE: Dst16b is the high half of Dst32b. The
  /// content of the low half after a write is not documented; here it stays.
  void set_dst16_in_dst32(bool on) { dst16_in_dst32_ = on; }
  /// Of rows that an instruction names, for events.
  support::ProbeEvent::Layout layout(bool is_32_bit) const {
    using Layout = support::ProbeEvent::Layout;
    if (is_32_bit) return Layout::kRows32;
    return dst16_in_dst32_ ? Layout::kHighHalves : Layout::kRows16;
  }

  std::uint16_t read16(unsigned row, unsigned column) const {
    return storage_[storage16(row)][column];
  }
  std::uint32_t read32(unsigned row, unsigned column) const {
    const unsigned high = adjusted(row);
    return (std::uint32_t{storage_[high][column]} << 16) | storage_[high + 8][column];
  }
  /// Writes do not define the other columns: call define16/define32 for the row first.
  void write16(unsigned row, unsigned column, std::uint16_t value) {
    storage_[storage16(row)][column] = value;
  }
  void write32(unsigned row, unsigned column, std::uint32_t value) {
    const unsigned high = adjusted(row);
    storage_[high][column] = static_cast<std::uint16_t>(value >> 16);
    storage_[high + 8][column] = static_cast<std::uint16_t>(value);
  }

  /// Rows that ZEROACC has marked and that were not written since. The matrix unit reads the
  /// identity of its operation (zero, or all ones for a maximum), packers read zero. For the vector
  /// unit, and after a write to some columns, the content is undefined. Rows are marked at power-on
  /// (assumed).
  ///
  /// Each row of the storage has a bit. A 32-bit access reads and changes only the bit of the high
  /// halves. The low halves then have the content of the storage, whatever their bit, and a 16-bit
  /// access to their row uses that bit (Dst.md).
  ///
  /// Such values, and results of the vector unit from them, are marked, and packers report them.
  /// For columns beside written ones packers only warn, since kernels that use one column pack such
  /// rows.
  bool undefined16(unsigned row) const { return is_undefined(storage16(row)); }
  bool undefined32(unsigned row) const { return is_undefined(adjusted(row)); }
  /// True if a row in the block of `row` (in the storage) is defined.
  bool has_any_of_block(unsigned row) const { return undefined_[row / kBlockRows] != 0xFF; }
  /// True if no row of the block is undefined.
  bool defines_block(unsigned row) const { return undefined_[row / kBlockRows] == 0; }
  /// True if rows [row, row + 4) of the storage hold no value that is undefined for the vector
  /// unit. `row` is a multiple of four.
  bool defines_four(unsigned row) const {
    std::uint64_t marked;
    std::memcpy(&marked, &marked_[row], sizeof marked);
    return marked == 0 && (undefined_[row / kBlockRows] >> (row % kBlockRows) & 0xF) == 0;
  }
  void undefine16(unsigned row) { undefine(storage16(row)); }
  void undefine32(unsigned row) {
    undefine(adjusted(row));
    marked_[adjusted(row) + kBlockRows] = 0;
  }
  /// Marks rows [first, first + count) of the storage, which are whole blocks.
  void undefine_storage(unsigned first, unsigned count) {
    std::fill_n(undefined_.begin() + first / kBlockRows, count / kBlockRows, std::uint8_t{0xFF});
    std::fill_n(marked_.begin() + first, count, std::uint16_t{0});
  }
  /// Makes the row defined before all of it is written. If it was marked, every column first
  /// becomes `identity`.
  void define16(unsigned row, std::uint16_t identity = 0) { define(storage16(row), identity); }
  void define32(unsigned row, std::uint16_t identity = 0) { define_pair(adjusted(row), identity); }
  /// Like define(), but the written values are computed from the old ones: marks of columns stay.
  void accumulate16(unsigned row, std::uint16_t identity = 0) {
    accumulate(storage16(row), identity);
  }
  void accumulate32(unsigned row, std::uint16_t identity = 0) {
    accumulate_pair(adjusted(row), identity);
  }

  /// The same for a row of the storage.
  void define(unsigned row, std::uint16_t identity = 0) {
    marked_[row] = left_[row] = 0;
    if (!is_undefined(row)) return;
    storage_[row].fill(identity);
    undefined_[row / kBlockRows] &= static_cast<std::uint8_t>(~bit_of(row));
  }
  void accumulate(unsigned row, std::uint16_t identity = 0) {
    left_[row] = 0;
    if (is_undefined(row)) define(row, identity);
  }
  /// The same for the rows of the high and the low halves.
  void define_pair(unsigned high, std::uint16_t identity = 0) {
    marked_[high + kBlockRows] = left_[high + kBlockRows] = 0;
    if (is_undefined(high)) storage_[high + kBlockRows].fill(identity);
    define(high, identity);
  }
  void accumulate_pair(unsigned high, std::uint16_t identity = 0) {
    left_[high] = left_[high + kBlockRows] = 0;
    if (is_undefined(high)) define_pair(high, identity);
  }

  /// Like define(), for SFPSTORE, which writes every other column. The rest of an undefined row
  /// stays undefined until it is written. `marked` columns get values that are undefined
  /// themselves.
  void define_columns16(unsigned row, std::uint16_t columns, std::uint16_t marked = 0) {
    define_columns(storage16(row), columns, marked);
  }
  void define_columns32(unsigned row, std::uint16_t columns, std::uint16_t marked = 0) {
    const unsigned high = adjusted(row), low = high + kBlockRows;
    if (is_undefined(high)) {
      storage_[low].fill(0);
      marked_[low] = left_[low] = 0xFFFF;
    }
    define_columns(high, columns, marked);
    mark_columns(low, columns, marked);
  }
  /// Columns of the row whose values are undefined for the vector unit, one bit each.
  std::uint16_t undefined_columns16(unsigned row) const { return for_vector(storage16(row)); }
  std::uint16_t undefined_columns32(unsigned row) const {
    return for_vector(adjusted(row)) | marked_[adjusted(row) + kBlockRows];
  }
  /// Columns that are undefined for packers too, which read an unwritten row as zero.
  std::uint16_t marked16(unsigned row) const { return marked_[storage16(row)]; }
  std::uint16_t marked32(unsigned row) const {
    return marked_[adjusted(row)] | marked_[adjusted(row) + 8];
  }
  /// Those of them for which a value was computed.
  std::uint16_t made16(unsigned row) const { return made(storage16(row)); }
  std::uint16_t made32(unsigned row) const { return made(adjusted(row)) | made(adjusted(row) + 8); }
  /// The undefined row that the vector unit last loaded, for messages.
  unsigned loaded_undefined() const { return loaded_undefined_; }
  void note_loaded_undefined(unsigned row) { loaded_undefined_ = row; }

  /// The storage itself, for loops over columns; rows from storage16() or adjusted().
  Row& storage(unsigned row) { return storage_[row]; }
  const Row& storage(unsigned row) const { return storage_[row]; }

  /// An 8x16 block cannot be read in the four cycles after the issue of an instruction that writes
  /// to it. Matrix unit and PACR wait; others read too early (Dst.md, instruction scheduling).
  static constexpr Cycle kWriteToReadCycles = 5;
  /// SFPLOAD and SFPLOADMACRO need three instructions in between, which nothing enforces
  /// (SFPLOAD.md, instruction scheduling).
  static constexpr Cycle kWriteToVectorReadCycles = 4;
  Cycle readable_from16(unsigned row) const { return readable_from_[storage16(row) / kBlockRows]; }
  Cycle readable_from32(unsigned row) const {
    const unsigned high = adjusted(row) / kBlockRows;
    const Cycle a = readable_from_[high];
    const Cycle b = readable_from_[high + 1];
    return a > b ? a : b;
  }
  /// First cycle at which sums of `thread` may be added to the block. The thread's own latest sums
  /// are forwarded: instructions that add to one block repeatedly have a throughput of one a cycle
  /// (MatrixUnit.md). Silicon does so, although in Dst.md they wait like others.
  Cycle accumulates_from16(unsigned row, unsigned thread) const {
    return accumulates_from(storage16(row) / kBlockRows, thread);
  }
  Cycle accumulates_from32(unsigned row, unsigned thread) const {
    const unsigned high = adjusted(row) / kBlockRows;
    const Cycle a = accumulates_from(high, thread);
    const Cycle b = accumulates_from(high + 1, thread);
    return a > b ? a : b;
  }
  void summed16(unsigned row, unsigned thread) { summed_by_[storage16(row) / kBlockRows] = thread; }
  void summed32(unsigned row, unsigned thread) {
    summed_by_[adjusted(row) / kBlockRows] = thread;
    summed_by_[adjusted(row) / kBlockRows + 1] = thread;
  }
  /// First cycle at which the vector unit may read the block.
  Cycle vector_readable_from16(unsigned row) const {
    return vector_readable_from_[storage16(row) / kBlockRows];
  }
  Cycle vector_readable_from32(unsigned row) const {
    return vector_readable_from_[adjusted(row) / kBlockRows];
  }
  /// The matrix unit reports its writes with the cycle of issue and the latency.
  void written16(unsigned row, Cycle issued, Cycle latency = kWriteToReadCycles) {
    written_block(storage16(row) / kBlockRows, issued, latency);
  }
  void written32(unsigned row, Cycle issued, Cycle latency = kWriteToReadCycles) {
    written_block(adjusted(row) / kBlockRows, issued, latency);
    written_block(adjusted(row) / kBlockRows + 1, issued, latency);
  }

 private:
  static constexpr unsigned kNobody = ~0U;
  Cycle accumulates_from(unsigned block, unsigned thread) const {
    return summed_by_[block] == thread ? 0 : readable_from_[block];
  }
  void written_block(unsigned block, Cycle issued, Cycle latency) {
    readable_from_[block] = issued + latency;
    summed_by_[block] = kNobody;
    vector_readable_from_[block] = issued + kWriteToVectorReadCycles;
  }
  static constexpr std::uint8_t bit_of(unsigned row) {
    return static_cast<std::uint8_t>(1U << row % kBlockRows);
  }
  bool is_undefined(unsigned row) const {
    return (undefined_[row / kBlockRows] & bit_of(row)) != 0;
  }
  void undefine(unsigned row) {
    undefined_[row / kBlockRows] |= bit_of(row);
    marked_[row] = 0;
  }
  void define_columns(unsigned row, std::uint16_t columns, std::uint16_t marked) {
    if (is_undefined(row)) {
      define(row, 0);
      marked_[row] = left_[row] = 0xFFFF;
    }
    mark_columns(row, columns, marked);
  }
  void mark_columns(unsigned row, std::uint16_t columns, std::uint16_t marked) {
    marked_[row] = static_cast<std::uint16_t>((marked_[row] & ~columns) | marked);
    left_[row] = static_cast<std::uint16_t>(left_[row] & ~columns);
  }
  std::uint16_t made(unsigned row) const {
    return static_cast<std::uint16_t>(marked_[row] & ~left_[row]);
  }
  std::uint16_t for_vector(unsigned row) const { return is_undefined(row) ? 0xFFFF : marked_[row]; }

  alignas(64) std::array<Row, kRows> storage_{};
  std::array<std::uint8_t, kRows / kBlockRows> undefined_{};  ///< one bit for each row
  std::array<std::uint16_t, kRows> marked_{};
  std::array<std::uint16_t, kRows> left_{};  ///< the part of marked_ that was never written
  unsigned loaded_undefined_ = 0;
  std::array<Cycle, kRows / kBlockRows> readable_from_{};
  std::array<Cycle, kRows / kBlockRows> vector_readable_from_{};
  /// The thread with the latest sums in the block; none after a write by others.
  std::array<unsigned, kRows / kBlockRows> summed_by_{};
  bool dst16_in_dst32_ = false;
};

/// Auto-incrementing row counters of one thread (ISA TensixCoprocessor/RWCs.md). Widths are Dst 10
/// bits, SrcA and SrcB 6, fidelity phase 2.
struct Rwc {
  std::uint16_t dst = 0, dst_cr = 0;
  std::uint8_t srca = 0, srca_cr = 0;
  std::uint8_t srcb = 0, srcb_cr = 0;
  std::uint8_t fidelity_phase = 0;
  std::uint8_t extra_addr_mod_bit = 0;
};

/// A unit with scheduled instructions that change Dst later (SFPLOADMACRO).
class PendingStores {
 public:
  virtual ~PendingStores() = default;
  /// Executes what is due before `now`.
  virtual void settle(Cycle now) = 0;
};

/// The state that the backend units share besides configuration and L1.
struct RegisterFiles {
  SrcFile srca;
  SrcFile srcb;
  Dst dst;
  DstReports dst_reports;  ///< of every use of Dst
  std::array<Rwc, kThreads> rwc;
  /// LaneConfig.BLOCK_DEST_MOV of the vector unit, one bit a column: moves between Src and Dst
  /// leave the column alone.
  std::uint16_t block_dest_mov = 0;
  /// Set while stores are pending.
  PendingStores* pending_stores = nullptr;

  /// Call it before Dst is read or changed.
  void settle(Cycle now) {
    if (pending_stores != nullptr) pending_stores->settle(now);
  }
};

}  // namespace tvp::tensix::coprocessor
