#include "platform/checks/record/loaded_code.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::checks {

std::shared_ptr<const foundation::ElfImage> ElfImages::of(const std::string& path) {
  std::weak_ptr<const foundation::ElfImage>& known = images_[path];
  if (auto image = known.lock()) return image;
  try {
    auto image =
        std::make_shared<const foundation::ElfImage>(foundation::ElfImage::from_file(path));
    known = image;
    return image;
  } catch (const foundation::Fault&) {
    return nullptr;
  }
}

void LoadedCode::add(unsigned core, const std::string& path, ElfImages& images) {
  const auto [first, is_first] = first_.emplace(core, path);
  if (!is_first && first->second == path) return;
  const auto image = images.of(path);
  if (image == nullptr) return;
  std::erase_if(code_, [&](const Code& old) { return old.core == core && !old.is_first; });
  for (std::size_t i = 0; i < image->segments().size(); ++i) {
    const auto& segment = image->segments()[i];
    // Firmware copies such a segment to a memory of the core. Its bytes in L1 are free then.
    if (!segment.executable || segment.load_address != segment.address) continue;
    const Code code{core, is_first, segment.address, image, i};
    std::erase_if(
        code_, [&](const Code& old) { return old.begin < code.end() && code.begin < old.end(); });
    code_.push_back(code);
  }
}

std::uint32_t LoadedCode::firmware_end() const {
  std::uint32_t end = 0;
  for (const Code& code : code_)
    if (code.is_first) end = std::max(end, code.end());
  return end;
}

std::uint32_t LoadedCode::address_in_firmware(unsigned core, const std::string& symbol) const {
  for (const Code& code : code_)
    if (code.is_first && code.core == core) return code.image->address_of(symbol).value_or(0);
  return 0;
}

std::optional<LoadedCode::Change> LoadedCode::change(std::span<const std::uint8_t> l1) const {
  for (const Code& code : code_)
    if (const auto at = first_difference(l1, code.begin, code.bytes()))
      return Change{code.begin + *at, code.core};
  return std::nullopt;
}

std::optional<std::uint32_t> first_difference(std::span<const std::uint8_t> l1, std::uint32_t begin,
                                              std::span<const std::uint8_t> expected) {
  if (begin > l1.size() || expected.size() > l1.size() - begin) return std::nullopt;
  const auto there = l1.subspan(begin, expected.size());
  const auto other = std::mismatch(expected.begin(), expected.end(), there.begin()).first;
  if (other == expected.end()) return std::nullopt;
  return static_cast<std::uint32_t>(other - expected.begin());
}

}  // namespace tvp::checks
