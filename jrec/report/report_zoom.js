// SPDX-License-Identifier: Apache-2.0
// Zoom of the axis: levels of it, in and out again, by keys, buttons and the wheel. What is chosen stays what it is.
const most_levels = 20;

// A part of the axis of at least `least_view` buckets, around what is asked for.
function held_view(from, end) {
  const wide = Math.max(least_view, Math.min(Math.round(end - from), data.buckets));
  const begin = Math.max(0, Math.min(Math.round((from + end - wide) / 2), data.buckets - wide));
  return [begin, begin + wide];
}

// Panels are about what is chosen: none but those that draw over time are shown anew.
function choose_view(levels) {
  choice.levels = levels.filter(([from, end]) => end - from < data.buckets).slice(-most_levels);
  if (follow_view()) for (const panel of panel_list) if (panel.place.follow && !panel.place.hidden) panel.place.follow();
  tell_range();
  save_state();
}

const can_zoom = () => view.end - view.from > least_view;
function zoom_in() {
  const from = Math.max(choice.from, view.from), end = Math.min(choice.end, view.end), wide = view.end - view.from;
  const has_part = time_is_chosen() && from < end && end - from < wide;
  if (can_zoom()) choose_view([...choice.levels, has_part ? held_view(from, end) : held_view(view.from + wide / 4, view.end - wide / 4)]);
}
const zoom_out = () => choose_view(choice.levels.slice(0, -1));
const zoom_none = () => choose_view([]);

// Another part instead of the one that is shown. Levels that it is no part of are no way back.
function change_view(from, end) {
  const [begin, last] = held_view(from, end);
  choose_view([...choice.levels.slice(0, -1).filter(level => level[0] <= begin && level[1] >= last && level[1] - level[0] > last - begin), [begin, last]]);
}

// A range that is chosen from elsewhere is shown: by less zoom, or, when it was moved there, by moving along.
function show_range(from, end) {
  if (!is_zoomed() || shows_all_of(from, end)) return;
  choose_view(choice.levels.filter(level => level[0] <= from && level[1] >= end));
}
function move_view_to(from, end) {
  if (!is_zoomed() || shows_all_of(from, end)) return;
  const wide = Math.max(view.end - view.from, end - from), begin = from < view.from ? from : end - wide;
  change_view(begin, begin + wide);
}

function tell_zoom() {
  const step = view.step * bucket_ms * 1e6, coarse = clocks.filter(clock => clock.bucket_ms * 1e6 > step * 1.01), note = byId('zoom-note');
  byId('zoom-in').hidden = !part_is_chosen() && !is_zoomed();
  byId('zoom-in').disabled = !can_zoom();
  byId('zoom-out').hidden = note.hidden = !is_zoomed();
  byId('missing').hidden = is_zoomed();   // there is no room for both
  note.textContent = `Steps of ${span_text(step)}${view.step === 1 ? can_zoom() ? ', the finest of this page' : ', the finest of this page: no further zoom' : ''}`
      + (coarse.length ? `; samples: ${coarse.map(clock => `${clock.title} ${span_text(clock.bucket_ms * 1e6)}`).join(', ')}` : '');
  byId('part-in').hidden = !has_finer();
  byId('part-out').hidden = !is_part();
  note.title = `${note.textContent}. A page of this time alone has finer ones${data.parts ? ' ( f )' : ''}: jrec report --from ${iso_text(view.from)} --to ${iso_text(view.end)}`;
}

// --- Parts: a page of a time alone, which jrec open makes when it is asked for ---

const is_part = () => data.whole_ms !== undefined;
const has_finer = () => data.parts && !data.unfinished && time_of_part()[1] - time_of_part()[0] < data.buckets
    && (bucket_ms > 1 || clocks.some(clock => clock.bucket_ms > bucket_ms || clock.source.folded));
const time_of_part = () => part_is_chosen() ? [choice.from, choice.end] : [view.from, view.end];
const ms_of = bucket => Math.round(1000 * start_of_time + bucket * bucket_ms);
const address_of_all = () => location.pathname.replace(/part\/[^\/]*$/, '');

// What is chosen beside the time goes along.
function open_page(address, more) {
  const state = new URLSearchParams(state_of_page());
  for (const key of ['t', 'z']) state.delete(key);
  for (const [key, value] of Object.entries(more)) state.set(key, value);
  location.assign(`${address}#${state}`);
}
function open_part() {
  if (!has_finer()) return;
  const [from, end] = time_of_part();
  open_page(`${address_of_all()}part/${ms_of(from)}-${ms_of(end)}`, {});
}
function open_whole() {
  if (!is_part()) return;
  const time = '@' + /part\/(\d+-\d+)/.exec(location.pathname)[1];   // not that of the axis, whose last step may go beyond
  open_page(address_of_all(), { t: time, z: time });
}
byId('part-in').addEventListener('click', open_part);
byId('part-out').addEventListener('click', open_whole);

const iso_text = bucket => new Date(Math.round(1000 * start_of_time + bucket * bucket_ms)).toISOString();

// With the Control or Command key the wheel zooms around the pointer, as two fingers do; with Shift, or sideways, it moves the view.
lane_canvas.addEventListener('wheel', event => {
  const zooms = event.ctrlKey || event.metaKey, unit = event.deltaMode === 0 ? 1 : 30, wide = view.end - view.from;
  const sideways = (event.deltaX || (event.shiftKey ? event.deltaY : 0)) * unit;
  if (!zooms && (!is_zoomed() || !sideways)) return;
  event.preventDefault();
  show_tip(null);
  if (!zooms) {
    const by = Math.max(-view.from, Math.min(Math.round(sideways / shape.plot * wide) || Math.sign(sideways), data.buckets - view.end));
    return by ? change_view(view.from + by, view.end + by) : null;
  }
  const part = Math.max(0, Math.min(1, (lane_x(event) - shape.gutter) / shape.plot)), at = view.from + part * wide;
  const now = Math.max(least_view, Math.min(wide * 2 ** (Math.max(-200, Math.min(event.deltaY * unit, 200)) / 200), data.buckets));
  const from = Math.max(0, Math.min(at - part * now, data.buckets - now));
  change_view(from, from + now);
}, { passive: false });
byId('zoom-in').addEventListener('click', zoom_in);
byId('zoom-out').addEventListener('click', zoom_out);
