// SPDX-License-Identifier: Apache-2.0
// The timeline's axis, by time of day (UTC), and its line of text: what is chosen, or what is under the pointer.
const axis_height = 17, tick_room = 78;   // pixels
const axis_steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
const start_of_time = Date.parse(data.start.slice(0, 19) + 'Z') / 1000 + Number('0' + (/^\.\d+/.exec(data.start.slice(19)) || [''])[0]);

// Seconds since 1970 as "12:03:04", with what a step of so many seconds needs of it.
function clock(seconds, step) {
  const text = new Date(Math.round(seconds * 1000)).toISOString();
  return step >= 86400 ? text.slice(5, 10) : step >= 60 ? text.slice(11, 16) : text.slice(11, step >= 1 ? 19 : step >= 0.1 ? 21 : 22);
}

const bucket_seconds = () => timeline.bucket_ms / 1000;
const column_seconds = () => bucket_seconds() * (data.view === 'heatmap' ? timeline.rows : 1);

function draw_axis() {
  const top = time_height(), per_second = cell_width / column_seconds(), end = columns * column_seconds();
  const step = axis_steps.find(s => s * per_second >= tick_room) || axis_steps[axis_steps.length - 1];
  time_ctx.font = '11px system-ui, sans-serif'; time_ctx.textBaseline = 'top';
  time_ctx.fillStyle = getComputedStyle(document.body).getPropertyValue('--dim');
  const first = Math.ceil(start_of_time / step) * step - start_of_time;
  const tick = (at, text) => {
    const x = Math.round(at * per_second);
    time_ctx.fillRect(x, top, 1, 4);
    time_ctx.fillText(text, x + 3, top + 4);
  };
  for (let at = first; at < end; at += step) tick(at, clock(start_of_time + at, step));
  if (first * per_second > tick_room || first >= end) tick(0, clock(start_of_time, 1));
}

const span = buckets => (buckets * bucket_seconds()).toFixed(timeline.bucket_ms < 1000 ? 2 : 0) + ' s';
const moment = bucket => clock(start_of_time + bucket * bucket_seconds(), bucket_seconds());
const say_time = text => { byId('time-note').textContent = text; };

function tell_time() {
  if (time_is_chosen())
    say_time(`${moment(chosen.from)} to ${moment(chosen.end)}, ${span(chosen.end - chosen.from)}: ${grouped(total[0])} ${data.unit}`);
  else if (data.view === 'heatmap')
    say_time(`a column is ${span(timeline.rows)}, a cell ${span(1)}, the strongest ${grouped(densest)} ${data.unit}; drag or click to choose, arrow keys move`);
  else
    say_time(`a bar is ${span(1)}, the highest ${grouped(densest)} ${data.unit}; drag to choose a range of time, arrow keys move it`);
}

function tell_bucket(bucket) { say_time(`${moment(bucket)}: ${grouped(density[bucket])} ${data.unit} in ${span(1)}`); }
