// SPDX-License-Identifier: Apache-2.0
// The other panels. Each is made when it is first shown, and filled anew when what is chosen changes.
//
//   panel   { id, title, there(), make(place) --> show() }
const panel_list = [];
const heading = text => element('h3', { textContent: text });

// --- Tables of the recording: rows with a time are those of the chosen time ---

const is_empty = cell => cell === null || cell === '' || cell === 'N/A';
const cell_text = (cell, content) => is_empty(cell) ? '' : content === 'time' && typeof cell === 'number' ? moment_text(cell)
    : content === 'span' && typeof cell === 'number' ? (cell >= 9.2e18 ? 'forever' : time_text(cell)) : content === 'bytes' && typeof cell === 'number' ? bytes_text(cell)
    : content === 'bytes/s' && typeof cell === 'number' ? bytes_text(cell) + '/s' : content === 'share' && typeof cell === 'number' ? percent(cell)
    : content === 'flag' ? (cell ? 'yes' : 'no') : typeof cell === 'number' && content !== 'address' ? (Number.isInteger(cell) ? grouped(cell) : three_digits(cell)) : String(cell);

// Of a form. Limits that are none are -1.
const form_text = (caption, cell, content) => caption === 'PID' ? String(cell) : typeof cell === 'number' && cell < 0 && (content === 'bytes' || content === 'span') ? 'none'
    : unescaped(cell_text(cell, content)).trim();
const breakable = text => text.split(/(\s+)/).map(word => word.length > 24 ? element('span', { className: 'long', textContent: word }) : word);

function recorded_table(source) {
  const around = element('div', { id: `table-${source.view}` }), rows = element('div', { className: 'rows' });
  const time = source.columns.findIndex(([, content]) => content === 'time'), length = source.columns.findIndex(([, content]) => content === 'span');
  around.append(heading(source.title), rows);
  const whole = () => time < 0 && time_is_chosen() && source.panel !== 'run' ? ', of all the time' : '';   // sums were made of it
  if (source.form) {
    rows.className = '';
    rows.append(element('dl', {}, ...source.columns.flatMap(([caption, content], i) => is_empty(source.rows[0][i]) ? []
        : [element('dt', { textContent: caption }), element('dd', {}, ...breakable(form_text(caption, source.rows[0][i], content)))])));
    return { around, show() { around.firstChild.textContent = source.title + whole(); } };
  }
  const columns = source.columns.map(([caption, content], i) => ({
    i, title: caption, kind: source.rows.some(row => typeof row[i] === 'number') && content !== 'flag' ? 'number' : 'text', value: row => row[i], text: row => cell_text(row[i], content),
  })).filter(column => source.rows.some(row => !is_empty(row[column.i])));
  const jump = time >= 0 && { chosen: row => typeof row[time] === 'number' && choose_around(row[time], row[time] + (length >= 0 ? row[length] / 1e6 : 0)) };
  const sort = sorted_column(source, columns), table = new DataTable(rows, columns, { ...jump, label: source.title, sort });
  table.down = columns[sort].kind === 'number' && source.columns[columns[sort].i][1] !== 'time';
  return { around, show() {
    const there = time < 0 ? source.rows : source.rows.filter(row => typeof row[time] !== 'number' || in_chosen_time(row[time]));
    table.show(there);
    around.firstChild.textContent = source.title + whole() + (there.length < source.rows.length ? `: ${there.length} of ${source.rows.length}` : source.left_out ? `: the first ${source.rows.length} of ${source.rows.length + source.left_out}` : '');
  } };
}
// As the recording's reader has ordered the rows: by which column.
function sorted_column(source, columns) {
  const falls = i => source.rows.every((row, r) => r === 0 || source.rows[r - 1][i] >= row[i]), rises = i => source.rows.every((row, r) => r === 0 || source.rows[r - 1][i] <= row[i]);
  const at = columns.findIndex(column => column.kind === 'number' && source.rows.length > 1 && (source.columns[column.i][1] === 'time' ? rises(column.i) : falls(column.i)));
  return Math.max(at, 0);
}

const tables_of = panel => data.tables.filter(table => table.panel === panel && table.rows.some(row => !row.every(is_empty)));
function make_tables(place, panel) {
  const made = tables_of(panel).map(recorded_table), forms = made.filter((_, i) => tables_of(panel)[i].form), others = made.filter((_, i) => !tables_of(panel)[i].form);
  if (tables_of(panel)[0]?.view === 'jvms') place.append(others.shift().around);   // what the rest is of
  if (forms.length) place.append(element('div', { className: 'grid' }, ...forms.map(each => each.around)));
  place.append(...others.map(each => each.around));
  return () => made.forEach(each => each.show());
}

// --- Threads ---

const state_colors = { runnable: 'green', default: 'green', native: 'teal', sleeping: 'pale', parked: 'grey', waiting: 'grey', blocked: 'red', late: 'red' };
function state_color(name) {
  const text = state_text(name), known = Object.keys(state_colors).find(each => text.includes(each));
  return palette()[text.includes('monitor') ? 'red' : known ? state_colors[known] : 'blue'];
}

// What each thread did over the time that the axis shows: by its states where they are told, else how much. { most, of: for some threads, by color, the
// weights of strip_width columns }.
const strip_width = 320;
function strips_of(clock) {
  const plain_color = palette().blue, state_colors = data.states.map(state_color), colors = [...new Set([plain_color, ...state_colors])];
  const color_at = state_colors.map(color => colors.indexOf(color)), of = [];
  const column_ms = (view.end - view.from) * bucket_ms / strip_width, from_ms = view.from * bucket_ms;
  for (let i = 0; i < clock.bucket.length; i++) {
    const end = ((clock.bucket[i] + 1) * clock.bucket_ms - from_ms) / column_ms;
    const begin = end - Math.max(clock.bucket_ms, clock.factor === 1 ? 0 : clock.weight[i] * clock.factor / 1e6) / column_ms;   // a sample is of the time before it
    if (end <= 0 || begin >= strip_width) continue;
    const lines = of[clock.thread[i]] ||= [], color = clock.state && clock.state[i] ? color_at[clock.state[i]] : 0;
    const line = lines[color] ||= new Float32Array(strip_width);
    for (let x = Math.max(0, Math.floor(begin)); x < Math.min(end, strip_width); x++)
      line[x] += clock.weight[i] * (Math.min(end, x + 1) - Math.max(begin, x)) / (end - begin);
  }
  return { of, colors };
}

function draw_strip(strip, lines, colors, is_full) {
  const context = strip.getContext('2d'), all = new Float32Array(strip_width);
  strip.width = strip_width; strip.height = 14;
  for (const line of lines || []) line?.forEach((n, x) => { all[x] += n; });
  const most = all.reduce((a, b) => Math.max(a, b), 0), y = new Float32Array(strip_width).fill(14);
  (lines || []).forEach((line, color) => {
    context.fillStyle = colors[color];
    line.forEach((n, x) => {
      if (!n) return;
      const height = n / (is_full ? all[x] : most) * 14;
      context.fillRect(x, y[x] -= height, 1, height);
    });
  });
}

function make_threads(place) {
  const rows = element('div', { className: 'rows' }), note = element('p', { className: 'dim' });
  const timed = clock_of('wall') || clock_of('cpu') || clocks[0], sorted = clock_of('cpu') || timed;
  let strips = null, drawn = '';
  const told = data.states.filter((name, i) => name && clocks.some(clock => clock === timed && clock.state && clock.state.includes(i)));
  const columns = [
    { title: 'Thread', kind: 'text', value: row => row.text, text: row => row.text },
    { title: 'Kind', kind: 'text', value: row => row.group, text: row => groups[row.group] },
    { title: `${timed.title} over time`, kind: 'text', value: row => row[timed.id], text: () => '' },
    ...clocks.map(clock => ({ title: clock.title, kind: 'number', value: row => row[clock.id], text: row => row[clock.id] ? clock.text(row[clock.id]) : '', part: row => row.most[clock.id] ? row[clock.id] / row.most[clock.id] : 0 })),
  ];
  const table = new DataTable(rows, columns, { label: 'Threads', sort: columns.findIndex(column => column.title === sorted.title), chosen: row => { threads.set(new Set([row.at])); choose({ panel: 'stacks' }); } });
  const line = table.line.bind(table);
  table.line = row => {
    const made = line(row), strip = element('canvas', { className: 'strip' });
    draw_strip(strip, strips.of[row.at], strips.colors, told.length > 0);
    made.children[2].replaceChildren(strip);
    return made;
  };
  const key = element('div', { className: 'legend' }, ...told.map(name => { const swatch = element('i'); swatch.style.background = state_color(name); return element('span', {}, swatch, state_text(name)); }));
  place.append(note, key, rows);
  const more = make_tables(place, 'threads'), show = () => {
    const shown = `${view.from}-${view.end}`;
    if (shown !== drawn) { strips = strips_of(timed); drawn = shown; }
    const sums = clocks.map(clock => clock.by_thread()), most_of = Object.fromEntries(clocks.map((clock, c) => [clock.id, sums[c].reduce((a, b) => Math.max(a, b), 0)]));
    const there = data.threads.map((thread, at) => ({ at, text: thread_text(thread), group: thread[2], most: most_of, ...Object.fromEntries(clocks.map((clock, c) => [clock.id, sums[c][at]])) }))
        .filter(row => clocks.some(clock => row[clock.id] > 0));
    note.textContent = `${grouped(there.length)} threads have samples in the chosen time. A click shows the stacks of one.${tables_of('run').some(each => each.view === 'jvms') ? ' Which JVM is which is told in Run.' : ''}${is_zoomed() ? ` Over time: of what the axis shows, ${moment_text(view.from * bucket_ms)} to ${moment_text(view.end * bucket_ms)}.` : ''}`;
    table.show(there);
    more();
  };
  place.follow = show;
  return show;
}

// --- By class: what a clock has on top of its stacks, and the stacks of a class ---

// Of an event that tells no class the method stands on top.
const no_class = -1, class_kind = kinds.indexOf('Other');
const class_at = (tree, i) => tree.kind[i] === class_kind ? tree.name[i] : no_class;
const class_text = name => name === no_class ? 'not told' : data.names[name];

function make_classes(place, ids, panel) {
  const there = ids.map(clock_of).filter(clock => clock), list = element('div', { className: 'rows' }), graphs = element('div', { className: 'graphs' });
  const views = there.map(clock => {
    const canvas = element('canvas', { className: 'flame', tabIndex: 0 }), title = element('h2');
    canvas.setAttribute('role', 'img'); canvas.setAttribute('aria-label', clock.title);
    graphs.append(title, element('div', { className: 'graph' }, canvas));
    return { clock, title, graph: flame_graph(canvas, () => clock), tree: new FlameTree(clock.source.nodes, data.names) };
  });
  let selected = null, sums = [];
  const whole = c => sums[c] ? [...sums[c].values()].reduce((a, b) => a + b, 0) : 0;
  const table = new DataTable(list, [
    ...there.map((clock, c) => number_column(clock.title, row => row.sums[c], row => row.sums[c] ? clock.text(row.sums[c]) : '', row => whole(c) ? row.sums[c] / whole(c) : 0)),
    { title: 'Class', kind: 'name', value: row => class_text(row.name), text: row => class_text(row.name) },
  ], { label: 'By class', chosen: row => { selected = selected === row.name ? null : row.name; show(); }, is_selected: row => row.name === selected });
  const held = element('div', { className: 'rows' }), holders = ids.includes('owners') && clock_of('owners') ? make_holders(held) : null;
  const sides = element('div', { className: 'sides' }, graphs, element('div', { className: 'classes' }, list, ...holders ? [held] : []));
  const note = { exceptions: data.thrown_note, locks: data.looks_note }[panel];   // of how many these are
  if (note) place.append(element('p', { className: 'dim', id: panel + '-note', textContent: note }));
  place.append(sides);
  sides.style.height = tables_of(panel).length || note ? '92%' : '100%';
  const more = make_tables(place, panel);
  const show = () => {
    const owns = views.map(view => view.clock.own());
    sums = views.map((view, c) => {
      const by_class = new Map();
      owns[c].forEach((n, i) => { const name = class_at(view.tree, i); if (n) by_class.set(name, (by_class.get(name) || 0) + n); });
      return by_class;
    });
    const names = new Set(sums.flatMap(each => [...each.keys()]));
    table.show([...names].map(name => ({ name, sums: sums.map(each => each.get(name) || 0) })));
    views.forEach((view, c) => {
      const own = selected === null ? owns[c] : owns[c].map((n, i) => class_at(view.tree, i) === selected ? n : 0);
      view.graph.inverted = true;
      view.graph.show_tree(from_the_top(view.tree, own));
      view.title.textContent = `${view.clock.title}${selected === null ? '' : ' · ' + class_text(selected)}: ${view.clock.text(view.graph.tree.total[0])}, by class, and who called`;
    });
    holders?.(selected);
    more();
  };
  place.redraw = () => views.forEach(view => view.graph.fit());
  return show;
}

// --- Late safepoints, with why ---

function stall_line(stall) {
  const summary = element('summary', {}, element('b', { textContent: span_text(stall.ms * 1e6) }), moment_text(stall.at), element('span', { textContent: [stall.operation || stall.kind, stall.cause].filter(text => text).join(', ') }),
                          element('span', { className: 'dim', textContent: stall.threads.map(thread => thread.name).join(', ') }));
  const details = element('details', { className: 'stall' }, summary);
  for (const thread of stall.threads)
    details.append(element('p', {}, element('b', { textContent: thread.name }), ` ${span_text(thread.ms * 1e6)} late${thread.reason ? ': ' + thread.reason : ''}`), element('pre', { textContent: thread.frames.join('\n') }));
  return details;
}
function make_safepoints(place) {
  const title = heading(''), list = element('div');
  if (data.stalls.length) place.append(title, list);
  const more = make_tables(place, 'safepoints');
  return () => {
    const there = data.stalls.filter(stall => in_chosen_time(stall.at));
    title.textContent = `Late safepoints, the worst first: ${there.length}`;
    list.replaceChildren(...there.slice(0, 50).map(stall_line));
    more();
  };
}

// --- All of them ---

const add_panel = (id, title, there, make) => { if (there) panel_list.push({ id, title, make, show: null }); };
const has_tables = panel => tables_of(panel).length > 0;
add_panel('stacks', 'Stacks', clocks.length, () => show_stacks);
add_panel('threads', 'Threads', clocks.length, make_threads);
add_panel('locks', 'Locks', clock_of('lock') || has_tables('locks'), place => make_classes(place, ['lock', 'owners'], 'locks'));
add_panel('allocation', 'Allocation', clock_of('alloc') || has_tables('allocation'), place => make_classes(place, ['alloc'], 'allocation'));
add_panel('exceptions', 'Exceptions', clock_of('exceptions') || has_tables('exceptions'), place => make_classes(place, ['exceptions'], 'exceptions'));
add_panel('io', 'I/O', has_tables('io'), place => make_tables(place, 'io'));
add_panel('collections', 'Collections', has_tables('collections'), place => make_tables(place, 'collections'));
add_panel('safepoints', 'Safepoints', data.stalls.length || has_tables('safepoints'), make_safepoints);
add_panel('run', 'Run', has_tables('run'), place => make_tables(place, 'run'));

for (const panel of panel_list) {
  panel.tab = element('button', { id: `tab-${panel.id}`, textContent: panel.title, title: `${panel.title} ( ${panel_list.indexOf(panel) + 1} )` });
  panel.tab.setAttribute('role', 'tab');
  panel.tab.addEventListener('click', () => choose({ panel: panel.id }));
  byId('tabs').append(panel.tab);
  panel.place = byId(`panel-${panel.id}`) || element('section', { id: `panel-${panel.id}`, className: 'panel scrolls' });
  panel.place.setAttribute('role', 'tabpanel'); panel.place.setAttribute('aria-labelledby', panel.tab.id);
  byId('panels').append(panel.place);
}

if (!panel_list.length && !data.unfinished) {
  const why = data.empty ? 'No event passes the filter that this page was made with.' : 'This recording has no events that a panel shows: no samples, waits, collections or facts of the run.';
  byId('panels').append(element('p', { className: 'nothing dim', textContent: why }));
}

function show_panel() {
  for (const panel of panel_list) {
    const on = panel.id === choice.panel;
    panel.place.hidden = !on;
    panel.tab.setAttribute('aria-selected', on); panel.tab.tabIndex = on ? 0 : -1;
    if (!on) continue;
    panel.show ||= panel.make(panel.place);
    panel.show();
  }
  document.documentElement.dataset.panel = choice.panel;
}
