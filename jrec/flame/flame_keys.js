// SPDX-License-Identifier: Apache-2.0
// Who listens to what, and the start of it all.
function invert() { graph.invert(); byId('invert').setAttribute('aria-pressed', graph.inverted); }

function reset() {
  search.value = ''; search.blur();
  graph.focus = 0; graph.cursor = -1; graph.describe(-1);
  if (timeline) { threads.clear(); measure_density(); choose_time(0, 0); } else match();
  graph.scroll_to_focus();
}

function swap() {
  if (!before) return;
  const by_first = tree.self !== before;
  byId('swap').setAttribute('aria-pressed', by_first);
  show(by_first ? before : tree.whole);
}

function set_dark(dark) {
  document.documentElement.classList.toggle('dark', dark);
  byId('shade').textContent = dark ? 'Light' : 'Dark';
  legend(); graph.draw(); draw_time();
}

function key(event) {
  if (event.key === 'Escape') { reset(); return; }
  if (event.target.tagName === 'INPUT' && event.target.type === 'search' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
  else if (event.key === 'i') invert();
  else if (event.key === 'd') swap();
  else if (event.key === 'n' || event.key === 'N') graph.go_to_match(event.key === 'n' ? 1 : -1);
  else if (event.key === 'l') set_dark(!is_dark());
  else if (event.key === 't' && timeline) { event.preventDefault(); threads.toggle_panel(); }
  else if (event.key === 'Backspace') graph.zoom_out();
}

search.addEventListener('input', match);
search.addEventListener('keydown', event => { if (event.key === 'Enter') graph.go_to_match(event.shiftKey ? -1 : 1); });
for (const [id, action] of [['invert', invert], ['reset', reset], ['swap', swap]]) byId(id).addEventListener('click', action);
byId('shade').addEventListener('click', () => set_dark(!is_dark()));
document.addEventListener('keydown', key);
const prefers_dark = matchMedia('(prefers-color-scheme: dark)');
prefers_dark.addEventListener('change', () => set_dark(prefers_dark.matches));
addEventListener('resize', () => { graph.fit(); if (timeline) fit_time(); });

if (timeline) {
  read_timeline();
  byId('time').hidden = false;
  time_canvas.addEventListener('pointerdown', start_drag);
  time_canvas.addEventListener('pointermove', go_on_dragging);
  time_canvas.addEventListener('pointerup', end_drag);
  time_canvas.addEventListener('pointerleave', () => { if (drag_from < 0) tell_time(); });
  time_canvas.addEventListener('keydown', move_range);
}
byId('swap').hidden = !before;
graph.show_tree(tree);
if (timeline) { tell_shares(); measure_density(); fit_time(); }
show(tree.whole);
set_dark(prefers_dark.matches);
graph.scroll_to_focus();
globalThis.page = { tree, graph, timeline, threads: data.threads, chosen, choose_time, choose_threads: set => threads.choose(set) };   // for tools that use the page
