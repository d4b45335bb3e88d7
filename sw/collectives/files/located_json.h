#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::collectives {

/// A JSON value that knows the line on which it ends, or begins if it is an object or array.
struct LocatedJson {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::uint32_t line = 0;
  bool boolean = false;
  std::uint64_t number = 0;
  bool natural = false;  ///< the number is whole and not negative
  std::string text;
  std::vector<LocatedJson> items;
  struct Member;
  std::vector<Member> members;
};

struct LocatedJson::Member {
  std::string name;
  LocatedJson value;
};

/// Throws Fault(kDescription) at FILE:LINE for text that is no JSON.
LocatedJson parse_json(const std::string& text, const std::string& file);

}  // namespace tvp::collectives
