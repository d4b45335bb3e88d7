// Warnings about operations that begin before the hardware has finished their input.
#include "models/tensix/coprocessor/frontend/missing_waits.h"

#include <gtest/gtest.h>

#include <optional>

#include "foundation/regs/tensix_opcodes.h"
#include "foundation/warning_sink.h"
#include "models/support/watch.h"
#include "models/tensix/tile/l1.h"

namespace tvp::tensix::coprocessor::missing_waits_test {
namespace {

namespace op = regs::tensix;

struct Faults : foundation::FaultPolicy, foundation::WarningSink {
  void raise(const foundation::Fault& fault) override { raised.emplace_back(fault.what()); }
  void warn(const foundation::Fault& fault) override { warned.emplace_back(fault.what()); }
  std::vector<std::string> raised;
  std::vector<std::string> warned;
};

const std::uint32_t kPacr = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);

struct Bench {
  explicit Bench(const char* mode = "fault") {
    config.missing_waits.set(mode);
    waits.emplace("tile.coprocessor", config, offered, faults);
    if (waits->on()) {
      reads.set_listener(&*waits);
    }
  }
  CoprocessorConfig config;
  Offered offered;
  Faults faults;
  DstInFlight reads;
  std::optional<MissingWaits> waits;
};

TEST(MissingWaits, RowsOfDstUnderPackers) {
  Bench b;
  // Rows 16 to 23 are read until cycle 18, 24 to 31 until 26.
  DstInFlight::User reader{.instruction = kPacr, .thread = 2, .issued = 10, .until = 18};
  b.reads.read(16, reader);
  reader.until = 26;
  b.reads.read(24, reader);
  b.offered = {.instruction = op::encode_zeroacc(0, 2, 0, 0, 0), .thread = 2};
  b.reads.changed(16, 18);
  b.reads.changed(23, 25);
  b.reads.changed(8, 11);
  b.reads.changed(32, 11);
  b.reads.changed(512, 512, 11);
  b.reads.changed(0, 512, 26);
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.changed(23, 17);
  b.reads.changed(24, 25);
  b.reads.changed(0, 512, 25);
  ASSERT_EQ(b.faults.raised.size(), 3U);
  EXPECT_NE(b.faults.raised[0].find("tile.coprocessor.T2: ZEROACC Mode=2 of T2 changes row 23 of "
                                    "Dst at cycle 17, while packers read it (PACR"),
            std::string::npos)
      << b.faults.raised[0];
  EXPECT_NE(b.faults.raised[2].find("row 24"), std::string::npos) << b.faults.raised[2];
}

TEST(MissingWaits, RowsOfDstUnderUnpackers) {
  Bench b;
  const std::uint32_t unpacr = op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  const DstInFlight::User writer{.instruction = unpacr, .thread = 0, .issued = 10, .until = 60};
  b.offered = {.instruction = kPacr, .thread = 2};
  // Packers are not done with rows 24 to 31.
  b.reads.read(24, {.instruction = kPacr, .thread = 2, .issued = 5, .until = 13});
  b.reads.written(16, writer);
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.written(24, writer);
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_NE(b.faults.raised[0].find("changes row 24 of Dst at cycle 10, while packers read it"),
            std::string::npos);
  b.faults.raised.clear();
  b.reads.used(16, 60);
  b.reads.used(8, 20);
  b.reads.changed(32, 20);
  b.reads.read(32, {.instruction = kPacr, .thread = 2, .issued = 20, .until = 28});
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.used(23, 59);
  b.reads.changed(16, 59);
  b.reads.changed(0, 512, 59);
  b.reads.read(24, {.instruction = kPacr, .thread = 2, .issued = 30, .until = 38});
  ASSERT_EQ(b.faults.raised.size(), 5U);
  EXPECT_EQ(b.faults.raised[0].find("tile.coprocessor.T2: PACR"), 0U);
  EXPECT_NE(b.faults.raised[0].find("uses row 23 of Dst at cycle 59, which an unpacker still "
                                    "writes (UNPACR"),
            std::string::npos)
      << b.faults.raised[0];
}

TEST(MissingWaits, ConfigurationThatChangesIsAWarningUnlessChosen) {
  const auto heard = [](const char* waits, const char* of_configuration) {
    Bench bench(waits);
    if (of_configuration != nullptr) bench.config.missing_config_waits.set(of_configuration);
    MissingWaits looks("tile.coprocessor", bench.config, bench.offered, bench.faults);
    if (looks.looks_at_configuration())
      looks.reconfigured_too_early(7, {.instruction = kPacr, .thread = 2}, "packers", 10, 20);
    return std::to_string(bench.faults.raised.size()) + " faults, " +
           std::to_string(bench.faults.warned.size()) + " warnings";
  };
  EXPECT_EQ(heard("fault", nullptr), "0 faults, 1 warnings");
  EXPECT_EQ(heard("fault", "fault"), "1 faults, 0 warnings");
  EXPECT_EQ(heard("fault", "off"), "0 faults, 0 warnings");
  EXPECT_EQ(heard("warn", "fault"), "0 faults, 1 warnings");
  EXPECT_EQ(heard("off", "fault"), "0 faults, 0 warnings");
}

TEST(MissingWaits, AWarningOrNothing) {
  for (const char* mode : {"warn", "off"}) {
    Bench b(mode);
    b.reads.read(8, {.instruction = kPacr, .thread = 2, .issued = 10, .until = 50});
    b.reads.changed(8, 20);
    EXPECT_TRUE(b.faults.raised.empty()) << mode;
    EXPECT_EQ(b.faults.warned.size(), *mode == 'w' ? 1U : 0U) << mode;
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::missing_waits_test
