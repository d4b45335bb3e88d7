// The server's answers, and its requests to cores.
#include "platform/debug/gdb_server.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "platform/debug/gdb_packet.h"

namespace tvp::debug {
namespace {

using Next = GdbServer::Next;

/// Three cores with 256 bytes of memory at 0x100 each, the last one not out of reset.
class Cores : public Target {
 public:
  std::vector<unsigned> cores() override { return {1, 2}; }
  bool has(unsigned core) override { return core == 1 || core == 2; }
  std::string name(unsigned core) override { return "D0 <" + std::to_string(core) + ">"; }
  std::string state(unsigned) override { return "running"; }
  std::array<std::uint32_t, kRegisters> registers(unsigned core) override { return regs[core]; }
  bool set_register(unsigned core, unsigned index, std::uint32_t value) override {
    if (locked) return false;
    regs[core][index] = value;
    return true;
  }
  std::size_t read(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) override {
    std::size_t n = 0;
    while (n < bytes.size() && address + n - 0x100 < 0x100) {
      bytes[n] = memory[core][address + n - 0x100];
      ++n;
    }
    return n;
  }
  bool write(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) override {
    if (address < 0x100 || address + bytes.size() > 0x200) return false;
    std::copy(bytes.begin(), bytes.end(), memory[core] + (address - 0x100));
    return true;
  }
  bool insert(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) override {
    log("insert", core, trap, address, bytes);
    return address != 0x666;
  }
  bool remove(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) override {
    log("remove", core, trap, address, bytes);
    return true;
  }
  void step(unsigned core, std::uint32_t from, std::uint32_t to) override {
    done.push_back("step " + std::to_string(core) + " " + std::to_string(from) + " " +
                   std::to_string(to));
  }
  std::string executable(unsigned core) override { return "/fw" + std::to_string(core); }
  std::vector<Library> libraries(unsigned) override { return {{"/a&b.elf", 2}}; }
  std::string monitor(unsigned core, const std::string& command) override {
    return command == "nothing" ? "" : std::to_string(core) + " " + command;
  }
  void detach(unsigned core) override { done.push_back("detach " + std::to_string(core)); }

  std::vector<std::string> take() { return std::exchange(done, {}); }

  std::map<unsigned, std::array<std::uint32_t, kRegisters>> regs{{1, {}}, {2, {}}};
  std::uint8_t memory[3][256] = {};
  bool locked = false;

 private:
  void log(const char* what, unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) {
    done.push_back(std::string(what) + " " + std::to_string(core) + " " +
                   std::to_string(static_cast<int>(trap)) + " " + std::to_string(address) + " " +
                   std::to_string(bytes));
  }
  std::vector<std::string> done;
};

class Server : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.handle("qSupported:multiprocess+;swbreak+");
    server_.stopped({.core = 1});
  }
  std::string answer(const std::string& packet) {
    const GdbServer::Answer a = server_.handle(packet);
    EXPECT_EQ(a.next, Next::kAnswer) << packet;
    return a.text;
  }
  using Done = std::vector<std::string>;
  Cores cores_;
  GdbServer server_{cores_};
};

TEST_F(Server, TellsWhatItCan) {
  const std::string text = answer("qSupported:multiprocess+");
  for (const char* part : {"PacketSize=4000", "multiprocess+", "QStartNoAckMode+", "swbreak+",
                           "qXfer:features:read+", "qXfer:threads:read+"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(answer("vMustReplyEmpty"), "");
  EXPECT_EQ(answer("vCont?"), "vCont;c;C;s;S;r");
  EXPECT_TRUE(server_.acknowledges());
  EXPECT_EQ(answer("QStartNoAckMode"), "OK");
  EXPECT_FALSE(server_.acknowledges());
}

TEST_F(Server, RegistersTravelAsLittleEndianWords) {
  cores_.regs[1][1] = 0x12345678;
  cores_.regs[1][32] = 0x1000;
  const std::string all = answer("g");
  EXPECT_EQ(all.size(), 33U * 8U);
  EXPECT_EQ(all.substr(8, 8), "78563412");
  EXPECT_EQ(answer("p20"), "00100000");
  EXPECT_EQ(answer("P2=efbeadde"), "OK");
  EXPECT_EQ(cores_.regs[1][2], 0xdeadbeefU);
  std::string changed = all;
  changed.replace(24, 8, "04000000");
  changed.replace(16, 8, "efbeadde");
  EXPECT_EQ(answer("G" + changed), "OK");
  EXPECT_EQ(cores_.regs[1][3], 4U);
  EXPECT_EQ(answer("p21"), "E01");
  EXPECT_EQ(answer("P0=12"), "E01");
  EXPECT_EQ(answer("G00"), "E01");
  cores_.locked = true;
  EXPECT_EQ(answer("P2=00000000"), "E01");
}

TEST_F(Server, MemoryIsThatOfTheSelectedCore) {
  EXPECT_EQ(answer("M100,3:0a0b0c"), "OK");
  EXPECT_EQ(answer("m100,4"), "0a0b0c00");
  EXPECT_EQ(answer("Hgp2.1"), "OK");
  EXPECT_EQ(answer("m100,4"), "00000000");
  EXPECT_EQ(answer("X1fe,2:" + std::string("\x00\xff", 2)), "OK");
  EXPECT_EQ(answer("m1fe,10"), "00ff");  // as far as it goes
  EXPECT_EQ(answer("m200,4"), "E01");
  EXPECT_EQ(answer("M1ff,2:0000"), "E01");
  EXPECT_EQ(answer("M100,2:00"), "E01");
  EXPECT_EQ(answer("X100,0:"), "OK");
  EXPECT_EQ(answer("mzz,4"), "E01");
  EXPECT_EQ(answer("m123456789,4"), "E01");
}

TEST_F(Server, ThreadsAreOnePerProcess) {
  EXPECT_EQ(answer("qfThreadInfo"), "mp1.1,p2.1");
  EXPECT_EQ(answer("qsThreadInfo"), "l");
  EXPECT_EQ(answer("qC"), "QCp1.1");
  EXPECT_EQ(answer("Tp2.1"), "OK");
  EXPECT_EQ(answer("Tp3.1"), "E01");
  EXPECT_EQ(answer("Hgp3.1"), "E01");
  EXPECT_EQ(answer("Hgp0.0"), "OK");
  // Each process has thread 1 only, and nothing may follow it.
  for (const char* none : {"Hgp1.2", "Hgp1.999999", "Hgp1.x", "Hg-5", "Hgxy", "Hgp1.1,", "Tp1.2"})
    EXPECT_EQ(answer(none), "E01") << none;
  EXPECT_EQ(answer("Hc-1"), "OK");
  const std::string document = answer("qXfer:threads:read::0,1000");
  EXPECT_EQ(document,
            "l<?xml version=\"1.0\"?><threads><thread id=\"p1.1\" name=\"D0 &lt;1&gt;\">running"
            "</thread><thread id=\"p2.1\" name=\"D0 &lt;2&gt;\">running</thread></threads>");
  EXPECT_EQ(answer("qXfer:threads:read::5,3"), "m" + document.substr(6, 3));
  EXPECT_EQ(answer("qXfer:threads:read::ffff,3"), "l");
  EXPECT_EQ(answer("qXfer:threads:read::x,3"), "E01");
  EXPECT_EQ(answer("qXfer:exec-file:read:2:0,100"), "l/fw2");
  EXPECT_EQ(answer("qXfer:exec-file:read:9:0,100"), "E01");
  EXPECT_EQ(answer("qXfer:libraries:read::0,1000"),
            "l<library-list><library name=\"/a&amp;b.elf\"><section address=\"0\"/>"
            "<section address=\"0\"/></library></library-list>");
  EXPECT_EQ(answer("qXfer:features:read:target.xml:0,10"), "m<?xml version=\"1");
  const std::string target = answer("qXfer:features:read:target.xml:0,ffff");
  EXPECT_NE(target.find("<osabi>none</osabi>"), std::string::npos) << "else gdb steps by itself";
  for (const char* lldb : {"dwarf_regnum=\"2\" generic=\"sp\"", "dwarf_regnum=\"8\" generic=\"fp\"",
                           "dwarf_regnum=\"10\" generic=\"arg1\"", "generic=\"pc\""})
    EXPECT_NE(target.find(lldb), std::string::npos) << lldb << "\n" << target;
  EXPECT_EQ(answer("qXfer:nonsense:read::0,10"), "");
}

TEST_F(Server, OldDebuggersSeePlainThreadNumbers) {
  server_.reset();
  server_.handle("qSupported");
  EXPECT_EQ(answer("qfThreadInfo"), "m1,2");
  EXPECT_EQ(answer("Hg2"), "OK");
  EXPECT_EQ(answer("qC"), "QC2");
  EXPECT_EQ(server_.handle("s").next, Next::kGo);
  EXPECT_EQ(cores_.take(), (Done{"step 2 0 0"}));
  EXPECT_EQ(answer("Hc1"), "OK");
  EXPECT_EQ(server_.handle("S05").next, Next::kGo);
  EXPECT_EQ(cores_.take(), (Done{"step 1 0 0"}));
  EXPECT_EQ(server_.handle("c").next, Next::kGo);
  EXPECT_EQ(cores_.take(), Done{});
}

TEST_F(Server, BreakpointsBelongToTheSelectedCore) {
  EXPECT_EQ(answer("Z0,1000,4"), "OK");
  EXPECT_EQ(answer("Hgp2.1"), "OK");
  EXPECT_EQ(answer("Z2,ffb00000,8"), "OK");
  EXPECT_EQ(answer("z2,ffb00000,8"), "OK");
  EXPECT_EQ(cores_.take(),
            (Done{"insert 1 0 4096 4", "insert 2 2 4289724416 8", "remove 2 2 4289724416 8"}));
  EXPECT_EQ(answer("Z0,666,4"), "E01");
  EXPECT_EQ(answer("Z5,1000,4"), "");
  EXPECT_EQ(answer("Z0"), "E01");
  EXPECT_EQ(answer("Z0,"), "E01");
}

TEST_F(Server, ActionsOfVContGoToTheCoresThatTheyName) {
  server_.handle("qfThreadInfo");
  const auto go = [&](const std::string& packet) {
    EXPECT_EQ(server_.handle(packet).next, Next::kGo) << packet;
    return cores_.take();
  };
  EXPECT_EQ(go("vCont;c"), Done{});
  EXPECT_EQ(server_.limited_to(), 0U);
  EXPECT_EQ(go("vCont;s"), (Done{"step 1 0 0", "step 2 0 0"}));
  EXPECT_EQ(go("vCont;s:p2.1;c"), (Done{"step 2 0 0"}));
  EXPECT_EQ(server_.limited_to(), 0U);
  EXPECT_FALSE(server_.went_alone());
  EXPECT_EQ(go("vCont;r10,20:p1.1;c:p1.-1"), (Done{"step 1 16 32"}));
  EXPECT_TRUE(server_.went_alone());
  EXPECT_EQ(server_.limited_to(), 0U);
  EXPECT_EQ(go("vCont;c:p1.1;s"), (Done{"step 2 0 0"}));
  EXPECT_EQ(go("vCont;S05:p1.1"), (Done{"step 1 0 0"}));
  EXPECT_EQ(server_.limited_to(), 1U);
  for (const char* bad : {"vCont;", "vCont;x", "vCont;;c", "vCont;r10:p1.1", "vCont;c:ffff",
                          "vCont;c:0", "vCont;s:p1.1;c:pffff.1", "vCont;s:ffffffffff"}) {
    EXPECT_EQ(answer(bad), "E01") << bad;
    EXPECT_EQ(cores_.take(), Done{}) << bad;
  }
}

TEST_F(Server, StopsSayWhoAndWhy) {
  cores_.regs[2][32] = 0x1234;
  EXPECT_EQ(server_.stopped({.core = 2, .reason = Stop::Reason::kBreakpoint}),
            "T05swbreak:;20:34120000;thread:p2.1;");
  EXPECT_EQ(answer("?"), "T05swbreak:;20:34120000;thread:p2.1;");
  EXPECT_EQ(answer("p20"), "34120000");  // registers of the stopped core
  EXPECT_EQ(server_.stopped({.core = 2, .signal = 11}), "T0b20:34120000;thread:p2.1;");
  EXPECT_EQ(server_.stopped({.core = 2,
                             .reason = Stop::Reason::kWatchpoint,
                             .trap = Trap::kAccess,
                             .address = 0x9000}),
            "T05awatch:9000;20:34120000;thread:p2.1;");
  EXPECT_EQ(server_.stopped({.core = 2, .reason = Stop::Reason::kLibraries}),
            "T05library:;20:34120000;thread:p2.1;");
  EXPECT_TRUE(server_.knows(2));
  EXPECT_EQ(server_.stopped({.core = 2, .reason = Stop::Reason::kEnd, .signal = 3}),
            "W03;process:2");
  EXPECT_FALSE(server_.knows(2));
}

TEST_F(Server, StepsAndContinuesBack) {
  EXPECT_NE(answer("qSupported:multiprocess+").find("ReverseStep+;ReverseContinue+"),
            std::string::npos);
  for (const char* packet : {"bs", "bc"}) {
    const GdbServer::Answer a = server_.handle(packet);
    EXPECT_EQ(a.next, Next::kGoBack);
    EXPECT_EQ(a.steps, packet[1] == 's');
    EXPECT_EQ(server_.selected(), 1U);
  }
  EXPECT_EQ(answer("Hcp2.1"), "OK");
  EXPECT_EQ(server_.handle("bs").next, Next::kGoBack);
  EXPECT_EQ(server_.selected(), 2U);
  for (const char* wrong : {"b", "bx", "bs:p1.1", "bcc"}) EXPECT_EQ(answer(wrong), "") << wrong;
  EXPECT_EQ(server_.stopped({.core = 2, .reason = Stop::Reason::kBeginning}),
            "T05replaylog:begin;20:00000000;thread:p2.1;");
}

TEST_F(Server, AnotherServerTakesOver) {
  answer("QStartNoAckMode");
  server_.handle("qfThreadInfo");
  answer("Hgp2.1");
  Cores cores;
  GdbServer other(cores);
  other.take_over(server_.conversation());
  EXPECT_FALSE(other.acknowledges());
  EXPECT_TRUE(other.knows(1));
  EXPECT_TRUE(other.knows(2));
  EXPECT_EQ(other.last_stop().core, 1U);
  cores.regs[2][32] = 0x1234;
  EXPECT_EQ(other.handle("p20").text, "34120000");
  EXPECT_EQ(other.handle("qC").text, "QCp2.1");
  EXPECT_EQ(other.conversation(), server_.conversation());
}

TEST_F(Server, DetachingTheLastOneLetsGo) {
  server_.handle("qfThreadInfo");
  GdbServer::Answer a = server_.handle("D;1");
  EXPECT_EQ(a.text, "OK");
  EXPECT_EQ(a.next, Next::kAnswer);
  EXPECT_EQ(answer("D;1"), "E01");
  a = server_.handle("D;2");
  EXPECT_EQ(a.text, "OK");
  EXPECT_EQ(a.next, Next::kLeave);
  EXPECT_EQ(cores_.take(), (Done{"detach 1", "detach 2"}));
  EXPECT_EQ(server_.handle("k").next, Next::kEndOfRun);
  for (const char* wrong : {"vKill;zz", "vKill;1x", "vKill;", "vKill;7f", "vKill"}) {
    EXPECT_EQ(server_.handle(wrong).next, Next::kAnswer) << wrong;
  }
  EXPECT_EQ(answer("vKill;7f"), "E01");
  EXPECT_EQ(server_.handle("vKill;1").text, "OK");
  EXPECT_EQ(server_.handle("vKill;1").next, Next::kEndOfRun);
  EXPECT_EQ(answer("qAttached:1"), "1");
}

TEST_F(Server, MonitorCommandsGoToTheSelectedCore) {
  EXPECT_EQ(answer("qRcmd," + to_hex("time now")), to_hex("1 time now"));
  EXPECT_EQ(answer("qRcmd," + to_hex("nothing")), "OK");
  EXPECT_EQ(answer("qRcmd,7"), "E01");
}

TEST_F(Server, NothingThatArrivesBringsItDown) {
  std::mt19937 random(7);
  const std::string alphabet = "vContqXferHgpPmMGZzTDbs;:,.-0123456789abcdef= ?!";
  for (int i = 0; i < 20'000; ++i) {
    std::string packet;
    for (auto n = random() % 24; n > 0; --n) packet += alphabet[random() % alphabet.size()];
    server_.handle(packet);
    ASSERT_TRUE(server_.limited_to() == 0 || cores_.has(server_.limited_to())) << packet;
  }
  EXPECT_EQ(answer("Hgp1.1"), "OK");
  EXPECT_EQ(answer("g").size(), 33U * 8U);
}

}  // namespace
}  // namespace tvp::debug
