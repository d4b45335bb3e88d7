// Parts of pages, on d3: sections, tables, and charts (timeline, bars, heat map, x-y curves), which
// each make an SVG in a d3 selection from plain data.
"use strict";

const page = d3.select("#page");

function section(title) {
  page.append("h2").text(title);
  return page.append("section");
}

// A sentence of a README.md: code as code, of links what they say.
function fill_prose(cell, text) {
  text.split(/(`[^`]*`|\[[^\]]*\]\([^)]*\))/).forEach(part => {
    const link = /^\[([^\]]*)\]\(/.exec(part);
    if (part[0] === "`") cell.append("code").text(part.slice(1, -1));
    else cell.append("span").text(link ? link[1] : part);
  });
}

// columns: [{name, number: bool, prose: bool, of: row => value}]
function table(parent, columns, rows, row_class) {
  const element = parent.append("table");
  const head = element.append("thead").append("tr");
  columns.forEach(c => head.append("th").attr("class", c.number ? "number" : "").text(c.name));
  const body = element.append("tbody");
  rows.forEach(row => {
    const line = body.append("tr").attr("class", row_class ? row_class(row) : "");
    columns.forEach(c => {
      const cell = line.append("td").attr("class", c.number ? "number" : "");
      if (c.prose) fill_prose(cell, c.of(row));
      else cell.text(format_number(c.of(row)));
    });
  });
  return element;
}

const palette = ["#2f6fb3", "#d9822b", "#3a9d5d", "#b5443c", "#7a5ab0", "#8a6d5b", "#c25b9c", "#6b7785",
                 "#a3a52e", "#2aa3b5"];
const dark = window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches;
// Perceptually even, so that it also reads in gray. Zero is close to the background.
const light_ramp = ["#f2f5f0", "#c9e3c5", "#86c7b4", "#46a0b0", "#2b73a0", "#2a4583", "#241a4f"];
const ramp = dark ? light_ramp.slice().reverse() : light_ramp;
const ink_on = color => d3.lab(color).l > 60 ? "#1d2733" : "#fff";

// Texts of a chart keep their size, so a chart is as wide as the window allows.
function room(most) {
  const padding = 2 * parseFloat(window.getComputedStyle(page.node()).paddingLeft);
  return Math.max(320, Math.min(most, page.node().clientWidth - padding - 8));
}

function format_number(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US").replace(/,/g, " ");
  const magnitude = Math.abs(value);
  return magnitude >= 1000 ? format_number(Math.round(value)) : String(Number(value.toPrecision(4)));
}

// Formats an axis with as many places as its ticks need. Thousands are formatted as everywhere else.
function tick_format(scale, count) {
  const plain = scale.tickFormat(count);
  return value => plain(value).replace(/,/g, " ");
}

function svg_in(parent, width, height) {
  return parent.append("svg").attr("width", width).attr("height", height)
      .attr("viewBox", "0 0 " + width + " " + height);
}

// Makes room for labels that extend beyond the left or right edge of a chart.
function fit(svg) {
  const box = svg.node().getBBox();
  const width = Number(svg.attr("width")), height = Number(svg.attr("height"));
  const left = Math.min(0, Math.floor(box.x) - 4), right = Math.max(width, Math.ceil(box.x + box.width) + 4);
  svg.attr("width", right - left).attr("viewBox", [left, 0, right - left, height].join(" "));
}

// Appends the entries of a legend in lines of `width` from `left` on. Returns the number of lines.
function draw_legend(svg, legend, left, width) {
  let at = left, lines = legend.length ? 1 : 0;
  legend.forEach(entry => {
    const group = svg.append("g");
    group.append("rect").attr("y", 4).attr("width", 11).attr("height", 11).attr("fill", entry.color);
    const text = group.append("text").attr("x", 15).attr("y", 14).text(entry.name);
    const needed = 15 + text.node().getComputedTextLength() + 16;
    if (at > left && at + needed > width) {
      at = left;
      ++lines;
    }
    group.attr("transform", "translate(" + at + "," + 16 * (lines - 1) + ")");
    at += needed;
  });
  return lines;
}

// rows: [{label, bars: [{begin, end, color, title}]}], times in ns. Dragging over it selects a part of
// the time, which then fills the chart. A double click shows all.
function draw_timeline(parent, rows, legend) {
  const width = room(1130), row_height = 20, right = 28;
  const svg = svg_in(parent, width, 0);
  const left = 16 + Math.min(7 * d3.max(rows, r => r.label.length), 0.4 * width);
  const top = 10 + 16 * draw_legend(svg, legend, 0, width);
  const bottom = top + rows.length * row_height, height = bottom + 34;
  svg.attr("height", height).attr("viewBox", "0 0 " + width + " " + height);
  const begin = d3.min(rows, r => d3.min(r.bars, b => b.begin));
  const end = d3.max(rows, r => d3.max(r.bars, b => b.end));
  const x = d3.scale.linear().domain([begin, end]).nice().range([left, width - right]);
  const whole = x.domain(), ticks = Math.max(3, Math.round(width / 110));
  const at_bottom = () => svg.append("g").attr("transform", "translate(0," + bottom + ")");
  const grid = at_bottom().classed("grid", true), axis = at_bottom().classed("axis", true);
  svg.append("text").attr("x", width - right).attr("y", height - 4).attr("text-anchor", "end")
      .text("simulated time, ns");
  const clip = "timeline" + d3.selectAll("clipPath").size();
  svg.append("clipPath").attr("id", clip).append("rect").attr("x", left).attr("y", top)
      .attr("width", width - right - left).attr("height", bottom - top);
  const brush = d3.svg.brush().x(x);
  const area = svg.append("g").attr("class", "brush").call(brush);
  area.selectAll("rect").attr("y", top).attr("height", bottom - top);
  // Inside the brush, so that a drag may begin on a bar. The bars have no data, which it would take
  // for the names of its handles.
  const bars = area.append("g").attr("clip-path", "url(#" + clip + ")"), drawn = [];
  rows.forEach((row, i) => {
    const y = top + i * row_height;
    svg.append("text").attr("x", left - 8).attr("y", y + 14).attr("text-anchor", "end").text(row.label);
    row.bars.forEach(bar => {
      const rect = bars.append("rect").attr("y", y + 3).attr("height", row_height - 6).attr("fill", bar.color)
          .attr("fill-opacity", bar.opacity || 0.85);
      rect.append("title").text(bar.title);
      drawn.push(() => rect.attr("x", x(bar.begin)).attr("width", Math.max(1, x(bar.end) - x(bar.begin))));
    });
  });
  const show = domain => {
    x.domain(domain);
    const of_axis = d3.svg.axis().scale(x).orient("bottom").ticks(ticks);
    axis.call(of_axis.tickFormat(tick_format(x, ticks)));
    grid.call(of_axis.tickSize(top - bottom).tickFormat(""));
    drawn.forEach(draw => draw());
  };
  brush.on("brushend", () => {
    if (brush.empty()) return;
    const selected = brush.extent();
    area.call(brush.clear());
    show(selected);
  });
  svg.on("dblclick", () => show(whole));
  show(whole);
  fit(svg);
  parent.append("p").attr("class", "note").text("Drag over the time axis to enlarge a part; a double click shows all.");
}

// bars: [{label, value, text}], value 0..limit.
function draw_bars(parent, bars, limit, label) {
  const row_height = 18, width = room(1130), letter = 6.5;
  const longest = of => letter * d3.max(bars, b => of(b).length);
  const margin = {left: 12 + Math.min(longest(b => b.label), 0.35 * width), top: 4,
                  right: 12 + Math.min(longest(b => b.text), 0.4 * width), bottom: 34};
  const ticks = Math.max(2, Math.round(width / 110));
  const height = margin.top + bars.length * row_height + margin.bottom;
  const svg = svg_in(parent, width, height);
  const x = d3.scale.linear().domain([0, limit]).range([margin.left, width - margin.right]);
  const bottom = height - margin.bottom;
  svg.append("g").attr("class", "axis").attr("transform", "translate(0," + bottom + ")")
      .call(d3.svg.axis().scale(x).orient("bottom").ticks(ticks).tickFormat(tick_format(x, ticks)));
  svg.append("text").attr("x", width - margin.right).attr("y", height - 4).attr("text-anchor", "end").text(label);
  bars.forEach((bar, i) => {
    const y = margin.top + i * row_height;
    svg.append("text").attr("x", margin.left - 8).attr("y", y + 13).attr("text-anchor", "end").text(bar.label);
    svg.append("rect").attr("x", x(0)).attr("y", y + 3).attr("height", row_height - 6)
        .attr("width", Math.max(0, x(bar.value) - x(0))).attr("fill", palette[0]);
    svg.append("text").attr("x", x(bar.value) + 6).attr("y", y + 13).text(bar.text);
  });
  fit(svg);
}

// Labels may be given as their number only.
const labels_of = labels => typeof labels === "number" ? d3.range(labels).map(String) : labels;

// {name, unit, rows: [label], columns: [label], values: [row][column], null where there is none}
// Colors of loads go from 0 to the capacity, so that a small load looks small.
function draw_heat_map(parent, given) {
  const map = Object.assign({}, given, {rows: labels_of(given.rows), columns: labels_of(given.columns)});
  const values = map.values.reduce((all, row) => all.concat(row), []).filter(v => typeof v === "number");
  const low = Math.min(0, d3.min(values) || 0);
  const capacity = map.unit[0] === "%" ? 100 : map.unit === "flits/cycle" ? 1 : 0;
  const high = Math.max(capacity, d3.max(values) || 0);
  const side = Math.max(12, Math.min(44, Math.floor(Math.min(620, room(620) - 60) / Math.max(1, map.columns.length))));
  const row_side = Math.max(12, Math.min(28, side));
  const left = 16 + 7 * d3.max(map.rows, r => String(r).length);
  const top = 44, legend = 44;
  const width = Math.max(left + map.columns.length * side + 10, 240);
  const height = top + map.rows.length * row_side + legend;
  const svg = svg_in(parent, width, height);
  const stops = ramp.map((_, i) => low + (high - low) * i / (ramp.length - 1));
  const color = d3.scale.linear().domain(stops).range(ramp).clamp(true);
  svg.append("text").attr("class", "title").attr("x", 0).attr("y", 14).text(map.name);
  const step = Math.ceil(26 / side);
  map.columns.forEach((label, c) => {
    if (c % step !== 0) return;
    svg.append("text").attr("x", left + (c + 0.5) * side).attr("y", top - 6).attr("text-anchor", "middle").text(label);
  });
  map.rows.forEach((label, r) => {
    svg.append("text").attr("x", left - 6).attr("y", top + (r + 0.5) * row_side + 4).attr("text-anchor", "end")
        .text(label);
    map.columns.forEach((column, c) => {
      const value = (map.values[r] || [])[c];
      const known = typeof value === "number";
      const x = left + c * side, y = top + r * row_side;
      svg.append("rect").attr("x", x).attr("y", y).attr("width", side - 1).attr("height", row_side - 1)
          .attr("fill", known ? (high > low ? color(value) : ramp[0]) : "none")
          .attr("class", known ? "cell" : "cell none")
          .append("title").text(label + ", " + column + ": " + (known ? format_number(value) + " " + map.unit : "none"));
      if (!known || side < 30 || value === 0) return;
      svg.append("text").attr("x", x + side / 2).attr("y", y + row_side / 2 + 4).attr("text-anchor", "middle")
          .style("fill", ink_on(color(value))).style("font-size", "10px")
          .style("pointer-events", "none").text(Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
    });
  });
  const y = height - legend + 12;
  const cells = 60, cell = Math.min(200, width - left - 10) / cells;
  d3.range(cells).forEach(i => {
    svg.append("rect").attr("x", left + i * cell).attr("y", y).attr("width", cell + 0.5).attr("height", 9)
        .attr("fill", high > low ? color(low + (high - low) * i / (cells - 1)) : ramp[0]);
  });
  const least = svg.append("text").attr("x", left).attr("y", y + 22).text(format_number(low));
  // Behind the lower end where the bar is too short for both.
  const most = svg.append("text").attr("y", y + 22)
      .text(format_number(high) + " " + map.unit);
  const beside = left + least.node().getComputedTextLength() + 12;
  most.attr("x", Math.max(beside, left + cells * cell - most.node().getComputedTextLength()));
  fit(svg);
}

function x_scale_of(curve, range) {
  if (curve.x_names) return d3.scale.linear().domain([-0.5, curve.x_names.length - 0.5]);
  if (curve.x_scale === "log") return d3.scale.log().domain([range[0] / 1.1, range[1] * 1.1]);
  return d3.scale.linear().domain([Math.min(0, range[0]), range[1]]).nice();
}

// Shows a curve {name, x_label, y_label, series: [{name, x: [], y: []}]}. Optional fields:
// y_scale or x_scale "log"; marks: [{x, name}], places on the x axis.
// x_names has names of the points 0, 1, … of an axis without numbers.
// A series may have low: [] and high: [], the ends of a range around each point.
function draw_curve(parent, curve) {
  const margin = {left: 84, top: 30, right: 16, bottom: 40};
  const width = room(545), legend = 16 * curve.series.length, height = 340 + legend;
  const svg = svg_in(parent, width, height);
  const points = s => s.x.map((x, i) => [x, s.y[i]]).filter(p => typeof p[0] === "number" && typeof p[1] === "number");
  const all = curve.series.map(points).reduce((a, b) => a.concat(b), []);
  const log = curve.y_scale === "log";
  const x_range = d3.extent(all, p => p[0]);
  const ends = curve.series.map(s => (s.low || []).concat(s.high || [])).reduce((a, b) => a.concat(b), []);
  const y_range = d3.extent(all.map(p => p[1]).concat(ends.filter(v => typeof v === "number")));
  const bottom = height - margin.bottom - legend;
  const x = x_scale_of(curve, x_range).range([margin.left, width - margin.right]);
  const y = (log ? d3.scale.log().domain(y_range) : d3.scale.linear().domain([Math.min(0, y_range[0]), y_range[1]]))
      .nice().range([bottom, margin.top]);
  const x_axis = d3.svg.axis().scale(x).orient("bottom").ticks(8).tickFormat(tick_format(x, 8));
  if (curve.x_scale === "log") {
    // Ticks are at the points, which usually have round numbers.
    const places = d3.set(all.map(p => p[0])).values().map(Number).sort(d3.ascending);
    const step = Math.ceil(places.length / 8);
    x_axis.tickValues(places.filter((_, i) => i % step === 0)).tickFormat(format_number);
  }
  if (curve.x_names) x_axis.tickValues(d3.range(curve.x_names.length)).tickFormat(i => curve.x_names[i]);
  const y_axis = d3.svg.axis().scale(y).orient("left").ticks(6);
  if (log) y_axis.tickFormat(y.tickFormat(6, "g"));
  else y_axis.tickFormat(format_number);
  svg.append("g").attr("class", "grid").attr("transform", "translate(" + margin.left + ",0)")
      .call(d3.svg.axis().scale(y).orient("left").ticks(6).tickSize(margin.left + margin.right - width).tickFormat(""));
  svg.append("g").attr("class", "axis").attr("transform", "translate(0," + bottom + ")").call(x_axis);
  svg.append("g").attr("class", "axis").attr("transform", "translate(" + margin.left + ",0)").call(y_axis);
  svg.append("text").attr("class", "title").attr("x", 0).attr("y", 14).text(curve.name);
  svg.append("text").attr("x", width - margin.right).attr("y", bottom + 34).attr("text-anchor", "end").text(curve.x_label);
  svg.append("text").attr("transform", "translate(12," + margin.top + ") rotate(-90)").attr("text-anchor", "end")
      .text(curve.y_label);
  const line = d3.svg.line().x(p => x(p[0])).y(p => y(p[1]));
  (curve.marks || []).forEach((mark, i) => {
    svg.append("line").attr("class", "mark").attr("x1", x(mark.x)).attr("x2", x(mark.x))
        .attr("y1", margin.top).attr("y2", bottom);
    const right = x(mark.x) > width / 2;
    svg.append("text").attr("class", "mark").attr("x", x(mark.x) + (right ? -4 : 4)).attr("y", margin.top + 10 + 12 * (i % 4))
        .attr("text-anchor", right ? "end" : "start").text(mark.name);
  });
  curve.series.forEach((series, i) => {
    const color = palette[i % palette.length];
    svg.append("path").attr("class", "curve").attr("stroke", color).attr("d", line(points(series)));
    (series.low || []).forEach((low, p) => {
      svg.append("line").attr("class", "range").attr("stroke", color).attr("x1", x(series.x[p])).attr("x2", x(series.x[p]))
          .attr("y1", y(low)).attr("y2", y(series.high[p]));
    });
    points(series).forEach(p => {
      svg.append("circle").attr("cx", x(p[0])).attr("cy", y(p[1])).attr("r", 3).attr("fill", color)
          .append("title").text(series.name + ": " + format_number(p[0]) + ", " + format_number(p[1]));
    });
    const at = bottom + margin.bottom + i * 16;
    svg.append("rect").attr("x", margin.left).attr("y", at).attr("width", 11).attr("height", 11).attr("fill", color);
    svg.append("text").attr("x", margin.left + 16).attr("y", at + 10).text(series.name);
  });
  fit(svg);
}
