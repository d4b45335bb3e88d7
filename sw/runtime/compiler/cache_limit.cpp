#include "sw/runtime/compiler/cache_limit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "sw/runtime/compiler/file_time.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char* kVariable = "TENSIX_VP_CACHE_LIMIT";
constexpr const char* kCountBegin = "tensix-vp-cache-1";
constexpr const char* kGenerated = "generated-";
constexpr std::size_t kHashDigits = 32;
/// Clocks of machines with a shared home folder may differ by this.
constexpr std::int64_t kClockDifferenceNs = 60 * kNanosecondsASecond;
/// Other processes hold a lock for milliseconds. A stopped process holds it forever.
constexpr double kLookupPatience = 10;
constexpr double kCountPatience = 1;
constexpr std::size_t kEntriesAWait = 256;
/// Limits the work of one process. The next process continues.
constexpr std::size_t kMostAtOnce = 4096;

/// Only entries may be removed. Other files in the folder may belong to users.
bool is_entry(std::string name) {
  if (name.starts_with(kGenerated)) name.erase(0, std::string(kGenerated).size());
  return name.size() == kHashDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Time of the last use: the change time of the entry's folder.
std::optional<std::int64_t> used_ns(const std::string& entry) {
  struct stat info {};
  if (lstat(entry.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return std::nullopt;
  return nanoseconds(info.st_mtim);
}

/// Bytes of a unit of sizes, given in lower case; 0 for an unknown unit.
double bytes_of_unit(const std::string& unit) {
  const std::string letters = "kmgt";
  if (unit == "b") return 1;
  const std::size_t power = unit.empty() ? std::string::npos : letters.find(unit[0]);
  if (power == std::string::npos) return 0;
  const double exponent = static_cast<double>(power) + 1;
  if (unit.substr(1) == "ib") return std::pow(1024.0, exponent);
  return unit.substr(1) == "b" ? std::pow(1000.0, exponent) : 0;
}

}  // namespace

std::optional<std::uint64_t> CacheLimit::parse(const std::string& text, const std::string& where) {
  std::string word;
  for (const char c : text) {
    if (c != ' ') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (word == "none") return std::nullopt;
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number, std::chars_format::fixed);
  const double unit = bytes_of_unit(std::string(stop, end));
  // Rejects signs, words such as "inf", texts without a number or a unit, and sizes beyond any file
  // system.
  constexpr double kMost = 9.0e18;
  if (error != std::errc() || unit == 0 || std::isdigit(static_cast<unsigned char>(word[0])) == 0 ||
      !(number * unit < kMost)) {
    bad_use(where,
            "'" + text +
                "' is no limit for the kernel cache: a size with its unit, as 4 GiB, 500 MiB "
                "or 1.5 GB, or none");
  }
  return static_cast<std::uint64_t>(number * unit);
}

std::optional<std::uint64_t> CacheLimit::from_environment() {
  const char* const set = std::getenv(kVariable);
  if (set == nullptr || *set == 0) return kUsualBytes;
  return parse(set, kVariable);
}

CacheLimit::CacheLimit(std::string cache, std::optional<std::uint64_t> bytes)
    : cache_(std::move(cache)), bytes_(bytes) {}

CacheLock CacheLimit::lookup() const {
  return {cache_ + "/lock", CacheLock::Kind::kShared, kLookupPatience};
}

void CacheLimit::mark(const std::string& entry, std::int64_t since_ns) const {
  if (used_ns(entry).value_or(since_ns) >= since_ns) return;
  const std::int64_t now = file_time_now_ns();
  const timespec time{now / kNanosecondsASecond, now % kNanosecondsASecond};
  const std::array<timespec, 2> times = {time, time};
  // Fails in a read-only cache, from which no process removes entries.
  utimensat(AT_FDCWD, entry.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
}

std::uint64_t CacheLimit::bytes_of(const std::string& entry) {
  constexpr std::uint64_t kBlock = 512;
  std::uint64_t blocks = 0;
  const auto count = [&](const fs::path& path) {
    struct stat info {};
    if (lstat(path.c_str(), &info) == 0) blocks += static_cast<std::uint64_t>(info.st_blocks);
  };
  count(entry);
  std::error_code error;
  fs::recursive_directory_iterator at(entry, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    count(at->path());
  }
  return blocks * kBlock;
}

std::optional<CacheLimit::Count> CacheLimit::read_count(const CacheLock& file) {
  std::istringstream text(file.text());
  std::string begin;
  Count count;
  if (!(text >> begin >> count.bytes >> count.limit >> count.look_again >> std::ws) ||
      begin != kCountBegin) {
    return std::nullopt;
  }
  return count;
}

void CacheLimit::write_count(const CacheLock& file, const Count& count) {
  file.set_text(std::string(kCountBegin) + " " + std::to_string(count.bytes) + " " +
                std::to_string(count.limit) + " " + std::to_string(count.look_again) + "\n");
}

void CacheLimit::add(std::uint64_t bytes) const {
  const CacheLock file(count_path(), CacheLock::Kind::kAlone, kCountPatience);
  auto count = read_count(file);
  if (!count) return;
  count->bytes += bytes;
  write_count(file, *count);
}

std::vector<CacheLimit::Entry> CacheLimit::entries(const std::function<void()>& waiting) const {
  std::vector<Entry> found;
  std::error_code error;
  fs::directory_iterator at(cache_, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    if (!is_entry(at->path().filename().string())) continue;
    const std::string path = at->path().string();
    if (const auto used = used_ns(path)) found.push_back({*used, bytes_of(path), path});
    if (found.size() % kEntriesAWait == 0) waiting();
  }
  return found;
}

std::uint64_t CacheLimit::take_away(std::vector<Entry> entries, std::uint64_t bytes,
                                    std::uint64_t most, const std::function<std::string()>& trash,
                                    std::vector<std::string>& taken) const {
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::pair(a.used_ns, a.path) < std::pair(b.used_ns, b.path);
  });
  // A process that looks up an entry now has either marked it before, or does not find it.
  const CacheLock alone(cache_ + "/lock", CacheLock::Kind::kAlone, kCountPatience);
  if (!alone.held()) return bytes;
  const std::int64_t in_use_ns = oldest_user_ns(cache_) - kClockDifferenceNs;
  for (const Entry& entry : entries) {
    if (bytes <= most || entry.used_ns >= in_use_ns || taken.size() == kMostAtOnce) break;
    if (used_ns(entry.path) != entry.used_ns) continue;
    const std::string place = trash();
    if (std::rename(entry.path.c_str(), place.c_str()) != 0) continue;
    taken.push_back(place);
    bytes -= entry.bytes;
  }
  return bytes;
}

void CacheLimit::hold(const std::function<std::string()>& trash,
                      const std::function<void()>& waiting) const {
  if (!bytes_) return;
  std::vector<std::string> taken;
  {
    const CacheLock file(count_path(), CacheLock::Kind::kAlone, kCountPatience);
    if (!file.held()) return;
    const auto known = read_count(file);
    if (known && (known->bytes <= *bytes_ ||
                  (known->limit == *bytes_ && known->bytes < known->look_again))) {
      return;
    }
    const std::vector<Entry> all = entries(waiting);
    Count count;
    for (const Entry& entry : all) count.bytes += entry.bytes;
    // Leaves some room, so that the next scan is not needed soon.
    if (count.bytes > *bytes_) {
      count.bytes = take_away(all, count.bytes, *bytes_ / 4 * 3, trash, taken);
    }
    count.limit = *bytes_;
    const bool goes_on = taken.size() == kMostAtOnce;
    count.look_again = std::max(*bytes_, count.bytes + (goes_on ? 0 : *bytes_ / 16));
    write_count(file, count);
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (i % kEntriesAWait == 0) waiting();
    std::error_code ignored;
    fs::remove_all(taken[i], ignored);
  }
}

}  // namespace tvp::runtime
