// SPDX-License-Identifier: Apache-2.0
// The sandwich: who calls a method, and what it calls, from wherever it is called. Of a stack in which it is several times, the outermost counts.
//
//   stacks   main;run;parse;read 5   main;parse 2        of parse:   callers   parse - run - main 5,  parse - main 2
//                                                                    callees   parse 2 - read 5
class MergedStacks {
  constructor() { this.root = { weight: 0, below: new Map() }; }

  // One frame further down than `at`; frames of one name are one.
  under(at, name, kind) {
    let next = at.below.get(name);
    if (!next) at.below.set(name, next = { name, kind, weight: 0, all: 0, below: new Map() });
    return next;
  }

  // The stack from a node of a tree downwards to its root.
  down_from(tree, node) {
    let at = this.root;
    for (let up = node; up > 0; up = tree.parent[up]) at = this.under(at, tree.name[up], tree.kind[up]);
    return at;
  }

  tree() {
    const weigh = at => at.all = at.weight + [...at.below.values()].reduce((sum, next) => sum + weigh(next), 0);
    const nodes = [], list = (at, depth) => {
      for (const next of [...at.below.values()].sort((a, b) => b.all - a.all)) { nodes.push(next.name, depth, next.kind, next.weight); list(next, depth + 1); }
    };
    weigh(this.root);
    list(this.root, 1);
    return new FlameTree(nodes, data.names);
  }
}

// visit(i) for each node of that name that has none above it.
function each_outermost(tree, name, visit) {
  for (let i = 1; i < tree.count;) {
    if (!tree.total[i]) i = tree.after[i];
    else if (tree.name[i] === name) { visit(i); i = tree.after[i]; } else i++;
  }
}

function callers_of(tree, name) {
  const merged = new MergedStacks();
  each_outermost(tree, name, i => { merged.down_from(tree, i).weight += tree.total[i]; });
  return merged.tree();
}

function callees_of(tree, name) {
  const merged = new MergedStacks();
  each_outermost(tree, name, i => {
    const path = [merged.root];
    for (let down = i; down < tree.after[i]; down++) {
      const depth = tree.depth[down] - tree.depth[i];
      if (!tree.total[down]) continue;
      path[depth + 1] = merged.under(path[depth], tree.name[down], tree.kind[down]);
      path[depth + 1].weight += tree.self[down];
    }
  });
  return merged.tree();
}

// All stacks of such own weights, from their top on: what is on top, who called it, and so on.
function from_the_top(tree, own) {
  const merged = new MergedStacks();
  own.forEach((weight, i) => { if (weight) merged.down_from(tree, i).weight += weight; });
  return merged.tree();
}

// Its graphs lack what is folded; its total need not.
function about_method(clock, tree, name, shown) {
  const row = clock.source.methods && clock.is_whole() ? method_rows(clock).find(row => row.name === name) : null, total = row ? row.total : shown;
  return `${clock.source.folded && !row ? 'at least ' : ''}${clock.text(total)}, ${tree.share(total)}${total > shown ? `, of which ${clock.text(shown)} are not folded` : ''}`;
}

const callers_graph = flame_graph(byId('callers')), callees_graph = flame_graph(byId('callees'));
function show_sandwich(tree, name) {
  const callees = callees_of(tree, name);
  byId('cut-name').textContent = data.names[name];
  byId('cut-about').textContent = about_method(shown_clock(), tree, name, callees.total[0]);
  callees_graph.inverted = true;
  callers_graph.show_tree(callers_of(tree, name));
  callees_graph.show_tree(callees);
}
byId('cut-close').addEventListener('click', () => choose({ method: null }));
