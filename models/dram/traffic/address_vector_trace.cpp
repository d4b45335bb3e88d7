#include "models/dram/traffic/address_vector_trace.h"

#include <algorithm>
#include <span>

namespace tvp::dram {

namespace {

struct Level {
  const char* name;
  std::uint64_t count;
};

}  // namespace

std::string AddressVectorTrace::form() const {
  return has_ranks_ ? "Ramulator 2: R|W channel,rank,bankgroup,bank,row,column"
                    : "Ramulator 2: R|W channel,bankgroup,bank,row,column";
}

bool AddressVectorTrace::fits(const TraceLine& line) const {
  return line.words().size() == 2 && (line.word(0) == "R" || line.word(0) == "W");
}

void AddressVectorTrace::read(const TraceLine& line, std::vector<TraceEntry>& entries) const {
  line.expect_words(2, 2);
  if (line.word(0) != "R" && line.word(0) != "W") {
    line.fail("'" + std::string(line.word(0)) + "': expected R or W");
  }
  const Organization& o = memory_.organization();
  const std::uint64_t columns = std::uint64_t{o.bursts_per_row()} * o.burst_length;
  const Level all[] = {{"channel", o.channels},     {"rank", o.ranks}, {"bankgroup", o.bank_groups},
                       {"bank", o.banks_per_group}, {"row", o.rows},   {"column", columns}};
  const Level no_rank[] = {all[0], all[2], all[3], all[4], all[5]};
  const Level no_group[] = {all[0], all[1], {"bank", o.banks_per_rank()}, all[4], all[5]};
  const std::string_view vector = line.word(1);
  const auto numbers = static_cast<std::size_t>(std::ranges::count(vector, ',')) + 1;
  std::span<const Level> levels = all;
  if (numbers == 5) levels = has_ranks_ ? std::span<const Level>(no_group) : no_rank;
  if (numbers != levels.size() || (numbers == 6 && !has_ranks_ && o.ranks != 1)) {
    line.fail("a vector of " + std::to_string(numbers) + " numbers");
  }
  std::uint64_t value[6] = {};
  std::size_t from = 0;
  for (std::size_t i = 0; i < numbers; ++i) {
    const std::size_t end = std::min(vector.find(',', from), vector.size());
    value[i] = line.decimal(vector.substr(from, end - from), levels[i].name);
    if (value[i] >= levels[i].count) {
      line.fail(std::string(levels[i].name) + " " + std::to_string(value[i]) + ": expected 0 to " +
                std::to_string(levels[i].count - 1));
    }
    from = end + 1;
  }
  const std::uint64_t rank = numbers == 6 || has_ranks_ ? value[1] : 0;
  const std::uint64_t in_rank = numbers == 6 ? value[2] * o.banks_per_group + value[3]
                                : has_ranks_ ? value[2]
                                             : value[1] * o.banks_per_group + value[2];
  Location location;
  location.channel = static_cast<unsigned>(value[0]);
  location.bank = static_cast<unsigned>(rank * o.banks_per_rank() + in_rank);
  location.row = value[numbers - 2];
  location.column = static_cast<unsigned>(value[numbers - 1] / o.burst_length);
  TraceEntry entry;
  entry.address = memory_.encode(location);
  entry.write = line.word(0) == "W";
  entries.push_back(entry);
}

}  // namespace tvp::dram
