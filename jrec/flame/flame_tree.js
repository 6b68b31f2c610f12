// SPDX-License-Identifier: Apache-2.0
// The tree of stacks, and what of it is shown: all, some threads, a range of time; of two recordings the one or the other.
const byId = id => document.getElementById(id);
const data = JSON.parse(await unpacked(byId('data')));

// As it is, or compressed (page_data.h).
async function unpacked(element) {
  if (element.type === 'application/json') return element.textContent;
  const bytes = Uint8Array.from(atob(element.textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
}

// The data holds the nodes depth first with their own weight only, so a parent precedes its children: totals add up backwards.
const count = data.nodes.length / 4 + 1;
const name = new Int32Array(count), depth = new Int32Array(count), kind = new Uint8Array(count), parent = new Int32Array(count);
const after = new Int32Array(count);        // the first node that is not below i
const whole = new Float64Array(count);      // own weight, of everything
const before = data.before ? Float64Array.from([0, ...data.before]) : null;
let self = whole, total = new Float64Array(count), start = new Float64Array(count), deepest = 0;
name[0] = -1; parent[0] = -1;
for (let i = 1, path = [0]; i < count; i++) {
  const at = (i - 1) * 4;
  name[i] = data.nodes[at]; depth[i] = data.nodes[at + 1]; kind[i] = data.nodes[at + 2]; whole[i] = data.nodes[at + 3];
  parent[i] = path[depth[i] - 1]; path[depth[i]] = i;
  deepest = Math.max(deepest, depth[i]);
}
for (let i = 1, open = [0]; i <= count; i++) {
  const d = i < count ? depth[i] : 0;
  while (open.length > d) after[open.pop()] = i;
  open.push(i);
}
const names = data.names, label = i => i === 0 ? 'all' : names[name[i]];

function totals(own) {
  const sums = Float64Array.from(own);
  for (let i = count - 1; i > 0; i--) sums[parent[i]] += sums[i];
  return sums;
}

// Each child starts where its elder sibling ends.
function lay_out(own) {
  self = own;
  total = totals(own);
  const used = new Float64Array(count);     // of each node's width, by children placed so far
  for (let i = 1; i < count; i++) { const p = parent[i]; start[i] = start[p] + used[p]; used[p] += total[i]; }
}

// Two recordings: shares of each, and the largest change, which gets the full colour.
const after_totals = totals(whole), before_totals = before ? totals(before) : null;
const share_of = (sums, i) => sums[0] ? sums[i] / sums[0] : 0;
const change = i => share_of(after_totals, i) - share_of(before_totals, i);
let largest_change = 0;
if (before) for (let i = 1; i < count; i++) largest_change = Math.max(largest_change, Math.abs(change(i)));

const grouped = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
const percent = part => (100 * part).toFixed(2) + '%';
const share = n => percent(total[0] ? n / total[0] : 0);
