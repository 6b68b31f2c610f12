// SPDX-License-Identifier: Apache-2.0
// The panel of stacks: a flame graph of what is chosen of one clock, and a table of its methods.
const search = byId('search');
const shown_clock = () => clock_of(choice.clock);
function flame_graph(canvas, clock_shown = shown_clock) {
  const hooks = {}, graph = new FlameGraph(canvas, hooks);
  hooks.details = i => {
    const clock = clock_shown(), tree = graph.tree;
    return `${clock.text(tree.total[i])}, ${tree.share(tree.total[i])} · self ${clock.text(tree.self[i])}, ${tree.share(tree.self[i])}${i ? ' · ' + kinds[tree.kind[i]] : ''}`;
  };
  canvas.addEventListener('contextmenu', event => {
    const i = graph.find(event);
    if (i <= 0) return;
    event.preventDefault();
    choose({ panel: 'stacks', clock: clock_shown().id, method: graph.tree.name[i] });
  });
  return graph;
}
const graph = flame_graph(byId('graph'));

// By method, its own weight and that of all stacks that it is in, counted once each, recursion or not.
function methods_of(tree) {
  const self = new Map(), total = new Map(), open = new Map(), path = [];
  for (let i = 1; i < tree.count;) {
    if (!tree.total[i]) { i = tree.after[i]; continue; }
    while (path.length >= tree.depth[i]) { const name = path.pop(); open.set(name, open.get(name) - 1); }
    const name = tree.name[i], already = open.get(name) || 0;
    if (tree.self[i]) self.set(name, (self.get(name) || 0) + tree.self[i]);
    if (!already) total.set(name, (total.get(name) || 0) + tree.total[i]);
    open.set(name, already + 1);
    path.push(name);
    i++;
  }
  return [...total].map(([name, sum]) => ({ name, self: self.get(name) || 0, total: sum }));
}

// Of what is chosen. Of everything, those of frames that are folded, too.
function method_rows(clock) {
  const all = clock.source.methods;
  if (!all || !clock.is_whole()) return methods_of(graph.tree);
  return Array.from({ length: all.length / 3 }, (_, i) => ({ name: all[3 * i], self: all[3 * i + 1], total: all[3 * i + 2] }));
}

const of_whole = n => graph.tree.total[0] ? n / graph.tree.total[0] : 0;
const number_column = (title, value, text, part, tip) => ({ title, kind: 'number', value, text, part, tip });
const method_table = new DataTable(byId('top'), [
  number_column('Self', row => row.self, row => short_percent(of_whole(row.self)), row => of_whole(row.self), row => shown_clock().text(row.self)),
  number_column('Total', row => row.total, row => short_percent(of_whole(row.total)), row => of_whole(row.total), row => shown_clock().text(row.total)),
  { title: 'Method', kind: 'name', value: row => data.names[row.name], text: row => data.names[row.name] },
], { label: 'Methods, by self and total', chosen: row => choose({ method: choice.method === row.name ? null : row.name }), is_selected: row => row.name === choice.method });

function show_clocks() {
  byId('clocks').replaceChildren(...clocks.map(clock => {
    const on = clock.id === choice.clock;
    const button = element('button', { title: `${clock.event}${clock.factor !== 1 ? ', a sample each ' + span_text(clock.factor) : ''}` }, clock.title, element('span', { textContent: clock.text(clock.total()) }));
    button.setAttribute('role', 'radio'); button.setAttribute('aria-checked', on); button.setAttribute('aria-pressed', on);
    button.addEventListener('click', () => choose({ clock: clock.id }));
    return button;
  }));
}

function tell_shares() {
  const sums = shown_clock().by_thread(), whole = sums.reduce((a, b) => a + b, 0);
  threads.tell(sums.map(n => whole ? n / whole : 0));
}

function match() {
  if (!graph.tree) return;
  const matched = graph.search(pattern_of(search));
  byId('matched').textContent = graph.matched_text(matched, shown_clock().source.folded);
  graph.draw();
  const rows = method_rows(shown_clock());
  method_table.show(graph.pattern ? rows.filter(row => graph.pattern.test(data.names[row.name])) : rows);
}

function tell_total() {
  document.documentElement.dataset.total = shown_clock() ? shown_clock().total() : 0;
  document.documentElement.dataset.clock = choice.clock;
}

function show_stacks() {
  const clock = shown_clock();
  if (!clock) return;
  const own = clock.own();
  show_clocks();
  states.around.hidden = data.states.length < 2 || !clock.state;
  graph.inverted = choice.inverted;
  byId('invert').setAttribute('aria-pressed', choice.inverted);
  byId('whole').hidden = choice.method !== null;
  byId('sandwich').hidden = choice.method === null;
  const is_new = graph.tree !== clock.tree;
  if (!is_new) graph.show(own);
  else { clock.tree.lay_out(own); graph.show_tree(clock.tree); }
  graph.legend(byId('legend'));
  graph.tell_folded(byId('legend'), clock.source, clock.tree.whole.reduce((a, b) => a + b, 0));
  match();
  if (is_new) graph.scroll_to_focus();   // the legend may have taken a line more
  if (choice.method !== null) show_sandwich(clock.tree, choice.method);
}

search.addEventListener('input', () => { match(); save_state(); });
search.addEventListener('keydown', event => { if (event.key === 'Enter') graph.go_to_match(event.shiftKey ? -1 : 1); });
byId('invert').addEventListener('click', () => choose({ inverted: !choice.inverted }));
