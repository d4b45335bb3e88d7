// Lays out the page of a sweep from `report`, the content of sweep.json.

const varied = report.keys.filter(k => k.values.length > 1);
const is_number = v => typeof v === "number";
const unit_of = name => (report.figures.find(f => f.name === name) || {unit: ""}).unit;
const with_unit = (name, unit) => unit ? name + ", " + unit : name;
const ran = report.runs.filter(r => r.exit_code === 0);

function show_head() {
  page.append("h1").text("sweep of " + report.workload);
  const failed = report.runs.filter(r => r.exit_code !== 0).length;
  page.append("div").attr("class", "status " + (failed ? "failed" : "passed"))
      .text(ran.length + " of " + report.runs.length + " runs passed" + (report.interrupted ? ", interrupted" : ""));
  const figures = page.append("div").attr("class", "figures");
  const figure = (name, value) => {
    const box = figures.append("div").attr("class", "figure");
    box.append("b").text(value);
    box.append("span").text(name);
  };
  report.keys.forEach(k => figure(with_unit(k.key, k.unit) + " (default " + format_number(k.default) + ")",
                                  k.values.length > 6 ? k.values.length + " values" : k.values.map(format_number).join(", ")));
  const fixed = report.common, settings = report.settings;
  Object.keys(fixed).forEach(name => figure(name, fixed[name]));
  Object.keys(settings).forEach(key => figure(key, settings[key]));
}

// Values that grow by factors are spread evenly by a logarithm.
function grows_by_factors(values) {
  const sorted = values.slice().sort(d3.ascending);
  if (sorted.length < 3 || sorted[0] <= 0 || sorted[sorted.length - 1] < 8 * sorted[0]) return false;
  const spread = f => d3.deviation(d3.pairs(sorted).map(p => f(p[1]) - f(p[0]))) / (f(sorted[sorted.length - 1]) - f(sorted[0]));
  return spread(Math.log) < spread(v => v);
}

// One line for each combination of the other varied keys; of runs that differ in their seed only,
// the mean with their range.
function curve_of(figure, x_key) {
  const numbers = x_key.values.every(is_number);
  const others = varied.filter(k => k !== x_key && k.key !== "seed");
  const groups = d3.nest().key(r => others.map(k => k.key + " = " + format_number(r.values[k.key])).join(", "))
      .key(r => r.values[x_key.key]).entries(ran.filter(r => is_number(r.figures[figure])));
  const series = groups.map(group => {
    const points = group.values.map(point => {
      const x = point.values[0].values[x_key.key], ys = point.values.map(r => r.figures[figure]);
      return {x: numbers ? x : x_key.values.indexOf(x), y: d3.mean(ys), low: d3.min(ys), high: d3.max(ys)};
    }).sort((a, b) => a.x - b.x);
    const several = group.values.some(point => point.values.length > 1);
    const line = {name: (group.key || figure) + (several ? ", mean and range over seeds" : ""),
                  x: points.map(p => p.x), y: points.map(p => p.y)};
    return several ? Object.assign(line, {low: points.map(p => p.low), high: points.map(p => p.high)}) : line;
  });
  return {name: figure, x_label: with_unit(x_key.key, x_key.unit), y_label: with_unit(figure, unit_of(figure)),
          x_names: numbers ? undefined : x_key.values.map(format_number),
          x_scale: numbers && grows_by_factors(x_key.values) ? "log" : "linear", series: series};
}

function show_curves() {
  if (!varied.length || !ran.length) return;
  const parent = section("Curves");
  const controls = parent.append("div").attr("class", "controls");
  controls.append("span").text("over ");
  const select = controls.append("select");
  varied.forEach((k, i) => select.append("option").attr("value", i).text(k.key));
  const preferred = varied.findIndex(k => k.key !== "seed" && k.values.every(is_number));
  select.property("value", Math.max(0, preferred));
  const boxes = controls.append("span");
  const charts = parent.append("div").attr("class", "charts");
  const chosen = new Set(report.shown);
  const draw = () => {
    charts.selectAll("*").remove();
    const key = varied[Number(select.property("value"))];
    chosen.forEach(name => draw_curve(charts, curve_of(name, key)));
  };
  report.figures.filter(f => f.differs || chosen.has(f.name)).forEach(f => {
    const label = boxes.append("label");
    label.append("input").attr("type", "checkbox").property("checked", chosen.has(f.name)).on("change", function () {
      if (this.checked) chosen.add(f.name);
      else chosen.delete(f.name);
      draw();
    });
    label.append("span").text(f.name);
  });
  select.on("change", draw);
  draw();
}

function run_table(parent, names) {
  const base = report.runs[report.baseline];
  const columns = report.keys.map(k => ({name: with_unit(k.key, k.unit), number: k.values.every(is_number), of: r => r.values[k.key]}));
  columns.push({name: "status", of: r => r.status});
  names.forEach(name => {
    columns.push({name: with_unit(name, unit_of(name)), number: true, of: r => r.figures[name]});
    columns.push({name: "", number: true, of: r => {
      const from = base.figures[name], to = r.figures[name];
      if (r === base || !is_number(from) || !is_number(to) || from === 0) return r === base ? "base" : "";
      const percent = 100 * (to - from) / Math.abs(from);
      return (percent < 0 ? "\u2212" : "+") + Math.abs(percent).toFixed(2) + " %";
    }});
  });
  table(parent, columns, report.runs, r => r === base ? "base" : "");
}

function show_runs() {
  const parent = section("Runs");
  run_table(parent, report.shown);
  parent.append("p").attr("class", "note").text("Beside each figure: the difference to the run marked base.");
  report.runs.filter(r => r.reason).forEach(r => {
    parent.append("h3").text(report.keys.map(k => k.key + " = " + format_number(r.values[k.key])).join(", "));
    parent.append("div").attr("class", "reason").text(r.reason);
  });
  const all = parent.append("details");
  all.append("summary").text("all " + report.figures.length + " figures");
  run_table(all.append("div").attr("class", "wide"), report.figures.map(f => f.name));
}

[show_head, show_curves, show_runs].forEach(show => {
  try {
    show();
  } catch (error) {
    page.append("p").attr("class", "failed").text("This part cannot be shown: " + error.message);
  }
});
page.append("p").attr("class", "note").text("tensix-vp " + report.version);
