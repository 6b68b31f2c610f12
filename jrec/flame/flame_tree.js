// SPDX-License-Identifier: Apache-2.0
// FlameTree is a tree of stacks, and what of it is shown: all, some threads, a range of time; of two recordings the one or the other.
//
// It is made of nodes [name, depth, kind, self, ...], depth first, so a parent precedes its children: totals add up backwards. Node 0 is the root.
class FlameTree {
  constructor(nodes, names) {
    const count = nodes.length / 4 + 1;
    Object.assign(this, { count, names, name: new Int32Array(count), depth: new Int32Array(count), kind: new Uint8Array(count), parent: new Int32Array(count),
                          after: new Int32Array(count),        // the first node that is not below i
                          whole: new Float64Array(count),      // own weight, of everything
                          deepest: 0 });
    this.name[0] = -1; this.parent[0] = -1;
    for (let i = 1, path = [0]; i < count; i++) {
      const at = (i - 1) * 4, depth = nodes[at + 1];
      this.name[i] = nodes[at]; this.depth[i] = depth; this.kind[i] = nodes[at + 2]; this.whole[i] = nodes[at + 3];
      this.parent[i] = path[depth - 1]; path[depth] = i;
      this.deepest = Math.max(this.deepest, depth);
    }
    for (let i = 1, open = [0]; i <= count; i++) {
      const depth = i < count ? this.depth[i] : 0;
      while (open.length > depth) this.after[open.pop()] = i;
      open.push(i);
    }
    this.lay_out(this.whole);
  }

  label(i) { return i === 0 ? 'all' : this.names[this.name[i]]; }
  share(n) { return percent(this.total[0] ? n / this.total[0] : 0); }

  totals(own) {
    const sums = Float64Array.from(own);
    for (let i = this.count - 1; i > 0; i--) sums[this.parent[i]] += sums[i];
    return sums;
  }

  // Each child starts where its elder sibling ends.
  lay_out(own) {
    this.self = own;
    this.total = this.totals(own);
    this.start = new Float64Array(this.count);
    const used = new Float64Array(this.count);     // of each node's width, by children placed so far
    for (let i = 1; i < this.count; i++) {
      const p = this.parent[i];
      this.start[i] = this.start[p] + used[p];
      used[p] += this.total[i];
    }
  }
}
