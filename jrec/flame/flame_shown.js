// SPDX-License-Identifier: Apache-2.0
// What a page of one flame graph shows, and says of it; of two recordings, which of them.
const tree = new FlameTree(data.nodes, data.names);
const before = data.before ? Float64Array.from([0, ...data.before]) : null;
const graph = new FlameGraph(byId('graph'), { color: before && change_color, details: details_of });
const search = byId('search');

// Two recordings: shares of each, and the largest change, which gets the full colour.
const after_totals = tree.totals(tree.whole), before_totals = before ? tree.totals(before) : null;
const share_of = (sums, i) => sums[0] ? sums[i] / sums[0] : 0;
const change = i => share_of(after_totals, i) - share_of(before_totals, i);
let largest_change = 0;
if (before) for (let i = 1; i < tree.count; i++) largest_change = Math.max(largest_change, Math.abs(change(i)));

// More than before is red, less is blue, the same is grey.
function change_color(i) {
  const part = largest_change ? change(i) / largest_change : 0, strength = Math.sqrt(Math.abs(part));
  const light = is_dark() ? 30 + 14 * strength : 88 - 24 * strength;
  return `hsl(${part > 0 ? 4 : 214} ${Math.round(78 * strength)}% ${light}%)`;
}

function details_of(i) {
  if (before) {
    const points = 100 * change(i);
    return `${percent(share_of(before_totals, i))} before, ${percent(share_of(after_totals, i))} after: ${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)} points`;
  }
  const what = i === 0 ? '' : ` · ${kinds[tree.kind[i]]}`;
  return `${amount(tree.total[i], data.unit)}, ${tree.share(tree.total[i])} · self ${amount(tree.self[i], data.unit)}, ${tree.share(tree.self[i])}${what}`;
}

function show(own) {
  graph.show(own);
  document.documentElement.dataset.total = tree.total[0];
  about();
  match();
}

function match() {
  const matched = graph.search(pattern_of(search));
  byId('matched').textContent = graph.matched_text(matched, data.folded);
  graph.draw();
}

function legend() {
  if (!before) {
    graph.legend(byId('legend'));
    return graph.tell_folded(byId('legend'), data, data.total);
  }
  byId('legend').replaceChildren(...[['grew', 'hsl(4 78% 60%)'], ['shrank', 'hsl(214 78% 60%)']].map(([text, fill]) => {
    const swatch = element('i');
    swatch.style.background = fill;
    return element('span', {}, swatch, text);
  }));
}

function about() {
  byId('about').title = byId('about').textContent = `${data.event} · ${amount(before ? after_totals[0] : tree.total[0], data.unit)}` +
      (data.seconds > 0 ? ` in ${time_text(data.seconds * 1e9)} from ${data.start.slice(0, 19).replace('T', ' ')} UTC` : '') +
      (before ? ` · against ${amount(before_totals[0], data.unit)} of ${data.before_name}` : '') +
      (data.truncated ? ` · ${grouped(data.truncated)} of ${grouped(data.samples)} stacks truncated` : '');
  byId('nothing').textContent = data.note || '';
  byId('nothing').hidden = !data.note;
}
