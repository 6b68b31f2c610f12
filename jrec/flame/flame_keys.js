// SPDX-License-Identifier: Apache-2.0
// Who listens to what, and the start of it all.
function invert() { inverted = !inverted; byId('invert').setAttribute('aria-pressed', inverted); draw(); scroll_to_focus(); }

function reset() {
  search.value = ''; search.blur();
  focus = 0; cursor = -1; describe(-1);
  if (timeline) { byId('thread-search').value = ''; search_threads(); choose_time(0, 0); } else match();
  scroll_to_focus();
}

function swap() {
  if (!before) return;
  const by_first = self !== before;
  byId('swap').setAttribute('aria-pressed', by_first);
  show(by_first ? before : whole);
}

function set_dark(dark) {
  document.documentElement.classList.toggle('dark', dark);
  byId('shade').textContent = dark ? 'Light' : 'Dark';
  legend(); draw(); draw_time();
}

function key(event) {
  if (event.key === 'Escape') { reset(); return; }
  if (event.target.tagName === 'INPUT' && event.target.type === 'search' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
  else if (event.key === 'i') invert();
  else if (event.key === 'd') swap();
  else if (event.key === 'n') set_dark(!is_dark());
  else if (event.key === 't' && timeline) byId('threads').open = !byId('threads').open;
  else if (event.key === 'Backspace' && focus > 0) zoom(parent[focus]);
}

// In the graph arrow keys go from frame to frame, along the edges that one sees; Enter zooms in.
function walk(event) {
  if (event.key === 'Enter' && cursor >= 0) { event.stopPropagation(); zoom(cursor); return; }
  const along = { ArrowUp: inverted ? parent_of : widest_child, ArrowDown: inverted ? widest_child : parent_of, ArrowLeft: elder, ArrowRight: younger }[event.key];
  if (!along) return;
  event.preventDefault();
  const to = cursor < 0 ? focus : along(cursor);
  if (to >= 0) cursor = to;
  draw();
  show_cursor();
}

const is_shown = i => total[i] > 0 && (is_above(i) || i >= focus && i < after[focus]);
const parent_of = i => i > 0 ? parent[i] : -1;
function widest_child(i) {
  let widest = -1;
  for (let child = i + 1; child < after[i]; child = after[child]) if (is_shown(child) && (widest < 0 || total[child] > total[widest])) widest = child;
  return widest;
}
function younger(i) {
  for (let at = after[i]; i > 0 && at < after[parent[i]]; at = after[at]) if (is_shown(at)) return at;
  return -1;
}
function elder(i) {
  let found = -1;
  for (let at = i > 0 ? parent[i] + 1 : i; at < i; at = after[at]) if (is_shown(at)) found = at;
  return found;
}

function show_cursor() {
  const at = boxes.findIndex((value, b) => b % 4 === 0 && value === cursor);
  if (at < 0) { describe(-1); return; }
  const scroll = canvas.parentElement, y = boxes[at + 2];
  const top = canvas.offsetTop - scroll.offsetTop + y;
  if (top < scroll.scrollTop + 8) scroll.scrollTop = top - 60;
  else if (top + row_height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top - scroll.clientHeight + 60;
  const box = canvas.getBoundingClientRect();
  describe(cursor, box.left + boxes[at + 1], box.top + y);
}

canvas.addEventListener('keydown', walk);
canvas.addEventListener('mousemove', point);
canvas.addEventListener('mouseleave', () => { tip.style.display = 'none'; });
canvas.addEventListener('click', event => { const i = find(event); if (i >= 0) zoom(i); });
search.addEventListener('input', match);
for (const [id, action] of [['invert', invert], ['reset', reset], ['swap', swap]]) byId(id).addEventListener('click', action);
byId('shade').addEventListener('click', () => set_dark(!is_dark()));
document.addEventListener('keydown', key);
const prefers_dark = matchMedia('(prefers-color-scheme: dark)');
prefers_dark.addEventListener('change', () => set_dark(prefers_dark.matches));
addEventListener('resize', () => { fit(); if (timeline) fit_time(); });

if (timeline) {
  read_timeline();
  byId('time').hidden = false;
  time_canvas.addEventListener('pointerdown', start_drag);
  time_canvas.addEventListener('pointermove', go_on_dragging);
  time_canvas.addEventListener('pointerup', end_drag);
  time_canvas.addEventListener('pointerleave', () => { if (drag_from < 0) tell_time(); });
  time_canvas.addEventListener('keydown', move_range);
  byId('thread-search').addEventListener('input', search_threads);
  byId('thread-all').addEventListener('click', () => choose_threads(null));
  byId('thread-none').addEventListener('click', () => choose_threads(new Set()));
}
byId('swap').hidden = !before;
lay_out(whole);
fit();
if (timeline) { list_threads(); measure_density(); fit_time(); }
show(whole);
set_dark(prefers_dark.matches);
scroll_to_focus();
