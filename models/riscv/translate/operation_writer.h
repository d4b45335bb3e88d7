#pragma once

#include "models/riscv/translate/code_writer.h"

namespace tvp::riscv {

/// Writes code for the computations, loads and stores of a block. Results go to the core's
/// registers in memory at once, so the code can return before any operation. An operation that
/// cannot proceed has no effect.
class OperationWriter : public CodeWriter {
 public:
  using CodeWriter::CodeWriter;

 protected:
  void operation(const BlockOp& op, Code code, Place place);

  // For accesses, with the address in eax:

  void find_address(const BlockOp& op);
  void check_l1(unsigned op, unsigned bytes);
  void check_queue(unsigned op);
  void load(const BlockOp& op, Code code, const Xbyak::RegExp& from);
  void move_to_l1(const BlockOp& op, Code code);
  void move_to_local(const BlockOp& op, Code code);

  BlockNode* node_ = nullptr;

 private:
  void calculate(const BlockOp& op, Code code);
  void manipulate_bits(const BlockOp& op, Code code, const Reg32& a, const Reg32& b);
  void shift(const BlockOp& op, Code code, const Reg32& to);
  void multiply(const BlockOp& op, Code code);
  void access(const BlockOp& op, Code code, Place place);
  void check_stream(unsigned op, bool load);
  void check_store(unsigned op, unsigned bytes, bool in_l1);
  void push_store();
};

}  // namespace tvp::riscv
