// SPDX-License-Identifier: Apache-2.0
// What each page begins with: its data, how elements are made, and how numbers and times are written.
const byId = id => document.getElementById(id);
const data = JSON.parse(await unpacked(byId('data')));

// As it is, or compressed (page_data.h).
async function unpacked(element) {
  if (element.type === 'application/json') return element.textContent;
  const bytes = Uint8Array.from(atob(element.textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A regular expression as it was typed into a field, which turns red when it is none: null then, and when it is empty.
function pattern_of(field) {
  field.classList.remove('bad');
  if (!field.value) return null;
  try {
    const pattern = new RegExp(field.value, 'i');
    pattern.test('');   // one that is too large fails here
    return pattern;
  } catch { field.classList.add('bad'); return null; }
}

// Each is written as its distance from the one before.
function sums_of(deltas) {
  let at = 0;
  return Uint32Array.from(deltas, delta => at += delta);
}

const is_dark = () => document.documentElement.classList.contains('dark');
const color_of = variable => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

const grouped = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
const percent = part => part === 1 ? '100%' : (100 * part).toFixed(2) + '%';
const short_percent = part => part >= 0.0995 ? (100 * part).toFixed(1) + '%' : (100 * part).toFixed(2) + '%';
const three_digits = n => n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2);

// The largest of the units, each so many times the one before, that leaves one or more of it.
function in_units(n, units, step) {
  let at = 0, size = Math.abs(n);
  while (at + 1 < units.length && size >= 999.5 && step[at]) size /= step[at++];
  return (n < 0 ? '−' : '') + (at === 0 && Number.isInteger(size) ? size : three_digits(size)) + ' ' + units[at];
}
const bytes_text = n => in_units(n, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], [1024, 1024, 1024, 1024, 1024]);
const span_text = ns => Math.abs(ns) < 6e11 ? in_units(ns, ['ns', 'µs', 'ms', 's'], [1000, 1000, 1000])
    : Math.abs(ns) < 7.2e12 ? (ns / 6e10).toFixed(1) + ' min' : (ns / 3.6e12).toFixed(1) + ' h';
const time_text = ns => ns < 2592e11 ? span_text(ns) : ns < 63e15 ? (ns / 864e11).toFixed(1) + ' days' : (ns / 31557.6e12).toFixed(1) + ' years';

// 1.2 GB, 3.45 s, 1,234 samples.
const amount = (n, unit) => unit === 'bytes' ? bytes_text(n) : unit === 'ns' ? span_text(n) : `${grouped(n)} ${n === 1 ? unit.replace(/s$/, '') : unit}`.trim();

// Milliseconds since 1970, cut to whole ones as the tables of jrec are; what is missing to the next is less than a double tells.
const whole_ms = ms => Math.floor(ms + 0.0006);
// Seconds since 1970 as "12:03:04" (UTC), with what a step of so many seconds needs of it.
const axis_steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
const start_of_time = Date.parse(data.start.slice(0, 19) + 'Z') / 1000 + Number('0' + (/^\.\d+/.exec(data.start.slice(19)) || [''])[0]);
function clock(seconds, step) {
  const text = new Date(whole_ms(seconds * 1000)).toISOString();
  return step >= 86400 ? text.slice(5, 10) : step >= 60 ? text.slice(11, 16) : text.slice(11, step >= 1 ? 19 : step >= 0.1 ? 21 : step >= 0.01 ? 22 : 23);
}

// Marks of an axis from `begin` to `seconds` behind the start of time, `top` pixels down, with so many pixels a second. None has text beyond `right`.
function draw_marks(context, left, top, per_second, seconds, color, begin = 0, right = Infinity) {
  const room = 78, step = axis_steps.find(s => s * per_second >= room) || axis_steps[axis_steps.length - 1];
  context.font = '11px system-ui, sans-serif'; context.textBaseline = 'top'; context.textAlign = 'left';
  context.fillStyle = color;
  const first = Math.ceil((start_of_time + begin) / step - 1e-6) * step - start_of_time;
  const tick = (at, text) => {
    const x = Math.round(left + (at - begin) * per_second);
    context.fillRect(x, top, 1, 4);
    if (x + 3 + context.measureText(text).width <= right) context.fillText(text, x + 3, top + 4);
  };
  for (let at = first; at < seconds; at += step) tick(at, clock(start_of_time + at, step));
  if (begin === 0 && first * per_second > room || first >= seconds) tick(begin, clock(start_of_time + begin, Math.min(step, 1)));
}
