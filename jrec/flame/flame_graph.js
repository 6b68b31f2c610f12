// SPDX-License-Identifier: Apache-2.0
// FlameGraph draws a FlameTree on a canvas: pointing, zooming, walking by keys, searching. A page may have several.
//
//   new FlameGraph(canvas, { color, details, drawn })    each of these may be missing
//     color(i)      a node's colour, instead of that of its kind
//     details(i)    the second line of its tip
//     drawn()       something else is shown than before
const kinds = ['Interpreted', 'JIT compiled', 'Inlined', 'Native method', 'Native code', 'Kernel', 'Other'];
const hues = [[205, 45], [125, 42], [172, 40], [8, 62], [45, 65], [28, 68], [250, 8]];
const row_height = 18, min_width = 0.4;
const kind_color = k => `hsl(${hues[k][0]} ${hues[k][1]}% ${is_dark() ? 34 : 74}%)`;

// A name that does not fit loses its package or library first, then its end.
function short(s, room, kind) {
  const bare = kind < 3 ? s.replace(/^(?:[a-z_]\w*\.)+(?=[^.]+\.)/, '') : s.replace(/^[^:]*?\.so(?:\.\d+)*\./, '');
  return bare.length <= room ? bare : bare.slice(0, Math.max(room - 1, 1)) + '…';
}

const tip = byId('tip');
function show_tip(lines, x, y) {
  tip.style.display = lines ? 'block' : 'none';
  if (!lines) return;
  tip.replaceChildren(lines[0], ...lines.slice(1).map(line => element('span', { textContent: line })));
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 8)) + 'px';
  tip.style.top = Math.max(4, y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + 'px';
}

class FlameGraph {
  constructor(canvas, hooks = {}) {
    Object.assign(this, { canvas, hooks, context: canvas.getContext('2d'), tree: null, focus: 0, cursor: -1, hover: -1, inverted: false,
                          pattern: null, hits: null, boxes: [], width: 0, dpr: 1 });
    canvas.addEventListener('keydown', event => this.walk(event));
    canvas.addEventListener('mousemove', event => this.describe(this.find(event), event.clientX, event.clientY));
    canvas.addEventListener('mouseleave', () => this.describe(-1));
    canvas.addEventListener('click', event => { const i = this.find(event); if (i >= 0) this.zoom(i); });
  }

  show_tree(tree) {
    Object.assign(this, { tree, focus: 0, cursor: -1, hover: -1 });
    if (this.pattern) this.search(this.pattern);
    this.fit();
    this.scroll_to_focus();
  }

  // Other weights of the same tree. What was zoomed into stays, unless nothing of it is left.
  show(own) {
    this.tree.lay_out(own);
    if (!this.tree.total[this.focus]) this.focus = 0;
    if (this.canvas.clientWidth === this.width) return this.draw();
    const was_hidden = !this.width;
    this.fit();
    if (was_hidden) this.scroll_to_focus();
  }

  fit() {
    if (!this.tree) return;
    this.dpr = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    const height = Math.min((this.tree.deepest + 1) * row_height, Math.floor(16000 / this.dpr));
    this.canvas.style.height = height + 'px';
    this.canvas.width = Math.round(this.width * this.dpr); this.canvas.height = Math.round(height * this.dpr);
    this.draw();
  }

  // --- Drawing ---

  is_above(i) { return i < this.focus && this.focus < this.tree.after[i]; }

  color(i, matched) {
    if (matched) return is_dark() ? 'hsl(300 60% 48%)' : 'hsl(300 75% 72%)';
    const own = i > 0 && this.hooks.color && this.hooks.color(i);
    if (own) return own;
    const [hue, saturation] = i === 0 ? [220, 6] : hues[this.tree.kind[i]];
    const shade = i === 0 ? 0 : (this.tree.name[i] * 37 % 11) - 5;
    const light = (is_dark() ? 34 : 74) + shade * (is_dark() ? 0.8 : 1);
    return `hsl(${hue} ${this.pattern ? saturation * 0.4 : saturation}% ${this.is_above(i) ? light * (is_dark() ? 0.8 : 1.12) : light}%)`;
  }

  // A canvas has room for some 900 rows. Of deeper stacks the lowest are shown, or those from where one has zoomed in.
  lowest_row(rows) { return this.tree.deepest < rows ? 0 : Math.max(0, this.tree.depth[this.focus] - 2); }

  draw() {
    const { tree, context, focus, width } = this, height = this.canvas.height / this.dpr;
    const rows = Math.max(1, Math.floor(height / row_height)), lowest = this.lowest_row(rows), highest = tree.deepest - lowest < rows ? rows : rows - 1;
    let is_cut = false;
    context.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, sans-serif'; context.textBaseline = 'middle';
    const scale = tree.total[focus] ? width / tree.total[focus] : 0, left = tree.start[focus];
    const letter = context.measureText('m').width * 0.6, text = color_of('--text');
    this.boxes = [];
    this.canvas.classList.toggle('down', this.inverted);
    if (!tree.total[0]) {
      context.fillStyle = color_of('--dim');
      context.fillText('nothing here of what is chosen', 4, this.inverted ? row_height / 2 : height - row_height / 2);
    }
    for (let i = 0; i < tree.count;) {
      const above = this.is_above(i);
      const x = above ? 0 : (tree.start[i] - left) * scale, w = above ? width : tree.total[i] * scale;
      if (!above && (i < focus || i >= tree.after[focus] || w < min_width)) { i = tree.after[i]; continue; }
      const row = tree.depth[i] - lowest;
      if (row < 0) { i++; continue; }
      if (row >= highest) { is_cut = true; i = tree.after[i]; continue; }
      const y = this.row_y(row, height);
      context.fillStyle = this.color(i, this.hits && i > 0 && this.hits[tree.name[i]]);
      context.fillRect(x, y, Math.max(w - (w > 3 ? 0.6 : 0), min_width), row_height - 1);
      this.draw_label(i, x, y, w, letter, text);
      this.boxes.push(i, x, y, w);
      if (i === this.cursor) this.outline(x, y, w, text);
      i++;
    }
    if (is_cut) {
      context.fillStyle = color_of('--dim');
      context.fillText('there are more frames: click one of the last to see them', 4, this.row_y(highest, height) + row_height / 2);
    }
    if (this.hooks.drawn) this.hooks.drawn();
  }

  row_y(row, height) { return this.inverted ? row * row_height : height - (row + 1) * row_height; }

  outline(x, y, w, text) {
    this.context.strokeStyle = text; this.context.lineWidth = 2;
    this.context.strokeRect(x + 1, y + 1, Math.max(w - 2, 1), row_height - 3);
  }

  draw_label(i, x, y, w, letter, text) {
    const room = Math.floor((w - 6) / letter), limit = w - 6, kind = this.tree.kind[i];
    if (room < 3) return;
    let s = this.tree.label(i);
    if (s.length > room) s = short(s, room, kind);
    while (s.length > 3 && this.context.measureText(s).width > limit) s = short(s, s.length - 1, kind);
    if (this.context.measureText(s).width > limit) return;
    this.context.fillStyle = text;
    this.context.fillText(s, x + 3, y + row_height / 2);
  }

  legend(into) {
    const present = new Set(this.tree.kind.subarray(1));
    into.replaceChildren(...kinds.map((text, k) => {
      const swatch = element('i');
      swatch.style.background = kind_color(k);
      return element('span', {}, swatch, text);
    }).filter((_, k) => present.has(k)));
  }

  // What a search found; where frames are folded, it cannot see into these.
  matched_text(matched, folded) {
    return this.pattern ? `matched ${folded ? 'at least ' : ''}${this.tree.share(matched)}` : '';
  }

  // What is not drawn: `told` has folded and folded_weight, of `whole`.
  tell_folded(into, told, whole) {
    if (!told.folded) return;
    into.append(element('span', { textContent: `[folded]: ${grouped(told.folded)} frames too thin for the page, ${short_percent(whole ? told.folded_weight / whole : 0)} of all`, title: 'What a search finds lacks them: jrec hot tells all' }));
  }

  // --- Pointing, zooming, searching ---

  find(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top, boxes = this.boxes;
    for (let b = 0; b < boxes.length; b += 4)
      if (y >= boxes[b + 2] && y < boxes[b + 2] + row_height && x >= boxes[b + 1] && x < boxes[b + 1] + Math.max(boxes[b + 3], 1)) return boxes[b];
    return -1;
  }

  describe(i, x, y) {
    this.hover = i;
    show_tip(i < 0 ? null : [this.tree.label(i), this.hooks.details ? this.hooks.details(i) : ''], x, y);
  }

  zoom(i) { this.focus = i; this.cursor = -1; this.draw(); this.scroll_to_focus(); }
  zoom_out() { if (this.focus > 0) this.zoom(this.tree.parent[this.focus]); }
  invert() { this.inverted = !this.inverted; this.draw(); this.scroll_to_focus(); }
  scroll_to_focus() { const around = this.canvas.parentElement; around.scrollTop = this.inverted ? 0 : around.scrollHeight; }

  // The weight under any matching frame. A frame below another match is not counted again.
  search(pattern) {
    const { tree } = this;
    this.pattern = pattern;
    this.hits = pattern && tree.names.map(name => pattern.test(name));
    if (!pattern) return 0;
    let sum = 0;
    for (let i = 1; i < tree.count;) {
      if (this.hits[tree.name[i]]) { sum += tree.total[i]; i = tree.after[i]; } else i++;
    }
    return sum;
  }

  // The cursor goes to the next match that one can see, from the left; step -1: to the one before.
  go_to_match(step) {
    const there = [];
    for (let b = 0; this.hits && b < this.boxes.length; b += 4)
      if (this.boxes[b] > 0 && this.hits[this.tree.name[this.boxes[b]]]) there.push(this.boxes[b]);
    if (there.length === 0) return;
    const at = there.indexOf(this.cursor);
    this.cursor = there[at < 0 ? (step > 0 ? 0 : there.length - 1) : (at + step + there.length) % there.length];
    this.draw();
    this.show_cursor();
  }

  // --- Keys: arrows go from frame to frame, along the edges that one sees; Enter zooms in ---

  walk(event) {
    if (event.key === 'Enter' && this.cursor >= 0) { event.stopPropagation(); this.zoom(this.cursor); return; }
    const up = i => this.parent_of(i), down = i => this.widest_child(i);
    const along = { ArrowUp: this.inverted ? up : down, ArrowDown: this.inverted ? down : up, ArrowLeft: i => this.elder(i), ArrowRight: i => this.younger(i) }[event.key];
    if (!along || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = this.cursor < 0 ? this.focus : along(this.cursor);
    if (to >= 0) this.cursor = to;
    this.draw();
    this.show_cursor();
  }

  is_shown(i) { return this.tree.total[i] > 0 && (this.is_above(i) || i >= this.focus && i < this.tree.after[this.focus]); }
  parent_of(i) { return i > 0 ? this.tree.parent[i] : -1; }
  widest_child(i) {
    const { after, total } = this.tree;
    let widest = -1;
    for (let child = i + 1; child < after[i]; child = after[child]) if (this.is_shown(child) && (widest < 0 || total[child] > total[widest])) widest = child;
    return widest;
  }
  younger(i) {
    const { after, parent } = this.tree;
    for (let at = after[i]; i > 0 && at < after[parent[i]]; at = after[at]) if (this.is_shown(at)) return at;
    return -1;
  }
  elder(i) {
    const { after, parent } = this.tree;
    let found = -1;
    for (let at = i > 0 ? parent[i] + 1 : i; at < i; at = after[at]) if (this.is_shown(at)) found = at;
    return found;
  }

  show_cursor() {
    const at = this.boxes.findIndex((value, b) => b % 4 === 0 && value === this.cursor);
    if (at < 0) { this.describe(-1); return; }
    const scroll = this.canvas.parentElement, y = this.boxes[at + 2], top = this.canvas.offsetTop - scroll.offsetTop + y;
    if (top < scroll.scrollTop + 8) scroll.scrollTop = top - 60;
    else if (top + row_height > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top - scroll.clientHeight + 60;
    const box = this.canvas.getBoundingClientRect();
    this.describe(this.cursor, box.left + this.boxes[at + 1], box.top + y);
  }
}
