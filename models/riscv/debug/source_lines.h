#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tvp::riscv {

/// True for files of the API and library, and for headers of the compiler. Faults are reported in
/// the kernel that calls them. Kernels of an installed package lie below /usr, too.
bool is_of_library(const std::string& file);

/// Source location of an instruction.
struct SourceLocation {
  std::string function;  ///< the innermost function, inlined ones included; empty if unknown
  std::string file;
  unsigned line = 0;
  /// The calls through which the function is inlined, innermost first: the calling function, and
  /// the line of the call. The last function exists in the code.
  std::vector<SourceLocation> inlined_into;
  /// For example "add (math.h:7), inlined into reduce (kernels/sdpa/compute.cpp:41)". For a line in
  /// the kernel library, the text begins with the kernel's own line: "reduce
  /// (kernels/sdpa/compute.cpp:41): add (firmware/api/compute/math.h:7)".
  std::string text() const;
  /// For example "add (math.h:7)".
  std::string place_text() const;
  /// The innermost place that is not in the kernel library: the kernel's own line. Null if the
  /// library is all there is.
  const SourceLocation* own() const;
  /// own() and its callers outside of the library that it is inlined into, without the arguments of
  /// templates: "wait (share.h:3), called in kernel_main (reader.cpp:12)".
  std::string own_text() const;
  /// The outermost function of the library above own(), for example "cb_wait_front", which the
  /// kernel calls. Empty if own() is the innermost place.
  std::string called() const;
};

/// Reads the DWARF of one ELF file; opened at the first lookup.
class SourceLines {
 public:
  explicit SourceLines(std::string path);
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  /// Empty if the file has no line for that address. Results are kept, since most cores of a system
  /// are at the same few addresses.
  const std::optional<SourceLocation>& lookup(std::uint32_t address);
  /// The declaration of a function, inlined or not.
  const std::optional<SourceLocation>& declaration(const std::string& function);
  /// True if the code calls the function, also where the call is inlined.
  bool calls(const std::string& function);
  /// The places outside of the library at which the code calls the function.
  std::vector<SourceLocation> calls_of(const std::string& function);

 private:
  struct Dwarf;
  bool open();
  std::optional<SourceLocation> find(std::uint32_t address);
  std::optional<SourceLocation> find(const std::string& function);

  std::string path_;
  std::unique_ptr<Dwarf> dwarf_;
  bool opened_ = false;
  std::unordered_map<std::uint32_t, std::optional<SourceLocation>> found_;
  std::unordered_map<std::string, std::optional<SourceLocation>> declarations_;
  std::optional<std::set<std::string>> called_;  ///< names of functions
};

}  // namespace tvp::riscv
