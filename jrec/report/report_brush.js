// SPDX-License-Identifier: Apache-2.0
// The overview: lanes drawn under each other over one axis, and the brush that chooses a range of time for all panels.
const lane_canvas = byId('lanes'), lane_context = lane_canvas.getContext('2d');
const lane_gap = 5, lane_axis = 22, near = 5, low_lane = 26;   // pixels; low lanes have their scale beside the title
const shape = { width: 0, height: 0, gutter: 0, plot: 0, each: 0 };   // gutter: left of the plot, for titles and scales
const brush = { from: -1, moves: null, pointer: null };   // the bucket where dragging began; what is dragged: all, from, end

const x_of = bucket => shape.gutter + (bucket - view.from) / (view.end - view.from) * shape.plot;
const x_at = ms => x_of(ms / data.bucket_ms);
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
  lane_context.setTransform(scale, 0, 0, scale, 0, 0);
  draw_lanes();
}

function draw_lanes() {
  const colors = palette(), end = shape.height - lane_axis;
  lane_context.clearRect(0, 0, shape.width, shape.height);
  lanes.forEach((lane, i) => draw_lane(lane, i * (shape.each + lane_gap), colors));
  const bucket_s = data.bucket_ms / 1000, seconds = Math.min(view.end * bucket_s, Math.max(data.seconds, 0.001));
  draw_marks(lane_context, shape.gutter, end, shape.plot / bucket_s / (view.end - view.from), seconds, color_of('--dim'), view.from * bucket_s, shape.gutter + shape.plot);
  if (is_zoomed()) draw_place();
  if (part_is_chosen()) draw_brush(end);
  if (brush.pointer !== null && brush.from < 0) {
    lane_context.fillStyle = color_of('--dim');
    lane_context.fillRect(Math.round(brush.pointer), 0, 1, end);
  }
}

// Where what is shown lies in all of the time.
function draw_place() {
  const at = bucket => shape.gutter + bucket / data.buckets * shape.plot, top = shape.height - 4;
  lane_context.fillStyle = color_of('--line');
  lane_context.fillRect(shape.gutter, top, shape.plot, 4);
  lane_context.fillStyle = color_of('--accent');
  lane_context.fillRect(Math.min(at(view.from), shape.gutter + shape.plot - 3), top, Math.max(at(view.end) - at(view.from), 3), 4);
}

// What is not chosen is pale.
function draw_brush(end) {
  const held = x => Math.max(shape.gutter, Math.min(x, shape.gutter + shape.plot)), from = held(x_of(choice.from)), to = held(x_of(choice.end));
  lane_context.globalAlpha = 0.55;
  lane_context.fillStyle = color_of('--back');
  lane_context.fillRect(shape.gutter, 0, from - shape.gutter, end);
  lane_context.fillRect(to, 0, shape.gutter + shape.plot - to, end);
  lane_context.globalAlpha = 1;
  lane_context.fillStyle = color_of('--brush');
  lane_context.fillRect(from, 0, Math.max(to - from, 1), end);
  lane_context.fillStyle = color_of('--accent');
  for (const bucket of [choice.from, choice.end])
    if (bucket >= view.from && bucket <= view.end) lane_context.fillRect(Math.round(x_of(bucket)) - 1, 0, 2, end);
}

function draw_lane(lane, top, colors) {
  const height = shape.each;
  lane_context.textBaseline = 'top'; lane_context.textAlign = 'left';
  lane_context.fillStyle = color_of('--text'); lane_context.font = '600 12px system-ui, sans-serif';
  lane_context.fillText(lane.title, 0, top + (height > 30 ? 3 : 0));
  const title_ends = lane_context.measureText(lane.title).width;
  lane_context.fillStyle = color_of('--dim'); lane_context.font = '11px system-ui, sans-serif';
  const reach = lane.marks.length ? '0.1 ms to 10 s' : `to ${unit_text(lane.top, lane.unit)}`;
  if (height < low_lane) {
    lane_context.textAlign = 'right';
    lane_context.fillText(reach, shape.gutter - 10, top + 1, shape.gutter - 18 - title_ends);
  } else lane_context.fillText(reach, 0, top + (height > 30 ? 19 : 14));
  lane_context.fillStyle = color_of('--bar');
  lane_context.fillRect(shape.gutter, top, shape.plot, height);
  lane_context.save();
  lane_context.beginPath();
  lane_context.rect(shape.gutter, top, shape.plot, height);
  lane_context.clip();
  draw_values(lane, top, height, colors);
  lane_context.restore();
}

function draw_values(lane, top, height, colors) {
  const y_of = n => top + height - n / lane.top * (height - 2), below = new Map();
  lane.series.forEach((series, s) => {
    lane_context.fillStyle = lane_context.strokeStyle = colors[series.color];
    if (series.style === 'bar') draw_bars(lane.shown[s], below, y_of);
    else if (series.style === 'area') draw_area(lane.shown[s], below, y_of);
    else draw_line(lane.shown[s], y_of);
  });
  const is_shown = mark => mark.at < view.end * data.bucket_ms && mark.at + mark.ms >= view.from * data.bucket_ms;
  for (const mark of lane.ticks || []) {
    if (!is_shown(mark)) continue;
    lane_context.fillStyle = colors[mark.color];
    lane_context.fillRect(x_at(mark.at), top + height - 5, Math.max(1.5, x_at(mark.at + mark.ms) - x_at(mark.at)), 5);
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
    lane_context.fillRect(from, y, Math.max(end - from - apart, 1), y_of(under) - y);
    below.set(column, under + n);
  });
}

// From point to point, on what is below; of a column with several values the least and the most.
function draw_area(series, below, y_of) {
  const xs = series.at.map(middle_of_column), under = series.at.map(column => height_below(below, column));
  lane_context.globalAlpha = 0.85;
  each_run(series, (from, end) => {
    lane_context.beginPath();
    for (let i = from; i < end; i++) for (const n of [series.low[i], series.high[i]]) lane_context.lineTo(xs[i], y_of(under[i] + n));
    for (let i = end - 1; i >= from; i--) lane_context.lineTo(xs[i], y_of(under[i]));
    lane_context.fill();
  });
  lane_context.globalAlpha = 1;
  series.at.forEach((column, i) => below.set(column, under[i] + series.high[i]));
}

function draw_line(series, y_of) {
  lane_context.lineWidth = 1.25;
  each_run(series, (from, end) => {
    lane_context.beginPath();
    for (let i = from; i < end; i++) for (const n of [series.low[i], series.high[i]]) lane_context.lineTo(middle_of_column(series.at[i]), y_of(n));
    lane_context.stroke();
  });
}

// As high as it was long, by powers of ten.
function draw_stem(mark, top, height, colors) {
  const part = Math.max(0.12, Math.min(1, (Math.log10(Math.max(mark.ms, 0.1)) + 1) / 5)), x = x_at(mark.at);
  lane_context.fillStyle = colors[mark.color];
  lane_context.fillRect(x, top + height - part * height, Math.max(1.5, x_at(mark.at + mark.ms) - x), part * height);
}

// --- What is under the pointer, and what is chosen ---

function tell_lanes(x, event) {
  const bucket = bucket_at(x), lines = silent_at(bucket) ? ['Nothing is recorded of this time'] : lanes.map(lane => lane_text(lane, bucket)).filter(text => text);
  const close = lanes.flatMap(lane => [...lane.marks, ...lane.ticks || []]).filter(mark => x >= x_at(mark.at) - 3 && x <= x_at(mark.at + mark.ms) + 3);
  for (const mark of close.sort((a, b) => b.ms - a.ms).slice(0, 4)) lines.push(`${mark.title} ${span_text(mark.ms * 1e6)}${mark.text ? ': ' + mark.text : ''}`);
  show_tip([`${moment_text(bucket * data.bucket_ms)}  (+${three_digits(bucket * data.bucket_ms / 1000)} s)`, ...lines], event.clientX, event.clientY);
}

function tell_range() {
  const [from, end] = time_is_chosen() ? [choice.from, choice.end] : [0, data.buckets];
  const about = !time_is_chosen() ? `: ${is_part() ? 'all of this part' : 'all of the time'}${is_zoomed() ? '' : '. Drag to choose a part'}` : is_zoomed() && !part_is_chosen() ? ': all that is shown' : '';
  const seconds = time_is_chosen() ? (end - from) * data.bucket_ms / 1000 : data.seconds;
  byId('range-text').textContent = `${data.start.slice(0, 10)} ${moment_text(from * data.bucket_ms)} to ${clock_text(time_is_chosen() ? end * data.bucket_ms / 1000 : data.seconds)} UTC, ${span_text(seconds * 1e9)}${about}`;
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
