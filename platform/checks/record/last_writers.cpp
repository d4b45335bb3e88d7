#include "platform/checks/record/last_writers.h"

#include <algorithm>

namespace tvp::checks {

void LastWriters::add_chunk(std::uint32_t chunk) {
  if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
  chunks_[chunk] = std::make_unique<Write[]>(kGranules);
  std::fill_n(chunks_[chunk].get(), kGranules, Write{.cycle = kUnwritten});
}

void LastWriters::forget(std::uint32_t address, std::uint32_t bytes) {
  if (bytes == 0) return;
  const std::uint32_t last = (address + bytes - 1) / granule_bytes_;
  for (std::uint32_t at = address / granule_bytes_; at <= last; ++at) {
    if (at / kGranules >= chunks_.size()) return;
    if (chunks_[at / kGranules]) chunks_[at / kGranules][at % kGranules].cycle = kUnwritten;
  }
}

const LastWriters::Write* LastWriters::of(std::uint32_t address) const {
  const std::uint32_t granule = address / granule_bytes_;
  if (granule / kGranules >= chunks_.size() || !chunks_[granule / kGranules]) return nullptr;
  const Write& write = chunks_[granule / kGranules][granule % kGranules];
  return write.cycle == kUnwritten ? nullptr : &write;
}

}  // namespace tvp::checks
