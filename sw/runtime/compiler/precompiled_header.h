#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sw/runtime/compiler/compile_cache.h"

namespace tvp::runtime {

/// A header that many sources include first, with the same options. Once enough of them are to be
/// compiled, it is precompiled. If relevant options differ, GCC ignores the precompiled header and
/// reads the header.
class PrecompiledHeader {
 public:
  /// Number of sources for which precompiling saves time.
  static constexpr std::size_t kWorthwhile = 4;

  /// `command` compiles, without source and output. `key_text` holds other properties of the
  /// compiler for the key.
  PrecompiledHeader(CompileCache& cache, const std::string& text, std::vector<std::string> command,
                    std::string key_text);

  /// Header for the -include option.
  const std::string& path() const { return job_.name; }
  /// Files that the header includes. The compiler does not list them once they are precompiled.
  /// Empty until a precompiled header exists.
  std::shared_ptr<const std::vector<std::string>> files() const { return files_; }
  /// Call before `sources` more of them are compiled, in any number of processes.
  void prepare(std::size_t sources);

 private:
  CompileCache& cache_;
  CompileCache::Job job_;
  std::size_t sources_ = 0;  ///< sources of this process so far
  std::shared_ptr<std::vector<std::string>> files_ = std::make_shared<std::vector<std::string>>();
};

}  // namespace tvp::runtime
