// Lays out the report page from `report`, the content of report.json.

function show_head() {
  page.append("h1").text(report.workload + " on " + report.system);
  page.append("div").attr("class", "status " + (report.passed ? "passed" : "failed")).text(report.status);
  if (report.reason) page.append("div").attr("class", "reason").text(report.reason);
  if (report.command) page.append("p").append("code").text(report.command);
  const figures = page.append("div").attr("class", "figures");
  const figure = (name, value) => {
    if (value === "") return;  // it does not apply to this run
    const box = figures.append("div").attr("class", "figure");
    box.append("b").text(value);
    box.append("span").text(name);
  };
  figure("simulated time", format_number(report.simulated_ns) + " ns");
  figure("wall time", report.wall_s.toFixed(2) + " s");
  const of_cores = value => report.executed_instructions ? format_number(value) : "";
  figure("instructions executed", of_cores(report.executed_instructions));
  figure("slept through", of_cores(report.slept_instructions));
  figure("MIPS", of_cores(report.mips));
  figure("max relative error", report.error ? format_number(report.error.max_rel) : "");
  figure("seed", report.seed === undefined ? "" : format_number(report.seed));
  figure("state digest", report.state_digest || "");
}

function show_warnings() {
  if (!(report.warnings || []).length) return;
  const parent = section("Warnings");
  report.warnings.forEach(text => parent.append("div").attr("class", "reason").text(text));
}

function show_phases() {
  if (!report.phases.length) return;
  const name = p => p.name, took = p => p.end_ns - p.begin_ns;
  table(section("Phases"), [
    {name: "phase", of: name},
    {name: "begin, ns", number: true, of: p => p.begin_ns},
    {name: "end, ns", number: true, of: p => p.end_ns},
    {name: "takes, ns", number: true, of: took},
  ], report.phases);
}

// Shows one row for each device (the first part of a span's row name) and each span name. The parts of a
// device overlap, so times that all parts share are darker.
function show_timeline() {
  const spans = (report.timeline || []).length ? report.timeline
      : report.phases.map(p => ({row: "run", name: p.name, begin_ns: p.begin_ns, end_ns: p.end_ns}));
  if (!spans.length) return;
  const names = d3.set(spans.map(s => s.name)).values();
  const devices = d3.set(spans.map(s => s.row.split(".")[0])).values();
  const color = n => palette[names.indexOf(n) % palette.length];
  if (spans.some(s => s.group)) return show_rows(spans);
  const rows = [];
  devices.forEach(device => names.forEach(n => {
    const bars = spans.filter(s => s.name === n && s.row.split(".")[0] === device);
    if (!bars.length) return;
    rows.push({
      label: device + " " + n,
      bars: bars.map(s => ({
        begin: s.begin_ns, end: s.end_ns, color: color(n), opacity: bars.length > 1 ? 0.3 : 0.85,
        title: s.row + " " + n + ": " + format_number(s.begin_ns) + " to " + format_number(s.end_ns) + " ns",
      })),
    });
  }));
  const parent = section("Timeline");
  draw_timeline(parent, rows, names.map(n => ({name: n, color: color(n)})));
  if (spans !== report.timeline) return;
  parent.append("p").attr("class", "note").text("Cores of a device lie over each other.");
}

// One line for each row, coloured by group: of a collective rank by time, with its chunks.
function show_rows(spans) {
  const most_named = 16;
  const by_number = (a, b) => a.localeCompare(b, "en", {numeric: true});
  const groups = d3.set(spans.map(s => s.group)).values().sort(by_number);
  const color = g => palette[groups.indexOf(g) % palette.length];
  const rows = d3.set(spans.map(s => s.row)).values().sort(by_number).map(row => ({
    label: row,
    bars: spans.filter(s => s.row === row).map(s => ({
      begin: s.begin_ns, end: s.end_ns, color: color(s.group), opacity: 0.6,
      title: s.name + ": " + format_number(s.begin_ns) + " to " + format_number(s.end_ns) + " ns",
    })),
  }));
  draw_timeline(section("Timeline"), rows,
                groups.slice(0, most_named).map(g => ({name: g, color: color(g)})));
}

function show_links() {
  const links = report.links.filter(l => l.bytes > 0);
  if (!links.length || !report.simulated_ns) return;
  const parent = section("Links");
  const percent = l => 100 * l.busy_ns / report.simulated_ns;
  draw_bars(parent, links.map(l => ({
    label: l.name, value: percent(l), text: format_number(percent(l)) + " %, " + format_number(l.bytes) + " B" +
      (l.packets === undefined ? "" : ", " + format_number(l.packets) + " packets"),
  })), 100, "busy, % of the simulated time");
}

function show_heat_maps() {
  const maps = report.heatmaps || [];
  if (!maps.length) return;
  const loaded = maps.filter(map => map.values.flat().some(value => value));
  const parent = section("Heat maps");
  const charts = parent.append("div").attr("class", "charts");
  loaded.forEach(map => draw_heat_map(charts, map));
  const idle = maps.filter(map => !loaded.includes(map)).map(map => map.name);
  if (idle.length) parent.append("p").attr("class", "note").text("All values are 0: " + idle.join(", ") + ".");
}

function show_curves() {
  if (!(report.curves || []).length) return;
  const parent = section("Curves").append("div").attr("class", "charts");
  report.curves.forEach(curve => draw_curve(parent, curve));
}

function show_metrics() {
  const names = Object.keys(report.metrics);
  if (!names.length) return;
  table(section("Metrics"), [
    {name: "metric", of: n => n},
    {name: "value", number: true, of: n => report.metrics[n].value},
    {name: "unit", of: n => report.metrics[n].unit},
  ], names);
}

function show_cores() {
  if (!report.cores.length) return;
  const parent = section("Cores").append("details");
  parent.append("summary").text(report.cores.length + " cores executed instructions");
  table(parent, [
    {name: "core", of: c => c.name},
    {name: "state", of: c => c.state},
    {name: "executed", number: true, of: c => c.executed_instructions},
    {name: "slept through", number: true, of: c => c.slept_instructions},
    {name: "waiting, cycles", number: true, of: c => c.waiting_cycles},
  ], report.cores);
}

function show_settings() {
  const keys = Object.keys(report.settings);
  const changed = keys.filter(k => !report.settings[k].is_default);
  const parent = section("Settings");
  const columns = [
    {name: "key", of: k => k},
    {name: "value", of: k => report.settings[k].value},
    {name: "", of: k => (report.settings[k].is_default ? "default" : "set") +
                        (report.assumed.indexOf(k) >= 0 ? ", assumed" : "")},
  ];
  if (changed.length) table(parent, columns, changed, () => "changed");
  else parent.append("p").attr("class", "note").text("All keys have their defaults.");
  const all = parent.append("details");
  all.append("summary").text("all " + keys.length + " keys, " + report.assumed.length + " of them assumed");
  const filter = all.append("input").attr("class", "filter").attr("placeholder", "part of a key");
  const element = table(all, columns, keys, k => report.settings[k].is_default ? "" : "changed");
  filter.on("input", function () {
    const part = this.value;
    element.selectAll("tbody tr").style("display", function () {
      return this.firstChild.textContent.indexOf(part) >= 0 ? null : "none";
    });
  });
}

// A part whose content cannot be shown has an error text. The other parts are shown.
[show_head, show_warnings, show_phases, show_timeline, show_heat_maps, show_curves, show_links, show_metrics,
 show_cores, show_settings].forEach(show => {
  try {
    show();
  } catch (error) {
    page.append("p").attr("class", "failed").text("This part cannot be shown: " + error.message);
  }
});
page.append("p").attr("class", "note").text(
  [report.made_by || "tensix-vp " + report.version, report.date ? report.date + " UTC" : "", report.machine]
    .filter(part => part).join(", "));
