#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tvp::riscv {

/// Where in the source an instruction comes from.
struct SourceLocation {
  std::string function;  ///< the innermost, inlined ones included; empty when unknown
  std::string file;
  unsigned line = 0;
  /// The calls through which the function is inlined, innermost first: in which function, and where
  /// in its source the call stands. The last one is the function that exists in the code.
  std::vector<SourceLocation> inlined_into;
  /// "add (math.h:7), inlined into reduce (kernels/sdpa/compute.cpp:41)". What stands in the
  /// library that kernels are compiled with begins with the kernel's own line:
  /// "reduce (kernels/sdpa/compute.cpp:41): add (firmware/api/compute/math.h:7)".
  std::string text() const;
  /// "add (math.h:7)"
  std::string place_text() const;
};

/// Reads the DWARF of one ELF file; opened on the first question.
class SourceLines {
 public:
  explicit SourceLines(std::string path);
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  /// Empty when the file has no line for that address. Kept: most cores of a system are at the same
  /// few addresses.
  const std::optional<SourceLocation>& lookup(std::uint32_t address);

 private:
  struct Dwarf;
  std::optional<SourceLocation> find(std::uint32_t address);

  std::string path_;
  std::unique_ptr<Dwarf> dwarf_;
  bool opened_ = false;
  std::unordered_map<std::uint32_t, std::optional<SourceLocation>> found_;
};

}  // namespace tvp::riscv
