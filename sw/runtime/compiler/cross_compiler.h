#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

/// The C++ compiler of kernels and firmware, with the tools beside it: Debian's, or one of the
/// user's, such as the one that kernels are shipped with.
class CrossCompiler {
 public:
  /// $TENSIX_VP_CXX, a g++ for RISC-V by its path or by its name on PATH, else
  /// riscv64-unknown-elf-g++; with the words of $TENSIX_VP_CXXFLAGS behind all other options.
  /// Throws Fault(kDescription) for one that is not there or that is no g++.
  static CrossCompiler from_environment();

  /// The driver, and what it has to know to compile, assemble and link for these cores.
  const std::vector<std::string>& command() const { return command_; }
  const std::string& objcopy() const { return objcopy_; }
  /// Where C++ headers are that suit a bare-metal 32-bit target; none if the compiler has its own.
  const std::vector<std::string>& header_folders() const { return header_folders_; }
  const std::vector<std::string>& flags() const { return flags_; }
  /// Changes when another compiler answers to the name: what it makes depends on that.
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
