#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::runtime::vectors::test {

/// Executes RV32 assembly with vector operations on four lanes, before or after register
/// assignment. It implements the instructions that the tests use (ISA TensixCoprocessor/SFP*.md).
/// Before assignment, a vector is in an integer register or a stack slot. After it, a vector is in
/// one of the eight LRegs, and integers are counters only.
class VectorMachine {
 public:
  static constexpr int kLanes = 4;
  struct Vector {
    std::array<std::uint32_t, kLanes> lanes{};
    unsigned undefined = (1u << kLanes) - 1;  ///< one bit per lane
  };
  struct Store {
    std::uint32_t row;
    unsigned enabled;  ///< lanes that are written
    Vector value;
  };

  /// Runs from the label `work` to its `ret`. Throws std::runtime_error for unknown text and for a
  /// program that does not end. Also throws for an instruction that reads the LReg of a
  /// multiplication just before it, whose result is not ready (ISA SFPMAD.md, "Instruction
  /// scheduling").
  static std::vector<Store> run(std::string_view assembly);

  /// The words of a load from this row: small whole numbers as floats, or any bits.
  static std::uint32_t datum(std::uint32_t row, int lane);

 private:
  struct Line {
    std::string label, mnemonic;
    std::vector<std::string> operands;
  };
  struct Field {
    int bit;
    std::string place;
  };

  explicit VectorMachine(std::string_view assembly);
  void execute();
  void jump(const std::string& label);
  void issue(std::uint32_t word, const std::vector<Field>& fields);
  void perform(std::uint32_t word, const std::vector<Field>& fields);
  static std::string place(std::uint32_t word, int bit, const std::vector<Field>& fields);
  Vector read(std::uint32_t word, int bit, const std::vector<Field>& fields) const;
  void write(std::uint32_t word, int bit, const std::vector<Field>& fields, const Vector& value,
             unsigned lanes);
  static Vector constant(unsigned number);
  static std::vector<Field> fields_of(const std::vector<std::string>& operands, std::size_t first);

  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::map<std::string, Vector> places_;  ///< integer registers, slots, and LRegs by "L3"
  std::map<std::string, std::int32_t> scalars_;
  std::string too_early_;  ///< LReg that the previous instruction has not written yet
  unsigned flags_ = (1u << kLanes) - 1;
  std::vector<unsigned> stack_;
  std::vector<Store> stores_;
};

}  // namespace tvp::runtime::vectors::test
