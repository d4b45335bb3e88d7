#pragma once

#include "models/riscv/translate/operation_writer.h"

namespace tvp::riscv {

/// Writes the code of one node: its operations, its end, and the transfer to the next node.
class NodeWriter : public OperationWriter {
 public:
  using OperationWriter::OperationWriter;

  /// `exit` and `absent` are the addresses of Common.
  void write(BlockNode& node, const std::uint8_t* exit, const std::uint8_t* absent);

 private:
  /// Writes the code that commits a node. rcx has the cycle behind the node; esi and rdi are free.
  using Commit = std::function<void()>;

  void enter(const BlockNode& node);
  void end(const BlockOp& op, Code code);
  void branch(const BlockOp& op, Code code);
  void jump(const BlockOp& op);
  void jump_indirectly(const BlockOp& op);
  void divide(const BlockOp& op);
  void varying(const BlockOp& op, Code code);

  void look_up(Label& forgotten);
  void go_way(bool taken);
  void learn_way(bool taken, Label& forgotten, Label& unsettled);
  void remember(const Reg32& prediction);
  void remember_entry(unsigned counter);
  void learn();
  void redirect();

  void take_edge(unsigned outcome);
  void lead(unsigned outcome, const Commit& commit);
  void pass(const Commit& commit);
  void leap(bool backward, const Commit& commit);
  void account();
  void go_on();

  const std::uint8_t* exit_ = nullptr;
  const std::uint8_t* absent_ = nullptr;
  const TimedBlock* block_ = nullptr;
};

}  // namespace tvp::riscv
