#pragma once
// DPRINT << value << ENDL() prints text on the host's console, in the record format of kernel_api
// 7.1. Records go to the core's buffer in the mailbox. If it is full, the core waits for the host.
// Without DEBUG_PRINT_ENABLED everything here compiles to nothing.

#include <stdint.h>

#include <type_traits>

#include "debug/waypoint.h"
#include "foundation/contract/mailboxes.h"
#include "internal/firmware_globals.h"

struct ENDL {};
struct HEX {};
struct DEC {};
struct OCT {};
struct FIXED {};
struct DEFAULTFLOAT {};
struct SETW {
  constexpr explicit SETW(uint8_t w, bool s = true) : width(w), sticky(s) {}
  uint8_t width;
  bool sticky;
};
struct SETPRECISION {
  constexpr explicit SETPRECISION(uint8_t p) : precision(p) {}
  uint8_t precision;
};
struct BF16 {
  constexpr explicit BF16(uint16_t v) : value(v) {}
  uint16_t value;
};
/// The type of kernels of June 2026, which also convert it to text.
struct bf16_t {
  constexpr explicit bf16_t(uint16_t v) : val(v) {}
  uint16_t val;
};
/// A datum of a block format and its shared exponent: sign, then kBits - 1 of mantissa.
template <uint32_t kBits>
struct block_float_t {
  constexpr explicit block_float_t(uint16_t both)
      : exponent(static_cast<uint8_t>(both)), mantissa(static_cast<uint8_t>(both >> 8)) {}
  constexpr block_float_t(uint8_t e, uint8_t m) : exponent(e), mantissa(m) {}
  /// Converts to the bits of a float.
  constexpr uint32_t bits() const {
    const uint32_t magnitude = mantissa & ((1u << (kBits - 1)) - 1);
    if (magnitude == 0) return 0;
    const uint32_t first = 31 - static_cast<uint32_t>(__builtin_clz(magnitude));
    const uint32_t below = kBits - 2 - first;
    if (exponent <= below) return 0;
    return (mantissa >> (kBits - 1) & 1u) << 31 | (exponent - below) << 23 |
           ((magnitude << (23 - first)) & 0x7FFFFF);
  }
  uint8_t exponent;
  uint8_t mantissa;
};
using bf4_t = block_float_t<4>;
using bf8_t = block_float_t<8>;
struct ct_string {
  constexpr operator const char*() const { return ptr; }
  const char* ptr;
};
#define CTSTR(literal) (ct_string{literal})
struct F32 {
  constexpr explicit F32(float v) : value(v) {}
  float value;
};
constexpr uint8_t U8(uint8_t v) { return v; }
constexpr uint16_t U16(uint16_t v) { return v; }
constexpr uint32_t U32(uint32_t v) { return v; }
constexpr int8_t I8(int8_t v) { return v; }
constexpr int16_t I16(int16_t v) { return v; }
constexpr int32_t I32(int32_t v) { return v; }
/// Output behind WAIT{signal} is printed after the RAISE{signal} of any core.
struct RAISE {
  constexpr explicit RAISE(uint32_t s) : signal(s) {}
  uint32_t signal;
};
struct WAIT {
  constexpr explicit WAIT(uint32_t s) : signal(s) {}
  uint32_t signal;
};
struct U32_ARRAY {
  const uint32_t* values;
  uint8_t count;
};

#if defined(DEBUG_PRINT_ENABLED)

namespace tvp::debug {

class Printer {
 public:
  // One record, or nothing while the host has printing disabled.
  static void put(contract::DprintType type, const void* payload, uint32_t size) {
    volatile contract::DprintBuffer& buffer = mailboxes()->dprint[kSlot];
    uint32_t position = buffer.wpos;
    if (position == contract::kDprintDisabled) return;
    if (position == contract::kDprintStarting) position = restart(buffer);
    if (position + 2 + size > contract::kDprintDataSize) {
      WAYPOINT("DPW");
      while (buffer.rpos < position) {
      }
      WAYPOINT("DPD");
      position = restart(buffer);
    }
    const auto* bytes = static_cast<const uint8_t*>(payload);
    buffer.data[position] = type;
    buffer.data[position + 1] = static_cast<uint8_t>(size);
    for (uint32_t i = 0; i < size; ++i) buffer.data[position + 2 + i] = bytes[i];
    buffer.wpos = position + 2 + size;
  }

 private:
  static uint32_t restart(volatile contract::DprintBuffer& buffer) {
    buffer.rpos = 0;
    buffer.wpos = 0;
    return 0;
  }
};

template <typename T>
constexpr contract::DprintType integer_type() {
  constexpr uint32_t log_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<contract::DprintType>(
      (std::is_signed_v<T> ? contract::kDprintInt8 : contract::kDprintUint8) + log_size);
}

}  // namespace tvp::debug

struct DebugPrinter {
  /// DPRINT("value {}
  /// ", v), since June 2026: as DEVICE_PRINT.
  template <typename... Values>
  void operator()(const char* format, const Values&... values) const;
};

template <typename T>
DebugPrinter operator<<(DebugPrinter dp, const T& value) {
  using tvp::debug::Printer;
  if constexpr (std::is_same_v<T, ENDL>) {
    Printer::put(tvp::contract::kDprintEndl, nullptr, 0);
  } else if constexpr (std::is_same_v<T, HEX>) {
    Printer::put(tvp::contract::kDprintHex, nullptr, 0);
  } else if constexpr (std::is_same_v<T, DEC>) {
    Printer::put(tvp::contract::kDprintDec, nullptr, 0);
  } else if constexpr (std::is_same_v<T, OCT>) {
    Printer::put(tvp::contract::kDprintOct, nullptr, 0);
  } else if constexpr (std::is_same_v<T, FIXED>) {
    Printer::put(tvp::contract::kDprintFixed, nullptr, 0);
  } else if constexpr (std::is_same_v<T, DEFAULTFLOAT>) {
    Printer::put(tvp::contract::kDprintDefaultFloat, nullptr, 0);
  } else if constexpr (std::is_same_v<T, SETW>) {
    const uint8_t payload[2] = {value.width, value.sticky};
    Printer::put(tvp::contract::kDprintSetw, payload, 2);
  } else if constexpr (std::is_same_v<T, SETPRECISION>) {
    Printer::put(tvp::contract::kDprintSetPrecision, &value.precision, 1);
  } else if constexpr (std::is_same_v<T, BF16>) {
    Printer::put(tvp::contract::kDprintBfloat16, &value.value, 2);
  } else if constexpr (std::is_same_v<T, bf16_t>) {
    Printer::put(tvp::contract::kDprintBfloat16, &value.val, 2);
  } else if constexpr (std::is_same_v<T, bf4_t> || std::is_same_v<T, bf8_t>) {
    const uint32_t bits = value.bits();
    Printer::put(tvp::contract::kDprintFloat32, &bits, 4);
  } else if constexpr (std::is_same_v<T, F32>) {
    Printer::put(tvp::contract::kDprintFloat32, &value.value, 4);
  } else if constexpr (std::is_same_v<T, U32_ARRAY>) {
    Printer::put(tvp::contract::kDprintU32Array, value.values, value.count * 4u);
  } else if constexpr (std::is_same_v<T, RAISE>) {
    Printer::put(tvp::contract::kDprintRaise, &value.signal, 4);
  } else if constexpr (std::is_same_v<T, WAIT>) {
    Printer::put(tvp::contract::kDprintWait, &value.signal, 4);
  } else if constexpr (std::is_same_v<T, char>) {
    Printer::put(tvp::contract::kDprintChar, &value, 1);
  } else if constexpr (std::is_same_v<T, bool>) {
    const uint8_t number = value ? 1 : 0;
    Printer::put(tvp::contract::kDprintUint8, &number, 1);
  } else if constexpr (std::is_same_v<T, float>) {
    Printer::put(tvp::contract::kDprintFloat32, &value, 4);
  } else if constexpr (std::is_enum_v<T>) {
    return dp << static_cast<std::underlying_type_t<T>>(value);
  } else if constexpr (std::is_integral_v<T>) {
    Printer::put(tvp::debug::integer_type<T>(), &value, sizeof(T));
  } else if constexpr (std::is_convertible_v<T, const char*>) {
    const char* text = value;
    uint32_t size = 0;
    while (text[size] != 0 && size < 160) ++size;
    Printer::put(tvp::contract::kDprintCstr, text, size);
  } else {
    static_assert(std::is_pointer_v<T>, "DPRINT does not know this type");
    const auto address = reinterpret_cast<uint32_t>(value);
    Printer::put(tvp::contract::kDprintUint32, &address, 4);
  }
  return dp;
}

#define DPRINT DebugPrinter()

#else

struct DebugPrinter {
  template <typename T>
  constexpr DebugPrinter operator<<(const T&) const {
    return *this;
  }
  template <typename... Values>
  constexpr void operator()(const char*, const Values&...) const {}
};
#define DPRINT          \
  if constexpr (true) { \
  } else                \
    DebugPrinter()

#endif

// Prints on one core only: an expression or statements with DPRINT or, since June 2026, a format
// and its arguments.
#if defined(DEBUG_PRINT_ENABLED)
namespace tvp::debug {
/// `print_alone, "text
/// "` prints. With any other right operand it is the normal comma operator.
struct PrintAlone {};
inline void operator,(PrintAlone, const char* text) { DPRINT(text); }
}  // namespace tvp::debug
// Published kernels write it with or without a semicolon.
#define TVP_PRINT_ONE(x) (::tvp::debug::PrintAlone(), __extension__({ x; }));
#define TVP_PRINT_SEVERAL(...) DPRINT(__VA_ARGS__)
#define TVP_PRINT_BY(by, ...) by
#define TVP_PRINT(x, ...)                                       \
  TVP_PRINT_BY(__VA_OPT__(TVP_PRINT_SEVERAL, ) TVP_PRINT_ONE, ) \
  (x __VA_OPT__(, ) __VA_ARGS__)
#else
#define TVP_PRINT(...)
#endif

#if defined(COMPILE_FOR_BRISC)
#define DPRINT_DATA0(...) TVP_PRINT(__VA_ARGS__)
#else
#define DPRINT_DATA0(...)
#endif
#if defined(COMPILE_FOR_NCRISC)
#define DPRINT_DATA1(...) TVP_PRINT(__VA_ARGS__)
#else
#define DPRINT_DATA1(...)
#endif
#if defined(TRISC_UNPACK)
#define DPRINT_UNPACK(...) TVP_PRINT(__VA_ARGS__)
#else
#define DPRINT_UNPACK(...)
#endif
#if defined(TRISC_MATH)
#define DPRINT_MATH(...) TVP_PRINT(__VA_ARGS__)
#else
#define DPRINT_MATH(...)
#endif
#if defined(TRISC_PACK)
#define DPRINT_PACK(...) TVP_PRINT(__VA_ARGS__)
#else
#define DPRINT_PACK(...)
#endif
