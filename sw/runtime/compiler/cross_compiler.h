#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

/// The C++ compiler of kernels and firmware with its tools: Debian's, or one of the user, such as
/// tt-metal's.
class CrossCompiler {
 public:
  /// $TENSIX_VP_CXX, a g++ for RISC-V by its path or by its name on PATH, else
  /// riscv64-unknown-elf-g++. The words of $TENSIX_VP_CXXFLAGS come after all other options. Throws
  /// Fault(kDescription) if it does not exist or is no g++.
  static CrossCompiler from_environment();

  /// The driver with the options to compile, assemble and link for these cores.
  const std::vector<std::string>& command() const { return command_; }
  const std::string& objcopy() const { return objcopy_; }
  /// Folders of C++ headers for a bare-metal 32-bit target. Empty if the compiler has its own.
  const std::vector<std::string>& header_folders() const { return header_folders_; }
  const std::vector<std::string>& flags() const { return flags_; }
  /// Changes if another compiler has the same name. Images depend on it.
  const std::string& identity() const { return identity_; }

 private:
  CrossCompiler(const std::string& driver, bool usual, std::vector<std::string> flags);

  std::vector<std::string> command_;
  std::string objcopy_;
  std::vector<std::string> header_folders_;
  std::vector<std::string> flags_;
  std::string identity_;
};

}  // namespace tvp::runtime
