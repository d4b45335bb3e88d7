#pragma once

#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tvp::foundation {

/// XXH3 of 128 bits over texts: names what is cached by what it was made from.
class ContentHash {
 public:
  ContentHash();

  /// A text; where it ends counts, too: "ab","c" is not "a","bc".
  ContentHash& add(std::string_view text);
  /// 32 digits.
  std::string hex() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace tvp::foundation
