#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// A system as text. Chips and links of a line, ring, grid or star form a picture. A table
/// of chips, devices and channels follows, and then the settings.
class SystemDrawing {
 public:
  explicit SystemDrawing(const SystemDescription& system);

  std::string text() const;

 private:
  using Rows = std::vector<std::vector<unsigned>>;  ///< chip ids

  std::string headline() const;
  std::string picture() const;
  std::string picture_of_grid(const Rows& rows) const;
  std::string picture_of_row(const std::vector<unsigned>& row, std::size_t width) const;
  std::string joints(const std::vector<unsigned>& above, const std::vector<unsigned>& below,
                     std::size_t width, char bar) const;
  std::string picture_of_star(const std::vector<unsigned>& chips) const;
  std::string table() const;
  std::string channels_of(unsigned chip) const;
  std::string settings() const;

  /// True if each device is linked to the next one only.
  bool devices_make_a_chain() const;
  std::size_t links_between(unsigned a, unsigned b) const;
  std::string device_of(unsigned chip) const;
  std::string cell(unsigned chip) const;
  std::size_t cell_width() const;

  const SystemDescription& system_;
  /// Channels of both ends, by pair of chips, for each direction of a link.
  std::map<std::pair<unsigned, unsigned>, std::vector<std::pair<unsigned, unsigned>>> links_;
};

}  // namespace tvp::platform
