#include "models/dram/address_mapping.h"

#include <array>
#include <bit>
#include <charconv>

#include "foundation/fault.h"

namespace tvp::dram {

namespace {

constexpr std::array<std::string_view, 6> kNames = {"channel", "rank", "bankgroup",
                                                    "bank",    "row",  "column"};

[[noreturn]] void bad(std::string_view fields, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "dram.mapping",
                          "'" + std::string(fields) + "': " + text);
}

unsigned bits_of(std::uint64_t count, const char* what) {
  if (!std::has_single_bit(count)) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "address mapping",
                            std::to_string(count) + " " + what + " are no power of two");
  }
  return static_cast<unsigned>(std::countr_zero(count));
}

}  // namespace

AddressMapping::AddressMapping(std::string_view fields, const Organization& organization,
                               bool hash_banks)
    : organization_(organization), hash_banks_(hash_banks) {
  width_[kChannel] = bits_of(organization.channels, "channels");
  width_[kRank] = bits_of(organization.ranks, "ranks");
  width_[kGroup] = bits_of(organization.bank_groups, "bank groups");
  width_[kBank] = bits_of(organization.banks_per_group, "banks of a group");
  width_[kRow] = bits_of(organization.rows, "rows");
  width_[kColumn] = bits_of(organization.bursts_per_row(), "bursts of a row");
  burst_bits_ = bits_of(organization.burst_bytes(), "bytes of a burst");
  parse(fields);
}

void AddressMapping::parse(std::string_view fields) {
  address_bits_ = burst_bits_;
  bool whole[kFields] = {};
  for (std::size_t end = fields.size() + 1; end > 0;) {
    const std::size_t colon = end >= 2 ? fields.rfind(':', end - 2) : std::string_view::npos;
    const std::size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
    const std::string_view part = fields.substr(begin, end - 1 - begin);
    const std::string_view name = part.substr(0, part.find_first_of("0123456789"));
    unsigned field = 0;
    while (field < kFields && kNames[field] != name) ++field;
    if (field == kFields) {
      bad(fields, "unknown field '" + std::string(part) +
                      "'; there are channel, rank, bankgroup, bank, row, column");
    }
    unsigned bits = width_[field] - used_[field];
    if (whole[field]) bad(fields, "the field " + std::string(name) + " is there twice");
    if (name.size() < part.size()) {
      unsigned wanted = 0;
      const char* last = part.data() + part.size();
      if (std::from_chars(part.data() + name.size(), last, wanted).ptr != last || wanted == 0) {
        bad(fields, "'" + std::string(part) + "' is no field with a number of bits");
      }
      if (wanted > bits) {
        bad(fields, "'" + std::string(part) + "' has only " + std::to_string(bits) + " bits left");
      }
      bits = wanted;
    } else {
      whole[field] = true;
    }
    add(static_cast<Field>(field), bits);
    end = begin;
  }
  for (unsigned field = 0; field < kFields; ++field) {
    if (used_[field] != width_[field]) {
      bad(fields, "the field " + std::string(kNames[field]) + " lacks " +
                      std::to_string(width_[field] - used_[field]) + " bits");
    }
  }
}

void AddressMapping::add(Field field, unsigned bits) {
  if (bits > 0) {
    parts_.push_back({field, address_bits_, used_[field], (std::uint64_t{1} << bits) - 1});
  }
  used_[field] += bits;
  address_bits_ += bits;
}

/// The row's hash, which is combined with group and bank.
unsigned AddressMapping::hash(std::uint64_t row) const {
  return hash_banks_ ? static_cast<unsigned>(row) & (organization_.banks_per_rank() - 1) : 0;
}

Location AddressMapping::decode(std::uint64_t address) const {
  std::uint64_t value[kFields] = {};
  for (const Part& part : parts_)
    value[part.field] |= (address >> part.from & part.mask) << part.to;
  Location location;
  location.channel = static_cast<unsigned>(value[kChannel]);
  location.row = value[kRow];
  location.column = static_cast<unsigned>(value[kColumn]);
  const unsigned in_rank = static_cast<unsigned>(value[kGroup] << width_[kBank] | value[kBank]);
  location.bank = static_cast<unsigned>(value[kRank]) * organization_.banks_per_rank() +
                  (in_rank ^ hash(location.row));
  return location;
}

std::uint64_t AddressMapping::encode(const Location& location) const {
  const unsigned in_rank = location.bank % organization_.banks_per_rank() ^ hash(location.row);
  std::uint64_t value[kFields] = {};
  value[kChannel] = location.channel;
  value[kRank] = location.bank / organization_.banks_per_rank();
  value[kGroup] = in_rank >> width_[kBank];
  value[kBank] = in_rank & (organization_.banks_per_group - 1);
  value[kRow] = location.row;
  value[kColumn] = location.column;
  std::uint64_t address = 0;
  for (const Part& part : parts_)
    address |= (value[part.field] >> part.to & part.mask) << part.from;
  return address;
}

}  // namespace tvp::dram
