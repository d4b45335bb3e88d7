#include "tests/compare/runner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "tests/compare/bench.h"

namespace tvp::compare {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void write_all(int file, const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes != 0) {
    const ssize_t written = write(file, at, bytes);
    if (written <= 0) _exit(2);
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}
bool read_all(int file, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes != 0) {
    const ssize_t got = read(file, at, bytes);
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

/// The seed depends on the name only, so that --only gets the same data.
std::uint64_t seed_of(std::uint64_t seed, const std::string& name) {
  std::uint64_t hash = 1469598103934665603U ^ seed;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

/// The first line that names an error, or else the last line.
std::string reason_in(std::FILE* file) {
  std::rewind(file);
  std::string last = "it ended without a word";
  char line[1024];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    std::string text(line, std::strcspn(line, "\n"));
    if (text.find("error:") != std::string::npos || text.find("ERROR:") != std::string::npos) {
      return text.substr(text.starts_with('[') ? text.find(']') + 2 : 0);
    }
    const bool statistics = text.find(" seconds (") != std::string::npos;
    if (!text.empty() && !statistics) last = text;
  }
  return last;
}

}  // namespace

void Runner::be_child(const std::vector<Case>& cases, std::size_t first, int results,
                      int said) const {
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  try {
    Bench bench(library_, folder_);
    for (std::size_t i = first; i < cases.size(); ++i) {
      Random random(seed_of(seed_, cases[i].name));
      const Bytes memory = cases[i].run(bench, random);
      const std::uint64_t size = memory.size();
      write_all(results, &size, sizeof size);
      write_all(results, memory.data(), memory.size());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    std::fflush(stderr);
    _exit(1);
  }
  _exit(0);  // the library's destructors are not compared
}

std::size_t Runner::run_child(const std::vector<Case>& cases, std::size_t first,
                              std::vector<Outcome>& outcomes) const {
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  std::FILE* said = std::tmpfile();
  if (said == nullptr) fail("temporary file");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    be_child(cases, first, ends[1], fileno(said));
  }
  close(ends[1]);
  std::size_t next = first;
  std::uint64_t size = 0;
  for (; next < cases.size() && read_all(ends[0], &size, sizeof size); ++next) {
    Bytes memory(size);
    if (!read_all(ends[0], memory.data(), size)) break;
    outcomes[next].memory = std::move(memory);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (next < cases.size()) outcomes[next].refusal = reason_in(said);
  std::fclose(said);
  return next - first;
}

std::vector<Outcome> Runner::run(const std::vector<Case>& cases) const {
  std::vector<Outcome> outcomes(cases.size());
  for (std::size_t first = 0; first < cases.size();) {
    first += run_child(cases, first, outcomes) + 1;
  }
  return outcomes;
}

}  // namespace tvp::compare
