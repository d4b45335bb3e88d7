// Runs the same programs on two libraries and compares memory bit for bit. README.md shows the use.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>

#include "tests/compare/runner.h"

namespace {

using namespace tvp::compare;

struct Arguments {
  std::string device;
  std::string only;
  std::uint64_t seed = 1;
  bool list = false;
};

[[noreturn]] void usage(const std::string& what) {
  std::fprintf(stderr,
               "compare_device: %s\nusage: compare_device --device LIB.so [--only TEXT] "
               "[--seed N] [--list]\n",
               what.c_str());
  std::exit(2);
}

Arguments parse(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (++i == count) usage(word + " wants a value");
      return words[i];
    };
    if (word == "--device") {
      arguments.device = value();
    } else if (word == "--only") {
      arguments.only = value();
    } else if (word == "--seed") {
      arguments.seed = std::stoull(value());
    } else if (word == "--list") {
      arguments.list = true;
    } else {
      usage("unknown argument " + word);
    }
  }
  if (arguments.device.empty() && !arguments.list) usage("names no library");
  return arguments;
}

std::vector<Case> cases_with(const std::string& text) {
  std::vector<Case> cases;
  for (const auto& some : {movement_cases(), tile_cases(), vector_cases()}) {
    for (const Case& one : some) {
      if (one.name.find(text) != std::string::npos) cases.push_back(one);
    }
  }
  return cases;
}

void show_difference(const Bytes& ours, const Bytes& theirs) {
  std::size_t bytes = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i + 4 <= std::min(ours.size(), theirs.size()); i += 4) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::memcpy(&a, ours.data() + i, 4);
    std::memcpy(&b, theirs.data() + i, 4);
    if (a == b) continue;
    bytes += 4;
    if (shown++ < 4) std::printf("    at %zu: %08x here, %08x there\n", i, a, b);
  }
  std::printf("    %zu of %zu bytes in words that differ\n", bytes, ours.size());
}

/// True if all results that both libraries produced are equal.
bool compare(const std::vector<Case>& cases, const std::vector<Outcome>& ours,
             const std::vector<Outcome>& theirs) {
  std::size_t equal = 0;
  std::size_t different = 0;
  std::map<std::string, std::vector<std::string>> refused;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!ours[i].memory) refused["here: " + ours[i].refusal].push_back(cases[i].name);
    if (!theirs[i].memory) refused["there: " + theirs[i].refusal].push_back(cases[i].name);
    if (!ours[i].memory || !theirs[i].memory) continue;
    if (*ours[i].memory == *theirs[i].memory) {
      ++equal;
      continue;
    }
    ++different;
    std::printf("DIFFERENT %s\n", cases[i].name.c_str());
    show_difference(*ours[i].memory, *theirs[i].memory);
  }
  for (const auto& [why, names] : refused) {
    std::printf("refused %s\n", why.c_str());
    for (const std::string& name : names) std::printf("    %s\n", name.c_str());
  }
  std::printf("%zu cases: %zu equal, %zu different, %zu refused\n", cases.size(), equal, different,
              cases.size() - equal - different);
  return different == 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Arguments arguments = parse(count, words);
    const std::vector<Case> cases = cases_with(arguments.only);
    if (arguments.list) {
      for (const Case& one : cases) std::puts(one.name.c_str());
      return 0;
    }
    const auto folder = std::filesystem::path(TVP_KERNEL_FOLDER).string();
    const auto ours = Runner(TVP_LIBRARY, folder, arguments.seed).run(cases);
    const auto theirs = Runner(arguments.device, folder, arguments.seed).run(cases);
    return compare(cases, ours, theirs) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_device: %s\n", error.what());
    return 2;
  }
}
