#pragma once

#include <cstdint>

namespace tvp::riscv {

// Every operation that the core can perform, in the order of its dispatch table. The first three
// are not instructions: a word that was not fetched yet, the end of a page of predecoded words, and
// an instruction with a debugger's breakpoint. Groups fit in one line, since clang-format never
// settles on a longer list.
#define TVP_RISCV_JUMPS(X) X(Jal) X(Jalr) X(Beq) X(Bne) X(Blt) X(Bge) X(Bltu) X(Bgeu)
#define TVP_RISCV_ACCESSES(X) X(Lb) X(Lh) X(Lw) X(Lbu) X(Lhu) X(Sb) X(Sh) X(Sw)
#define TVP_RISCV_SUMS(X) X(Addi) X(Slti) X(Sltiu) X(Xori) X(Ori) X(Andi)
#define TVP_RISCV_SHIFTS(X) X(Slli) X(Srli) X(Srai)
#define TVP_RISCV_BYTES(X) X(Sextb) X(Sexth) X(Zexth) X(Orcb) X(Rev8)
#define TVP_RISCV_ONE(X) X(Clz) X(Ctz) X(Cpop) TVP_RISCV_BYTES(X) X(Rori)
#define TVP_RISCV_ADDRESSES(X) X(Sh1add) X(Sh2add) X(Sh3add)
#define TVP_RISCV_LOGIC(X) X(Andn) X(Orn) X(Xnor) X(Max) X(Maxu) X(Min) X(Minu) X(Rol) X(Ror)
#define TVP_RISCV_TWO(X) TVP_RISCV_ADDRESSES(X) TVP_RISCV_LOGIC(X)
#define TVP_RISCV_ALU(X) X(Add) X(Sub) X(Sll) X(Slt) X(Sltu) X(Xor) X(Srl) X(Sra) X(Or) X(And)
#define TVP_RISCV_LONG(X) X(Mul) X(Mulh) X(Mulhsu) X(Mulhu) X(Div) X(Divu) X(Rem) X(Remu)
#define TVP_RISCV_CSRS(X) X(Csrrw) X(Csrrs) X(Csrrc) X(Csrrwi) X(Csrrsi) X(Csrrci)
#define TVP_RISCV_SWAPS(X) X(Amoswap) X(Amoadd) X(Amoxor) X(Amoand) X(Amoor)
#define TVP_RISCV_ATOMICS(X) TVP_RISCV_SWAPS(X) X(Amomin) X(Amomax) X(Amominu) X(Amomaxu)
#define TVP_RISCV_SINGLE(X) TVP_RISCV_CSRS(X) TVP_RISCV_ATOMICS(X)
#define TVP_RISCV_OTHERS(X) X(Ecall) X(Ebreak) X(Ttinsn) TVP_RISCV_SINGLE(X)
#define TVP_RISCV_IMMEDIATES(X) TVP_RISCV_SUMS(X) TVP_RISCV_SHIFTS(X) TVP_RISCV_ONE(X)
#define TVP_RISCV_OPERATIONS(X) TVP_RISCV_IMMEDIATES(X) TVP_RISCV_ALU(X) TVP_RISCV_TWO(X)
#define TVP_RISCV_FLOW(X) X(Invalid) X(Nop) X(Constant) TVP_RISCV_JUMPS(X)
#define TVP_RISCV_REST(X) TVP_RISCV_OPERATIONS(X) TVP_RISCV_LONG(X) TVP_RISCV_OTHERS(X)
#define TVP_RISCV_INSTRUCTIONS(X) TVP_RISCV_FLOW(X) TVP_RISCV_ACCESSES(X) TVP_RISCV_REST(X)
#define TVP_RISCV_CODES(X) X(Undecoded) X(PageEnd) X(Absent) X(Breakpoint) TVP_RISCV_INSTRUCTIONS(X)

enum class Code : std::uint8_t {
#define TVP_RISCV_ENUMERATOR(name) k##name,
  TVP_RISCV_CODES(TVP_RISCV_ENUMERATOR)
#undef TVP_RISCV_ENUMERATOR
      kCount
};

inline constexpr bool is_load(Code c) { return c >= Code::kLb && c <= Code::kLhu; }
inline constexpr bool is_store(Code c) { return c >= Code::kSb && c <= Code::kSw; }
inline constexpr bool is_branch(Code c) { return c >= Code::kBeq && c <= Code::kBgeu; }
/// An operation of the integer unit with one register operand.
inline constexpr bool is_immediate(Code c) { return c >= Code::kAddi && c <= Code::kRori; }
/// Zba or Zbb.
inline constexpr bool is_bit_manipulation(Code c) {
  return (c >= Code::kClz && c <= Code::kRori) || (c >= Code::kSh1add && c <= Code::kRor);
}
inline constexpr bool is_csr_access(Code c) { return c >= Code::kCsrrw && c <= Code::kCsrrci; }
inline constexpr bool is_atomic(Code c) { return c >= Code::kAmoswap && c <= Code::kAmomaxu; }
inline constexpr bool is_division(Code c) { return c >= Code::kDiv && c <= Code::kRemu; }
/// Bytes that a load or store moves.
unsigned access_bytes(Code c);

/// One predecoded instruction word.
struct Op {
  std::uint8_t code = 0;  ///< value of Code
  /// kSink instead of x0
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  /// Immediate operand. For kConstant the value, for jal and branches the target address, for
  /// .ttinsn the Tensix instruction, for an access of a CSR its number (with the immediate operand
  /// in rs2).
  std::int32_t imm = 0;
  /// Branches and jal: distance to the target in words if it is in the same page, else kFar. jalr:
  /// the previous target.
  std::int32_t aux = 0;
  std::uint32_t prediction = 0;  ///< branches and jumps: see BranchPredictor

  /// Backward jumps of a branch or jal, which has that code, until the next check for a poll.
  std::uint8_t& unchecked(Code c) { return c == Code::kJal ? rs2 : rd; }

  /// Destination of results for x0, so that a write needs no test for x0.
  static constexpr std::uint8_t kSink = 32;
  static constexpr std::int32_t kFar = INT32_MIN;
};
static_assert(sizeof(Op) == 16);

/// Decodes one word at address `pc`, of any generation (see CoreGeneration). The owner of the page
/// sets `aux` and `prediction`. For a branch, `aux` has the direction: 2 backward, 1 forward.
Op decode(std::uint32_t word, std::uint32_t pc);

}  // namespace tvp::riscv
