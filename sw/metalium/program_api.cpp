#include "sw/metalium/program_api.h"

#include "foundation/content_hash.h"
#include "sw/runtime/compiler/compile_cache.h"

namespace tt::tt_metal {

std::string kernel_file(const std::string& text) {
  using tvp::runtime::CompileCache;
  // While it lives, the limit of the cache spares the files that it has handed out.
  static CompileCache cache(CompileCache::default_folder());
  const std::string name = tvp::foundation::ContentHash().add(text).hex() + ".cpp";
  return cache.generated({{name, text}}) + "/" + name;
}

}  // namespace tt::tt_metal
