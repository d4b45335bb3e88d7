#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/config/config_uses.h"
#include "models/tensix/coprocessor/config/configuration_unit.h"
#include "models/tensix/coprocessor/coprocessor_client.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

/// Forwards the effects of writes to special configuration words.
class ConfigEffects : public ConfigListener {
 public:
  ConfigEffects(CoprocessorClient& client, VectorUnit& vector, Unpackers& unpackers,
                ConfigUses& uses)
      : client_(client), vector_(vector), unpackers_(unpackers), uses_(uses) {}

  void invalidate_instruction_caches(std::uint32_t mask, Cycle now) override {
    client_.invalidate_instruction_caches(mask, now);
  }
  void seed_prng(std::uint32_t seed) override { vector_.seed(seed); }
  void reset_context_counters(unsigned thread) override {
    unpackers_.reset_context_counters(thread);
  }
  void changes(unsigned bank, unsigned index, std::uint32_t value, Cycle now) override {
    uses_.changes(bank, index, value, now);
  }

 private:
  CoprocessorClient& client_;
  VectorUnit& vector_;
  Unpackers& unpackers_;
  ConfigUses& uses_;
};

}  // namespace tvp::tensix::coprocessor
