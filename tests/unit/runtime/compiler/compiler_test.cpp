#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "foundation/contract/fabric/mux.h"
#include "foundation/contract/fabric/router.h"
#include "foundation/contract/mailboxes.h"
#include "sw/runtime/compiler/forwarding_headers.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/programs/launch_plan.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

/// Bytes of a processor's local memory.
std::uint32_t local_bytes(std::uint32_t processor) {
  const auto& memories = ChipLayout::usual_spec()->memories;
  return contract::is_trisc(processor) ? memories.compute_local_bytes : memories.data_local_bytes;
}

/// Has a folder for kernels and cache, and removes it at the end.
class CompilerTest : public testing::Test {
 protected:
  CompilerTest()
      : folder_(fs::temp_directory_path() / ("tvp_compiler_" + std::to_string(getpid()))),
        compiler_(KernelCompiler::default_root(), (folder_ / "cache").string()) {}
  ~CompilerTest() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  KernelRequest request(const std::string& source, std::uint32_t processor = contract::kBrisc) {
    KernelRequest r;
    r.processor = processor;
    r.source = source;
    return r;
  }

  fs::path folder_;
  KernelCompiler compiler_;
  CompileOptions options_;
};

TEST_F(CompilerTest, FirmwareOfAllProcessorsFitsItsPlace) {
  for (std::uint32_t p = contract::kBrisc; p <= contract::kErisc; ++p) {
    const auto image = compiler_.firmware(p, options_);
    EXPECT_EQ(image->entry(), contract::firmware_base(p));
    for (const auto& segment : image->segments()) {
      EXPECT_GE(segment.load_address, contract::firmware_base(p));
      EXPECT_LE(segment.load_address + segment.data.size(),
                contract::firmware_base(p) + contract::firmware_size(p));
    }
    // The rest of local memory holds the stack and some data of a kernel.
    EXPECT_LE(image->symbol("__firmware_local_end"),
              contract::kLocalBase + local_bytes(p) - contract::stack_min_size(p) - 256);
  }
}

// In functions of thousands of instructions, the compiler stops optional inlining. Each call would
// then compute constant values.
TEST_F(CompilerTest, WritersOfConfigurationArePartOfLargeKernels) {
  std::string text = "#include \"compute_kernel_api.h\"\nvoid kernel_main() {\n";
  for (int i = 0; i < 16; ++i)
    text += "  pack_reconfig_data_format(get_arg_val<uint32_t>(" + std::to_string(i) + "));\n";
  KernelRequest r = request(file("formats.cpp", text + "}\n"), contract::kTrisc2);
  r.opt_level = KernelBuildOptLevel::O3;
  r.cbs.cbs[0].emplace(CbDescriptors::Cb{});
  const auto image = compiler_.kernels({r}, options_)[0];
  for (const auto& symbol : image->symbols())
    for (const char* name : {"encode_", "set_field", "4regs6tensix"})
      EXPECT_FALSE(symbol.function && symbol.name.find(name) != std::string::npos) << symbol.name;
}

// Larger code would be fetched from L1 for each packet (ISA BabyRISCV/InstructionCache.md: 2 KiB).
TEST_F(CompilerTest, WhatAMuxDoesForAPacketFitsTheInstructionCache) {
  constexpr std::uint32_t kCacheBytes = 2048;
  using namespace contract::fabric;
  KernelRequest mux = request("firmware/fabric/mux.cpp");
  mux.opt_level = KernelBuildOptLevel::O3;
  mux.compile_args.resize(kMuxCompileArgs);
  mux.compile_args[kMuxArgBase] = 0x20000;
  mux.compile_args[kMuxArgMaxPayloadBytes] = kDefaultMaxPayloadBytes;
  mux.compile_args[kMuxArgClients] = kMuxMaxClients;
  mux.compile_args[kMuxArgSlots] = kMuxSlots;
  mux.compile_args[kMuxArgRouterBase] = 0x18000;
  mux.compile_args[kMuxArgRouterSenderChannels] = 2;
  mux.compile_args[kMuxArgRouterSenderSlots] = kLineRouters.sender_slots;
  const auto image = compiler_.kernels({mux}, options_)[0];
  std::uint32_t begin = UINT32_MAX;
  std::uint32_t end = 0;
  for (const char* function : {"Mux3runEv", "Mux10rounds_endEv"}) {
    const auto& symbols = image->symbols();
    const auto found = std::find_if(symbols.begin(), symbols.end(), [&](const auto& s) {
      return s.function && s.name.find(function) != std::string::npos;
    });
    ASSERT_NE(found, symbols.end()) << function;
    begin = std::min(begin, found->address);
    end = std::max(end, found->address + found->bytes);
  }
  EXPECT_LE(end - begin, kCacheBytes);
}

TEST_F(CompilerTest, KernelsAreOptimizedAsTheyAsk) {
  KernelRequest small = request(file("small.cpp",
                                     "#ifndef __OPTIMIZE_SIZE__\n#error not for size\n#endif\n"
                                     "void kernel_main() {}\n"));
  EXPECT_THROW(compiler_.kernels({small}, options_), CompileError);
  small.opt_level = EthernetConfig{}.opt_level;
  compiler_.kernels({small}, options_);
  small.opt_level = KernelBuildOptLevel::O0;
  EXPECT_THROW(compiler_.kernels({small}, options_), CompileError);
}

TEST_F(CompilerTest, UnrollHintsOfTemplatesAreLeftOut) {
  file("hints.h",
       "#pragma once\n#include <stdint.h>\n"
       "template <int kTimes> inline uint32_t sum(uint32_t x) {\n"
       "  uint32_t s = 0;\n"
       "#pragma GCC unroll kTimes\n"
       "  for (int i = 0; i < kTimes; ++i) s += x >> i;\n"
       "#pragma GCC unroll 4\n"
       "  for (int i = 0; i < 4; ++i) s ^= x << i;\n"
       "  return s;\n"
       "}\n");
  const std::string body =
      "#include \"hints.h\"\n"
      "void kernel_main() {\n"
      "  auto* word = reinterpret_cast<volatile uint32_t*>(0x20000);\n"
      "  *word = sum<3>(*word);\n";
  const auto source = file("hinted.cpp", body + "}\n");
  for (const std::uint32_t processor : {contract::kBrisc, contract::kTrisc1})
    EXPECT_FALSE(compiler_.kernels({request(source, processor)}, options_)[0]->segments().empty());
  // A changed header is read again. Other errors remain errors.
  const auto before = compiler_.kernels({request(source)}, options_)[0];
  file("hints.h", "template <int> inline uint32_t sum(uint32_t x) { return x; }\n");
  const auto after = compiler_.kernels({request(source)}, options_)[0];
  EXPECT_NE(before->segments()[0].data, after->segments()[0].data);
  file("hints.h",
       "template <int kTimes> inline uint32_t sum(uint32_t x) {\n"
       "#pragma GCC unroll kTimes\n"
       "  for (int i = 0; i < kTimes; ++i) x += y;\n"
       "  return x;\n"
       "}\n");
  try {
    compiler_.kernels({request(source)}, options_);
    FAIL() << "compiled";
  } catch (const CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("'y' was not declared"), std::string::npos)
        << error.what();
  }
}

TEST_F(CompilerTest, ImagesAreTheSameWhereverTheTreeLies) {
  fs::create_directory_symlink(KernelCompiler::default_root(), folder_ / "elsewhere");
  KernelCompiler elsewhere((folder_ / "elsewhere").string(), (folder_ / "cache").string());
  options_.profile = true;  // zones are numbered by the names of their files
  auto source = request("firmware/kernels/microbenchmarks/core_cycles.cpp");
  source.compile_args = {contract::kL1UnreservedBase, 1};
  const auto here = compiler_.kernels({source}, options_)[0];
  const auto there = elsewhere.kernels({source}, options_)[0];
  EXPECT_FALSE(here->notes(".tvp_zones").empty());
  EXPECT_EQ(here->notes(".tvp_zones"), there->notes(".tvp_zones"));
  ASSERT_EQ(here->segments().size(), there->segments().size());
  for (std::size_t i = 0; i < here->segments().size(); ++i)
    EXPECT_EQ(here->segments()[i].data, there->segments()[i].data);
}

TEST_F(CompilerTest, FindsEverySpellingOfTheApi) {
  const std::string prefix = "firmware/api/";
  std::string data_movement, compute;
  const auto headers = forwarding_headers(KernelCompiler::default_root());
  EXPECT_GE(headers.size(), 89U) << "spellings of firmware/api/compat/headers.txt";
  for (const auto& [path, text] : headers) {
    if (text.find("#error") != std::string::npos) continue;
    const bool of_compute = text.find("/compute/") != std::string::npos;
    std::string& kernel = of_compute ? compute : data_movement;
    for (const std::string& before : {std::string(), std::string("api/"), prefix})
      kernel += "#include \"" + before + path.substr(prefix.size()) + "\"\n";
  }
  const std::string main = "void kernel_main() {}\n";
  EXPECT_NO_THROW(
      compiler_.kernels({request(file("spellings.cpp", data_movement + main)),
                         request(file("compute.cpp", compute + main), contract::kTrisc1)},
                        options_));
}

/// A tree with a list of spellings, for mistakes in it.
class ForwardingHeadersTest : public CompilerTest {
 protected:
  std::string refusal(const std::string& list) {
    fs::create_directories(folder_ / "firmware/api/compat");
    file("firmware/api/real.h", "");
    file("firmware/api/compat/headers.txt", list);
    return tvp::test::fault_of([&] { forwarding_headers(folder_.string()); }, {}, "");
  }
};

TEST_F(ForwardingHeadersTest, RefusesAWrongListByFileAndLine) {
  EXPECT_EQ(refusal("# a comment\n\nold.h api/real.h  # another\n"), "");
  const auto names = [&](const std::string& list, const std::string& what) {
    const std::string text = refusal(list);
    EXPECT_NE(text.find("headers.txt:2"), std::string::npos) << text;
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  names("#\nold.h\n", "expected a spelling and its header");
  names("#\nold.h api/real.h more\n", "expected a spelling and its header");
  names("#\nold.h absent\n", "expected why there is no such header");
  names("#\nold.h tree\n", "expected the header's path in the tree");
  names("#\nold.h api/none.h\n", "there is no header firmware/api/none.h");
  names("#\nreal.h api/real.h\n", "real.h is a header of its own");
  names("old.h api/real.h\nold.h api/real.h\n", "old.h is in the list twice");
}

TEST_F(CompilerTest, TellsWhyAHeaderIsNotOffered) {
  const auto message = [&](const std::string& header) {
    try {
      compiler_.kernels({request(file("k.cpp", "#include \"" + header + "\"\n"))}, options_);
    } catch (const foundation::Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_NE(message("eth_chan_noc_mapping.h").find("firmware/api/fabric"), std::string::npos);
  EXPECT_NE(message("debug/dprint_test_common.h").find("TT_METAL_HOME"), std::string::npos);
}

TEST_F(CompilerTest, FindsHeadersInFoldersOfTheKernel) {
  const fs::path own = folder_ / "own";
  fs::create_directories(own / "api/dataflow");
  std::ofstream(own / "api/dataflow/dataflow_api.h") << "#error the API's own come first\n";
  std::ofstream(own / "helper.h") << "constexpr uint32_t kHelped = 7;\n";
  KernelRequest with_own = request(file("own.cpp",
                                        "#include \"api/dataflow/dataflow_api.h\"\n"
                                        "#include \"helper.h\"\n"
                                        "static_assert(kHelped == 7);\nvoid kernel_main() {}\n"));
  EXPECT_THROW(compiler_.kernels({with_own}, options_), foundation::Fault);
  with_own.include_paths = {own.string()};
  EXPECT_EQ(compiler_.kernels({with_own}, options_).size(), 1U);
}

TEST_F(CompilerTest, FindsKernelsAndHelpersInMetalHome) {
  const fs::path home = folder_ / "home";
  fs::create_directories(home / "ttnn/cpp/ttnn/lib");
  fs::create_directories(home / "api/compute");
  std::ofstream(home / "ttnn/cpp/ttnn/lib/helper.hpp") << "constexpr uint32_t kHelped = 7;\n";
  // The API's own headers come first.
  fs::create_directories(home / "api/dataflow");
  std::ofstream(home / "api/dataflow/dataflow_api.h") << "#error not this one\n";
  // A header of the tree with a spelling of the list.
  fs::create_directories(home / "tt_metal/hw/inc/debug");
  std::ofstream(home / "tt_metal/hw/inc/debug/dprint_test_common.h") << "inline void print() {}\n";
  std::ofstream(home / "ttnn/cpp/ttnn/lib/k.cpp")
      << "#include \"debug/dprint_test_common.h\"\n#include "
         "\"api/dataflow/dataflow_api.h\"\n#include \"ttnn/lib/helper.hpp\"\n"
         "#include \"ttnn/cpp/ttnn/lib/helper2.hpp\"\n"
         "void kernel_main() { *(volatile uint32_t*)get_arg_val<uint32_t>(0) = kHelped + kTwo; }\n";
  std::ofstream(home / "ttnn/cpp/ttnn/lib/helper2.hpp") << "constexpr uint32_t kTwo = 2;\n";
  const std::string named = "ttnn/cpp/ttnn/lib/k.cpp";
  EXPECT_THROW(compiler_.kernels({request(named)}, options_), foundation::Fault);
  setenv("TT_METAL_HOME", home.c_str(), 1);
  EXPECT_EQ(compiler_.kernels({request(named)}, options_).size(), 1U);
  unsetenv("TT_METAL_HOME");
}

// Programming examples name kernels from their folder if their build defines no other prefix.
TEST_F(CompilerTest, FindsKernelsOfProgrammingExamplesInMetalHome) {
  const fs::path home = folder_ / "home_with_examples";
  const fs::path examples = home / "tt_metal/programming_examples";
  fs::create_directories(examples / "loopback_of_test");
  std::ofstream(examples / "loopback_of_test/k.cpp") << "void kernel_main() {}\n";
  const std::string named = "loopback_of_test/k.cpp";
  const auto message = [&](const std::string& source) {
    return tvp::test::fault_of([&] { compiler_.find_source(source); });
  };
  EXPECT_NE(message(named).find("or here, and TT_METAL_HOME names no tree"), std::string::npos);
  setenv("TT_METAL_HOME", home.c_str(), 1);
  EXPECT_EQ(compiler_.find_source(named), (examples / "loopback_of_test/k.cpp").string());
  EXPECT_NE(message("loopback_of_test/none.cpp").find("here or in " + home.string()),
            std::string::npos);
  unsetenv("TT_METAL_HOME");
}

// In 2024 this call had the result's buffer first. Until November 2025 topologies had other
// numbers.
TEST_F(CompilerTest, OrdersArgumentsAsTheTreeInMetalHome) {
  const fs::path home = folder_ / "home2024";
  fs::create_directories(home / "tt_metal/include/compute_kernel_api");
  fs::create_directories(home / "tt_metal/api/tt-metalium");
  const auto source = file("k.cpp",
                           "#if !defined(TVP_REDUCE_DELTA_OUT_FIRST)\n#error not of 2024\n#endif\n"
                           "void kernel_main() {}\n");
  setenv("TT_METAL_HOME", home.c_str(), 1);
  std::ofstream(home / "tt_metal/include/compute_kernel_api/reduce.h")
      << "void reduce_init_delta(uint32_t icb0, uint32_t icb1, uint32_t ocb) {\n";
  EXPECT_THROW(compiler_.kernels({request(source)}, options_), CompileError);
  std::ofstream(home / "tt_metal/include/compute_kernel_api/reduce.h")
      << "void reduce_init_delta(uint32_t ocb = 16, uint32_t icb0 = 0, uint32_t icb1 = 1) {\n";
  EXPECT_EQ(compiler_.kernels({request(source)}, options_).size(), 1U);
  const auto fabric = file("f.cpp",
                           "#include \"fabric/fabric_edm_types.hpp\"\n"
                           "static_assert(tt::tt_fabric::Topology::Ring == "
                           "tt::tt_fabric::Topology(RING));\nvoid kernel_main() {}\n");
  const auto compiles = [&](const char* ring) {
    KernelRequest asked = request(fabric);
    asked.defines["RING"] = ring;
    return compiler_.kernels({asked}, options_).size() == 1;
  };
  EXPECT_TRUE(compiles("2"));
  std::ofstream(home / "tt_metal/api/tt-metalium/fabric_edm_types.hpp")
      << "enum class Topology { Ring = 0, Linear = 1, Mesh = 2, Torus = 3 };\n";
  EXPECT_TRUE(compiles("0"));
  unsetenv("TT_METAL_HOME");
}

TEST_F(CompilerTest, KernelSharesTheFirmwaresSymbols) {
  const auto source = file("k.cpp",
                           "uint32_t table[3] = {1, 2, 3};\n"
                           "void kernel_main() {\n"
                           "  for (auto& word : table) word += get_arg_val<uint32_t>(0);\n"
                           "  noc_async_write(table[0], get_noc_addr(table[1]), table[2]);\n"
                           "  noc_async_write_barrier();\n"
                           "}\n");
  for (const std::uint32_t p : {contract::kBrisc, contract::kNcrisc, contract::kErisc}) {
    const auto firmware = compiler_.firmware(p, options_);
    const auto kernel = compiler_.kernels({request(source, p)}, options_)[0];
    EXPECT_EQ(kernel->symbol("rta_l1_base"), firmware->symbol("rta_l1_base"));
    EXPECT_EQ(kernel->symbol("table"), firmware->symbol("__firmware_local_end"));
    EXPECT_EQ(kernel->entry(),
              p == contract::kNcrisc ? contract::kIramBase : contract::usual_kernel_base(p));
    // The image in L1: text, then initialized data, from the slot's base on.
    ASSERT_EQ(kernel->segments().size(), 2U);
    EXPECT_EQ(kernel->segments()[0].load_address, contract::usual_kernel_base(p));
    EXPECT_EQ(kernel->segments()[1].load_address, kernel->symbol("__data_lma"));
    EXPECT_EQ(kernel->segments()[1].data[0], 1);
  }
}

// Small constants are loaded into local memory with the data; large ones stay after the code in L1.
TEST_F(CompilerTest, SmallConstantsAreInLocalMemory) {
  const auto source = file("k.cpp",
                           "extern const uint32_t small_table[32] = {1, 2, 3};\n"
                           "extern const uint32_t large_table[33] = {4, 5, 6};\n"
                           "void kernel_main() {\n"
                           "  const uint32_t i = get_arg_val<uint32_t>(0);\n"
                           "  noc_async_write(small_table[i], get_noc_addr(large_table[i]), 4);\n"
                           "}\n");
  const auto kernel = compiler_.kernels({request(source)}, options_)[0];
  const auto firmware = compiler_.firmware(contract::kBrisc, options_);
  EXPECT_GE(kernel->symbol("small_table"), firmware->symbol("__firmware_local_end"));
  EXPECT_GE(kernel->symbol("large_table"), contract::usual_kernel_base(contract::kBrisc));
  EXPECT_LT(kernel->symbol("large_table"), firmware->symbol("__firmware_local_end"));
}

TEST_F(CompilerTest, FirmwareIsFoundWhereTheEnvironmentSays) {
  const std::string built = KernelCompiler::default_root();
  setenv("TENSIX_VP_ROOT", "/some/where", 1);
  EXPECT_EQ(KernelCompiler::default_root(), "/some/where");
  setenv("TENSIX_VP_ROOT", "", 1);
  EXPECT_EQ(KernelCompiler::default_root(), built);
  unsetenv("TENSIX_VP_ROOT");
  EXPECT_EQ(KernelCompiler::default_root(), built);
}

TEST_F(CompilerTest, OneComputeSourceMakesThreeImages) {
  const auto source = file("c.cpp",
                           "#include \"internal/firmware_globals.h\"\n"
                           "volatile uint32_t which;\n"
                           "void kernel_main() {\n"
                           "#if defined(TRISC_UNPACK)\n  which = 10;\n"
                           "#elif defined(TRISC_MATH)\n  which = 11;\n"
                           "#elif defined(TRISC_PACK)\n  which = 12;\n#endif\n}\n");
  std::vector<KernelRequest> requests;
  for (const std::uint32_t p : {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2})
    requests.push_back(request(source, p));
  const auto images = compiler_.kernels(requests, options_);
  ASSERT_EQ(images.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(images[i]->entry(), contract::usual_kernel_base(requests[i].processor));
  EXPECT_NE(images[0]->segments()[0].data, images[1]->segments()[0].data);
}

TEST_F(CompilerTest, TablesOfCircularBuffersEndWithTheLastThatIsUsed) {
  const auto compiles = [&](const std::vector<std::size_t>& used, std::size_t entries) {
    KernelRequest r = request(
        file("cbs" + std::to_string(entries) + ".cpp",
             "#include \"chlkc_descriptors.h\"\nstatic_assert(sizeof(unpack_tile_size) == 2 * " +
                 std::to_string(entries) + ");\nvoid kernel_main() {}\n"),
        contract::kTrisc0);
    for (const std::size_t cb : used) r.cbs.cbs[cb].emplace(CbDescriptors::Cb{});
    EXPECT_NO_THROW(compiler_.kernels({r}, options_)) << entries;
  };
  compiles({}, 1);
  compiles({0}, 1);
  compiles({0, 16}, 17);
  compiles({3, 30, 31}, 32);
}

// Kernels choose by #ifdef of these names, which a host may define too.
TEST_F(CompilerTest, ConstantsOfTtMetalAreConstants) {
  const std::string text =
      "#include \"api/compute/compute_kernel_api.h\"\n#include \"api/compute/reduce.h\"\n"
      "#if defined(MATH_FIDELITY) || defined(APPROX) || defined(DST_SYNC_FULL) || \\\n"
      "    defined(BFP8_PACK_PRECISE) || defined(REDUCE_OP) || defined(REDUCE_DIM)\n"
      "#error \"a macro\"\n#endif\n"
      "#ifdef DST_ACCUM_MODE\nconstexpr bool kByHost = true;\n"
      "#else\nconstexpr bool kByHost = false;\n#endif\n"
      "static_assert(::APPROX && ::unpack_num_faces_r_dim[0] == 2 && pack_num_faces_c_dim[0] == "
      "1);\n";
  KernelRequest r =
      request(file("kinds.cpp", text + "static_assert(::DST_ACCUM_MODE && !kByHost);\n"
                                       "void kernel_main() {}\n"),
              contract::kTrisc1);
  r.cbs.cbs[0].emplace(CbDescriptors::Cb{.tile = {32, 16}});
  r.fp32_dest_acc_en = true;
  r.math_approx_mode = true;
  EXPECT_NO_THROW(compiler_.kernels({r}, options_));
  r.source = file("kinds_by_host.cpp", text +
                                           "static_assert(DST_ACCUM_MODE == 1 && kByHost);\n"
                                           "void kernel_main() {}\n");
  r.defines["DST_ACCUM_MODE"] = "1";
  EXPECT_NO_THROW(compiler_.kernels({r}, options_));
}

// 2000 names of 80 characters are longer than a word of a command line can be.
TEST_F(CompilerTest, KernelsHaveAnyNumberOfNamedArguments) {
  KernelRequest r = request(file("named.cpp", "static_assert(get_named_compile_time_arg_val(\"" +
                                                  std::string(76, 'n') +
                                                  "1999\") == 1999);\nvoid kernel_main() {}\n"));
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const std::string number = std::to_string(i);
    r.named_compile_args[std::string(80 - number.size(), 'n') + number] = i;
  }
  EXPECT_NO_THROW(compiler_.kernels({r}, options_));
}

TEST_F(CompilerTest, KernelsMayCallATypeOfTheirsCoordT) {
  const auto source =
      file("coord.cpp",
           "namespace theirs { struct coord_t { uint32_t at; }; }\n"
           "using theirs::coord_t;\n"
           "void kernel_main() { coord_t c{get_virtual_coord_from_worker_logical_coord(1, 2).x};\n"
           "  *(volatile uint32_t*)get_arg_val<uint32_t>(0) = c.at; }\n");
  EXPECT_NO_THROW(compiler_.kernels({request(source)}, options_));
}

// Arithmetic without RV32IM instructions comes from the compiler's library.
TEST_F(CompilerTest, ComputeKernelsCalculateWithFloatingPointNumbers) {
  const auto source = file("f.cpp",
                           "volatile float number;\n"
                           "void kernel_main() { number = number / get_arg_val<uint32_t>(0); }\n");
  for (const std::uint32_t p : {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2})
    EXPECT_NO_THROW(compiler_.kernels({request(source, p)}, options_)) << p;
}

TEST_F(CompilerTest, OlderComputeKernelsNameTheirMain) {
  const auto source =
      file("old.cpp", "namespace NAMESPACE {\nvoid MAIN { asm volatile(\"nop\"); }\n}\n");
  EXPECT_NO_THROW(compiler_.kernels({request(source, contract::kTrisc1)}, options_));
}

TEST_F(CompilerTest, CompilesAgainOnlyWhatChanged) {
  const auto header = file("value.h", "#define VALUE 1\n");
  const auto source = file("k.cpp",
                           "#include \"value.h\"\nvolatile uint32_t v = VALUE;\nvoid kernel_main() "
                           "{ v = get_compile_time_arg_val(0); }\n");
  KernelRequest r = request(source);
  r.compile_args = {7};
  const auto first = compiler_.kernels({r}, options_)[0];
  const unsigned after_first = compiler_.cache().compiled();
  compiler_.kernels({r, r}, options_);
  EXPECT_EQ(compiler_.cache().compiled(), after_first);

  file("value.h", "#define VALUE 2\n");
  const auto second = compiler_.kernels({r}, options_)[0];
  EXPECT_EQ(compiler_.cache().compiled(), after_first + 2) << "an object and an image";
  EXPECT_NE(first->segments()[1].data, second->segments()[1].data);

  r.compile_args = {8};
  compiler_.kernels({r}, options_);
  EXPECT_EQ(compiler_.cache().compiled(), after_first + 4);

  // Another process uses the image of this one.
  KernelCompiler other(KernelCompiler::default_root(), (folder_ / "cache").string());
  other.kernels({r}, options_);
  EXPECT_EQ(other.cache().compiled(), 0U);
}

// Processes that share a cold cache, and then a stale one, all get their image.
TEST_F(CompilerTest, ProcessesShareTheCache) {
  const auto source =
      file("k.cpp", "#include \"shared.h\"\nvoid kernel_main() { noc_async_read_barrier(); }\n");
  for (const char* version : {"// 1\n", "// 2\n"}) {
    file("shared.h", version);
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      int status = 1;
      try {
        KernelCompiler own(KernelCompiler::default_root(), (folder_ / "cache").string());
        status = own.kernels({request(source)}, options_).size() == 1 ? 0 : 1;
      } catch (const std::exception& error) {
        fprintf(stderr, "%s\n", error.what());
      }
      _exit(status);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
  }
  compiler_.kernels({request(source)}, options_);
  EXPECT_EQ(compiler_.cache().compiled(), 0U);
}

// Arguments, the core's own functions and type traits need no include on any core. An include of
// the header of defines is allowed, and adds nothing to the command line.
TEST_F(CompilerTest, KernelsFindWhatTheyDoNotInclude) {
  const auto source = file("bare.cpp",
                           "#include \"defines_generated.h\"\n"
                           "static_assert(std::is_aggregate_v<uint32_t[2]> && MINE == 3);\n"
                           "void kernel_main() {\n"
                           "  invalidate_l1_cache();\n"
                           "  *reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0)) =\n"
                           "      get_compile_time_arg_val(0);\n"
                           "}\n");
  for (const std::uint32_t p : {contract::kBrisc, contract::kNcrisc, contract::kTrisc0,
                                contract::kTrisc1, contract::kTrisc2, contract::kErisc}) {
    KernelRequest bare = request(source, p);
    bare.compile_args = {5};
    bare.defines = {{"MINE", "3"}};
    EXPECT_EQ(compiler_.kernels({bare}, options_).size(), 1U) << p;
  }
}

// Banks of L1 have no offset, whatever their number.
TEST_F(CompilerTest, BanksOfL1BeginWhereItDoes) {
  const auto source =
      file("banks.cpp",
           "static_assert(bank_to_l1_offset[0] == 0 && bank_to_l1_offset[63] == 0);\n"
           "void kernel_main() {}\n");
  EXPECT_NO_THROW(compiler_.kernels({request(source)}, options_));
}

TEST_F(CompilerTest, ReportsTheCompilersText) {
  const auto source = file("bad.cpp", "void kernel_main() { undeclared = 1; }\n");
  try {
    compiler_.kernels({request(source)}, options_);
    FAIL() << "compiled";
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), foundation::FaultKind::kFirmware);
    EXPECT_NE(std::string(error.what()).find("bad.cpp:1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("undeclared"), std::string::npos);
  }
  EXPECT_THROW(compiler_.kernels({request("no_such_kernel.cpp")}, options_), foundation::Fault);
}

TEST_F(CompilerTest, RefusesAKernelThatDoesNotFit) {
  const auto source = file("big.cpp",
                           "volatile uint32_t big[2000];\n"
                           "void kernel_main() { big[get_arg_val<uint32_t>(0)] = 1; }\n");
  EXPECT_THROW(compiler_.kernels({request(source)}, options_), CompileError);
}

TEST_F(CompilerTest, PlanHoldsTheLaunchMessage) {
  const auto dm = file("dm.cpp", "void kernel_main() {}\n");
  const auto compute = file("compute.cpp", "void kernel_main() {}\n");
  test::FakeLibrary fake;
  DeviceLibrary library(test::FakeLibrary::functions(), "fake");
  Device device(library, 0, 0, 0, ChipLayout(ChipLayout::usual_spec(), 0, true));

  Program program;
  const CoreCoord core{2, 1};
  DataMovementConfig writer;
  writer.noc = NOC::NOC_1;
  const auto brisc = program.add_kernel(dm, core, writer);
  const auto ncrisc = program.add_kernel(dm, core, ReaderDataMovementConfig{});
  program.add_kernel(compute, core, ComputeConfig{});
  program.set_runtime_args(brisc, core, {11, 12, 13});
  program.set_runtime_args(ncrisc, core, {21});
  program.set_common_runtime_args(ncrisc, {31, 32});
  program.add_semaphore(core, 5);
  program.add_semaphore(core, 6);
  CircularBufferConfig first(4096, {{2, DataFormat::Float16_b}});
  CircularBufferConfig second(1024, {{5, DataFormat::Float16_b}});
  second.set_page_size(5, 256);
  CircularBufferConfig aliased(512, {{6, DataFormat::Float16_b}});
  aliased.set_page_size(6, 512).set_address(0x100000);
  program.add_circular_buffer(core, first);
  program.add_circular_buffer(core, second);
  program.add_circular_buffer(core, aliased);

  const LaunchPlan plan(program, device, compiler_, options_,
                        ChipLayout::usual_spec()->memories.tensix_l1_bytes);
  ASSERT_EQ(plan.cores().size(), 1U);
  const CoreLaunch& launch = plan.cores()[0];
  const auto& message = launch.message;
  const auto word = [&](std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, launch.configuration.data() + offset, 4);
    return value;
  };
  EXPECT_EQ(launch.core.noc0, (CoreCoord{3, 2}));
  EXPECT_EQ(message.enables, 0x1FU);
  EXPECT_EQ(message.brisc_noc_id, 1);
  EXPECT_EQ(message.mode, contract::kDispatchModeHost);
  EXPECT_EQ(message.local_cb_mask, 1U << 2 | 1U << 5 | 1U << 6);
  EXPECT_EQ(word(0), 5U);
  EXPECT_EQ(word(16), 6U);
  const auto cb = [&](unsigned index, unsigned field) {
    return word(message.local_cb_offset + index * 16 + field * 4);
  };
  EXPECT_EQ(cb(2, 0), contract::kL1UnreservedBase);
  EXPECT_EQ(cb(2, 1), 4096U);
  EXPECT_EQ(cb(2, 2), 2U);
  EXPECT_EQ(cb(2, 3), 2048U);
  EXPECT_EQ(cb(5, 0), contract::kL1UnreservedBase + 4096);
  EXPECT_EQ(cb(5, 2), 4U);
  EXPECT_EQ(cb(6, 0), 0x100000U);
  EXPECT_EQ(word(message.rta_offset[contract::kBrisc].rta_offset + 8), 13U);
  EXPECT_EQ(word(message.rta_offset[contract::kNcrisc].rta_offset), 21U);
  EXPECT_EQ(word(message.rta_offset[contract::kNcrisc].crta_offset + 4), 32U);
  for (const auto& [processor, image] : launch.images)
    EXPECT_EQ(message.kernel_config_base[0] + message.kernel_text_offset[processor],
              image->segments()[0].load_address);
  EXPECT_EQ(message.ncrisc_kernel_size16 * 16,
            static_cast<int>(launch.images[1].second->segments()[0].data.size()));

  // A buffer in L1 below the end of the circular buffers.
  EXPECT_THROW(LaunchPlan(program, device, compiler_, options_, contract::kL1UnreservedBase + 4096),
               foundation::Fault);
}

}  // namespace
}  // namespace tvp::runtime
