// The kernel cache with damaged entries, bad folders and failures of the host.

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "foundation/contract/mailboxes.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/errors.h"
#include "tests/support/child_output.h"
#include "tests/support/fault_of.h"
#include "tests/support/test_folder.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;
using foundation::HostError;

class CompileCacheTest : public testing::Test {
 protected:
  /// Compiles a source of the folder with the cache there.
  std::shared_ptr<const ElfImage> compile(const std::string& name = "k.cpp") {
    KernelCompiler compiler(root_, cache());
    KernelRequest request;
    request.processor = contract::kBrisc;
    request.source = (folder_ / name).string();
    auto image = compiler.kernels({request}, {})[0];
    compiled_ = compiler.cache().compiled();
    return image;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void write_kernel(int value) const {
    write("value.h", "#define VALUE " + std::to_string(value) + "\n");
    write("k.cpp",
          "#include \"value.h\"\nvolatile uint32_t v = VALUE;\nvoid kernel_main() { v = v; }\n");
  }
  static int value_of(const ElfImage& image) { return image.segments().at(1).data.at(0); }
  std::string cache() const { return (folder_ / "cache").string(); }
  /// Compiles in a separate process and returns the text of the HostError; "" if none was thrown.
  std::string refusal_in_child(const std::function<void()>& before);
  /// A compiler that is a shell script.
  void fake_compiler(const std::string& script) const {
    const std::string path = (folder_ / "riscv64-unknown-elf-g++").string();
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::all);
  }
  std::string refusal_of_compiler(const std::string& script) {
    fake_compiler(script);
    return refusal_in_child(
        [&] { setenv("PATH", (folder_.string() + ":" + std::getenv("PATH")).c_str(), 1); });
  }
  /// Paths of all files of that name in the entries.
  std::vector<fs::path> in_entries(const std::string& name) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(cache())) {
      if (entry.path().filename() == name) found.push_back(entry.path());
    }
    return found;
  }

  tvp::test::TestFolder scratch_{"cache"};
  fs::path folder_ = scratch_.path();
  std::string root_ = KernelCompiler::default_root();
  unsigned compiled_ = 0;
};

std::string CompileCacheTest::refusal_in_child(const std::function<void()>& before) {
  const auto [text, status] = tvp::test::output_of_child([&]() -> std::string {
    try {
      before();
      compile();
    } catch (const HostError& error) {
      return error.what();
    } catch (const std::exception& error) {
      return std::string("another error: ") + error.what();
    }
    return "";
  });
  EXPECT_EQ(status, 0);
  return text;
}

// A shell would execute parts of this name. A linker option would end at its comma, a manifest at
// its space, an #include at its quote.
TEST_F(CompileCacheTest, TakesEveryNameOfAFolderAsItIs) {
  folder_ /= "a b'c\"d$e#f,g\\h ünï;$(touch pwned)`touch pwned`'; touch pwned; '\xff";
  fs::create_directories(folder_);
  fs::create_directory_symlink(root_, folder_ / "tree");
  root_ = (folder_ / "tree").string();
  write_kernel(1);
  EXPECT_EQ(value_of(*compile()), 1);
  EXPECT_GT(compiled_, 0U);
  EXPECT_EQ(value_of(*compile()), 1);
  EXPECT_EQ(compiled_, 0U);
  write("value.h", "#define VALUE 2\n");
  EXPECT_EQ(value_of(*compile()), 2);
  EXPECT_EQ(compiled_, 2U) << "an object and an image";
  EXPECT_FALSE(fs::exists("pwned"));
  EXPECT_FALSE(fs::exists(folder_ / "pwned"));
}

TEST_F(CompileCacheTest, RefusesWhatTheCompilersListCannotName) {
  const auto refusal = [](const auto& action) -> std::string {
    return tvp::test::fault_of([&] { action(); });
  };
  const std::string broken = (folder_ / "a\nb").string();
  fs::create_directories(broken + "/firmware/boot");
  write("a\nb/firmware/boot/kernel.ld", "");
  write("a\nb/kernel.cpp", "void kernel_main() {}\n");
  EXPECT_NE(refusal([&] {
              CompileCache cache(broken);
            }).find(broken + "': expected no line break in the path of the kernel cache"),
            std::string::npos);
  const std::string good = (folder_ / "good").string();
  EXPECT_NE(refusal([&] {
              KernelCompiler compiler(broken, good);
            }).find("expected no line break in the path of the firmware"),
            std::string::npos);
  KernelCompiler compiler(KernelCompiler::default_root(), good);
  KernelRequest request;
  request.source = broken + "/kernel.cpp";
  EXPECT_NE(refusal([&] {
              compiler.kernels({request}, {});
            }).find("expected no line break in the path of a kernel"),
            std::string::npos);
}

// The error names the first folder that cannot be created, as in a read-only home.
TEST_F(CompileCacheTest, TellsWhyItsFolderCannotBeMade) {
  try {
    CompileCache cache("/sys/tensix-vp/cache");
    ADD_FAILURE() << "made in /sys";
  } catch (const HostError& error) {
    const std::string told = error.what();
    EXPECT_NE(told.find("/sys/tensix-vp/cache: cannot be made as the kernel cache"),
              std::string::npos);
    EXPECT_EQ(told.find("No such file"), std::string::npos) << told;
  }
}

// A process without free file descriptors gets an error, and leaves no folders behind.
TEST_F(CompileCacheTest, NamesAFolderThatCannotBeListed) {
  const std::string told = refusal_in_child([] {
    const rlimit none{0, 0}, seconds{20, 20};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_CPU, &seconds);
  });
  EXPECT_NE(told.find("newlib/c++: cannot be read: Too many open files"), std::string::npos)
      << told;
  EXPECT_TRUE(fs::is_empty(cache()));
}

TEST_F(CompileCacheTest, MakesDamagedEntriesAnew) {
  write_kernel(1);
  compile();
  const std::size_t entries = in_entries("manifest").size();
  ASSERT_EQ(entries, 4U) << "firmware, its symbols, the kernel's object and image";
  for (const fs::path& manifest : in_entries("manifest")) {
    for (const auto& file : fs::directory_iterator(manifest.parent_path())) {
      const std::string name = file.path().filename().string();
      EXPECT_TRUE(name == "manifest" || name == "image.elf") << file;
    }
  }
  const auto damage = [&](const std::string& name, const auto& change) {
    for (const fs::path& file : in_entries(name)) {
      const std::string text = change(foundation::read_file(file));
      std::ofstream(file, std::ios::binary) << text;
    }
    EXPECT_EQ(value_of(*compile()), 1) << name;
    EXPECT_EQ(compiled_, entries) << name;
    compile();
    EXPECT_EQ(compiled_, 0U) << name;
  };
  damage("manifest", [](const std::string&) { return std::string(); });
  // A manifest without the list of read files and with one line less.
  damage("manifest", [](const std::string& text) { return text.substr(0, text.find('\n') + 1); });
  damage("manifest", [](std::string text) {
    const std::size_t line = text.find('\n', text.find("image "));
    return text.erase(line, text.find('\n', line + 1) - line);
  });
  damage("image.elf", [](const std::string& text) { return text.substr(0, text.size() / 2); });
  damage("image.elf", [](std::string text) {
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
    return text;
  });
}

// The cache also owns the included files.
TEST_F(CompileCacheTest, MakesDamagedHeadersAnew) {
  write_kernel(1);
  compile();
  for (const fs::path& file : in_entries("chip_numbers.h")) std::ofstream(file) << "damaged";
  for (const fs::path& file : in_entries("entry.h")) fs::remove(file);
  EXPECT_EQ(value_of(*compile()), 1);
  compile();
  EXPECT_EQ(compiled_, 0U);
}

TEST_F(CompileCacheTest, RemovesWhatKilledRunsLeft) {
  fs::create_directories(cache() + "/scratch-killed/0");
  fs::create_directories(cache() + "/scratch-alive");
  const int alive = open((cache() + "/scratch-alive").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(alive, LOCK_EX), 0);
  write_kernel(1);
  compile();
  EXPECT_FALSE(fs::exists(cache() + "/scratch-killed"));
  EXPECT_TRUE(fs::exists(cache() + "/scratch-alive"));
  close(alive);
  compile();
  for (const auto& entry : fs::directory_iterator(cache())) {
    EXPECT_EQ(entry.path().filename().string().find("scratch"), std::string::npos) << entry;
  }
}

TEST_F(CompileCacheTest, NamesACompilerThatWasKilled) {
  write_kernel(1);
  const std::string killed = refusal_of_compiler("kill -9 $$");
  EXPECT_NE(killed.find("was killed by signal 9 (Killed)"), std::string::npos) << killed;
  const std::string behind = refusal_of_compiler(
      "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1");
  EXPECT_NE(behind.find("Killed signal terminated program cc1plus"), std::string::npos) << behind;
  const std::string disk = refusal_of_compiler(
      "echo '/tmp/cc.s: Fatal error: can'\"'\"'t close x.o: No space left on device' >&2; exit 1");
  EXPECT_NE(disk.find("No space left on device"), std::string::npos) << disk;
  EXPECT_EQ(disk.find("another error"), std::string::npos) << disk;
  const std::string silent = refusal_of_compiler("exit 3");
  EXPECT_NE(silent.find("without a message, with exit code 3"), std::string::npos) << silent;
}

// A second compilation without unrolling hints happens only if these cause the only error.
TEST_F(CompileCacheTest, CompilesASourceWithAMistakeOnce) {
  write_kernel(1);
  const std::string calls = (folder_ / "calls").string();
  const std::string mistake = refusal_of_compiler(
      "echo call >> '" + calls + "'; echo 'k.cpp:1:1: error: mistake' >&2; exit 1");
  EXPECT_NE(mistake.find("k.cpp:1:1: error: mistake"), std::string::npos) << mistake;
  EXPECT_EQ(foundation::read_file(calls), "call\n");
}

TEST_F(CompileCacheTest, LeavesWhatASourceSaysToTheSource) {
  write("k.cpp", "#error cannot be written: No space left on device\n");
  EXPECT_THROW(compile(), CompileError);
}

TEST_F(CompileCacheTest, EndsTheCompilerWhenTheWaitEnds) {
  write_kernel(1);
  // The file exists under this name only when it is complete.
  const std::string pid = (folder_ / "pid").string();
  fake_compiler("echo $$ > '" + pid + ".new'; mv '" + pid + ".new' '" + pid +
                "'; while :; do sleep 1; done");
  const std::string text = refusal_in_child([&] {
    setenv("PATH", (folder_.string() + ":" + std::getenv("PATH")).c_str(), 1);
    KernelCompiler compiler(root_, cache());
    compiler.cache().set_waiting([&] {
      if (fs::exists(folder_ / "pid")) throw HostError("", "enough");
    });
    compiler.firmware(contract::kBrisc, {});
  });
  EXPECT_EQ(text, "enough");
  pid_t compiler = 0;
  std::ifstream(folder_ / "pid") >> compiler;
  ASSERT_GT(compiler, 0);
  EXPECT_NE(kill(compiler, 0), 0) << "it still runs";
}

// A limit on file sizes acts like a full disk, at any point of an entry.
TEST_F(CompileCacheTest, NamesAFullDisk) {
  write_kernel(1);
  for (const rlim_t bytes : {0, 100, 5000, 60000}) {
    fs::remove_all(cache());
    const std::string text = refusal_in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
    });
    EXPECT_EQ(text.find("another error"), std::string::npos) << bytes << ": " << text;
    EXPECT_NE(text.find("File too large"), std::string::npos) << bytes << ": " << text;
    EXPECT_TRUE(in_entries("manifest").empty()) << bytes;
  }
  EXPECT_EQ(value_of(*compile()), 1);
}

/// Removes this system call for the process.
void forbid(unsigned call) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    throw std::runtime_error("calls cannot be forbidden");
  }
}

// Network file systems lack this call.
TEST_F(CompileCacheTest, ReplacesEntriesWhereNamesCannotBeExchanged) {
  write_kernel(1);
  compile();
  for (const fs::path& file : in_entries("image.elf")) std::ofstream(file) << "damaged";
  EXPECT_EQ(refusal_in_child([] { forbid(SYS_renameat2); }), "");
  EXPECT_EQ(value_of(*compile()), 1);
  EXPECT_EQ(compiled_, 0U) << "the child has put good ones there";
}

// Lustre has no locks by default.
TEST_F(CompileCacheTest, NamesAFileSystemWithoutLocks) {
  write_kernel(1);
  const std::string text = refusal_in_child([] { forbid(SYS_flock); });
  EXPECT_NE(text.find("cannot be kept where folders cannot be locked"), std::string::npos) << text;
  EXPECT_NE(text.find("TENSIX_VP_CACHE"), std::string::npos) << text;
  for (const auto& entry : fs::directory_iterator(cache())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("scratch")) << entry;
  }
}

// The cache is read-only for the user; root may write everywhere.
TEST_F(CompileCacheTest, ReadsAReadOnlyCacheAndNamesOneThatItWouldHaveToWrite) {
  write_kernel(1);
  compile();
  constexpr fs::perms kReadable = fs::perms::owner_read | fs::perms::owner_exec |
                                  fs::perms::group_read | fs::perms::group_exec |
                                  fs::perms::others_read | fs::perms::others_exec;
  const auto become_a_reader = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_directory()) fs::permissions(entry.path(), kReadable);
    }
    if (geteuid() == 0 && seteuid(65534) != 0) throw std::runtime_error("cannot become nobody");
  };
  EXPECT_EQ(refusal_in_child(become_a_reader), "");
  write_kernel(2);
  const std::string text = refusal_in_child(become_a_reader);
  EXPECT_NE(text.find("the kernel cache cannot be written"), std::string::npos) << text;
  EXPECT_NE(text.find("TENSIX_VP_CACHE"), std::string::npos) << text;
  fs::permissions(cache(), fs::perms::owner_all);
}

TEST_F(CompileCacheTest, RefusesAFolderThatOthersCanChange) {
  const fs::path folder = folder_ / "foreign";
  fs::create_directories(folder);
  const auto refusal = [](const fs::path& path) -> std::string {
    try {
      CompileCache cache(path.string());
    } catch (const foundation::Fault& fault) {
      return fault.message();
    }
    return "";
  };
  EXPECT_EQ(refusal(folder), "");
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  EXPECT_NE(refusal(folder).find("all users may write"), std::string::npos) << refusal(folder);
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::remove);
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  constexpr uid_t kOther = 12345;
  const fs::path link = folder_ / "link";
  fs::create_directory_symlink(folder, link);
  EXPECT_EQ(refusal(link), "");
  ASSERT_EQ(lchown(link.c_str(), kOther, kOther), 0);
  EXPECT_NE(refusal(link).find("belongs to user 12345"), std::string::npos) << refusal(link);
  ASSERT_EQ(chown(folder.c_str(), kOther, kOther), 0);
  EXPECT_NE(refusal(folder).find("belongs to user 12345"), std::string::npos) << refusal(folder);
}

TEST_F(CompileCacheTest, IsNeverInAFolderThatOthersCanGuess) {
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  unsetenv("TENSIX_VP_CACHE");
  unsetenv("XDG_CACHE_HOME");
  for (const char* nothing : {"", static_cast<const char*>(nullptr)}) {
    if (nothing == nullptr) {
      unsetenv("HOME");
    } else {
      setenv("HOME", nothing, 1);
    }
    EXPECT_FALSE(CompileCache::default_folder().starts_with("/tmp"));
  }
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_FALSE(CompileCache::default_folder().starts_with("relative"));
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(CompileCache::default_folder(), home + "/.cache/tensix-vp");
}

}  // namespace
}  // namespace tvp::runtime
