// SPDX-License-Identifier: Apache-2.0
// Who held the locks that others waited for: of each thread and place, how long the others waited meanwhile.
const java_kinds = 4;   // the first of `kinds` are Java's
const is_platform = /^(java|javax|jdk|sun)\./;

// Java's frames of a stack whose innermost frame is that node, innermost first.
function java_frames(tree, node) {
  const names = [];
  for (let i = node; i > 0; i = tree.parent[i]) if (tree.kind[i] < java_kinds) names.push(tree.label(i));
  return names;
}

// Into a place of its own; show(class) fills it: null for all classes.
function make_holders(place) {
  const clock = clock_of('owners'), tree = new FlameTree(clock.source.nodes, data.names), frames = new Map();
  const stack_of = node => frames.get(node) || frames.set(node, java_frames(tree, node)).get(node);
  let most = 0;
  const table = new DataTable(place, [
    number_column('Others waited', row => row.sum, row => clock.text(row.sum), row => most ? row.sum / most : 0),
    { title: 'Held by', kind: 'text', value: row => row.thread, text: row => row.thread },
    { title: 'Where', kind: 'name', value: row => row.where, text: row => row.where, tip: row => row.tip },
  ], { label: 'Who held the locks', chosen: row => { threads.set(new Set([row.at])); choose({ panel: 'stacks', clock: 'owners' }); } });
  return name => {
    const rows = new Map();
    clock.each_chosen((i, part) => {
      const node = clock.node[i], at = clock.thread[i];
      if (name !== null && tree.name[node] !== name) return;
      const stack = stack_of(node), where = stack.find(frame => !is_platform.test(frame)) || stack[0] || '', key = `${at} ${where}`;
      const row = rows.get(key) || { at, thread: thread_text(data.threads[at]), where, tip: stack.join('\n'), sum: 0 };
      row.sum += clock.weight[i] * part;
      rows.set(key, row);
    });
    most = Math.max(0, ...[...rows.values()].map(row => row.sum));
    table.show([...rows.values()]);
  };
}
