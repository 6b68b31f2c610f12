// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, and what is chosen: a range of time, threads, states, a clock. Who shows something of it listens.
//
//   choice.on(show)          show() is called after every change, and once at the start
//   choose({ clock: 'wall' })
const { bucket_ms } = data;
const titles = { cpu: 'CPU', wall: 'Wall', alloc: 'Allocation', live: 'Live', nativemem: 'Native', lock: 'Locks', owners: 'Lock owners',
                 exceptions: 'Exceptions', io: 'I/O' };
const groups = ['Java', 'GC', 'Compilers', 'Other', 'Virtual'];
const state_text = state => state.replace(/^STATE_/, '').toLowerCase().replaceAll('_', ' ') || 'not told';
const unescaped = text => text.replaceAll('\\x0a', '\n').replaceAll('\\x09', '\t');   // of page_json.h
const thread_text = ([name, id]) => id && !name.endsWith(`${id}]`) ? `${name} (${id})` : name;

class Clock {
  constructor(source) {
    Object.assign(this, { id: source.id, title: titles[source.id], event: source.event, source, bucket_ms: source.bucket_ms,
                          factor: source.unit === 'samples' && source.period_ns ? source.period_ns : 1,   // samples at a known distance are time
                          bucket: sums_of(source.time), thread: Uint32Array.from(source.thread), node: sums_of(source.node),
                          state: source.state ? Uint8Array.from(source.state) : null, weight: Float64Array.from(source.weight) });
    this.unit = this.factor === 1 ? source.unit : 'ns';
    if (this.unit === this.id) this.unit = '';   // of exceptions
  }

  get tree() { return this.made_tree ||= new FlameTree(this.source.nodes, data.names); }
  text(weight) { return amount(weight * this.factor, this.unit); }

  // visit(i, part) for the entries of the chosen time, threads and states: of a step that lies in it in part, that part.
  each_chosen(visit) {
    const from_ms = choice.from * bucket_ms, end_ms = choice.end * bucket_ms, all = !time_is_chosen();
    for (let i = 0; i < this.bucket.length; i++) {
      const at = this.bucket[i] * this.bucket_ms;
      if (!all && (at + this.bucket_ms <= from_ms || at >= end_ms)) continue;
      const part = all ? 1 : (Math.min(at + this.bucket_ms, end_ms) - Math.max(at, from_ms)) / this.bucket_ms;
      if (threads.has(this.thread[i]) && (!this.state || states.has(this.state[i]))) visit(i, part);
    }
  }

  is_whole() { return !time_is_chosen() && threads.chosen === null && states.chosen === null; }

  // The own weights of all nodes.
  own() {
    if (this.is_whole()) return this.tree.whole;
    const own = new Float64Array(this.tree.count);
    this.each_chosen((i, part) => { own[this.node[i]] += this.weight[i] * part; });
    return own;
  }
  total() {
    let sum = 0;
    this.each_chosen((i, part) => { sum += this.weight[i] * part; });
    return sum;
  }
  by_thread() {
    const sums = new Float64Array(data.threads.length);
    this.each_chosen((i, part) => { sums[this.thread[i]] += this.weight[i] * part; });
    return sums;
  }

  // Of all the time, for each bucket of the axis: the weight of entries by line_of(i), of so many lines.
  over_time(lines, line_of) {
    const made = Array.from({ length: lines }, () => new Float64Array(data.buckets)), factor = Math.round(this.bucket_ms / bucket_ms);
    for (let i = 0; i < this.bucket.length; i++) {
      const line = made[line_of(i)], from = this.bucket[i] * factor, end = Math.min(from + factor, data.buckets);
      for (let b = from; b < end; b++) line[b] += this.weight[i] / (end - from);
    }
    return made;
  }
}

const clocks = data.clocks.map(source => new Clock(source));
const clock_of = id => clocks.find(clock => clock.id === id);
const choice = {
  from: 0, end: 0,                                    // buckets [from, end), all of the time when empty
  levels: [],                                         // of zoom (report_view.js)
  clock: clocks.length ? clocks[0].id : null, panel: null, method: null, inverted: false,
  listeners: [], waits: false,
  on(show) { this.listeners.push(show); },
};
const time_is_chosen = () => choice.end > choice.from;
const chosen_seconds = () => time_is_chosen() ? (choice.end - choice.from) * bucket_ms / 1000 : Math.max(data.seconds, bucket_ms / 1000);
const in_chosen_time = ms => !time_is_chosen() || ms >= choice.from * bucket_ms && ms < choice.end * bucket_ms;

// All that changed in one frame is shown once.
function choose(changes = {}) {
  Object.assign(choice, changes);
  if (choice.waits) return;
  choice.waits = true;
  queueMicrotask(() => { choice.waits = false; for (const show of choice.listeners) show(); });
}
function choose_time(from, end) {
  const held = bucket => Math.max(0, Math.min(bucket, data.buckets));
  choose({ from: held(from), end: Math.max(held(from), held(end)) });
}
function choose_around(from_ms, to_ms) {
  const more = Math.max(0.1 * (to_ms - from_ms), bucket_ms), held = ms => Math.max(0, Math.min(ms / bucket_ms, data.buckets));
  const from = Math.floor(held(from_ms - more)), end = Math.ceil(held(to_ms + more));
  if (from === 0 && end === data.buckets) return choose_all_time();
  show_range(from, end);
  choose_time(from, end);
}

const threads = new Chooser(byId('threads'), 'Threads', data.threads.map(thread_text), choose);
const states = new Chooser(byId('states'), 'States', data.states.map(state_text), choose);
const clock_text = seconds => clock(start_of_time + seconds, bucket_ms / 1000);
const day = 86400000, iso_date = ms => new Date(whole_ms(ms)).toISOString().slice(0, 10);
const dated_text = seconds => iso_date(1000 * (start_of_time + seconds)) + (bucket_ms < day ? ' ' + clock_text(seconds) : '');
const range_text = (from, end) => `${dated_text(from)} to ${dated_text(end).slice(dated_text(from).startsWith(dated_text(end).slice(0, 11)) ? 11 : 0)}`;
const known_date = [11, 5, 0].find(n => dated_text(0).slice(0, n) === dated_text(data.seconds).slice(0, n));
const moment_text = ms => dated_text(ms / 1000).slice(known_date);
