#include "sw/report/report_page.h"

#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "foundation/read_file.h"
#include "foundation/source_root.h"
#include "foundation/utf8.h"

namespace tvp::report {

namespace {

std::string read(const std::string& file, const char* cure) {
  const auto text = foundation::try_read_file(file);
  if (!text) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "--page",
                            "cannot read " + file + ": " + cure);
  }
  return *text;
}

std::string part(const std::string& name) {
  return read(foundation::source_root() + "/sw/report/page/" + name, "it belongs to tensix-vp");
}

/// Returns JSON inside a script element. The strings "</script" and "<!--" must not occur in it.
std::string in_script(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string in_html(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

/// The page that `script` lays out from `content`.
std::string page(const std::string& title, const nlohmann::ordered_json& content,
                 const std::string& script) {
  const std::pair<std::string, std::string> fields[] = {
      {"@TITLE@", in_html(foundation::valid_utf8(title))},
      {"@STYLE@", part("page.css")},
      {"@LIBRARY@", read(TVP_D3_FILE, "install libjs-d3")},
      {"@REPORT@", in_script(foundation::json_text(content))},
      {"@CHARTS@", part("charts.js")},
      {"@PAGE@", part(script)}};
  const std::string frame = part("page.html");
  std::string html;
  std::size_t done = 0;
  for (const auto& [mark, text] : fields) {
    const std::size_t at = frame.find(mark, done);
    html += frame.substr(done, at - done) + text;
    done = at + mark.size();
  }
  return html + frame.substr(done);
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& report) {
  return page(
      report.value("workload", std::string()) + " on " + report.value("system", std::string()),
      report, "page.js");
}

std::string sweep_page(const nlohmann::ordered_json& sweep) {
  return page("sweep of " + sweep.value("workload", std::string()), sweep, "sweep.js");
}

std::string validation_page(const nlohmann::ordered_json& validation) {
  return page("times beside published ones", validation, "validation.js");
}

}  // namespace tvp::report
