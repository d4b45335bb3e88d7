#include "sw/runtime/printing/waiting_cores.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "foundation/contract/global_circular_buffer.h"
#include "foundation/contract/prefetcher_control.h"
#include "foundation/hex.h"
#include "foundation/json_text.h"

namespace tvp::runtime {

using nlohmann::json;

namespace {

std::string text_of(const json& object, const char* key) {
  const bool has = object.is_object() && object.contains(key) && object.at(key).is_string();
  return has ? object.at(key).get<std::string>() : std::string();
}

/// True for the line of a core that waits in its firmware's main loop.
bool waits_for_launch(const std::string& line) {
  struct Place {
    const char* function;
    const char* file;
  };
  constexpr Place kPlaces[] = {{"wait_for_go (", "/firmware/boot/brisc.cpp:"},
                               {" in look_at (", "/firmware/boot/ncrisc.cpp:"},
                               {" in firmware_main (", "/firmware/boot/trisc.cpp:"},
                               {" in firmware_main (", "/firmware/boot/erisc.cpp:"}};
  return std::any_of(std::begin(kPlaces), std::end(kPlaces), [&](const Place& place) {
    return line.find(place.function) != std::string::npos &&
           line.find(place.file) != std::string::npos;
  });
}

}  // namespace

std::string tile_name(unsigned chip, const CoreId& core) {
  return "chip" + std::to_string(chip) + (core.ethernet ? ".ethernet" : ".tensix") + "(" +
         std::to_string(core.noc0.x) + "," + std::to_string(core.noc0.y) + ").";
}

std::string waiting_lines(const json& report) {
  if (!report.is_object() || !report.contains("waiting")) return {};
  constexpr std::size_t kMostNames = 8;
  std::string text, names;
  std::size_t idle = 0;
  for (const json& who : report.at("waiting")) {
    const std::string line = who.is_string() ? who.get<std::string>() : foundation::json_text(who);
    if (!waits_for_launch(line)) {
      text += "\n  " + line;
    } else if (++idle <= kMostNames) {
      names += (names.empty() ? "" : ", ") + line.substr(0, line.find(' '));
    }
  }
  if (idle == 0) return text;
  if (idle > kMostNames) names += " and " + std::to_string(idle - kMostNames) + " more";
  return text + "\n  " + std::to_string(idle) + (idle == 1 ? " core waits" : " cores wait") +
         " for a launch: " + names;
}

std::string waiting_cores(const DeviceLibrary& library) {
  return waiting_lines(json::parse(library.report(), nullptr, false));
}

std::string kernels_of(const std::string& report_text, unsigned chip, const CoreId& core) {
  const std::string tile = tile_name(chip, core);
  std::string text;
  const json report = json::parse(report_text, nullptr, false);
  if (!report.is_object() || !report.contains("cores")) return text;
  for (const json& who : report.at("cores")) {
    const std::string name = text_of(who, "name"), source = text_of(who, "source");
    const bool in_kernel = !source.empty() && source.find("/firmware/boot/") == std::string::npos;
    if (name.find(tile) == 0 && in_kernel)
      text += "\n  " + name + " " + text_of(who, "state") + " in " + source;
  }
  return text;
}

std::string with_name(const std::string& text, const std::string& tile, std::uint32_t address,
                      const std::string& name) {
  const std::string word = "L1 " + foundation::hex(address);
  std::istringstream all(text);
  std::string result;
  for (std::string line; std::getline(all, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, tile.size(), tile) == 0) {
      for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at)) {
        const char behind = line.c_str()[at + word.size()];
        if (std::isxdigit(static_cast<unsigned char>(behind)) != 0)
          at += word.size();
        else
          line.replace(at, word.size(), name);
      }
    }
    result += line + "\n";
  }
  if (!result.empty() && !text.ends_with('\n')) result.pop_back();
  return result;
}

std::string with_bytes_of_credits(const std::string& text) {
  static const std::regex awaited(R"(of remote circular buffer \d+ to be at least (\d+))");
  static const std::regex signals(R"( (once|times) by (\d+)( each)?)");
  std::istringstream all(text);
  std::string result;
  for (std::string line; std::getline(all, line);) {
    std::smatch waits, by;
    const auto bytes = [](const std::string& credits) {
      return std::to_string(std::stoull(credits) * contract::kRemoteCbUnit);
    };
    const bool differ = std::regex_search(line, waits, awaited) &&
                        std::regex_search(line, by, signals) && waits[1] != by[2];
    if (differ)
      line += "; it waits for " + bytes(waits[1]) + " bytes, and each push of the sender has " +
              bytes(by[2]) + ". Both ends need the same page size";
    result += line + "\n";
  }
  if (!result.empty() && !text.ends_with('\n')) result.pop_back();
  return result;
}

namespace {

/// "(x, y)" of a place in AssertStatus::line (foundation/contract/prefetcher_control.h).
std::string place_of(std::uint16_t place) {
  return "(" + std::to_string(place % 64) + ", " + std::to_string(place / 64) + ")";
}

}  // namespace

std::string text_of_assert(const contract::AssertStatus& status, const std::string& kernel) {
  const std::string number = std::to_string(status.line);
  const std::string in_kernel = ", in kernel " + (kernel.empty() ? "unknown" : kernel);
  switch (status.tripped) {
    case contract::kAssertPoppedBeyond:
      return " popped more pages of circular buffer " + number + " than were there" + in_kernel;
    case contract::kAssertTileBeyond:
      return " unpacks a tile that lies behind the end of circular buffer " + number + in_kernel;
    case contract::kAssertArgumentBeyond:
      return " reads runtime argument " + number + ", and the host has set fewer" + in_kernel;
    case contract::kAssertCommonArgumentBeyond:
      return " reads common runtime argument " + number + ", and the host has set fewer" +
             in_kernel;
    case contract::kAssertSemaphoreBeyond:
      return " uses semaphore " + number + ", and a core has 0 to " +
             std::to_string(contract::kSemaphores - 1) + in_kernel;
    case contract::kAssertPausedTwice:
      return " pauses the prefetcher of the sender at " + place_of(status.line) +
             " twice; expected PrefetcherPause::resume() before the second pause()" + in_kernel;
    case contract::kAssertResumedWithoutPause:
      return " resumes the prefetcher of the sender at " + place_of(status.line) +
             " without a pause; expected PrefetcherPause::pause() before" + in_kernel;
    default:
      return " tripped the assertion in line " + number +
             ", of its kernel or of the kernel API (as of a circular buffer that is pushed "
             "beyond its end)";
  }
}

}  // namespace tvp::runtime
