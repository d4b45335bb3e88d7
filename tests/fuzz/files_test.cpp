// Broken files from outside. Each file must be read, or refused as a bad description.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "foundation/chip/chip_reader.h"
#include "foundation/elf_image.h"
#include "foundation/fault.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "foundation/recording/message_reader.h"
#include "foundation/source_root.h"
#include "models/dram/memory_system.h"
#include "models/dram/traffic/trace_source.h"
#include "models/riscv/debug/source_lines.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/workloads/sdpa/npy_file.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/seed_elf.h"
#include "tests/support/test_folder.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using foundation::Fault;
using foundation::FaultKind;
using test::Mutator;

constexpr std::uint64_t kCases = 200;

/// Fails if `read` throws anything but Fault(kDescription). Returns the number of accepted files.
std::uint64_t fuzz(const std::vector<std::string>& seeds, const std::vector<std::string>& words,
                   const std::function<void(const std::string&)>& read) {
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < test::fuzz_cases(kCases); ++i) {
    const std::uint64_t seed = test::fuzz_seed() + i;
    Mutator mutator(seed, words);
    const std::string text = mutator.mutated(seeds[mutator.random().below(seeds.size())]);
    try {
      read(text);
      ++taken;
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.kind(), FaultKind::kDescription) << "seed " << seed << ": " << fault.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
    }
  }
  return taken;
}

TEST(FuzzFiles, Elf) {
  const test::TestFolder folder("fuzz_elf");
  const std::string path = folder.file("program.elf");
  const auto taken =
      fuzz({test::seed_elf()}, {".debug_line", ".strtab", "tohost"}, [&](const std::string& text) {
        foundation::write_file(path, text);
        const auto image = foundation::ElfImage::from_file(path);
        for (const auto& section : image.sections()) image.notes(section.name);
        for (const auto& symbol : image.symbols()) {
          image.function_at(symbol.address);
        }
        EXPECT_FALSE(image.code_overlaps(image) && image.sections().empty());
        image.address_of("tohost");
        riscv::SourceLines lines(path);
        for (const auto& segment : image.segments()) {
          for (std::uint32_t at = 0; at < 64; at += 4) {
            lines.lookup(segment.address + at);
          }
        }
      });
  EXPECT_GT(taken, 0U);
}

TEST(FuzzFiles, Systems) {
  const test::TestFolder folder("fuzz_system");
  const std::string path = folder.file("system.toml");
  std::vector<std::string> seeds;
  for (const auto& entry : fs::directory_iterator(platform::system_folder())) {
    if (entry.path().extension() == ".toml") seeds.push_back(foundation::read_file(entry.path()));
  }
  ASSERT_GT(seeds.size(), 10U);
  const auto taken =
      fuzz(seeds,
           {"[", "]", "=", "\"", "\n", "[[chips]]", "[topology]", "extends = \"n150\"", "-1", "nan",
            "1e400", "\xff", "schema = 1", "0x", "chips = 4294967295", "{", "}"},
           [&](const std::string& text) {
             foundation::write_file(path, text);
             platform::SystemDescription::load(path, platform::system_folder()).to_json();
           });
  EXPECT_GT(taken, 0U);
}

TEST(FuzzFiles, Chips) {
  const test::TestFolder folder("fuzz_chip");
  const std::string path = folder.file("chip.toml");
  const std::string chips = foundation::source_root() + "/platform/chips/";
  const auto taken = fuzz({foundation::read_file(chips + "wormhole_b0.toml"),
                           foundation::read_file(chips + "small.toml")},
                          {"[", "]", "=", "\"", "\n", "-1", "4294967296", "extends = \"chip.toml\"",
                           "[grid]", "columns = 65535", "\xff", "{", "}", "[[", "]]"},
                          [&](const std::string& text) {
                            foundation::write_file(path, text);
                            foundation::load_chip(path, chips);
                          });
  EXPECT_GT(taken, 0U);
}

TEST(FuzzFiles, Npy) {
  const test::TestFolder folder("fuzz_npy");
  const std::string path = folder.file("values.npy");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  const std::string seed =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(24, '\x3f');
  const auto taken =
      fuzz({seed},
           {"(", ")", "'shape'", "4294967296", "'<f4'", "True", ",", "-1", "18446744073709551615"},
           [&](const std::string& text) {
             foundation::write_file(path, text);
             const auto file = workloads::sdpa::NpyFile::load(path, {0, 0});
             EXPECT_EQ(file.values.size(), file.shape.at(0) * file.shape.at(1));
           });
  EXPECT_GT(taken, 0U);
}

TEST(FuzzFiles, Recordings) {
  const test::TestFolder folder("fuzz_recording");
  const std::string path = folder.file("recording.txt");
  const auto taken =
      fuzz({"# to play it again: vp replay FILE --system pair\n"
            "WRITE core=1,2 addr=0x1f000 size=3 data=00a1ff chip=1\nRESET_DEASSERT core=1,1\n"
            "# tensix-vp: times in bytes 4-7 of every 8 of the next reply\n"
            "READ core=1,2 addr=0xfffffff80 size=8 data=- reply=0011223344556677\n"
            "HOST addr=0x40 size=1 data=2a\nREAD bar=2 addr=0x1204 size=4 data=-\nCLOCK 7\nEXIT\n"},
           {"READ", "CLOCK", "=", ",", "\n", "0x", "18446744073709551616", "4294967296", "-1", "#",
            "\r", "\xff", "size=16777216", "size=16777217", "data=-", "reply=", "chip=31",
            "# tensix-vp: times in bytes 65535-65535 of every 65536 of the next reply\n"},
           [&](const std::string& text) {
             foundation::write_file(path, text);
             foundation::MessageReader reader(path);
             while (const auto message = reader.next()) {
               using Message = foundation::HostMessage;
               const std::string line = message->to_line();
               const auto again = Message::parse({line.data(), line.size() - 1}, "again");
               EXPECT_EQ(again.to_line(), line);
               EXPECT_LE(message->size, Message::kMaxBytes);
               if (!message->reply) continue;
               EXPECT_EQ(message->reply->size(), message->size);
               Message::Bytes reply = *message->reply;
               if (message->times) message->times->clear(reply);
               EXPECT_EQ(reply.size(), message->size);
             }
           });
  EXPECT_GT(taken, 0U);
}

TEST(FuzzFiles, Traces) {
  const test::TestFolder folder("fuzz_trace");
  const std::string path = folder.file("trace.txt");
  const dram::MemorySystem memory(*dram::find_preset("ddr4_2400"), {},
                                  "row:rank:bank:bankgroup:column:channel", false);
  const auto taken =
      fuzz({"# cycle direction address\n10 R 0x40\n+5 W 128\n15 R 0\n+0 W 64\n",
            "0x40 READ 10\n0x80 WRITE 15\n", "3 0x40 0x80\n2 0x100\n", "LD 0x40\nST 0x80\n",
            "10: read 0x40\n12: (64) write 0x80 0x00ff\n"},
           {"R", "W", "+", "\n", "0x", "18446744073709551615", "#", " ", "\t", "\r\n"},
           [&](const std::string& text) {
             foundation::write_file(path, text);
             dram::TraceSource source(path, {}, memory);
             dram::TrafficRequest request;
             std::uint64_t before = 0;
             while (source.next(request)) {
               EXPECT_GE(request.not_before, before);
               EXPECT_LT(request.address, memory.mapping().bytes());
               before = request.not_before;
             }
           });
  EXPECT_GT(taken, 0U);
}

}  // namespace
}  // namespace tvp
