// SPDX-License-Identifier: Apache-2.0
// The head, the keys, and the start of it all.
const key_list = [
  ['1 … 9', 'panels'], ['c, C', 'next clock, the one before'], ['/', 'search; Enter or n: next match, N: the one before'], ['t', 'threads'],
  ['s', 'callers and callees of the frame under the pointer, or the cursor'], ['i', 'icicles: the roots at the top'], ['Backspace', 'one frame out'],
  ['o', 'to the overview: arrow keys move the range, with Shift its end; PageUp and PageDown by its width'], ['[ ]', 'the range before, and behind'],
  ['z, Z, 0', 'the axis: zoom to what is chosen (else to its middle), one level out, not zoomed; also the wheel with Ctrl, sideways with Shift'],
  ['a', 'all of the time, not zoomed'],
  ...data.parts ? [['f, F', 'finer: a page of what the axis shows, or of what is chosen, alone; back to all of the recording']] : [],
  ['g', 'to the graph: arrow keys go from frame to frame, Enter zooms in'], ['l', 'light or dark'], ['Esc', 'back: sandwich, search, zoom, filters, time, zoom of the axis'],
];

// --- What the page says first ---

// The family of what jdk.GarbageCollection and jdk.GCConfiguration name.
function collector_of(name) {
  const families = [[/^(DefNew|Serial)/, 'Serial'], [/^(PS|Parallel)/, 'Parallel'], [/^G1/, 'G1'], [/^Z/, 'ZGC'], [/^Shenandoah/, 'Shenandoah'], [/^(ParNew|ConcurrentMark)/, 'CMS']];
  return (families.find(([pattern]) => pattern.test(name)) || [, name])[1];
}

// Of each JVM: OpenJDK 64-Bit Server VM (25.504-b01) for linux-amd64 JRE (1.8.0_504-b01). HotSpot had a number of its own up to 8.
const version_of = text => ((/ JRE \((1\.[^)]+)\)/.exec(text) || /\(([^)]*\d[^)]*)\)/.exec(text) || [])[1] || '');

function show_head() {
  const facts = new Map(data.facts.map(([caption, text]) => [caption, unescaped(text)])), versions = new Set((facts.get('Version') || '').split('; ').map(version_of));
  const vm = [(facts.get('JVM') || '').split('; ')[0].replace(' 64-Bit Server VM', ''), [...versions].filter(text => text).join(', ')].filter(text => text).join(' ');
  const collector = collector_of(facts.get('Collector') || '') || (/-XX:\+Use(\w+?)GC/.exec(facts.get('Arguments') || '') || [])[1];
  const shown = [['', vm], ['Program', facts.get('Program')], ['Time', time_text(data.seconds * 1e9)], ['Collector', collector], ['CPUs', facts.get('CPUs')], ['Heap', facts.get('Heap at most')],
                 ['PID', (facts.get('Process') || '').replaceAll(',', '')], ['System', (facts.get('System') || '').split('\n')[0].replace(/^PRETTY_NAME="(.*)"$/, '$1')]];
  byId('facts').replaceChildren(...shown.filter(([, text]) => text).map(([caption, text]) => element('span', { title: text }, caption ? caption + ' ' : '', element('b', { textContent: text.length > 70 ? text.slice(0, 69) + '…' : text }))));
  byId('facts').title = [...facts].map(([caption, text]) => `${caption}: ${text}`).join('\n');
  const lost = data.lost.reduce((sum, [cause, n]) => cause.endsWith('bytes') ? sum : sum + n, 0), lost_bytes = data.lost.some(([cause]) => cause.endsWith('bytes'));
  byId('lost').hidden = !lost && !lost_bytes;
  byId('lost').textContent = lost ? `${grouped(lost)} lost` : 'Events lost';
  byId('lost').title = data.lost.map(([cause, n]) => `${cause}: ${grouped(n)}`).join('\n');
  byId('damaged').hidden = !data.damage;
  byId('damaged').textContent = 'Damaged: some of it is missing';
  byId('damaged').title = (data.damage || []).join('\n');
  byId('lost').addEventListener('click', () => {
    choose({ panel: 'run' });
    requestAnimationFrame(() => byId('table-losses')?.scrollIntoView());
  });
}

function show_findings() {
  if (!data.findings.length) return;
  const lines = data.findings.map(finding => {
    const words = element('span', { title: finding.command ? `${finding.rule}: ${finding.command}` : finding.rule }, element('b', { textContent: finding.title }), ' ', element('span', { className: 'dim', textContent: finding.text }));
    const line = element('li', {}, element('span', { className: `dot ${finding.severity}`, title: finding.severity }), words);
    const method = data.names.indexOf(finding.method), clock = clock_of(finding.clock)?.id;
    const panel = method >= 0 && (clock || !finding.clock) ? 'stacks' : (panel_list.find(each => each.id === finding.panel) ?? (finding.panel && panel_list.find(each => each.id === 'run')))?.id;
    if (finding.from === null && !panel) return line;
    const evidence = element('button', { textContent: 'Show', title: 'The time, the method or the panel that it rests on' });
    evidence.addEventListener('click', () => {
      threads.clear(); states.clear();   // what was chosen before is not what it rests on
      finding.from !== null ? choose_around(finding.from, finding.to) : choose_all_time();
      if (panel) choose({ panel, method: panel === 'stacks' && method >= 0 ? method : null, clock: clock ?? clocks[0]?.id ?? null });
    });
    line.append(evidence);
    return line;
  });
  const all = element('details', { open: innerHeight >= 760 }, element('summary', { textContent: `Findings: ${lines.length}` }), element('ol', {}, ...lines));
  all.addEventListener('toggle', fit_lanes);
  byId('findings').append(all);
  byId('findings').hidden = false;
}

function show_help() {
  byId('help').replaceChildren(element('h2', { textContent: 'Keys' }), element('dl', {}, ...key_list.flatMap(([keys, what]) => [element('dt', {}, element('kbd', { textContent: keys })), element('dd', { textContent: what })])),
                               element('p', { className: 'dim', textContent: 'A click on a frame zooms in; a right click shows its callers and callees. A row with a time chooses that time. The address of the page is what is shown: pass it on.' }));
  byId('help').showModal();
}

// --- Keys ---

const prefers_dark = matchMedia('(prefers-color-scheme: dark)');
function set_dark(dark) {
  document.documentElement.classList.toggle('dark', dark);
  byId('shade').textContent = dark ? 'Light' : 'Dark';
  for (const panel of panel_list) if (panel.id === 'threads' && panel.show) { panel.place.replaceChildren(); panel.show = null; }   // its strips are painted
  choose();
}

function next_clock(step) {
  if (clocks.length) choose({ clock: clocks[(clocks.findIndex(clock => clock.id === choice.clock) + step + clocks.length) % clocks.length].id });
}
function sandwich_of_frame() {
  for (const each of [graph, callers_graph, callees_graph]) {
    const i = each.hover > 0 ? each.hover : each.cursor;
    if (each.tree && i > 0) { show_tip(null); return choose({ method: each.tree.name[i] }); }
  }
}

// One step back. Of what is chosen and shown in part, or not at all, zoom goes first: no time is chosen here that nobody chose.
function escape() {
  show_tip(null);
  if (choice.method !== null) choose({ method: null });
  else if (search.value) { search.value = ''; search.blur(); choose(); }
  else if (graph.focus > 0 || graph.cursor >= 0) { graph.cursor = -1; graph.zoom(0); }
  else if (threads.chosen || states.chosen) { threads.clear(); states.clear(); choose(); }
  else if (part_is_chosen() && shows_all_of(choice.from, choice.end)) choose_shown();
  else if (is_zoomed()) zoom_out();
  else choose_time(0, 0);
}

const by_key = {
  '/': () => { choose({ panel: 'stacks' }); search.focus(); search.select(); }, n: () => graph.go_to_match(1), N: () => graph.go_to_match(-1),
  c: () => next_clock(1), C: () => next_clock(-1), t: () => threads.toggle_panel(), s: sandwich_of_frame, i: () => choose({ inverted: !choice.inverted }),
  Backspace: () => graph.zoom_out(), o: () => lane_canvas.focus(), g: () => byId('graph').focus(), '[': () => move_range(choice.from - choice.end), ']': () => move_range(choice.end - choice.from),
  z: zoom_in, Z: zoom_out, f: open_part, F: open_whole, 0: zoom_none, a: choose_all_time, l: () => set_dark(!is_dark()), '?': show_help, Escape: escape,
};
document.addEventListener('keydown', event => {
  if (byId('help').open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === 'INPUT' && event.target.type === 'search' && event.key !== 'Escape') return;
  const panel = /^[1-9]$/.test(event.key) && panel_list[event.key - 1], action = panel ? () => choose({ panel: panel.id }) : by_key[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
byId('tabs').addEventListener('keydown', event => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const panel = panel_list[(panel_list.findIndex(each => each.id === choice.panel) + step + panel_list.length) % panel_list.length];
  choose({ panel: panel.id });
  panel.tab.focus();
});
byId('shade').addEventListener('click', () => set_dark(!is_dark()));
byId('help-button').addEventListener('click', show_help);
prefers_dark.addEventListener('change', () => set_dark(prefers_dark.matches));
addEventListener('hashchange', read_state);
addEventListener('resize', () => {
  fit_lanes();
  for (const each of [graph, callers_graph, callees_graph]) each.fit();
  for (const panel of panel_list) if (panel.place.redraw && !panel.place.hidden) panel.place.redraw();
});

document.documentElement.classList.toggle('dark', prefers_dark.matches);
show_head();
show_findings();
byId('unfinished').hidden = !data.unfinished;
threads.around.addEventListener('toggle', () => { if (threads.around.open) tell_shares(); });
choice.on(show_panel);
choice.on(tell_total);
choice.on(save_state);
choice.on(zoom_as_asked);
read_state();
requestAnimationFrame(restore_places);
byId('shade').textContent = is_dark() ? 'Light' : 'Dark';
fit_lanes();
globalThis.page = { data, choice, choose, choose_time, clocks, lanes, graph, view, shape, zoom_in, zoom_out, zoom_none, threads, keep_places };   // for tools that use the page
