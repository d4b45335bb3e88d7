#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/compiler/compile_cache.h"

namespace tvp::runtime {

/// A header that many sources read first, with the same options: once enough of them are to be
/// compiled it is compiled itself, and GCC reads what that left instead. GCC takes it for none of
/// its business when an option differs that matters, and reads the header then.
class PrecompiledHeader {
 public:
  /// So many sources take longer without it than it takes to make.
  static constexpr std::size_t kWorthwhile = 4;

  /// `command` compiles, without source and output. `key_text` holds other properties of the
  /// compiler for the key.
  PrecompiledHeader(CompileCache& cache, const std::string& text, std::vector<std::string> command,
                    std::string key_text);

  /// To be included by the command line, before all else.
  const std::string& path() const { return job_.name; }
  /// Files that the header includes. The compiler does not list them once they are precompiled.
  /// Empty until a precompiled header exists.
  std::shared_ptr<const std::vector<std::string>> files() const { return files_; }
  /// To be called before `sources` more of them are compiled, in any number of processes.
  void prepare(std::size_t sources);

 private:
  CompileCache& cache_;
  CompileCache::Job job_;
  std::size_t sources_ = 0;  ///< sources of this process so far
  std::shared_ptr<std::vector<std::string>> files_ = std::make_shared<std::vector<std::string>>();
};

}  // namespace tvp::runtime
