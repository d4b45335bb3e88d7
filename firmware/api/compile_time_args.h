#pragma once
// Compile-time arguments: -DKERNEL_COMPILE_TIME_ARGS=a,b,c and, by name,
// -DKERNEL_COMPILE_TIME_ARG_MAP={"n",v},…

#include <stddef.h>
#include <stdint.h>

#include <array>
#include <string_view>
#include <type_traits>

#if !defined(KERNEL_COMPILE_TIME_ARGS)
#define KERNEL_COMPILE_TIME_ARGS
#endif

namespace tvp::kernel_args {
template <typename... Ts>
constexpr auto make(Ts... values) {
  return std::array<uint32_t, sizeof...(Ts)>{static_cast<uint32_t>(values)...};
}
}  // namespace tvp::kernel_args

constexpr auto kernel_compile_time_args = ::tvp::kernel_args::make(KERNEL_COMPILE_TIME_ARGS);

template <uint32_t Idx>
constexpr uint32_t get_ct_arg() {
  static_assert(Idx < kernel_compile_time_args.size(),
                "the kernel has no such compile-time argument");
  return kernel_compile_time_args[Idx];
}
#if defined(TVP_COMPILE_TIME_ARGS_IN_CONDITIONS)
// Kernels of spring 2025 also use the argument in an #if, so it must be a macro.
#define get_compile_time_arg_val(arg_idx) KERNEL_COMPILE_TIME_ARG_##arg_idx
#else
#define get_compile_time_arg_val(arg_idx) get_ct_arg<(arg_idx)>()
#endif

namespace tvp::kernel_args {
struct Named {
  std::string_view name;
  uint32_t value;
};
#if !defined(KERNEL_COMPILE_TIME_ARG_MAP)
#define KERNEL_COMPILE_TIME_ARG_MAP \
  { "", 0 }
#endif
constexpr Named kNamed[] = {KERNEL_COMPILE_TIME_ARG_MAP};
// Not constexpr on purpose: reaching it in a constant expression is the error message.
inline uint32_t no_named_compile_time_argument_of_this_name() { return 0; }

constexpr uint32_t find(std::string_view name) {
  for (const Named& arg : kNamed)
    if (arg.name == name) return arg.value;
  return no_named_compile_time_argument_of_this_name();
}
template <typename Name>
requires std::is_array_v<Name>
consteval uint32_t named(const Name& name) { return find(name); }
/// An entry of a list of names, which kernels search at compile time.
template <typename Name>
requires(!std::is_array_v<Name>) constexpr uint32_t named(const Name& name) { return find(name); }
}  // namespace tvp::kernel_args
#define get_named_compile_time_arg_val(arg_name) ::tvp::kernel_args::named(arg_name)
consteval uint32_t get_named_ct_arg(std::string_view name) {
  return ::tvp::kernel_args::find(name);
}
