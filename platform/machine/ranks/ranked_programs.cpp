#include "platform/machine/ranks/ranked_programs.h"

#include <algorithm>
#include <vector>

#include "foundation/fault.h"

namespace tvp::platform {

namespace {

template <typename Value>
void put_list(Message& message, std::span<const Value> list) {
  message.put(static_cast<std::uint32_t>(list.size()));
  message.put_bytes(list.data(), list.size_bytes());
}

template <typename Value>
std::vector<Value> list_in(Message& message) {
  std::vector<Value> list(message.get<std::uint32_t>());
  message.get_bytes(list.data(), list.size() * sizeof(Value));
  return list;
}

}  // namespace

bool RankedPrograms::post(const CorePlace& place, RankCall call, const Message& arguments) {
  const ChipDescription* const chip = system_.find_chip(place.chip);
  const bool is_ethernet =
      std::ranges::count(chip->spec->ethernet, foundation::ChipNode{place.x, place.y}) != 0;
  const bool is_there = place.core == TENSIX_VP_CORE_ERISC ? is_ethernet
                                                           : place.core < TENSIX_VP_CORE_ERISC &&
                                                                 chip->has_tensix(place.x, place.y);
  if (is_there) post(place.chip, call, arguments);
  return is_there;
}

void RankedPrograms::post(unsigned chip, RankCall call, const Message& arguments) {
  ranks_.changed();
  ranks_.post(ranks_.owner_of(chip), call, arguments);
}

bool RankedPrograms::add_symbols(const CorePlace& place, const std::string& elf_path) {
  if (is_mine(place.chip)) return mine_.add_symbols(place, elf_path);
  return post(place, RankCall::kSymbols, Message().put(place).put_text(elf_path));
}

bool RankedPrograms::set_buffers(const CorePlace& place,
                                 std::span<const tensix_vp_circular_buffer> buffers) {
  // More than a tile has are refused before any is read.
  if (is_mine(place.chip) || buffers.size() > checks::PageUses::kBuffers)
    return is_mine(place.chip) && mine_.set_buffers(place, buffers);
  Message arguments;
  put_list(arguments.put(place), buffers);
  return post(place, RankCall::kBuffers, arguments);
}

bool RankedPrograms::set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) {
  if (is_mine(place.chip)) return mine_.set_arguments(place, words);
  Message arguments;
  put_list(arguments.put(place), words);
  return post(place, RankCall::kArguments, arguments);
}

bool RankedPrograms::set_given(const CorePlace& place, const checks::TileContext::Given& given,
                               std::uint32_t address, std::uint32_t bytes) {
  if (is_mine(place.chip)) return mine_.set_given(place, given, address, bytes);
  Message arguments;
  arguments.put(place).put_text(given.what).put(given.each).put(given.use).put(address).put(bytes);
  return post(place, RankCall::kGiven, arguments);
}

bool RankedPrograms::set_dram_buffer(unsigned chip, std::uint64_t address,
                                     const checks::DramBuffers::Buffer& buffer) {
  if (is_mine(chip)) return mine_.set_dram_buffer(chip, address, buffer);
  if (buffer.pages != 0 && (buffer.page_bytes == 0 || buffer.banks == 0)) return false;
  post(chip, RankCall::kDramBuffer, Message().put(chip).put(address).put(buffer));
  return true;
}

bool RankedPrograms::set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                                   std::span<const checks::L1Buffers::Tile> tiles) {
  if (is_mine(chip)) return mine_.set_l1_buffer(chip, address, bytes, tiles);
  Message arguments;
  put_list(arguments.put(chip).put(address).put(bytes), tiles);
  post(chip, RankCall::kL1Buffer, arguments);
  return true;
}

std::string RankedPrograms::origin(unsigned chip, unsigned x, unsigned y,
                                   std::uint64_t address) const {
  if (is_mine(chip)) return mine_.origin(chip, x, y, address);
  return ranks_
      .ask(ranks_.owner_of(chip), RankCall::kOrigin, Message().put(chip).put(x).put(y).put(address))
      .get_text();
}

unsigned RankedPrograms::start_program(const CorePlace& place, const std::string& elf_path,
                                       const ProgramOptions& options) {
  if (!is_mine(place.chip))
    throw foundation::Fault(foundation::FaultKind::kDescription, elf_path,
                            "a bare program for chip " + std::to_string(place.chip) + ", of rank " +
                                std::to_string(ranks_.owner_of(place.chip)) +
                                ": expected a chip of rank 0 (mpi.placement)");
  return mine_.start_program(place, elf_path, options);
}

void RankedPrograms::serve(ProgramAccess& mine, RankCall call, Message& arguments, Message& result,
                           bool& has_answer) {
  has_answer = call == RankCall::kOrigin;
  if (has_answer) {
    const auto chip = arguments.get<unsigned>();
    const auto x = arguments.get<unsigned>();
    const auto y = arguments.get<unsigned>();
    result.put_text(mine.origin(chip, x, y, arguments.get<std::uint64_t>()));
    return;
  }
  const auto require = [](bool is_done, unsigned chip, const char* what) {
    if (is_done) return;
    throw foundation::Fault(foundation::FaultKind::kDescription, "host",
                            std::string(what) + " of chip " + std::to_string(chip) +
                                " that does not exist or is not valid");
  };
  if (call == RankCall::kDramBuffer) {
    const auto chip = arguments.get<unsigned>();
    const auto address = arguments.get<std::uint64_t>();
    const auto buffer = arguments.get<checks::DramBuffers::Buffer>();
    return require(mine.set_dram_buffer(chip, address, buffer), chip, "a buffer in the DRAM");
  }
  if (call == RankCall::kL1Buffer) {
    const auto chip = arguments.get<unsigned>();
    const auto address = arguments.get<std::uint32_t>();
    const auto bytes = arguments.get<std::uint32_t>();
    const auto tiles = list_in<checks::L1Buffers::Tile>(arguments);
    return require(mine.set_l1_buffer(chip, address, bytes, tiles), chip, "a buffer in the L1");
  }
  const auto place = arguments.get<CorePlace>();
  switch (call) {
    case RankCall::kSymbols:
      return require(mine.add_symbols(place, arguments.get_text()), place.chip, "an ELF file");
    case RankCall::kBuffers:
      return require(mine.set_buffers(place, list_in<tensix_vp_circular_buffer>(arguments)),
                     place.chip, "circular buffers");
    case RankCall::kArguments:
      return require(mine.set_arguments(place, list_in<std::uint32_t>(arguments)), place.chip,
                     "arguments of a kernel");
    default: {
      checks::TileContext::Given given;
      given.what = arguments.get_text();
      given.each = arguments.get<std::uint32_t>();
      given.use = arguments.get<checks::TileContext::Given::Use>();
      const auto address = arguments.get<std::uint32_t>();
      const auto bytes = arguments.get<std::uint32_t>();
      require(mine.set_given(place, given, address, bytes), place.chip, "data for a program");
    }
  }
}

}  // namespace tvp::platform
