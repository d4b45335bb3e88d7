#include "sw/report/report_page.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "sw/report/run_report.h"
#include "tests/unit/report/browser.h"

namespace tvp::report::report_page_test {
namespace {

using Json = nlohmann::ordered_json;

RunReport example() {
  RunReport r;
  r.workload = "mesh<8x8>";
  r.system = "<!--<script>";
  r.status = Status::kWrongResult;
  r.reason = "a text with </script> and <!--<script> in it";
  r.result.phases = {{"round 1", 1000, 3000}, {"round 2", 3000, 4500}};
  r.result.timeline = {{"device0.worker0", "round 1", 1000, 2500},
                       {"device1.worker0", "round 1", 1200, 3000}};
  r.result.heatmaps = {{"link load",
                        "flits/cycle",
                        {"north", "south"},
                        {"0", "1", "2"},
                        {{0.1, 0.2, std::numeric_limits<double>::quiet_NaN()}, {0, 0.4, 0.3}}}};
  r.result.curves = {{"uniform traffic",
                      "offered load",
                      "latency",
                      false,
                      true,
                      {{"XY", {0.02, 0.1, 0.4}, {20, 23, 90}}, {"West-First", {0.02}, {21}}}}};
  r.library_report =
      R"({"simulated_ps": 4500000, "heatmaps": [{"name": "from the library", "unit": "%",
          "rows": 1, "columns": 1, "values": [[5]]}, {"name": "idle links", "unit": "%",
          "rows": 1, "columns": 2, "values": [[0, null]]}],
          "links": [{"name": "link0", "bytes": 4096, "packets": 1, "busy_ns": 320, "peak": 12}]})";
  r.library_settings =
      R"([{"key": "noc.hop_cycles", "value": "18", "is_default": false, "source": "ISA"}])";
  return r;
}

/// The report inside a page.
Json content_of(const std::string& page) {
  const std::string begin = "const report = ";
  const std::size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find(";\n", at) - at));
}

TEST(ReportPage, HoldsTheWholeReportAndNeedsNothingElse) {
  const Json report = example().to_json();
  const std::string page = report_page(report);
  EXPECT_EQ(content_of(page), report);
  EXPECT_NE(page.find("<title>mesh&lt;8x8> on &lt;!--&lt;script></title>"), std::string::npos);
  // The only end tags of scripts are the two of the page, and nothing is loaded.
  std::size_t scripts = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos;
       at = page.find("</script>", at + 1)) {
    ++scripts;
  }
  EXPECT_EQ(scripts, 2u);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos) << "a script behind it would not be read";
  EXPECT_EQ(page.find("@REPORT@"), std::string::npos);
}

TEST(ReportPage, ChartsComeFromTheWorkloadAndFromTheLibrary) {
  const Json report = example().to_json();
  ASSERT_EQ(report["heatmaps"].size(), 3u);
  EXPECT_EQ(report["heatmaps"][0]["values"], Json::parse("[[0.1, 0.2, null], [0.0, 0.4, 0.3]]"));
  EXPECT_EQ(report["heatmaps"][1]["name"], "from the library");
  EXPECT_EQ(report["curves"][0]["series"][1], Json::parse(R"({"name": "West-First", "x": [0.02],
                                                              "y": [21.0]})"));
  EXPECT_EQ(report["curves"][0]["y_scale"], "log");
  EXPECT_EQ(report["timeline"].size(), 2u);
  RunReport plain;
  EXPECT_FALSE(plain.to_json().contains("heatmaps"));
}

/// Counts charts in the browser's document.
TEST(ReportPage, ABrowserDrawsEveryChart) {
  const auto dom = document_of(report_page(example().to_json()));
  if (!dom) GTEST_SKIP() << "no chromium here";
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = dom->find(what); at != std::string::npos; at = dom->find(what, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(count("<svg"), 5u);  // timeline, two heat maps, a curve, links
  EXPECT_EQ(count("All values are 0: idle links."), 1u);
  EXPECT_EQ(count("<title>north, 1: 0.2 flits/cycle</title>"), 1u);
  EXPECT_EQ(count("<title>north, 2: none</title>"), 1u);
  EXPECT_EQ(count("<title>0, 0: 5 %</title>"), 1u);
  EXPECT_EQ(count("class=\"failed\""), 0u);
  EXPECT_EQ(count("<circle cx"), 4u);
  EXPECT_EQ(count("class=\"curve\""), 2u);
  EXPECT_GE(count(">noc.hop_cycles</td>"), 1u);
  EXPECT_EQ(count("7.111 %, 4 096 B, 1 packets"), 1u);
  EXPECT_EQ(count(">2 000</text>"), 1u);  // on the timeline
  EXPECT_EQ(count(",000</text>"), 0u);
}

/// Names have the maximum length of workloads and systems, in charts of every kind.
TEST(ReportPage, ABrowserFindsNoLabelBeyondItsChartOrOverAnother) {
  const std::string length(60, 'W');
  RunReport r;
  r.workload = "long";
  r.result.timeline = {{"device0.worker0", "round " + length, 1000, 2500}};
  r.result.heatmaps = {
      {"one column", "bytes in a cycle " + length, {"bank " + length}, {"read"}, {{21.337}}}};
  r.result.curves = {{"curve " + length + length,
                      "offered " + length + length,
                      "latency",
                      false,
                      true,
                      {{"series " + length + length, {0.02, 0.1}, {20, 23}}}}};
  r.library_report = R"({"simulated_ps": 4500000, "links": [{"name": "link)" + length +
                     R"(", "bytes": 4096, "packets": 1, "busy_ns": 320, "peak": 12}]})";
  const std::string looks =
      "<script>document.querySelectorAll('svg').forEach(svg => {\n"
      "  const view = svg.viewBox.baseVal, box = svg.getBBox();\n"
      // A browser that scales the page down makes letters slightly wider.
      "  const slack = 0.01 * view.width;\n"
      "  const inside = box.x >= view.x - slack && box.x + box.width <= view.x + view.width + "
      "slack;\n"
      "  svg.setAttribute('data-inside', inside);\n"
      "  const last = [...svg.querySelectorAll('text')].slice(-2).map(t => t.getBBox());\n"
      "  if (svg.textContent.includes('one column'))\n"
      "    svg.setAttribute('data-apart', last[0].x + last[0].width < last[1].x);\n"
      "});</script>\n";
  const auto dom = document_of(report_page(r.to_json()) + looks);
  if (!dom) GTEST_SKIP() << "no chromium here";
  std::size_t inside = 0;
  for (std::size_t at = dom->find("data-inside=\"true\""); at != std::string::npos;
       at = dom->find("data-inside=\"true\"", at + 1))
    ++inside;
  EXPECT_EQ(inside, 4u);  // timeline, heat map, curve, links
  EXPECT_NE(dom->find("data-apart=\"true\""), std::string::npos);
}

/// Texts keep their size in a narrow window. A drag over the timeline, also over a bar, enlarges a
/// part of the time, and a double click shows all of it again.
TEST(ReportPage, ABrowserEnlargesATimelineInANarrowWindow) {
  const std::string drags = R"(<script>
    const svg = document.querySelector("svg"), box = svg.getBoundingClientRect();
    document.body.dataset.scale = (box.width / svg.viewBox.baseVal.width).toFixed(2);
    const ticks = () => [...svg.querySelectorAll(".axis text")].map(t => t.textContent).join(",");
    const fire = (target, type, x) => target.dispatchEvent(new MouseEvent(type,
        {bubbles: true, cancelable: true, view: window, clientX: x, clientY: box.top + 40}));
    const whole = ticks(), bar = svg.querySelector(".brush g rect");
    fire(bar, "mousedown", box.left + 250);
    fire(window, "mousemove", box.left + 350);
    fire(window, "mouseup", box.left + 350);
    document.body.dataset.part = ticks();
    fire(svg, "dblclick", box.left + 250);
    document.body.dataset.again = ticks() === whole;
    </script>)";
  const auto dom = document_of(report_page(example().to_json()) + drags, 560);
  if (!dom) GTEST_SKIP() << "no chromium here";
  const auto value = [&](const std::string& name) {
    const std::size_t at = dom->find("data-" + name + "=\"") + name.size() + 7;
    return dom->substr(at, dom->find('"', at) - at);
  };
  EXPECT_GT(std::stod(value("scale")), 0.93);
  EXPECT_EQ(value("again"), "true");
  // 100 of some 380 pixels, which are 2000 ns.
  const std::string part = value("part");
  const auto number = [](std::string text) {
    std::erase(text, ' ');
    return std::stod(text);
  };
  const double span = number(part.substr(part.rfind(',') + 1)) - number(part);
  EXPECT_GT(span, 200) << part;
  EXPECT_LT(span, 700) << part;
}

TEST(ReportPage, ABrowserShowsLimitsWithoutTheirMarkup) {
  const Json rows = {{{"row", "far"},
                      {"family", "own"},
                      {"simulated", 2.0},
                      {"published", 1.0},
                      {"error", 1.0},
                      {"unit", "cycles"},
                      {"verdict", "off"},
                      {"source", "a page"},
                      {"run", "mesh"},
                      {"known_deviation", nullptr}}};
  const Json all = {{"family", "all"}, {"rows", 1},    {"median", 1.0},
                    {"bias", 1.0},     {"least", 1.0}, {"most", 1.0}};
  const auto dom = document_of(validation_page(
      {{"families", {all}},
       {"rows", rows},
       {"limits", {{{"model", "noc"}, {"limit", "With `noc.torus=fast` ([tile](../t.md)) none."}}}},
       {"deviations", 5}}));
  if (!dom) GTEST_SKIP() << "no chromium here";
  EXPECT_NE(dom->find("<td class=\"\"><span>With </span><code>noc.torus=fast</code><span> (</span>"
                      "<span>tile</span><span>) none.</span></td>"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp::report::report_page_test
