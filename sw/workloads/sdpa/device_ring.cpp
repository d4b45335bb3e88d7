#include "sw/workloads/sdpa/device_ring.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "firmware/kernels/sdpa/exchange.h"
#include "foundation/fault.h"

namespace tvp::workloads::sdpa {

namespace {

constexpr const char* kKey = "sdpa.devices";
constexpr const char* kExpected =
    "expected a count (2, 4, 8, 16 or 32), chips in the order of a ring (0,1,3,2), or nothing for "
    "all devices of the system";

[[noreturn]] void refuse(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, kKey, text);
}

std::vector<unsigned> numbers(const std::string& value) {
  std::vector<unsigned> all;
  std::stringstream items(value);
  for (std::string item; std::getline(items, item, ',');) {
    unsigned number = 0;
    const char* const end = item.data() + item.size();
    const auto parsed = std::from_chars(item.data(), end, number);
    if (parsed.ec != std::errc{} || parsed.ptr != end) refuse("'" + value + "': " + kExpected);
    all.push_back(number);
  }
  if (value.empty() || value.back() != ',') return all;
  refuse("'" + value + "': " + kExpected);
}

void check_size(std::size_t devices) {
  if (!kernels::sdpa::is_ring_size(static_cast<unsigned>(devices)))
    refuse(std::to_string(devices) + " devices: expected 2, 4, 8, 16 or 32, because every round " +
           "merges two groups of equal size");
}

std::string text_of(const std::vector<unsigned>& chips) {
  std::string text;
  for (const unsigned chip : chips) text += (text.empty() ? "" : ",") + std::to_string(chip);
  return text;
}

}  // namespace

/// Depth-first search for a ring. It leaves a path as soon as its end is too far from its start.
class DeviceRing::Search {
 public:
  Search(const DeviceRing& ring, const std::vector<unsigned>& chips, std::size_t size)
      : chips_(chips), size_(size), neighbors_(chips.size()), used_(chips.size()) {
    for (std::size_t a = 0; a < chips.size(); ++a)
      for (std::size_t b = 0; b < chips.size(); ++b)
        if (a != b && ring.joined(chips[a], chips[b])) neighbors_[a].push_back(b);
  }

  std::vector<unsigned> first() {
    for (std::size_t start = 0; start + size_ <= chips_.size() && path_.empty(); ++start) {
      start_ = start;
      used_[start] = true;  // stays: rings through it have been tried
      path_.push_back(start);
      if (!extend()) path_.clear();
    }
    std::vector<unsigned> chips;
    for (const std::size_t place : path_) chips.push_back(chips_[place]);
    return chips;
  }

 private:
  static constexpr unsigned kMostSteps = 200'000;

  bool closes() const {
    const auto& last = neighbors_[path_.back()];
    return std::find(last.begin(), last.end(), start_) != last.end();
  }
  std::size_t free_neighbors(std::size_t place) const {
    return static_cast<std::size_t>(std::count_if(neighbors_[place].begin(),
                                                  neighbors_[place].end(),
                                                  [&](std::size_t next) { return !used_[next]; }));
  }
  /// True if the start is within reach over unused chips.
  bool can_return() const {
    std::vector<bool> seen = used_;
    std::vector<std::size_t> edge{path_.back()};
    for (std::size_t left = size_ - path_.size() + 1; left != 0 && !edge.empty(); --left) {
      std::vector<std::size_t> next;
      for (const std::size_t place : edge) {
        for (const std::size_t neighbor : neighbors_[place]) {
          if (neighbor == start_) return true;
          if (seen[neighbor]) continue;
          seen[neighbor] = true;
          next.push_back(neighbor);
        }
      }
      edge = std::move(next);
    }
    return false;
  }
  bool extend() {
    if (path_.size() == size_) return closes();
    if (++steps_ > kMostSteps || !can_return()) return false;
    std::vector<std::size_t> next;
    for (const std::size_t place : neighbors_[path_.back()])
      if (!used_[place]) next.push_back(place);
    // Chips with few ways on come first, since a later path could not pass through them.
    std::stable_sort(next.begin(), next.end(), [&](std::size_t a, std::size_t b) {
      return free_neighbors(a) < free_neighbors(b);
    });
    for (const std::size_t place : next) {
      path_.push_back(place);
      used_[place] = true;
      if (extend()) return true;
      used_[place] = false;
      path_.pop_back();
    }
    return false;
  }

  const std::vector<unsigned>& chips_;
  std::size_t size_;
  std::vector<std::vector<std::size_t>> neighbors_;
  std::vector<bool> used_;
  std::vector<std::size_t> path_;
  std::size_t start_ = 0;
  unsigned steps_ = 0;
};

DeviceRing::DeviceRing(const std::string& system, unsigned links) : needed_links_(links) {
  const auto json = nlohmann::json::parse(system, nullptr, false);
  if (!json.is_object()) refuse("the library does not describe its chips and links");
  name_ = json.value("name", std::string("of the library"));
  chips_ = json.value("devices", std::vector<unsigned>{});
  if (!json.contains("links")) return;
  for (const auto& link : json.at("links")) {
    const auto a = link.at("a").at("chip").get<unsigned>();
    const auto b = link.at("b").at("chip").get<unsigned>();
    ++links_[std::minmax(a, b)];
  }
}

unsigned DeviceRing::links_between(unsigned a, unsigned b) const {
  const auto found = links_.find(std::minmax(a, b));
  return found == links_.end() ? 0 : found->second;
}

bool DeviceRing::joined(unsigned a, unsigned b) const {
  return links_between(a, b) >= needed_links_;
}

bool DeviceRing::is_ring(const std::vector<unsigned>& chips) const {
  for (std::size_t i = 0; i < chips.size(); ++i)
    if (!joined(chips[i], chips[(i + 1) % chips.size()])) return false;
  return true;
}

std::vector<unsigned> DeviceRing::find(const std::vector<unsigned>& chips, std::size_t size) const {
  if (size > chips.size()) return {};
  const std::vector<unsigned> first(chips.begin(),
                                    chips.begin() + static_cast<std::ptrdiff_t>(size));
  return is_ring(first) ? first : Search(*this, chips, size).first();
}

void DeviceRing::check_list(const std::vector<unsigned>& chips) const {
  for (const unsigned chip : chips)
    if (std::find(chips_.begin(), chips_.end(), chip) == chips_.end())
      refuse("chip " + std::to_string(chip) + ": system " + name_ + " has devices " +
             text_of(chips_));
  if (is_ring(chips)) return;
  std::string text;
  for (std::size_t i = 0; i < chips.size() && text.empty(); ++i) {
    const unsigned next = chips[(i + 1) % chips.size()];
    if (joined(chips[i], next)) continue;
    text = "chips " + std::to_string(chips[i]) + " and " + std::to_string(next) +
           " are neighbors on the ring, but system " + name_ + " joins them by " +
           std::to_string(links_between(chips[i], next)) + " links: expected " +
           std::to_string(needed_links_);
  }
  const std::vector<unsigned> other = find(chips, chips.size());
  refuse(text + (other.empty() ? ", and no order of these chips is a ring"
                               : ", for example in the order " + text_of(other)));
}

unsigned DeviceRing::size_of(const std::string& value) {
  const std::vector<unsigned> given = numbers(value);
  if (given.empty()) return 0;
  if (given.size() == 1) {
    check_size(given.front());
    return given.front();
  }
  check_size(given.size());
  if (std::set(given.begin(), given.end()).size() != given.size())
    refuse("'" + value + "' names a chip twice");
  return static_cast<unsigned>(given.size());
}

std::vector<unsigned> DeviceRing::select(const std::string& value) const {
  const unsigned asked = size_of(value);
  const std::size_t size = asked == 0 ? chips_.size() : asked;
  if (asked == 0 && !kernels::sdpa::is_ring_size(static_cast<unsigned>(size)))
    refuse("system " + name_ + " has " + std::to_string(size) + " devices: " + kExpected);
  std::vector<unsigned> given = numbers(value);
  if (given.size() > 1) {
    check_list(given);
    return given;
  }
  std::vector<unsigned> found = find(chips_, size);
  if (found.empty())
    refuse("no ring of " + std::to_string(size) + " devices: system " + name_ + " has " +
           std::to_string(chips_.size()) + ", and neighbors on a ring need " +
           std::to_string(needed_links_) + " links");
  return found;
}

}  // namespace tvp::workloads::sdpa
