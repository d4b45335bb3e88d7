// Lays out the page of `vp validate` from `report`: {families, rows, limits, deviations}.

const percent = value => (value < 0 ? "\u2212" : "+") + Math.abs(value * 100).toFixed(1) + " %";
const share = value => (value * 100).toFixed(1) + " %";
const measured = report.rows.filter(r => r.simulated !== null);
const families = report.families.filter(f => f.family !== "all");
const colors = {within: "#3a9d5d", known: "#d9822b", off: "#b3261e"};

function show_head() {
  page.append("h1").text("Simulated times beside published ones");
  const off = report.rows.filter(r => r.verdict === "off" || r.verdict === "none").length;
  const known = report.rows.filter(r => r.verdict === "known").length;
  page.append("div").attr("class", "status " + (off || known > report.deviations ? "failed" : "passed"))
      .text(report.rows.length + " rows, " + off + " off, " + known + " known to be off of at most " + report.deviations);
  const all = report.families.find(f => f.family === "all");
  if (!all) return;
  const figures = page.append("div").attr("class", "figures");
  [["median error", share(all.median)], ["bias", percent(all.bias)],
   ["from", percent(all.least)], ["to", percent(all.most)]].forEach(([name, value]) => {
    const box = figures.append("div").attr("class", "figure");
    box.append("b").text(value);
    box.append("span").text(name);
  });
}

// Simulated over published of one family by published value, with the band of its tolerance.
function draw_family(parent, family) {
  const rows = measured.filter(r => r.family === family.family);
  const width = 540, height = 250, margin = {left: 52, top: 24, right: 12, bottom: 34};
  const svg = svg_in(parent, width, height);
  const edge = 1.15 * Math.max(family.tolerance, d3.max(rows, r => d3.max([r.error].concat((r.drawn || []).map(v => v / r.published - 1)).map(Math.abs))));
  const y = d3.scale.linear().domain([1 - edge, 1 + edge]).range([height - margin.bottom, margin.top]);
  const values = rows.map(r => r.published);
  const x = d3.scale.log().domain([d3.min(values) / 1.3, d3.max(values) * 1.3])
      .range([margin.left, width - margin.right]);
  svg.append("text").attr("class", "title").attr("x", margin.left).attr("y", 14).text(family.family);
  svg.append("rect").attr("x", margin.left).attr("width", width - margin.left - margin.right)
      .attr("y", y(1 + family.tolerance)).attr("height", y(1 - family.tolerance) - y(1 + family.tolerance))
      .attr("fill", "#e6f2ea");
  svg.append("line").attr("x1", margin.left).attr("x2", width - margin.right)
      .attr("y1", y(1)).attr("y2", y(1)).attr("stroke", "#9aa5b1");
  const decades = x.ticks().filter(v => /^[125]/.test(String(Number(v.toPrecision(1)).toExponential())));
  const labels = decades.length > 8 ? decades.filter(v => /^1/.test(v.toExponential())) : decades;
  svg.append("g").attr("class", "axis").attr("transform", "translate(0," + (height - margin.bottom) + ")")
      .call(d3.svg.axis().scale(x).orient("bottom").tickValues(labels).tickFormat(format_number));
  svg.append("g").attr("class", "axis").attr("transform", "translate(" + margin.left + ",0)")
      .call(d3.svg.axis().scale(y).orient("left").ticks(6).tickFormat(v => v.toFixed(2)));
  svg.append("text").attr("x", width - margin.right).attr("y", height - 4).attr("text-anchor", "end")
      .text("published, in each row's unit");
  // The range over random samples of parameters that the source leaves open.
  rows.filter(r => r.drawn && r.drawn[0] < r.drawn[1]).forEach(r => svg.append("line")
      .attr("x1", x(r.published)).attr("x2", x(r.published))
      .attr("y1", y(r.drawn[0] / r.published)).attr("y2", y(r.drawn[1] / r.published))
      .attr("stroke", colors[r.verdict]));
  rows.forEach(r => svg.append("circle").attr("cx", x(r.published)).attr("cy", y(1 + r.error)).attr("r", 3.5)
      .attr("fill", colors[r.verdict]).attr("fill-opacity", 0.8)
      .append("title").text(r.row + ": " + format_number(r.simulated) + " instead of " + format_number(r.published) +
                            " " + r.unit + ", " + percent(r.error) + spreads(r)));
  fit(svg);
}

// Ranges of rows with several figures.
function spreads(r) {
  const span = (name, of) => of && of[0] < of[1] ? ", " + name + " " + format_number(of[0]) + " to " + format_number(of[1]) : "";
  return span("samples", r.drawn) + span("published", r.published_span);
}

function show_families() {
  const part = section("Families");
  part.append("p").attr("class", "note")
      .text("A family is taken in one configuration, by one statistic, from one version of its source or from all " +
            "that it says, at the model's defaults. Its tolerance comes from how its own published figures scatter, " +
            "beyond all figures of a row where several were published. Parameters that a source leaves open are random: " +
            "circles are medians, lines are ranges of all samples.");
  table(part, [{name: "family", of: f => f.family}, {name: "rows", number: true, of: f => f.rows},
               {name: "median error", number: true, of: f => share(f.median)},
               {name: "bias", number: true, of: f => percent(f.bias)},
               {name: "from", number: true, of: f => percent(f.least)},
               {name: "to", number: true, of: f => percent(f.most)},
               {name: "tolerance", number: true, of: f => share(f.tolerance)},
               {name: "rule", of: f => f.rule}, {name: "where the tolerance comes from", of: f => f.spread}],
        families);
  const charts = section("Simulated over published").append("div").attr("class", "charts");
  families.forEach(f => draw_family(charts.append("div"), f));
}

function show_misses() {
  const part = section("Known errors of the models");
  const missed = report.rows.filter(r => r.verdict !== "within");
  if (missed.length) {
    table(part, [{name: "row", of: r => r.row}, {name: "simulated", number: true, of: r => r.simulated},
                 {name: "published", number: true, of: r => r.published}, {name: "unit", of: r => r.unit},
                 {name: "error", number: true, of: r => r.simulated === null ? "none" : percent(r.error)},
                 {name: "why", of: r => r.known_deviation || "not known"}],
          missed);
  }
  const leaning = families.filter(f => f.rows > 2 && Math.abs(f.bias) > f.tolerance / 2);
  if (leaning.length) {
    part.append("h3").text("Families that lean to one side");
    table(part, [{name: "family", of: f => f.family}, {name: "bias", number: true, of: f => percent(f.bias)},
                 {name: "", of: f => f.bias < 0 ? "figures here are too low" : "figures here are too high"}],
          leaning);
  }
  part.append("h3").text("What models ignore or lack");
  table(part, [{name: "model", of: l => l.model}, {name: "limit", prose: true, of: l => l.limit}], report.limits);
}

function show_rows() {
  const part = section("All rows");
  table(part, [{name: "family", of: r => r.family}, {name: "row", of: r => r.row},
               {name: "simulated", number: true, of: r => r.simulated},
               {name: "published", number: true, of: r => r.published}, {name: "unit", of: r => r.unit},
               {name: "error", number: true, of: r => r.simulated === null ? "none" : percent(r.error)},
               {name: "", of: r => spreads(r).slice(2)},
               {name: "source", of: r => r.source}, {name: "run", of: r => r.run}],
        report.rows);
}

show_head();
show_families();
show_misses();
show_rows();
