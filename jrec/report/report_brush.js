// SPDX-License-Identifier: Apache-2.0
// The overview: lanes drawn under each other over one axis, and the brush that chooses a range of time for all panels.
const lane_canvas = byId('lanes'), pen = lane_canvas.getContext('2d');
const lane_gap = 5, lane_axis = 22, near = 5, low_lane = 26;   // pixels; low lanes have their scale beside the title
const shape = { width: 0, height: 0, gutter: 0, plot: 0, each: 0 };   // gutter: left of the plot, for titles and scales
const brush = { from: -1, moves: null, pointer: null };   // the bucket where dragging began; what is dragged: all, from, end

const x_of = bucket => shape.gutter + (bucket - view.from) / (view.end - view.from) * shape.plot;
const x_at = ms => x_of(ms / bucket_ms);
const bucket_at = x => Math.max(view.from, Math.min(view.end - 1, view.from + Math.floor((x - shape.gutter) / shape.plot * (view.end - view.from))));

function fit_lanes() {
  const part = byId('findings').querySelector('details[open]') || innerHeight < 720 ? 0.31 : 0.4;   // of the window's height
  const room = Math.min(46, Math.max(18, (innerHeight * part - lane_axis) / Math.max(lanes.length, 1) - lane_gap));
  shape.each = Math.floor(room);
  shape.width = byId('overview').clientWidth - 24;
  shape.gutter = shape.each < low_lane ? 216 : 124;
  shape.plot = Math.max(shape.width - shape.gutter, 100);
  shape.height = lanes.length * (shape.each + lane_gap) + lane_axis;
  const scale = window.devicePixelRatio || 1;
  lane_canvas.style.width = shape.width + 'px'; lane_canvas.style.height = shape.height + 'px';
  lane_canvas.width = Math.round(shape.width * scale); lane_canvas.height = Math.round(shape.height * scale);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  draw_lanes();
}

function draw_lanes() {
  const colors = palette(), end = shape.height - lane_axis;
  pen.clearRect(0, 0, shape.width, shape.height);
  lanes.forEach((lane, i) => draw_lane(lane, i * (shape.each + lane_gap), colors));
  const bucket_s = bucket_ms / 1000, seconds = Math.min(view.end * bucket_s, Math.max(data.seconds, 0.001));
  const per_second = shape.plot / bucket_s / (view.end - view.from), wide = per_second * 86400 < 78, from = view.from * bucket_s;
  draw_marks(pen, shape.gutter, end, per_second, wide ? from : seconds, color_of('--dim'), from, wide ? 0 : shape.gutter + shape.plot);
  if (wide) draw_dates(end, per_second * 86400, ms_of(seconds / bucket_s));
  if (is_zoomed()) draw_place();
  if (part_is_chosen()) draw_brush(end);
  if (brush.pointer !== null && brush.from < 0) {
    pen.fillStyle = color_of('--dim');
    pen.fillRect(Math.round(brush.pointer), 0, 1, end);
  }
}

// Where days are narrow.
function draw_dates(top, per_day, end_ms) {
  const days = [2, 7, 30, 91, 365, 1826, 9131].find(n => n * per_day > 78), from = ms_of(view.from) / day;
  for (let at = Math.ceil(from / days) * days; at * day < end_ms; at += days) {
    const x = shape.gutter + Math.round((at - from) * per_day);
    pen.fillRect(x, top, 1, 4);
    if (x < shape.width - 70) pen.fillText(iso_date(at * day), x + 3, top + 4);
  }
}

// Where what is shown lies in all of the time.
function draw_place() {
  const at = bucket => shape.gutter + bucket / data.buckets * shape.plot, top = shape.height - 4;
  pen.fillStyle = color_of('--line');
  pen.fillRect(shape.gutter, top, shape.plot, 4);
  pen.fillStyle = color_of('--accent');
  pen.fillRect(Math.min(at(view.from), shape.gutter + shape.plot - 3), top, Math.max(at(view.end) - at(view.from), 3), 4);
}

// What is not chosen is pale.
function draw_brush(end) {
  const held = x => Math.max(shape.gutter, Math.min(x, shape.gutter + shape.plot)), from = held(x_of(choice.from)), to = held(x_of(choice.end));
  pen.globalAlpha = 0.55;
  pen.fillStyle = color_of('--back');
  pen.fillRect(shape.gutter, 0, from - shape.gutter, end);
  pen.fillRect(to, 0, shape.gutter + shape.plot - to, end);
  pen.globalAlpha = 1;
  pen.fillStyle = color_of('--brush');
  pen.fillRect(from, 0, Math.max(to - from, 1), end);
  pen.fillStyle = color_of('--accent');
  for (const bucket of [choice.from, choice.end])
    if (bucket >= view.from && bucket <= view.end) pen.fillRect(Math.round(x_of(bucket)) - 1, 0, 2, end);
}

function draw_lane(lane, top, colors) {
  const height = shape.each;
  pen.textBaseline = 'top'; pen.textAlign = 'left';
  pen.fillStyle = color_of('--text'); pen.font = '600 12px system-ui, sans-serif';
  pen.fillText(lane.title, 0, top + (height > 30 ? 3 : 0));
  const title_ends = pen.measureText(lane.title).width;
  pen.fillStyle = color_of('--dim'); pen.font = '11px system-ui, sans-serif';
  const reach = lane.marks.length ? '0.1 ms to 10 s' : lane.series.length ? lane.scale : '';
  if (height < low_lane) {
    pen.textAlign = 'right';
    pen.fillText(reach, shape.gutter - 10, top + 1, shape.gutter - 18 - title_ends);
  } else pen.fillText(reach, 0, top + (height > 30 ? 19 : 14), shape.gutter - 6);
  pen.fillStyle = color_of('--bar');
  pen.fillRect(shape.gutter, top, shape.plot, height);
  pen.save();
  pen.beginPath();
  pen.rect(shape.gutter, top, shape.plot, height);
  pen.clip();
  draw_values(lane, top, height, colors);
  pen.restore();
}

function draw_values(lane, top, height, colors) {
  const y_of = n => top + height - n / lane.top * (height - 2), below = new Map();
  lane.series.forEach((series, s) => {
    pen.fillStyle = pen.strokeStyle = colors[series.color];
    if (series.style === 'bar') draw_bars(lane.shown[s], below, y_of);
    else draw_points(lane.shown[s], series.style === 'area', below, y_of);
  });
  pen.fillStyle = colors.line;
  for (const [column, n] of below) if (n > lane.top * 1.001) pen.fillRect(x_of_column(column), top, Math.ceil(shape.plot / view.count), 2);   // cut
  const is_shown = mark => mark.at < view.end * bucket_ms && mark.at + mark.ms >= view.from * bucket_ms;
  for (const mark of lane.ticks) {
    if (!is_shown(mark)) continue;
    pen.fillStyle = colors[mark.color];
    pen.fillRect(x_at(mark.at), top + height - 5, Math.max(1.5, x_at(mark.at + mark.ms) - x_at(mark.at)), 5);
  }
  for (const mark of lane.marks) if (is_shown(mark)) draw_stem(mark, top, height, colors);
}

const x_of_column = column => x_of(column * view.step), middle_of_column = column => x_of((column + 0.5) * view.step);
const height_below = (below, column) => below.get(column) || 0;

// From pixel to pixel: where columns are about as wide as one, its parts would make a pattern of their own.
function draw_bars({ values }, below, y_of) {
  const apart = shape.plot / (view.end - view.from) * view.step > 4 ? 0.5 : 0;
  values.forEach((n, c) => {
    if (!n) return;
    const column = view.first + c, under = height_below(below, column), y = y_of(under + n);
    const from = Math.round(x_of_column(column)), end = Math.round(x_of_column(column + 1));
    pen.fillRect(from, y, Math.max(end - from - apart, 1), y_of(under) - y);
    below.set(column, under + n);
  });
}

const extremes_of = ({ low, high, last }, i) => last[i] - low[i] < high[i] - last[i] ? [high[i], low[i]] : [low[i], high[i]];

// From point to point, an area on what is below; of a column with several values the least and the most, and the nearer one to its last behind the other: before a
// collection and after it. One sees a point alone, and zeros.
function draw_points(series, is_area, below, y_of) {
  const xs = series.at.map(middle_of_column), under = series.at.map(column => is_area ? height_below(below, column) : 0), floor = y_of(0);
  pen.globalAlpha = is_area ? 0.85 : 1;
  pen.lineWidth = 1.25;
  each_run(series, (from, end) => {
    const y = y_of(under[from] + series.high[from]), bottom = y_of(is_area ? under[from] : series.low[from]);
    if (end === from + 1) return pen.fillRect(xs[from] - 1.5, Math.min(y, floor - 3), 3, Math.max(3, bottom - y));
    pen.beginPath();
    for (let i = from; i < end; i++) for (const n of extremes_of(series, i)) pen.lineTo(xs[i], Math.min(y_of(under[i] + n), floor - 1));
    if (!is_area) return pen.stroke();
    for (let i = end - 1; i >= from; i--) pen.lineTo(xs[i], y_of(under[i]));
    pen.fill();
  });
  pen.globalAlpha = 1;
  if (is_area) series.at.forEach((column, i) => below.set(column, under[i] + series.high[i]));
}

// As high as it was long, by powers of ten.
function draw_stem(mark, top, height, colors) {
  const part = Math.max(0.12, Math.min(1, (Math.log10(Math.max(mark.ms, 0.1)) + 1) / 5)), x = x_at(mark.at);
  pen.fillStyle = colors[mark.color];
  pen.fillRect(x, top + height - part * height, Math.max(1.5, x_at(mark.at + mark.ms) - x), part * height);
}

// --- What is under the pointer, and what is chosen ---

function tell_lanes(x, event) {
  const bucket = bucket_at(x), lines = silent_at(bucket) ? ['Nothing is recorded of this time'] : lanes.map(lane => lane_text(lane, bucket)).filter(text => text);
  const close = lanes.flatMap(lane => [...lane.marks, ...lane.ticks]).filter(mark => x >= x_at(mark.at) - 3 && x <= x_at(mark.at + mark.ms) + 3);
  for (const mark of close.sort((a, b) => b.ms - a.ms).slice(0, 4)) lines.push(`${mark.title} ${span_text(mark.ms * 1e6)}${mark.text ? ': ' + mark.text : ''}`);
  show_tip([`${moment_text(bucket * bucket_ms)}  (+${three_digits(bucket * bucket_ms / 1000)} s)`, ...lines], event.clientX, event.clientY);
}

// Where the steps of a clock's samples are coarser than what is chosen, it has its share of a step.
function steps_text(from, end) {
  const coarse = !time_is_chosen() ? [] : clocks.filter(clock => [from, end].some(bucket => bucket * bucket_ms % clock.bucket_ms) && clock.bucket_ms * 20 > (end - from) * bucket_ms);
  return coarse.length ? `; about, for the steps of ${coarse.map(clock => `${clock.title} are ${span_text(clock.bucket_ms * 1e6)}`).join(', of ')}` : '';
}

function tell_range() {
  const [from, end] = time_is_chosen() ? [choice.from, choice.end] : [0, data.buckets];
  const about = !time_is_chosen() ? `: ${is_part() ? 'all of this part' : 'all of the time'}${is_zoomed() ? '' : '. Drag to choose a part'}` : is_zoomed() && !part_is_chosen() ? ': all that is shown' : '';
  const begin = from * bucket_ms / 1000, seconds = time_is_chosen() ? (end - from) * bucket_ms / 1000 : data.seconds;
  byId('range-text').textContent = `${range_text(begin, begin + seconds)} UTC, ${time_text(seconds * 1e9)}${about}${steps_text(from, end)}`;
  byId('all-time').hidden = !time_is_chosen() && !is_zoomed();
  tell_zoom();
  draw_lanes();
}

// --- Choosing: drag, or move an end of what is chosen; a click takes all that is shown, which is all of the time unless the axis is zoomed ---

function choose_shown() { is_zoomed() ? choose_time(view.from, view.end) : choose_time(0, 0); }
function choose_all_time() { choose({ from: 0, end: 0, levels: [] }); }

function grip_at(x) {
  if (!part_is_chosen()) return null;
  return Math.abs(x - x_of(choice.from)) <= near ? 'from' : Math.abs(x - x_of(choice.end)) <= near ? 'end' : null;
}
const lane_x = event => event.clientX - lane_canvas.getBoundingClientRect().left;

lane_canvas.addEventListener('pointerdown', event => {
  const x = lane_x(event);
  if (x < shape.gutter) return;
  const grip = grip_at(x);
  brush.from = grip === 'from' ? choice.end - 1 : grip === 'end' ? choice.from : bucket_at(x);
  brush.moves = grip;
  lane_canvas.setPointerCapture(event.pointerId);
  show_tip(null);
});
lane_canvas.addEventListener('pointermove', event => {
  const x = lane_x(event), at = bucket_at(x);
  brush.pointer = x >= shape.gutter ? x : null;
  if (brush.from < 0) {
    lane_canvas.style.cursor = grip_at(x) ? 'ew-resize' : '';
    draw_lanes();
    return x >= shape.gutter ? tell_lanes(x, event) : show_tip(null);
  }
  if (at !== brush.from || brush.moves) choose_time(Math.min(brush.from, at), Math.max(brush.from, at) + 1);
});
lane_canvas.addEventListener('pointerup', event => {
  if (brush.from >= 0 && bucket_at(lane_x(event)) === brush.from && !brush.moves) choose_shown();
  brush.from = -1; brush.moves = null;
});
lane_canvas.addEventListener('pointerleave', () => { brush.pointer = null; show_tip(null); draw_lanes(); });

// By so many buckets, as far as there is room; with the shift key the end alone.
function move_range(by, end_alone) {
  if (!time_is_chosen()) return choose_time(view.from, view.from + Math.max(1, Math.round((view.end - view.from) / 20)));
  const least = end_alone ? choice.from + 1 - choice.end : -choice.from;
  const held = Math.max(least, Math.min(by, data.buckets - choice.end));
  const from = choice.from + (end_alone ? 0 : held), end = choice.end + held;
  move_view_to(from, end);
  choose_time(from, end);
}
lane_canvas.addEventListener('keydown', event => {
  const wide = Math.max(1, choice.end - choice.from), step = Math.max(1, Math.round((view.end - view.from) / 200));
  const by = { ArrowLeft: -step, ArrowRight: step, PageUp: -wide, PageDown: wide, Home: -data.buckets, End: data.buckets }[event.key];
  if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  move_range(by, event.shiftKey);
});
byId('all-time').addEventListener('click', choose_all_time);
choice.on(tell_range);
