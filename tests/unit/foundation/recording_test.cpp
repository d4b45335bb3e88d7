#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

#include "foundation/fault.h"
#include "foundation/recording/host_message.h"
#include "foundation/recording/known_bytes.h"
#include "foundation/recording/message_reader.h"
#include "tests/support/fault_of.h"
#include "tests/support/test_folder.h"

namespace tvp::foundation {
namespace {

template <typename Work>
std::string error_of(const Work& work) {
  return tvp::test::fault_of([&] { work(); }, FaultKind::kDescription, "no error");
}

std::string error_of(const char* line) {
  return error_of([&] { HostMessage::parse(line, "file:7"); });
}

TEST(HostMessage, IsReadAsItWasWritten) {
  for (const char* line :
       {"WRITE core=1,2 addr=0x1f000 size=3 data=00a1ff\n",
        "READ core=63,0 addr=0xfffffffff size=1 data=- reply=7f chip=31\n",
        "READ core=0,0 addr=0x0 size=4 data=-\n", "WRITE bar=2 addr=0x1204 size=4 data=00000080\n",
        "READ bar=0 addr=0x1ff30060 size=4 data=- reply=01020304 chip=3\n",
        "HOST addr=0xffffffffffffffff size=1 data=2a\n", "CLOCK 4294967295\n", "CLOCK 0\n",
        "EXIT\n"}) {
    EXPECT_EQ(HostMessage::parse({line, std::string(line).size() - 1}, "x").to_line(), line);
  }
}

TEST(HostMessage, TakesWhatOthersWrite) {
  const HostMessage m = HostMessage::parse(
      "  WRITE\treply=aA data=0xABcd addr=0XFFB121B0 size=0x2 core=9,11 \r", "x");
  EXPECT_EQ(m.data, (HostMessage::Bytes{0xAB, 0xCD}));
  EXPECT_EQ(m.address, 0xFFB121B0u);
  EXPECT_FALSE(m.reply.has_value());
  for (const char* line : {"RESET_DEASSERT core=1,1 size=8 data=- reply=0011223344556677",
                           "RESET_ASSERT core=1,1 reply=00"}) {
    EXPECT_FALSE(HostMessage::parse(line, "x").reply.has_value()) << line;
  }
  EXPECT_EQ(HostMessage::parse("EXIT core=0,0 addr=0x0 size=4 data=00000000", "x").to_line(),
            "EXIT\n");
  EXPECT_TRUE(HostMessage::parse("RESET_ASSERT core=1,1", "x").data.empty());
  EXPECT_EQ(HostMessage::parse("RESET_DEASSERT core=1,1 addr=0x0 size=4 data=00000000", "x").data,
            HostMessage::Bytes(4, 0));
}

TEST(HostMessage, SaysWhatIsWrongWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"POKE core=1,1", "'POKE': expected WRITE, READ"},
      {"WRITE", "core=X,Y: expected"},
      {"WRITE core=1 addr=0x0 size=1 data=00", "core: expected X,Y"},
      {"WRITE core=1,64 addr=0x0 size=1 data=00", "core: expected X,Y"},
      {"WRITE core=-1,1 addr=0x0 size=1 data=00", "not '-1'"},
      {"WRITE core=1,1 core=1,1 addr=0x0 size=1 data=00", "core: expected once"},
      {"WRITE core=1,1 bar=0 addr=0x0 size=1 data=00", "bar=N instead"},
      {"WRITE bar=1 addr=0x0 size=1 data=00", "bar: expected 0 or 2, not '1'"},
      {"WRITE core=1,1 size=1 data=00", "addr=0xHEX: expected"},
      {"WRITE core=1,1 addr=16 size=1 data=00", "addr: expected 0xHEX, not '16'"},
      {"WRITE core=1,1 addr=0x10000000000000000 size=1 data=00", "addr: expected 0xHEX"},
      {"WRITE core=1,1 addr=0xfffffffff size=2 data=0000", "at or below 0xfffffffff"},
      {"WRITE core=1,1 addr=0x1000000000 size=0 data=-", "at or below 0xfffffffff"},
      {"HOST addr=0xffffffffffffffff size=2 data=0000", "at or below 0xffffffffffffffff"},
      {"HOST chip=1 addr=0x0 size=1 data=00", "the memory is the host's"},
      {"WRITE core=1,1 addr=0x0 data=00", "size=N: expected"},
      {"WRITE core=1,1 addr=0x0 size=99999999999999999999 data=00", "size: expected a number"},
      {"READ core=1,1 addr=0x0 size=16777217 data=-", "from 0 to 16777216"},
      {"WRITE core=1,1 addr=0x0 size=1", "data: expected 1 bytes as size says, not 0"},
      {"WRITE core=1,1 addr=0x0 size=1 data=-", "data: expected 1 bytes"},
      {"WRITE core=1,1 addr=0x0 size=1 data=000", "an even number"},
      {"WRITE core=1,1 addr=0x0 size=2 data=00g0",
       "data: expected hexadecimal digits or -, not 'g0'"},
      {"READ core=1,1 addr=0x0 size=2 data=- reply=00", "reply: expected 2 bytes"},
      {"READ core=1,1 addr=0x0 size=2 data=- replay=0000", "unknown field 'replay'"},
      {"READ core=1,1 addr=0x0 size=2 \x01\xff", "'\\x01\\xff': expected FIELD=VALUE"},
      {"READ core=1,1 addr=0x0 size=1 data=- chip=32", "a PCI device from 0 to 31, not '32'"},
      {"RESET_ASSERT bar=0 addr=0x0", "core=X,Y: expected"},
      {"RESET_ASSERT core=1,1 data=0000000000", "the 4 bytes of a mask"},
      {"CLOCK", "CLOCK: expected a number of cycles"},
      {"CLOCK -1", "not '-1'"},
      {"CLOCK 4294967296", "from 0 to 4294967295"},
      {"CLOCK 1 2", "expected the end of the line, not '2'"},
      {"EXIT 0", "expected FIELD=VALUE"},
      {"EXIT core=0,0 when=1", "unknown field"},
  };
  for (const auto& [line, text] : cases) {
    const std::string error = error_of(line);
    EXPECT_NE(error.find(text), std::string::npos) << line << ": " << error;
    EXPECT_NE(error.find("file:7"), std::string::npos) << error;
  }
}

TEST(HostMessage, SurvivesWhateverStandsInALine) {
  std::mt19937 random(1);
  const std::string good = "WRITE core=1,2 addr=0x1f000 size=3 data=00a1ff reply=- chip=1";
  for (unsigned round = 0; round < 200000; ++round) {
    std::string line = good;
    for (unsigned change = random() % 4 + 1; change > 0; --change) {
      const std::size_t at = random() % line.size();
      switch (random() % 3) {
        case 0:
          line[at] = static_cast<char>(random());
          break;
        case 1:
          line.erase(at, random() % 8);
          break;
        default:
          line.insert(at, line.substr(random() % line.size(), random() % 8));
      }
      if (line.empty()) line = " ";
    }
    try {
      const HostMessage m = HostMessage::parse(line, "x");
      EXPECT_LE(m.size, HostMessage::kMaxBytes);
      const std::string written = m.to_line();
      HostMessage::parse({written.data(), written.size() - 1},
                         "y");  // any accepted line can be written
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.where(), "x") << line;
    }
  }
}

class MessageReaderTest : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::string file = folder_.file("r.txt");
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  test::TestFolder folder_{"recording"};
  unsigned calls_ = 0;
};

TEST_F(MessageReaderTest, CountsLines) {
  MessageReader reader(write("# a\n\n \t\r\nCLOCK 1\r\n#\nEXIT"), [this] { ++calls_; });
  EXPECT_EQ(reader.next()->cycles, 1u);
  EXPECT_TRUE(reader.where().ends_with("r.txt:4")) << reader.where();
  EXPECT_EQ(reader.next()->kind, HostMessage::Kind::kExit);
  EXPECT_TRUE(reader.where().ends_with("r.txt:6")) << reader.where();
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_GE(calls_, 6u);
}

// A line may exceed the read buffer, or end exactly at its end.
TEST_F(MessageReaderTest, LinesHaveAnyLength) {
  std::string text;
  for (const std::size_t bytes : {10U, 65536U - 20U, 65536U, 200'000U}) {
    text += "#" + std::string(bytes, 'x') + "\nCLOCK " + std::to_string(bytes) + "\n";
  }
  MessageReader reader(write(text + "EXIT"));
  for (const std::uint32_t bytes : {10U, 65536U - 20U, 65536U, 200'000U}) {
    EXPECT_EQ(reader.next()->cycles, bytes);
  }
  EXPECT_EQ(reader.next()->kind, HostMessage::Kind::kExit);
  EXPECT_TRUE(reader.where().ends_with(":9")) << reader.where();
}

class InterruptedReader : public MessageReaderTest {
 protected:
  struct Interruption {};
  // Signals arrive repeatedly, as with several Ctrl-C.
  InterruptedReader() {
    fired_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { fired_ = 1; };  // without SA_RESTART, as that of `vp`
    sigaction(SIGALRM, &action, &before_);
    const itimerval again{{0, 5000}, {0, 5000}};
    setitimer(ITIMER_REAL, &again, nullptr);
    EXPECT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  }
  ~InterruptedReader() override {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  static void stop_if_fired() {
    if (fired_ != 0) throw Interruption();
  }
  const std::string fifo_ = folder_.file("fifo");

 private:
  static inline volatile std::sig_atomic_t fired_ = 0;
  struct sigaction before_ {};
};

TEST_F(InterruptedReader, LeavesAPipeThatNobodyWrites) {
  EXPECT_THROW(MessageReader(fifo_, stop_if_fired), Interruption);
}

TEST_F(InterruptedReader, LeavesAPipeThatSaysNothing) {
  const int writer = open(fifo_.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  EXPECT_THROW(
      {
        MessageReader reader(fifo_, stop_if_fired);
        reader.next();
      },
      Interruption);
  close(writer);
}

TEST_F(MessageReaderTest, TimesAreOfTheReadBehind) {
  MessageReader reader(
      write("# tensix-vp: times in bytes 4-7 of every 8 of the next reply \r\n# and\n\n"
            "READ core=1,1 addr=0x0 size=4 data=- reply=00000000\n"
            "READ core=1,1 addr=0x0 size=4 data=- reply=00000000\n"
            "# tensix-vp: times in bytes 0-0 of every 1 of the next reply\nCLOCK 1\n"));
  const auto first = reader.next();
  ASSERT_TRUE(first && first->times);
  EXPECT_EQ(first->times->to_line(),
            "# tensix-vp: times in bytes 4-7 of every 8 of the next reply\n");
  EXPECT_FALSE(reader.next()->times.has_value());
  EXPECT_EQ(
      error_of([&] { reader.next(); }),
      folder_.file("r.txt") + ":7: expected a READ after the line that marks times in its reply");
}

TEST_F(MessageReaderTest, KnowsWhatHasRecorded) {
  MessageReader reader(write("# to play it again: vp replay FILE --system\t\xff n150\nEXIT\n"));
  EXPECT_EQ(reader.recorded_with(), "");
  reader.next();
  EXPECT_EQ(reader.recorded_with(), "--system n150");
}

TEST(MeasuredTimes, AreTakenOutOfAReply) {
  std::vector<std::uint8_t> reply(11, 0xFF);
  MeasuredTimes::checked(4, 1, 2, "x").clear(reply);
  EXPECT_EQ(reply, (std::vector<std::uint8_t>{0xFF, 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0}));
  EXPECT_FALSE(MeasuredTimes::checked(4, 1, 2, "x").all());
  MeasuredTimes::checked(1, 0, 1, "x").clear(reply);
  EXPECT_EQ(reply, std::vector<std::uint8_t>(11, 0));
  EXPECT_TRUE(MeasuredTimes::checked(1, 0, 1, "x").all());
}

TEST(MeasuredTimes, SayWhatIsWrong) {
  const auto marked = [](const std::string& text) {
    return error_of([&] { MeasuredTimes::parse("# tensix-vp: times " + text, "f:3"); });
  };
  EXPECT_FALSE(MeasuredTimes::parse("# times in bytes 0-3 of every 4 of the next reply", "f:3"));
  EXPECT_EQ(marked("in bytes 65535-65535 of every 65536 of the next reply"), "no error");
  for (const char* text : {"", "in bytes", "in bytes 1", "in bytes 0-3 of every 4",
                           "in bytes 3-0 of every 4 of the "
                           "next reply",
                           "in bytes -1-0 of every 4 of the next reply",
                           "in bytes 0-3 of every 4 of "
                           "the next reply now",
                           "in bytes 0-99999999999 of every 4 of the next reply",
                           "in bytes 65535-65536 of every 65536 of the next reply"}) {
    EXPECT_EQ(marked(text),
              "f:3: # tensix-vp: times …: expected \"in bytes A-B of every C of the "
              "next reply\"")
        << text;
  }
  EXPECT_EQ(marked("in bytes 0-2 of every 3 of the next reply"),
            "f:3: times in every 3 bytes: expected a power of two up to 65536");
  EXPECT_EQ(marked("in bytes 0-2 of every 131072 of the next reply"),
            "f:3: times in every 131072 bytes: expected a power of two up to 65536");
  EXPECT_EQ(marked("in bytes 4-4 of every 4 of the next reply"),
            "f:3: times in 1 bytes from byte 4 on: expected one or more in every 4 bytes");
}

TEST_F(MessageReaderTest, RefusesWhatIsNoRecording) {
  EXPECT_THROW(MessageReader(folder_.path()), Fault);
  EXPECT_THROW(MessageReader(folder_.file("nowhere")), Fault);
  MessageReader zeros("/dev/zero");
  EXPECT_TRUE(
      tvp::test::faults([&] { zeros.next(); }, {}, {"/dev/zero:1: expected a line of at most"}));
}

TEST(KnownBytes, KnowsWhatWasWritten) {
  KnownBytes memory;
  const std::uint8_t data[] = {1, 2, 3, 4};
  memory.write(KnownBytes::kPageBytes - 2, data, 4);
  EXPECT_TRUE(memory.holds(KnownBytes::kPageBytes - 2, data, 4));
  EXPECT_FALSE(memory.holds(KnownBytes::kPageBytes - 3, data, 4));
  std::uint8_t got[6] = {};
  EXPECT_FALSE(memory.read(KnownBytes::kPageBytes - 3, got, 6));
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[4], 4);
  EXPECT_EQ(memory.pages(), 2u);
}

}  // namespace
}  // namespace tvp::foundation
