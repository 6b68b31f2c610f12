// SPDX-License-Identifier: Apache-2.0
// The lanes of the overview: what the process did over time. A lane has series, which stand on each other (area, bar) or not (line), and marks.
//
//   series   { name, color, style, at, low, high, last }     the least, most and last of some buckets        { ..., style: 'bar', values }     of each bucket
//   smooth   so many milliseconds at least are averaged, as of samples one alone says little; not there: none
//   limit    of the scale
//   mark     { at, ms, text, color, title }            milliseconds since the start
const palette = () => is_dark()
    ? { blue: '#5b93ec', pale: '#9cbcf0', orange: '#e0984a', purple: '#a982e0', grey: '#8b96a3', red: '#ef6461', green: '#5bb98c', teal: '#4fb3bf', line: '#cdd4dd' }
    : { blue: '#3b78d8', pale: '#8fb3ea', orange: '#dd8a2f', purple: '#8a5fcb', grey: '#8a94a1', red: '#d9413d', green: '#3f9d70', teal: '#2c95a3', line: '#3d4652' };
const of_clock = (id, lane) => { const clock = clock_of(id); return clock && lane(clock); };
const marks_of = (kind, color) => data.marks.filter(each => each.kind === kind)
    .flatMap(each => { let i = 0; return each.at.map(at => ({ at, ms: each.ms[i], text: each.text[i++], title: each.title, color })); });

// Nothing where there is no value.
function filled(at, values) {
  const all = new Float64Array(data.buckets);
  at.forEach((bucket, i) => { all[bucket] = values[i]; });
  return all;
}

function recorded_lane(id, colors) {
  const there = data.lanes.filter(series => series.lane === id && series.at.length);
  if (there.length === 0) return null;
  const series = there.map((each, i) => {
    let bucket = 0;
    const at = each.at.map(more => bucket += more), made = { name: each.name, style: each.style, color: colors[i], at, low: each.low, high: each.high, last: each.last };
    return each.style === 'bar' ? { ...made, values: filled(at, each.high) } : made;
  });
  return { id, title: there[0].title, unit: there[0].unit, series };
}

function cpu_lane(clock) {
  const cores = clock.unit === 'ns', scale = cores ? clock.factor / (bucket_ms * 1e6) : 1000 / bucket_ms;
  const lines = clock.over_time(groups.length, i => data.threads[clock.thread[i]][2]);
  const series = lines.map((values, g) => ({ name: groups[g], style: 'bar', color: ['blue', 'orange', 'purple', 'grey', 'pale'][g], values: values.map(n => n * scale) }));
  return { id: 'cpu', title: 'CPU by threads', unit: cores ? 'cores' : 'samples/s', series: series.filter(each => each.values.some(n => n > 0)),
           smooth: cores ? 2 * (clock.source.period_ns || 0) / 1e6 : 0, limit: cores && +new Map(data.facts).get('CPUs')?.replace(',', '') || undefined };
}

function rate_lane(clock, id, title, unit, color) {
  const [values] = clock.over_time(1, () => 0);
  return { id, title, unit, series: [{ name: clock.title.toLowerCase(), style: 'bar', color, values: values.map(n => n * clock.factor * 1000 / bucket_ms) }],
           smooth: 0 };
}

function stops_lane() {
  const stops = marks_of('stop', 'grey'), late = marks_of('late', 'red');
  const reached_late = () => marks_of('reaching', 'red').filter(mark => mark.ms >= 10);   // of JFR, which tells of each
  const marks = [...marks_of('pause', 'orange'), ...(stops.length ? stops : marks_of('operation', 'grey')), ...marks_of('locker', 'purple'),
                 ...(late.length || stops.length ? late : reached_late())];
  return marks.length ? { id: 'stops', title: 'Stops', unit: 'ms', series: [], marks } : null;
}

function heap_lane() {
  const lane = recorded_lane('heap', ['green', 'line']), collections = marks_of('collection', 'orange');
  if (!lane && !collections.length) return null;
  return { ...(lane || { id: 'heap', title: 'Collections', unit: 'bytes', series: [] }), ticks: collections };
}

// What a report may show, in order, and what it is called where it is not there.
const lane_makers = [
  ['CPU load', () => recorded_lane('load', ['blue', 'pale', 'line'])],
  ['CPU samples', () => of_clock('cpu', cpu_lane)],
  ['allocation', () => of_clock('alloc', clock => rate_lane(clock, 'alloc', 'Allocation', 'bytes/s', 'teal'))],
  ['heap and collections', heap_lane],
  ['safepoints', stops_lane],
  ['lock waits', () => recorded_lane('waits', ['red', 'grey'])],
  ['exceptions', () => recorded_lane('thrown', ['purple']) || of_clock('exceptions', clock => rate_lane(clock, 'thrown', 'Exceptions', '/s', 'purple'))],
  ['memory', () => recorded_lane('resident', ['green'])],
  ['threads', () => recorded_lane('live', ['blue'])],
];
const lanes = [], missing = [], silent = [];   // what did not happen
for (const [name, make] of lane_makers) {
  const lane = make();
  if (lane) lanes.push({ marks: [], ticks: [], ...lane });
  else if (data.lanes.some(each => each.title.toLowerCase() === name.toLowerCase())) missing.push(name === 'CPU load' ? 'a second look at the CPU load' : `a rate of ${name}`);   // one look is none
  else (data.recorded.includes(name) ? silent : missing).push(name);
}
byId('missing').textContent = data.empty ? 'No event passes the filter'
    : [['Not recorded', missing], ['Recorded, without an event', silent]].filter(([, names]) => names.length).map(([words, names]) => `${words}: ${names.join(', ')}`).join('. ');

const unit_text = (n, unit) => unit === 'share' ? percent(n) : unit === 'bytes' ? bytes_text(n) : unit === 'bytes/s' ? bytes_text(n) + '/s'
    : counted_text(Number(n.toPrecision(3)) >= 1000 ? n : Number(n.toPrecision(3)), unit);
const counted_text = (n, unit) => (n >= 1000 ? grouped(n) : n && n < 0.005 ? '< 0.01' : Number.isInteger(n) ? n : three_digits(n))
    + (unit === 'count' ? '' : unit === 'per second' ? '/s' : unit.startsWith('/') ? unit : ' ' + (n === 1 ? unit.replace(/s$/, '') : unit));
