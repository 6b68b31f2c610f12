// SPDX-License-Identifier: Apache-2.0
// What of the axis is shown, and what lanes have to show of it. The buckets of the axis are drawn in columns of `step` buckets, at most `most_columns`:
// who zooms in sees the buckets that were one before, down to single ones.
//
//   choice.levels   [[from, end], ...]          buckets; the view is in the last, each is a part of the one before; none: all of the axis
//   view            { from, end, step, first, count }     buckets [from, end), columns first, first + 1 ...
//   lane.shown      for each series: bars { values }, by column of the view; others { at, low, high, last }, at: columns, also of the neighbours outside
//   lane.top        the highest value that is shown
const most_columns = 900, least_view = Math.min(12, data.buckets);
const view = { from: 0, end: 0, step: 1, first: 0, count: 0 };

const is_zoomed = () => choice.levels.length > 0;
const shows_all_of = (from, end) => from >= view.from && end <= view.end;
// Whether less is chosen than what is shown.
const part_is_chosen = () => time_is_chosen() && !(is_zoomed() && choice.from === view.from && choice.end === view.end);

// What was given up to each bucket, so that the average of any range is a difference.
function running_sums(values) {
  const sums = new Float64Array(values.length + 1);
  for (let b = 0; b < values.length; b++) sums[b + 1] = sums[b] + values[b];
  return sums;
}

// Each column as its neighbours are on the average, so many to both sides.
function bar_columns(series, reach) {
  const sums = series.sums ||= running_sums(series.values), { step, first, count } = view;
  return Float64Array.from({ length: count }, (_, c) => {
    const from = Math.max(0, (first + c - reach) * step), end = Math.min(data.buckets, (first + c + reach + 1) * step);
    return Math.max(0, (sums[end] - sums[from]) / (end - from));
  });
}
function reach_of(lane) {
  if (lane.smooth === undefined) return 0;
  return Math.max(1, Math.round(view.count / 450), Math.ceil(lane.smooth / 2 / (view.step * bucket_ms)));
}

// Times of at least ten seconds, and a thirtieth of all, of which nothing at all is told, as between two recordings: [from, end) of buckets.
const silences = (() => {
  const told = new Uint8Array(data.buckets + 1), found = [], least = Math.max(data.buckets / 30, 10000 / bucket_ms);
  const tell = (from_ms, end_ms) => told.fill(1, Math.floor(from_ms / bucket_ms), Math.ceil(end_ms / bucket_ms));
  for (const lane of lanes) {
    for (const mark of [...lane.marks, ...lane.ticks]) tell(mark.at, mark.at + mark.ms);
    for (const series of lane.series) series.values ? series.values.forEach((n, b) => { if (n) told[b] = 1; }) : series.at.forEach(b => { told[b] = 1; });
  }
  for (const clock of clocks) for (const bucket of clock.bucket) tell(bucket * clock.bucket_ms, (bucket + 1) * clock.bucket_ms);
  for (let b = told.indexOf(1); b >= 0;) {
    const from = told.indexOf(0, b), next = told.indexOf(1, from);
    if (from < 0 || next < 0) break;
    if (next - from >= least) found.push([from, next]);
    b = next;
  }
  return found;
})();
const silent_at = bucket => silences.some(([from, end]) => from <= bucket && bucket < end);

// visit(from, end) for the parts of what is shown of a series that no silence parts.
function each_run(shown, visit) {
  let from = 0;
  for (let i = 1; i <= shown.at.length; i++) {
    const parted = i === shown.at.length || silences.some(([begin, end]) => shown.at[i - 1] * view.step < begin && (shown.at[i] + 1) * view.step > end);
    if (parted) { visit(from, i); from = i; }
  }
}

// The least and the most of each column that has any, and of the nearest on both sides of the view, which lines lead to.
function point_columns(series) {
  const made = { at: [], low: [], high: [], last: [] }, begin = series.at.findLastIndex(bucket => bucket < view.from);
  for (let i = Math.max(begin, 0); i < series.at.length; i++) {
    const column = Math.floor(series.at[i] / view.step), last = made.at.length - 1;
    if (last >= 0 && made.at[last] === column) {
      made.low[last] = Math.min(made.low[last], series.low[i]); made.high[last] = Math.max(made.high[last], series.high[i]); made.last[last] = series.last[i];
    } else {
      made.at.push(column); made.low.push(series.low[i]); made.high.push(series.high[i]); made.last.push(series.last[i]);
    }
    if (series.at[i] >= view.end) break;
  }
  return made;
}

// The highest that a lane has to show. Of samples, a few columns far higher than all others, or than can be, are cut.
function top_of(lane, reach) {
  const stack = new Map();
  let top = 0;
  const add = (column, n) => stack.set(column, (stack.get(column) || 0) + n);
  lane.series.forEach(({ style }, s) => {
    const shown = lane.shown[s];
    if (shown.values) shown.values.forEach((n, c) => add(view.first + c, n));
    else shown.at.forEach((column, i) => { style === 'area' ? add(column, shown.high[i]) : top = Math.max(top, shown.high[i]); });
  });
  for (const n of stack.values()) top = Math.max(top, n);
  const peak = Math.min(top, lane.limit ?? top);
  if (lane.smooth !== undefined && !(top <= lane.limit)) {
    const values = Float64Array.from(stack.values()).filter(n => n > 0).sort(), few = Math.max(2 * reach + 1, values.length / 50 | 0), most = values.at(-1 - few);
    if (values.length >= 10 * few && top > 4 * most) top = most;
  }
  top = lane.unit === 'share' ? Math.min(1, Math.max(0.05, top * 1.05)) : Math.min(top, peak);
  lane.scale = `to ${unit_text(top, lane.unit)}${top < peak ? ` ▲ ${unit_text(peak, lane.unit)}` : ''}`;
  return top || 1;
}

// After each change of choice.levels: whether another part is shown.
function follow_view() {
  const [from, end] = choice.levels.at(-1) || [0, data.buckets];
  if (from === view.from && end === view.end) return false;
  const step = Math.max(1, Math.ceil((end - from) / most_columns)), first = Math.floor(from / step);
  Object.assign(view, { from, end, step, first, count: Math.ceil(end / step) - first });
  for (const lane of lanes) {
    const reach = reach_of(lane);
    lane.shown = lane.series.map(series => series.values ? { values: bar_columns(series, reach) } : point_columns(series));
    lane.top = top_of(lane, reach);
  }
  return true;
}

// What a lane says of a bucket.
function lane_text(lane, bucket) {
  const parts = [], column = Math.floor(bucket / view.step);
  lane.series.forEach((series, s) => {
    const shown = lane.shown[s], at = shown.values ? -1 : shown.at.findLastIndex(each => each <= column);   // else the last before
    const n = shown.values ? shown.values[column - view.first] : at >= 0 ? shown.at[at] === column ? shown.high[at] : shown.last[at] : null;
    const least = !shown.values && at >= 0 && shown.at[at] === column ? shown.low[at] : n, text = unit_text(n ?? 0, lane.unit), least_text = unit_text(least ?? 0, lane.unit);
    if (n !== null && (n > 0 || lane.series.length === 1)) parts.push(`${lane.series.length > 1 || series.name !== lane.title.toLowerCase() ? series.name + ' ' : ''}${least_text === text ? text : `${least_text} to ${text}`}`);
  });
  return parts.length ? `${lane.title}: ${parts.join(' · ')}` : null;
}

choice.on(follow_view);
follow_view();
