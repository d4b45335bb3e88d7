#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tvp::foundation {

/// 128-bit XXH3 over a list of texts. It names cached files by what they were made from.
class ContentHash {
 public:
  ContentHash();

  /// The length counts too: ("ab", "c") differs from ("a", "bc").
  ContentHash& add(std::string_view text);
  /// 32 hexadecimal digits.
  std::string hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace tvp::foundation
