// Checks the links of a folder of HTML pages: check_links FOLDER. Prints each link to a file or an
// anchor that does not exist, and each style sheet, script or image that a page loads from the
// network.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Page {
  std::set<std::string> anchors;
  std::set<std::string> links;   ///< as written, of <a href>
  std::set<std::string> loaded;  ///< style sheets, scripts and images
};

/// The value of attribute `name` in the text of a tag; "" without.
std::string attribute(const std::string& tag, const std::string& name) {
  for (const char quote : {'"', '\''}) {
    const std::string start = " " + name + "=" + quote;
    const auto at = tag.find(start);
    if (at == std::string::npos) continue;
    const auto from = at + start.size();
    return tag.substr(from, tag.find(quote, from) - from);
  }
  return "";
}

Page read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  Page page;
  for (auto open = text.find('<'); open != std::string::npos; open = text.find('<', open + 1)) {
    const auto close = text.find('>', open);
    if (close == std::string::npos) break;
    std::string tag = text.substr(open + 1, close - open - 1);
    for (char& c : tag)
      if (c == '\n') c = ' ';
    const std::string name = tag.substr(0, tag.find(' '));
    for (const char* anchor : {"id", "name"})
      if (const std::string id = attribute(tag, anchor); !id.empty()) page.anchors.insert(id);
    if (name == "a") page.links.insert(attribute(tag, "href"));
    if (name == "img" || name == "script") page.loaded.insert(attribute(tag, "src"));
    if (name == "link") page.loaded.insert(attribute(tag, "href"));
    if (name == "script") open = std::min(text.find("</script", close), text.size() - 1);
  }
  page.links.erase("");
  page.loaded.erase("");
  return page;
}

bool is_remote(const std::string& link) {
  return link.find("://") != std::string::npos || link.starts_with("mailto:") ||
         link.starts_with("//");
}

std::string decoded(const std::string& link) {
  std::string text;
  for (std::size_t i = 0; i < link.size(); ++i) {
    if (link[i] == '%' && i + 2 < link.size()) {
      text += static_cast<char>(std::stoi(link.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      text += link[i];
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !fs::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: check_links FOLDER\n");
    return 2;
  }
  const fs::path root(argv[1]);
  std::map<std::string, Page> pages;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".html") pages[entry.path()] = read(entry.path());
  unsigned broken = 0;
  const auto report = [&](const std::string& file, const char* what, const std::string& link) {
    std::printf("%s: %s: %s\n", fs::relative(file, root).c_str(), what, link.c_str());
    ++broken;
  };
  for (const auto& [file, page] : pages) {
    for (const std::string& link : page.loaded) {
      if (link.starts_with("data:")) continue;
      const fs::path target =
          fs::path(file).parent_path() / decoded(link.substr(0, link.find('?')));
      if (is_remote(link)) {
        report(file, "loads from the network", link);
      } else if (!fs::exists(target)) {
        report(file, "loads a file that does not exist", link);
      }
    }
    for (const std::string& link : page.links) {
      if (is_remote(link) || link.starts_with("javascript:")) continue;
      const auto hash = link.find('#');
      const std::string path = decoded(link.substr(0, hash));
      const fs::path target =
          path.empty() ? fs::path(file) : (fs::path(file).parent_path() / path).lexically_normal();
      const std::string anchor = hash == std::string::npos ? "" : decoded(link.substr(hash + 1));
      if (!fs::is_regular_file(target)) {
        report(file, "links to a file that does not exist", link);
      } else if (!anchor.empty() && pages.contains(target) &&
                 !pages[target].anchors.contains(anchor)) {
        report(file, "links to an anchor that does not exist", link);
      }
    }
  }
  std::printf("%zu pages, %u broken links\n", pages.size(), broken);
  return broken == 0 ? 0 : 1;
}
