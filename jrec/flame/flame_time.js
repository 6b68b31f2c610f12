// SPDX-License-Identifier: Apache-2.0
// Time and threads: what is selected of them is what the flame graph shows.
//
// The data's timeline is a list of entries { bucket of time, thread, node, weight }, by bucket. The timeline is a strip of bars; the heatmap
// is a column per `rows` buckets, its first bucket at the bottom. Below either is an axis (flame_axis.js).
const timeline = data.timeline, time_canvas = byId('time-graph'), time_ctx = time_canvas.getContext('2d');
const chosen = { from: 0, end: 0 };   // buckets [from, end), all when empty
const threads = timeline && new Chooser(byId('threads'), 'Threads', data.threads, () => { measure_density(); show_chosen(); });
let entries = null, density = null, densest = 0, drag_from = -1, cell_width = 0, cell_height = 0, columns = 0;
const heat_cell = 5, strip_height = 46;

function read_timeline() {
  entries = { bucket: sums_of(timeline.time), thread: Uint32Array.from(timeline.thread), node: sums_of(timeline.node),
              weight: Float64Array.from(timeline.weight) };
}

const time_is_chosen = () => chosen.end > chosen.from;

function measure_density() {
  density = new Float64Array(timeline.buckets);
  for (let i = 0; i < entries.bucket.length; i++) if (threads.has(entries.thread[i])) density[entries.bucket[i]] += entries.weight[i];
  densest = density.reduce((a, b) => Math.max(a, b), 0);
}

// The own weights of all nodes, of what is chosen.
function show_chosen() {
  if (!time_is_chosen() && threads.chosen === null) { show(tree.whole); draw_time(); return; }
  const own = new Float64Array(tree.count);
  for (let i = 0; i < entries.bucket.length; i++) {
    const b = entries.bucket[i];
    if (time_is_chosen() && (b < chosen.from || b >= chosen.end)) continue;
    if (threads.has(entries.thread[i])) own[entries.node[i]] += entries.weight[i];
  }
  show(own);
  draw_time();
}

function choose_time(from, end) {
  chosen.from = Math.max(0, Math.min(from, timeline.buckets));
  chosen.end = Math.max(0, Math.min(end, timeline.buckets));
  show_chosen();
}

const time_height = () => data.view === 'heatmap' ? timeline.rows * cell_height : strip_height;
function fit_time() {
  const room = byId('time').clientWidth - 26, heat = data.view === 'heatmap';
  columns = heat ? Math.ceil(timeline.buckets / timeline.rows) : timeline.buckets;
  cell_width = heat ? Math.min(24, Math.max(3, Math.floor(room / columns))) : room / columns;
  cell_width = Math.min(cell_width, 32000 / columns);   // the widest canvas that browsers draw
  cell_height = heat ? Math.max(2, Math.min(heat_cell, Math.floor(260 / timeline.rows))) : strip_height;
  const w = Math.round(Math.max(columns * cell_width, 2 * tick_room)), h = time_height() + axis_height, scale = heat && w > 16000 ? 1 : window.devicePixelRatio || 1;
  time_canvas.style.width = w + 'px'; time_canvas.style.height = h + 'px';
  time_canvas.width = Math.round(w * scale); time_canvas.height = Math.round(h * scale);
  time_ctx.setTransform(scale, 0, 0, scale, 0, 0);
  draw_time();
}

function draw_time() {
  if (!timeline) return;
  time_ctx.clearRect(0, 0, time_canvas.width, time_canvas.height);
  data.view === 'heatmap' ? draw_heatmap() : draw_strip();
  draw_axis();
  tell_time();
}

const is_chosen = b => b >= chosen.from && b < chosen.end;
function draw_heatmap() {
  for (let b = 0; b < timeline.buckets; b++) {
    const part = densest ? Math.sqrt(density[b] / densest) : 0, on = is_chosen(b);
    if (!part && !on) continue;
    time_ctx.fillStyle = on ? `hsl(214 80% ${is_dark() ? 25 + 45 * part : 88 - 50 * part}%)` : `hsl(${40 - 40 * part} 85% ${is_dark() ? 12 + 45 * part : 96 - 46 * part}%)`;
    time_ctx.fillRect(Math.floor(b / timeline.rows) * cell_width, (timeline.rows - 1 - b % timeline.rows) * cell_height,
                      Math.max(cell_width - (cell_width > 4 ? 0.5 : 0), 0.5), cell_height - (cell_height > 3 ? 0.5 : 0));
  }
}

function draw_strip() {
  if (time_is_chosen()) {
    time_ctx.fillStyle = is_dark() ? '#2b4266' : '#d5e4fb';
    time_ctx.fillRect(chosen.from * cell_width, 0, (chosen.end - chosen.from) * cell_width, strip_height);
  }
  time_ctx.fillStyle = is_dark() ? '#c98a4a' : '#d9822b';
  for (let b = 0; b < timeline.buckets; b++) {
    const h = densest ? density[b] / densest * (strip_height - 4) : 0;
    time_ctx.fillRect(b * cell_width, strip_height - h, Math.max(cell_width - (cell_width > 3 ? 0.5 : 0), 0.5), h);
  }
}

function bucket_at(event) {
  const box = time_canvas.getBoundingClientRect();
  const column = Math.max(0, Math.min(columns - 1, Math.floor((event.clientX - box.left) / cell_width)));
  if (data.view !== 'heatmap') return column;
  const row = Math.max(0, Math.min(timeline.rows - 1, timeline.rows - 1 - Math.floor((event.clientY - box.top) / cell_height)));
  return Math.min(timeline.buckets - 1, column * timeline.rows + row);
}

// A click alone takes the column of a heatmap, and nothing of a strip.
function start_drag(event) {
  drag_from = bucket_at(event);
  time_canvas.setPointerCapture(event.pointerId);
}
function go_on_dragging(event) {
  const at = bucket_at(event);
  if (drag_from < 0) return tell_bucket(at);
  choose_time(Math.min(drag_from, at), at === drag_from ? 0 : Math.max(drag_from, at) + 1);
}
function end_drag(event) {
  if (drag_from < 0) return;
  const column = Math.floor(drag_from / timeline.rows) * timeline.rows;
  if (bucket_at(event) === drag_from) data.view === 'heatmap' ? choose_time(column, column + timeline.rows) : choose_time(0, 0);
  drag_from = -1;
}

// Left and right move the range by a column, up and down by a bucket; with shift its end alone.
function move_range(event) {
  const step = { ArrowLeft: -timeline.rows, ArrowRight: timeline.rows, ArrowDown: -1, ArrowUp: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  if (!time_is_chosen()) return choose_time(0, timeline.rows);
  const least = event.shiftKey ? chosen.from + 1 - chosen.end : -chosen.from, most = timeline.buckets - chosen.end;
  const by = Math.max(least, Math.min(step, most));   // as far as there is room
  choose_time(chosen.from + (event.shiftKey ? 0 : by), chosen.end + by);
}

function tell_shares() {
  const weights = new Float64Array(data.threads.length);
  for (let i = 0; i < entries.thread.length; i++) weights[entries.thread[i]] += entries.weight[i];
  threads.tell(weights.map(weight => tree.total[0] ? weight / tree.total[0] : 0));
}
