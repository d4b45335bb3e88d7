#include "sw/runtime/vectors/vector_registers.h"

#include <set>

#include "sw/runtime/vectors/assembly_text.h"
#include "sw/runtime/vectors/coloring.h"
#include "sw/runtime/vectors/emission.h"
#include "sw/runtime/vectors/lifetimes.h"
#include "sw/runtime/vectors/rematerialization.h"
#include "sw/runtime/vectors/simplify.h"

namespace tvp::runtime::vectors {
namespace {

using Function = AssemblyText::Function;

/// Functions that use vectors, also by others that they call.
std::set<std::string> find_vector_functions(const AssemblyText& text) {
  std::set<std::string> names;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Function& function : text.functions()) {
      if (names.contains(function.name)) continue;
      bool uses = FunctionReader::uses_vectors(text, function);
      for (std::size_t i = function.begin; i < function.end && !uses; ++i) {
        const auto& operands = text.lines()[i].operands;
        uses = !operands.empty() && names.contains(operands.back());
      }
      if (uses) grown = names.insert(function.name).second;
    }
  }
  return names;
}

[[noreturn]] void refuse_crowd(const AssemblyText& text, const Lifetimes::Crowd& crowd) {
  throw VectorError(text.source_of(crowd.line) + ": " + std::to_string(crowd.count) +
                    " vectors are needed at the same time, and the vector unit has " +
                    std::to_string(kVectorRegisters) +
                    " registers: load or compute some of them later, or keep them in dst_reg");
}

void assign_function(AssemblyText& text, const Function& function,
                     const std::set<std::string>& vector_functions) {
  VectorCode code = FunctionReader(text, function, vector_functions).read();
  mark_predicated(code, false);
  join_half_loads(code);
  read_constants_in_place(code);
  fuse_products(code);
  fold_immediates(code);
  write_variables_directly(code);
  copy_to_fixed_registers(code);
  Rematerialization rematerialization(code);
  for (;;) {
    const Lifetimes lifetimes(code);
    if (lifetimes.interrupted_line() != 0) {
      throw VectorError(text.source_of(lifetimes.interrupted_line()) +
                        ": a vector is needed after a call of a function that uses vectors, too, "
                        "and is not inlined: mark that one sfpi_inline");
    }
    for (const bool join : {true, false}) {
      const Coloring coloring(code, lifetimes, join);
      if (!coloring.complete()) continue;
      emit(text, code, coloring);
      return;
    }
    if (!rematerialization.split_one(lifetimes)) refuse_crowd(text, lifetimes.crowd());
  }
}

/// True if code or a table of addresses outside of a function names it.
bool is_used(const AssemblyText& text, const Function& function) {
  for (std::size_t i = 0; i < text.lines().size(); ++i) {
    const AssemblyText::Line& line = text.lines()[i];
    if (function.begin <= i && i < function.end) continue;
    if (line.mnemonic.starts_with(".") && line.mnemonic != ".word") continue;
    for (const std::string& operand : line.operands)
      if (operand.find(function.name) != std::string::npos) return true;
  }
  return false;
}

/// The compiler's own copy of a function that it has inlined everywhere. No code calls it, and the
/// linker removes it.
void take_out(AssemblyText& text, const Function& function) {
  for (std::size_t i = function.begin; i < function.end; ++i)
    if (FunctionReader::is_ours(text.lines()[i])) text.replace(i, "\tebreak");
}

}  // namespace

const char* version() { return TVP_VECTORS_VERSION; }

std::string assign_vector_registers(std::string_view assembly) {
  if (assembly.find("\tsfpi.") == std::string_view::npos) return std::string(assembly);
  AssemblyText text(assembly);
  const std::set<std::string> vector_functions = find_vector_functions(text);
  for (const Function& function : text.functions()) {
    if (!FunctionReader::uses_vectors(text, function)) continue;
    try {
      assign_function(text, function, vector_functions);
    } catch (const VectorError&) {
      if (is_used(text, function)) throw;
      take_out(text, function);
    }
  }
  return text.str();
}

}  // namespace tvp::runtime::vectors
