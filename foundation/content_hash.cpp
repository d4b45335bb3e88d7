#include "foundation/content_hash.h"

#include <xxhash.h>

#include <cstdint>
#include <new>

#include "foundation/hex.h"

namespace tvp::foundation {

void ContentHash::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

ContentHash::ContentHash() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

ContentHash& ContentHash::add(std::string_view text) {
  const std::uint64_t bytes = text.size();
  XXH3_128bits_update(state_.get(), &bytes, sizeof bytes);
  XXH3_128bits_update(state_.get(), text.data(), text.size());
  return *this;
}

std::string ContentHash::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return hex_digits(hash.high64, 16) + hex_digits(hash.low64, 16);
}

}  // namespace tvp::foundation
