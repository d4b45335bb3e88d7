#include "sw/runtime/compiler/precompiled_header.h"

#include <utility>

#include "foundation/content_hash.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

constexpr const char* kName = "first.h";

}  // namespace

PrecompiledHeader::PrecompiledHeader(CompileCache& cache, const std::string& text,
                                     std::vector<std::string> command, std::string key_text)
    : cache_(cache) {
  // GCC looks for a precompiled header beside the header, so each set of options has a folder.
  foundation::ContentHash way;
  for (const std::string& word : command) way.add(word);
  way.add(key_text);
  const std::string marked = "// " + way.hex() + "\n" + text;
  job_.name = cache_.generated({{kName, marked}}) + "/" + kName;
  job_.command = std::move(command);
  job_.command.insert(job_.command.end(), {"-x", "c++-header", job_.name});
  job_.key_text = std::move(key_text);
  job_.counted = false;
}

void PrecompiledHeader::prepare(std::size_t sources) {
  // GCC uses a file of this name beside the header without checking that it is up to date.
  const std::string place = path() + ".gch";
  sources_ += sources;
  if (sources_ < kWorthwhile && !cache_.has(job_)) {
    cache_.unlink_from(place);
    return;
  }
  try {
    const CompileCache::Image image = cache_.build({job_})[0];
    *files_ = cache_.files_of(image);
    cache_.link_to(image, place);
  } catch (const CompileError&) {
    cache_.unlink_from(place);  // the compilation of the sources reports the same error
  }
}

}  // namespace tvp::runtime
