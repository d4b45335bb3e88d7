#include "models/rtl/rtl_place.h"

#include <charconv>

namespace tvp::rtl {

namespace {

/// The number that the text is; absent for any other text.
std::optional<unsigned> number_in(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Removes and returns the part behind the last colon, or all.
std::string_view take_last(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  const std::string_view last = colon == std::string_view::npos ? text : text.substr(colon + 1);
  text = colon == std::string_view::npos ? "" : text.substr(0, colon);
  return last;
}

}  // namespace

std::optional<RtlPlace> read_rtl_place(std::string_view text) {
  constexpr std::string_view kChip = "chip";
  RtlPlace place;
  const std::size_t dot = text.find('.');
  if (text.starts_with(kChip) && dot != std::string_view::npos) {
    place.chip = number_in(text.substr(kChip.size(), dot - kChip.size()));
    if (place.chip) text.remove_prefix(dot + 1);
  }
  std::string_view rest = text;
  const auto y = number_in(take_last(rest));
  const auto x = number_in(take_last(rest));
  if (x && y) {
    place.node = {*x, *y};
    text = rest;
  } else if (y) {
    return std::nullopt;
  }
  place.library = text;
  return place;
}

}  // namespace tvp::rtl
