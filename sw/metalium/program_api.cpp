#include "sw/metalium/program_api.h"

#include "foundation/content_hash.h"
#include "sw/runtime/compiler/compile_cache.h"

namespace tt::tt_metal {

std::string kernel_file(const std::string& text) {
  using tvp::runtime::CompileCache;
  // While it lives, the cache's limit does not remove files that it has returned.
  static CompileCache cache(CompileCache::default_folder());
  const std::string name = tvp::foundation::ContentHash().add(text).hex() + ".cpp";
  return cache.generated({{name, text}}) + "/" + name;
}

}  // namespace tt::tt_metal
