#include "platform/debug/loaded_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "foundation/elf_image.h"
#include "foundation/fault.h"

namespace tvp::debug {
namespace {

using foundation::ElfImage;

/// Empty if the file is no program of a core.
std::optional<ElfImage> image_of(const std::string& path) {
  try {
    return ElfImage::from_file(path);
  } catch (const foundation::Fault&) {
    return std::nullopt;
  }
}

}  // namespace

void LoadedFiles::add(const Tile& tile, unsigned core, const std::string& path) {
  std::vector<File>& files = files_[tile];
  // A restarted core keeps the position of its executable.
  if (const auto own = of(tile, core); !own.empty() && own.front() == path) return;
  std::erase_if(files, [&](const File& f) { return f.core == core && f.path == path; });
  files.push_back({core, path});
}

std::vector<std::string> LoadedFiles::of(const Tile& tile, unsigned core) const {
  std::vector<std::string> paths;
  const auto found = files_.find(tile);
  if (found == files_.end()) return paths;
  for (const File& file : found->second)
    if (file.core == core) paths.push_back(file.path);
  return paths;
}

std::vector<Target::Library> LoadedFiles::libraries(const Tile& tile, unsigned core) const {
  std::vector<Target::Library> libraries;
  const std::vector<std::string> own = of(tile, core);
  if (own.size() < 2) return libraries;
  std::vector<std::pair<std::string, ElfImage>> later;
  const std::vector<File>& files = files_.at(tile);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (file->core == core && file->path == own.front()) break;
    auto image = image_of(file->path);
    if (!image) continue;
    const bool gone = std::any_of(later.begin(), later.end(), [&](const auto& other) {
      return other.first != file->path && image->code_overlaps(other.second);
    });
    if (file->core == core && !gone) {
      const auto sections = std::count_if(image->sections().begin(), image->sections().end(),
                                          [](const auto& section) { return section.allocated; });
      libraries.push_back({file->path, static_cast<unsigned>(sections)});
    }
    later.emplace_back(file->path, std::move(*image));
  }
  std::reverse(libraries.begin(), libraries.end());
  return libraries;
}

}  // namespace tvp::debug
