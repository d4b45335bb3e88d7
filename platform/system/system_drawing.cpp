#include "platform/system/system_drawing.h"

#include <algorithm>
#include <cstdio>

namespace tvp::platform {

namespace {

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

/// Centers `text` in `width`.
std::string centered(const std::string& text, std::size_t width) {
  const std::size_t before = width > text.size() ? (width - text.size()) / 2 : 0;
  return padded(std::string(before, ' ') + text, width);
}

/// "--2--"; two digits take the same width.
std::string bond(std::size_t links) {
  if (links == 0) return "     ";
  const std::string count = std::to_string(links);
  return "--" + count + (count.size() < 2 ? "--" : "-");
}

/// The wrap link at the end of a row or column.
std::string wrap(std::size_t links) { return "~" + std::to_string(links) + "~"; }

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string listed(const std::vector<unsigned>& numbers, const char* between) {
  std::string text;
  for (const unsigned number : numbers)
    text += (text.empty() ? "" : between) + std::to_string(number);
  return text;
}

std::string span(unsigned first, unsigned last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

}  // namespace

SystemDrawing::SystemDrawing(const SystemDescription& system) : system_(system) {
  for (const LinkDescription& link : system.links) {
    links_[{link.a.chip, link.b.chip}].emplace_back(link.a.channel, link.b.channel);
    if (link.a.chip == link.b.chip) continue;
    links_[{link.b.chip, link.a.chip}].emplace_back(link.b.channel, link.a.channel);
  }
  for (auto& [chips, channels] : links_) std::sort(channels.begin(), channels.end());
}

std::string SystemDrawing::text() const {
  std::string text = headline();
  if (!system_.chips.empty()) {
    const std::string drawn = picture();
    if (!drawn.empty()) text += "\n" + drawn;
    text += "\n" + table();
  }
  return text + settings();
}

std::string SystemDrawing::headline() const {
  if (system_.chips.empty()) return system_.name + ": a system of kind " + system_.kind + "\n";
  std::string text = system_.name + ": ";
  if (system_.grid) {
    text += system_.grid->topology.kind_name() + " of " +
            listed(system_.grid->topology.shape(), " x ") + ", board " +
            system_.grid->board->name() + ", ";
  }
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  return text + counted(system_.chips.size(), "chip") + ", " +
         counted(system_.links.size(), "link") + "\n";
}

std::string SystemDrawing::picture() const {
  if (system_.grid) {
    const Topology& topology = system_.grid->topology;
    const std::vector<unsigned>& chips = system_.grid->chips;
    if (topology.kind() == Topology::Kind::kStar) return picture_of_star(chips);
    std::string planes;
    const unsigned plane = topology.rows() * topology.columns();
    for (unsigned first = 0; first < topology.size(); first += plane) {
      Rows rows;
      for (unsigned at = first; at < first + plane; at += topology.columns()) {
        rows.emplace_back(chips.begin() + at, chips.begin() + at + topology.columns());
      }
      if (topology.size() > plane) {
        planes +=
            (first == 0 ? "" : "\n") + std::string("plane ") + std::to_string(first / plane) + "\n";
      }
      planes += picture_of_grid(rows);
    }
    return planes;
  }
  return devices_make_a_chain() ? picture_of_grid({system_.devices}) : "";
}

std::string SystemDrawing::picture_of_grid(const Rows& rows) const {
  const std::size_t width = cell_width();
  std::string text;
  const bool tall = rows.size() > 2;
  if (tall) text += joints(rows.back(), rows.front(), width, '~');
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += picture_of_row(rows[row], width);
    if (row + 1 < rows.size()) text += joints(rows[row], rows[row + 1], width, '|');
  }
  if (tall) text += joints(rows.back(), rows.front(), width, '~');
  return text;
}

std::string SystemDrawing::picture_of_row(const std::vector<unsigned>& row,
                                          std::size_t width) const {
  const std::size_t round = row.size() > 2 ? links_between(row.back(), row.front()) : 0;
  std::string line = round != 0 ? wrap(round) + " " : "    ";
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += padded(cell(row[i]), width);
    if (i + 1 < row.size()) line += " " + bond(links_between(row[i], row[i + 1])) + " ";
  }
  if (round != 0) line += " " + wrap(round);
  return trimmed(line);
}

std::string SystemDrawing::joints(const std::vector<unsigned>& above,
                                  const std::vector<unsigned>& below, std::size_t width,
                                  char bar) const {
  std::string bars = "    ";
  std::string counts = "    ";
  bool any = false;
  for (std::size_t i = 0; i < above.size(); ++i) {
    const std::size_t links = links_between(above[i], below[i]);
    any = any || links != 0;
    const std::string between = i + 1 < above.size() ? "       " : "";
    bars += centered(links != 0 ? std::string(1, bar) : "", width) + between;
    counts += centered(links == 0   ? ""
                       : bar == '~' ? wrap(links)
                                    : std::to_string(links),
                       width) +
              between;
  }
  if (!any) return bar == '~' ? "" : "\n";
  return bar == '~' ? trimmed(counts) : trimmed(bars) + trimmed(counts) + trimmed(bars);
}

std::string SystemDrawing::picture_of_star(const std::vector<unsigned>& chips) const {
  const std::size_t width = cell_width();
  std::string text;
  for (std::size_t i = 1; i < chips.size(); ++i) {
    text += "    " + (i == 1 ? padded(cell(chips[0]), width) : centered("+", width)) + " " +
            bond(links_between(chips[0], chips[i])) + " " + cell(chips[i]) + "\n";
  }
  return text;
}

std::string SystemDrawing::table() const {
  std::string text =
      "  chip  device  PCI  description       Tensix tiles  harvested     channels\n";
  for (const ChipDescription& chip : system_.chips) {
    const foundation::Harvested harvested = chip.spec->harvested(chip.harvest_mask);
    std::vector<unsigned> without;
    for (unsigned i = 0; i < foundation::ChipSpec::kMostColumns; ++i) {
      if (((harvested.columns | harvested.rows) >> i) & 1U) without.push_back(i);
    }
    const std::string lines =
        without.empty() ? "" : (harvested.rows != 0 ? "rows " : "columns ") + listed(without, " ");
    const std::size_t tiles = chip.spec->worker_rows(chip.harvest_mask).size() *
                              chip.spec->worker_columns(chip.harvest_mask).size();
    char line[160];
    std::snprintf(line, sizeof line, "  %4u  %-6s  %3s  %-16s  %12zu  %-12s  ", chip.id,
                  device_of(chip.id).c_str(),
                  chip.pci_device ? std::to_string(*chip.pci_device).c_str() : "-",
                  chip.spec->name.c_str(), tiles, lines.c_str());
    text += trimmed(line + channels_of(chip.id));
  }
  return text;
}

std::string SystemDrawing::channels_of(unsigned chip) const {
  std::string text;
  for (const auto& [chips, channels] : links_) {
    if (chips.first != chip) continue;
    for (std::size_t first = 0; first < channels.size();) {
      std::size_t last = first;
      const auto follows = [&channels = channels](std::size_t i) {
        return channels[i + 1].first == channels[i].first + 1 &&
               channels[i + 1].second == channels[i].second + 1;
      };
      while (last + 1 < channels.size() && follows(last)) ++last;
      text += (text.empty() ? "" : ", ") + span(channels[first].first, channels[last].first) +
              " to " + std::to_string(chips.second) + "'s " +
              span(channels[first].second, channels[last].second);
      first = last + 1;
    }
  }
  return text;
}

std::string SystemDrawing::settings() const {
  std::string text;
  const auto add = [&](const std::string& of, const SettingOverrides& settings) {
    for (const auto& [key, setting] : settings) {
      text += "  " + of + key + " = " + setting.value + "\n";
    }
  };
  add("", system_.settings);
  for (const ChipDescription& chip : system_.chips) {
    add("chip " + std::to_string(chip.id) + ": ", chip.settings);
  }
  return text.empty() ? "" : "\nSettings\n" + text;
}

bool SystemDrawing::devices_make_a_chain() const {
  const std::vector<unsigned>& devices = system_.devices;
  const std::size_t count = devices.size();
  if (count < 2) return false;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const bool linked = links_between(devices[i], devices[j]) != 0;
      const bool next = j == i + 1;
      const bool round = i == 0 && j + 1 == count;
      if (next ? !linked : linked && !round) return false;
    }
  }
  return true;
}

std::size_t SystemDrawing::links_between(unsigned a, unsigned b) const {
  const auto found = links_.find({a, b});
  return found == links_.end() ? 0 : found->second.size();
}

std::string SystemDrawing::device_of(unsigned chip) const {
  const auto found = std::find(system_.devices.begin(), system_.devices.end(), chip);
  return found == system_.devices.end() ? "-"
                                        : "D" + std::to_string(found - system_.devices.begin());
}

std::string SystemDrawing::cell(unsigned chip) const {
  return "[" + device_of(chip) + " " + std::to_string(chip) + "]";
}

std::size_t SystemDrawing::cell_width() const {
  std::size_t width = 0;
  for (const ChipDescription& chip : system_.chips) width = std::max(width, cell(chip.id).size());
  return width;
}

}  // namespace tvp::platform
