// SPDX-License-Identifier: Apache-2.0
// The timeline's axis, by time of day (UTC), and its line of text: what is chosen, or what is under the pointer.
const axis_height = 17, tick_room = 78;   // pixels
const bucket_seconds = () => timeline.bucket_ms / 1000;
const column_seconds = () => bucket_seconds() * (data.view === 'heatmap' ? timeline.rows : 1);

function draw_axis() {
  draw_marks(time_ctx, 0, time_height(), cell_width / column_seconds(), columns * column_seconds(), color_of('--dim'));
}

const span = buckets => time_text(buckets * bucket_seconds() * 1e9);
const moment = bucket => clock(start_of_time + bucket * bucket_seconds(), bucket_seconds());
const say_time = text => { byId('time-note').textContent = text; };

function tell_time() {
  if (time_is_chosen())
    say_time(`${moment(chosen.from)} to ${moment(chosen.end)}, ${span(chosen.end - chosen.from)}: ${amount(tree.total[0], data.unit)}`);
  else if (data.view === 'heatmap')
    say_time(`a column is ${span(timeline.rows)}, a cell ${span(1)}, the strongest ${amount(densest, data.unit)}; drag or click to choose, arrow keys move`);
  else
    say_time(`a bar is ${span(1)}, the highest ${amount(densest, data.unit)}; drag to choose a range of time, arrow keys move it`);
}

function tell_bucket(bucket) { say_time(`${moment(bucket)}: ${amount(density[bucket], data.unit)} in ${span(1)}`); }
