#pragma once
// DEVICE_PRINT("value {} at {:x}
// ", v, a) prints text with arguments in place of {}. A place may select base x or d for an
// integer. Other specifications are ignored.

#include "debug/dprint_stream.h"

#if defined(DEBUG_PRINT_ENABLED)

namespace tvp::debug {

/// Prints the text up to the next place or the end. Returns the rest.
inline const char* print_text(const char* format) {
  constexpr uint32_t kMost = 160;
  const char* start = format;
  const auto flush = [&start](const char* end) {
    if (end != start)
      Printer::put(contract::kDprintCstr, start, static_cast<uint32_t>(end - start));
  };
  while (*format != 0 && !(format[0] == '{' && format[1] != '{')) {
    if (*format == '\n') {
      flush(format);
      DPRINT << ENDL();
      start = format + 1;
    } else if ((*format == '{' || *format == '}') && format[1] == format[0]) {
      flush(format + 1);
      start = ++format + 1;
    } else if (static_cast<uint32_t>(format - start) == kMost) {
      flush(format);
      start = format;
    }
    ++format;
  }
  flush(format);
  return format;
}

inline void print_format(const char* format) { print_text(format); }

template <typename T, typename... Rest>
inline void print_format(const char* format, const T& value, const Rest&... rest) {
  format = print_text(format);
  if (*format == 0) return;
  char last = 0;
  while (*format != 0 && *format != '}') last = *format++;
  if (last == 'x') {
    DPRINT << HEX() << value << DEC();
  } else {
    DPRINT << value;
  }
  print_format(*format == 0 ? format : format + 1, rest...);
}

}  // namespace tvp::debug

template <typename... Values>
void DebugPrinter::operator()(const char* format, const Values&... values) const {
  tvp::debug::print_format(format, values...);
}

#define DEVICE_PRINT(format, ...) ::tvp::debug::print_format(format __VA_OPT__(, ) __VA_ARGS__)
#else
#define DEVICE_PRINT(format, ...) ((void)0)
#endif

#if defined(TRISC_UNPACK)
#define DEVICE_PRINT_UNPACK(...) DEVICE_PRINT(__VA_ARGS__)
#else
#define DEVICE_PRINT_UNPACK(...) ((void)0)
#endif
#if defined(TRISC_MATH)
#define DEVICE_PRINT_MATH(...) DEVICE_PRINT(__VA_ARGS__)
#else
#define DEVICE_PRINT_MATH(...) ((void)0)
#endif
#if defined(TRISC_PACK)
#define DEVICE_PRINT_PACK(...) DEVICE_PRINT(__VA_ARGS__)
#else
#define DEVICE_PRINT_PACK(...) ((void)0)
#endif
#if defined(COMPILE_FOR_BRISC)
#define DEVICE_PRINT_DATA0(...) DEVICE_PRINT(__VA_ARGS__)
#else
#define DEVICE_PRINT_DATA0(...) ((void)0)
#endif
#if defined(COMPILE_FOR_NCRISC)
#define DEVICE_PRINT_DATA1(...) DEVICE_PRINT(__VA_ARGS__)
#else
#define DEVICE_PRINT_DATA1(...) ((void)0)
#endif
