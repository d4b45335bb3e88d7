#include "platform/machine/loaded_code.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::platform {

std::shared_ptr<const foundation::ElfImage> LoadedCode::image_of(const std::string& elf_path) {
  std::weak_ptr<const foundation::ElfImage>& known = images_[elf_path];
  if (auto image = known.lock()) return image;
  try {
    const auto image =
        std::make_shared<const foundation::ElfImage>(foundation::ElfImage::from_file(elf_path));
    known = image;
    return image;
  } catch (const foundation::Fault&) {
    return nullptr;  // whatever it is, no core can execute it
  }
}

void LoadedCode::add(const Tile& tile, unsigned core, const std::string& elf_path) {
  State& state = tiles_[tile];
  const auto [first, is_first] = state.first.emplace(core, elf_path);
  if (!is_first && first->second == elf_path) return;
  const auto image = image_of(elf_path);
  if (image == nullptr) return;
  std::erase_if(state.code, [&](const Code& old) { return old.core == core && !old.is_first; });
  for (std::size_t i = 0; i < image->segments().size(); ++i) {
    const auto& segment = image->segments()[i];
    // Text that is moved to a memory of the core's own is of no use any more where it lay.
    if (!segment.executable || segment.load_address != segment.address) continue;
    const Code code{core, is_first, segment.address, image, i};
    std::erase_if(state.code, [&](const Code& old) {
      return old.begin < code.end() && code.begin < old.end();
    });
    state.code.push_back(code);
  }
}

std::uint32_t LoadedCode::firmware_end(const Tile& tile) const {
  const auto found = tiles_.find(tile);
  std::uint32_t end = 0;
  if (found == tiles_.end()) return end;
  for (const Code& code : found->second.code)
    if (code.is_first) end = std::max(end, code.end());
  return end;
}

std::uint32_t LoadedCode::address_in_firmware(const Tile& tile, unsigned core,
                                              const std::string& symbol) const {
  const auto found = tiles_.find(tile);
  if (found == tiles_.end()) return 0;
  for (const Code& code : found->second.code)
    if (code.is_first && code.core == core) return code.image->address_of(symbol).value_or(0);
  return 0;
}

void LoadedCode::begins(const Tile& tile, std::span<const std::uint8_t> l1) {
  const auto found = tiles_.find(tile);
  if (found == tiles_.end() || l1.size() < kJumpBytes) return;
  found->second.runs = true;
  found->second.jump.assign(l1.begin(), l1.begin() + kJumpBytes);
}

void LoadedCode::ends(const Tile& tile) {
  const auto found = tiles_.find(tile);
  if (found != tiles_.end()) found->second.runs = false;
}

std::optional<LoadedCode::Change> LoadedCode::change(const Tile& tile,
                                                     std::span<const std::uint8_t> l1) const {
  const auto found = tiles_.find(tile);
  if (found == tiles_.end() || !found->second.runs) return std::nullopt;
  const State& state = found->second;
  const auto first_other =
      [&](std::uint32_t begin,
          std::span<const std::uint8_t> bytes) -> std::optional<std::uint32_t> {
    if (begin > l1.size() || bytes.size() > l1.size() - begin) return std::nullopt;
    const auto there = l1.subspan(begin, bytes.size());
    const auto other = std::mismatch(bytes.begin(), bytes.end(), there.begin()).first;
    if (other == bytes.end()) return std::nullopt;
    return begin + static_cast<std::uint32_t>(other - bytes.begin());
  };
  if (const auto at = first_other(0, state.jump)) return Change{*at, std::nullopt};
  for (const Code& code : state.code)
    if (const auto at = first_other(code.begin, code.bytes())) return Change{*at, code.core};
  return std::nullopt;
}

}  // namespace tvp::platform
