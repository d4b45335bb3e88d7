#include "models/support/last_writers.h"

#include <algorithm>

namespace tvp::support {

void LastWriters::add_chunk(std::uint32_t chunk) {
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  chunks_[chunk] = std::make_unique<Write[]>(kGranules);
  std::fill_n(chunks_[chunk].get(), kGranules, Write{.cycle = kUnwritten});
}

const LastWriters::Write* LastWriters::of(std::uint32_t address) const {
  const std::uint32_t granule = address / kGranuleBytes;
  if (granule / kGranules >= chunks_.size() || !chunks_[granule / kGranules]) return nullptr;
  const Write& write = chunks_[granule / kGranules][granule % kGranules];
  return write.cycle == kUnwritten ? nullptr : &write;
}

}  // namespace tvp::support
