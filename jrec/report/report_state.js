// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address: #t=1200-3400&z=1000-5000.1000-3500&c=wall&p=stacks&q=parse. Times are ms since the page's start; of a page that is
// served, and may start later the next time, since 1970: @1700000001200-1700000003400. Threads, states and frames are names: another page has other numbers.
const most_chosen = 300, longest_path = 4000;
let asked_time = { text: '' };   // as the address said it: buckets of the next page are others
let asked_path = null;           // of the frame that is zoomed into

const stamp = bucket => data.parts ? ms_of(bucket) : bucket * bucket_ms;
const stamps = (from, end) => `${data.parts ? '@' : ''}${stamp(from)}-${stamp(end)}`;
// [from, end) in buckets, not rounded. No part of what is none.
function times_in(text) {
  return (text || '').split('.').map(each => each.match(/^(@?)(\d+)-(\d+)$/)).filter(Boolean).map(([whole, at, ...ms]) => ({ whole, times: ms.map(n => (at ? n - ms_of(0) : +n) / bucket_ms) }));
}

const path_of = i => i > 0 ? [...path_of(graph.tree.parent[i]), data.names[graph.tree.name[i]]] : [];
function node_of(path) {
  const { tree } = graph;
  let node = 0;
  for (const name of path) {
    let child = node + 1;
    while (child < tree.after[node] && data.names[tree.name[child]] !== name) child = tree.after[child];
    if (child >= (node ? tree.after[node] : tree.count)) return 0;
    node = child;
  }
  return node;
}

function state_of_page() {
  const state = new URLSearchParams();
  const add_names = (key, { chosen, items }) => { if (chosen && chosen.size <= most_chosen) for (const i of chosen) state.append(key, items[i]); };
  if (time_is_chosen()) state.set('t', asked_time.from === choice.from && asked_time.end === choice.end ? asked_time.text : stamps(choice.from, choice.end));
  if (is_zoomed()) state.set('z', choice.levels.map(level => stamps(...level)).join('.'));
  if (choice.panel !== panel_list[0]?.id) state.set('p', choice.panel);
  if (clocks.length && choice.clock !== clocks[0].id) state.set('c', choice.clock);
  if (choice.method !== null) state.set('m', data.names[choice.method]);
  if (search.value) state.set('q', search.value);
  if (choice.inverted) state.set('i', '1');
  add_names('th', threads); add_names('st', states);
  const path = graph.focus > 0 ? path_of(graph.focus) : asked_path || [];
  if (path.length && path.join().length < longest_path) for (const name of path) state.append('f', name);
  if (is_dark() !== prefers_dark.matches) state.set('d', is_dark() ? '1' : '0');
  if (data.unfinished) {   // of what is still to come
    const kept = new Set();
    for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
      if (/^(c|m|th|st|f)$/.test(key)) { if (!kept.has(key)) state.delete(key); kept.add(key); state.append(key, value); }
  }
  return state.toString();
}
// A moment later: browsers hold up pages that change their address with each move of the pointer.
let saves = 0;
function save_state() {
  clearTimeout(saves);
  saves = setTimeout(() => {
    const state = state_of_page();
    if (state !== location.hash.slice(1)) history.replaceState(null, '', state ? '#' + state : location.pathname + location.search);
  }, 100);
}

// Levels of zoom, each within the one before.
function levels_of(text) {
  const levels = [];
  for (const { times: [from, end] } of times_in(text)) {
    const level = held_view(Math.max(0, Math.min(from, data.buckets)), Math.max(0, Math.min(end, data.buckets))), [begin, last] = levels.at(-1) || [0, data.buckets];
    if (from < end && level[0] >= begin && level[1] <= last && level[1] - level[0] < last - begin) levels.push(level);
  }
  return levels.slice(0, most_levels);
}

// What makes no sense is left out.
function read_state() {
  const state = new URLSearchParams(location.hash.slice(1)), time = times_in(state.get('t'))[0];
  const chosen = (key, { items }) => {
    const found = state.getAll(key).map(name => items.indexOf(name)).filter(i => i >= 0);
    return found.length ? new Set(found) : null;
  };
  const method = state.has('m') ? data.names.indexOf(state.get('m')) : -1;
  search.value = state.get('q') || '';
  threads.set(chosen('th', threads)); states.set(chosen('st', states));
  if (state.has('d')) document.documentElement.classList.toggle('dark', state.get('d') === '1');
  const held = bucket => Math.max(0, Math.min(bucket, data.buckets));   // less than a bucket is one
  const from = time ? held(Math.floor(time.times[0])) : 0, end = time ? held(Math.ceil(time.times[1])) : 0;
  if (time) asked_time = { text: time.whole, from, end };
  asked_path = state.has('f') ? state.getAll('f') : null;
  choose({
    levels: levels_of(state.get('z') || ''), from, end, method: method < 0 ? null : method, inverted: state.get('i') === '1',
    clock: clock_of(state.get('c')) ? state.get('c') : clocks[0]?.id ?? null, panel: panel_list.find(panel => panel.id === state.get('p'))?.id || panel_list[0]?.id || null,
  });
}

// Once there is a graph.
function zoom_as_asked() {
  if (!asked_path || !graph.tree) return;
  const node = node_of(asked_path);
  asked_path = null;
  if (node > 0) graph.zoom(node);
}
graph.hooks.drawn = save_state;

// --- A page that is served (jrec open) looks whether there is another one: the rest of it, or, with --follow, a later one ---

// What was chosen stays: it is in the address. How far somebody has scrolled stays, too, and nothing changes under somebody's hands.
const places_key = 'jrec scrolled';
function keep_places() {
  const places = [...document.querySelectorAll('[id]')].filter(each => each.scrollTop > 0).map(each => [each.id, each.scrollTop]);
  sessionStorage.setItem(places_key, JSON.stringify({ address: location.pathname, places, window: scrollY }));
}
function restore_places() {
  const kept = JSON.parse(sessionStorage.getItem(places_key) || 'null');
  sessionStorage.removeItem(places_key);
  if (kept?.address !== location.pathname) return;
  for (const [id, top] of kept.places) if (byId(id)) byId(id).scrollTop = top;
  scrollTo(0, kept.window);
}
async function follow() {
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  const is_other = answer?.ok && answer.headers.get('ETag') !== `"${data.version}"`;
  if (!is_other || byId('help').open || brush.from >= 0 || document.activeElement === byId('search')) return;
  keep_places();
  location.reload();
}
if (data.unfinished) setInterval(follow, 400);
else if (data.follow) setInterval(follow, 1000 * data.follow);
