// Parameters of a kernel's entry, and refusals.

#include "sw/runtime/compiler/kernel_signature.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime {
namespace {

using Names = std::vector<std::string>;

KernelSignature found(const std::string& source) {
  return KernelSignature::find(source, "k.cpp").value();
}
std::string refused(const std::string& source) {
  return tvp::test::fault_of([&] { (void)KernelSignature::find(source, "k.cpp"); });
}

TEST(KernelSignature, OfPlainEntries) {
  EXPECT_EQ(found("TT_KERNEL void reader() {}").name, "reader");
  EXPECT_EQ(found("TT_KERNEL void reader(void) {}").parameters, Names{});
  const KernelSignature two =
      found("TT_KERNEL void reader(uint32_t first,\n const uint32_t more) {}");
  EXPECT_EQ(two.parameters, (Names{"first", "more"}));
  EXPECT_EQ(two.template_parameters, Names{});
}

TEST(KernelSignature, OfTemplates) {
  const KernelSignature of = found(
      "template <typename T>\nvoid helper(T) {}\n"
      "template <uint32_t Ht, bool wide = (3 > 2), uint32_t last = sizeof(int[2])>\n"
      "TT_KERNEL void go(std::array<uint32_t, 4> many, uint32_t n = 3) {}");
  EXPECT_EQ(of.name, "go");
  EXPECT_EQ(of.template_parameters, (Names{"Ht", "wide", "last"}));
  EXPECT_EQ(of.parameters, (Names{"many", "n"}));
}

TEST(KernelSignature, NotWhereItIsNoCode) {
  EXPECT_FALSE(KernelSignature::find("void kernel_main() {}", "k.cpp"));
  EXPECT_FALSE(
      KernelSignature::find("// TT_KERNEL\n/* TT_KERNEL */ void kernel_main() {}", "k.cpp"));
  EXPECT_FALSE(KernelSignature::find("const char* text = \"\\\"TT_KERNEL void f()\";", "k.cpp"));
  EXPECT_FALSE(KernelSignature::find("auto text = R\"x(TT_KERNEL)\" void f())x\";", "k.cpp"));
  EXPECT_FALSE(KernelSignature::find("#define ENTRY \\\n  TT_KERNEL\nint a = 1'000;", "k.cpp"));
  EXPECT_FALSE(KernelSignature::find("int MY_TT_KERNEL, TT_KERNELS; // ' \"", "k.cpp"));
  const KernelSignature after = found(
      "#ifdef A // it's\n#endif\nchar c = '\"'; // TT_KERNEL void f(\nTT_KERNEL void g(uint32_t /* "
      ", b */ a)");
  EXPECT_EQ(after.name, "g");
  EXPECT_EQ(after.parameters, Names{"a"});
}

TEST(KernelSignature, RefusesWhatIsNoEntry) {
  EXPECT_NE(refused("\nTT_KERNEL void f(uint32_t a) {}\nTT_KERNEL void g() {}").find("k.cpp:3"),
            std::string::npos);
  EXPECT_NE(refused("TT_KERNEL").find("expected a function"), std::string::npos);
  EXPECT_NE(refused("TT_KERNEL int a; void f() {}").find("expected a function"), std::string::npos);
  EXPECT_NE(refused("TT_KERNEL void (f)(uint32_t)").find("expected a function"), std::string::npos);
  EXPECT_NE(refused("TT_KERNEL void f(uint32_t a").find("do not end"), std::string::npos);
  EXPECT_NE(refused("TT_KERNEL void f(uint32_t) {}").find("no name"), std::string::npos);
  EXPECT_NE(refused("template <uint32_t> TT_KERNEL void f() {}").find("no name"),
            std::string::npos);
  EXPECT_NE(refused("int x = 3 > TT_KERNEL void f() {}").find("expected template"),
            std::string::npos);
}

TEST(KernelSignature, HandsOverWhatTheHostNames) {
  const KernelSignature of =
      found("template <uint32_t w> TT_KERNEL void go(uint32_t a, uint32_t b, uint32_t c) {}");
  KernelNames names;
  names.runtime_args = {"c", "a"};
  names.common_runtime_args = {"b"};
  names.compile_args = {{"w", 4}};
  EXPECT_EQ(of.kernel_main(names, "k.cpp"),
            "void kernel_main() { go<get_arg(args::w)>(get_arg(args::a), get_arg(args::b), "
            "get_arg(args::c)); }\n");
  names.compile_args = {};
  EXPECT_THROW((void)of.kernel_main(names, "k.cpp"), foundation::Fault);
  names.compile_args = {{"w", 4}};
  names.runtime_args = {"c"};
  EXPECT_THROW((void)of.kernel_main(names, "k.cpp"), foundation::Fault);
}

}  // namespace
}  // namespace tvp::runtime
