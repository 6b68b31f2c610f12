// SPDX-License-Identifier: Apache-2.0
// The flame graph: drawing, pointing, zooming, searching.
const kinds = ['Interpreted', 'JIT compiled', 'Inlined', 'Native method', 'Native code', 'Kernel', 'Other'];
const hues = [[205, 45], [125, 42], [172, 40], [8, 62], [45, 65], [28, 68], [250, 8]];
const row_height = 18, min_width = 0.4;
const canvas = byId('graph'), ctx = canvas.getContext('2d'), tip = byId('tip'), search = byId('search');
let focus = 0, cursor = -1, inverted = false, pattern = null, hits = null, boxes = [], hover = -1, dpr = 1, width = 0;
const is_dark = () => document.documentElement.classList.contains('dark');
const is_above = i => i < focus && focus < after[i];

// More than before is red, less is blue, the same is grey.
function change_color(i) {
  const part = largest_change ? change(i) / largest_change : 0, strength = Math.sqrt(Math.abs(part));
  const light = is_dark() ? 30 + 14 * strength : 88 - 24 * strength;
  return `hsl(${part > 0 ? 4 : 214} ${Math.round(78 * strength)}% ${light}%)`;
}

function color(i, matched) {
  if (matched) return is_dark() ? 'hsl(300 60% 48%)' : 'hsl(300 75% 72%)';
  if (before && i > 0) return change_color(i);
  const [hue, saturation] = i === 0 ? [220, 6] : hues[kind[i]];
  const shade = i === 0 ? 0 : (name[i] * 37 % 11) - 5;
  const light = (is_dark() ? 34 : 74) + shade * (is_dark() ? 0.8 : 1);
  return `hsl(${hue} ${pattern ? saturation * 0.4 : saturation}% ${i !== focus && is_above(i) ? light * (is_dark() ? 0.8 : 1.12) : light}%)`;
}

function fit() {
  dpr = window.devicePixelRatio || 1;
  width = canvas.parentElement.clientWidth - 24;
  const height = Math.min((deepest + 1) * row_height, Math.floor(16000 / dpr));
  canvas.style.height = height + 'px';
  canvas.width = Math.round(width * dpr); canvas.height = Math.round(height * dpr);
  draw();
}

function draw() {
  const height = canvas.height / dpr;
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.font = '12px system-ui, sans-serif'; ctx.textBaseline = 'middle';
  const scale = total[focus] ? width / total[focus] : 0, left = start[focus];
  const letter = ctx.measureText('m').width * 0.6;
  const text = getComputedStyle(document.body).getPropertyValue('--text');
  boxes = [];
  for (let i = 0; i < count;) {
    const above = is_above(i);
    const x = above ? 0 : (start[i] - left) * scale, w = above ? width : total[i] * scale;
    if (!above && (i < focus || i >= after[focus] || w < min_width)) { i = after[i]; continue; }
    const y = inverted ? depth[i] * row_height : height - (depth[i] + 1) * row_height;
    ctx.fillStyle = color(i, hits && i > 0 && hits[name[i]]);
    ctx.fillRect(x, y, Math.max(w - (w > 3 ? 0.6 : 0), min_width), row_height - 1);
    draw_label(i, x, y, w, letter, text);
    boxes.push(i, x, y, w);
    if (i === cursor) outline(x, y, w, text);
    i++;
  }
}

function outline(x, y, w, text) {
  ctx.strokeStyle = text; ctx.lineWidth = 2;
  ctx.strokeRect(x + 1, y + 1, Math.max(w - 2, 1), row_height - 3);
}

function draw_label(i, x, y, w, letter, text) {
  const room = Math.floor((w - 6) / letter), limit = w - 6;
  if (room < 3) return;
  let s = label(i);
  if (s.length > room) s = short(s, room, i);
  while (s.length > 3 && ctx.measureText(s).width > limit) s = short(s, s.length - 1, i);
  ctx.fillStyle = text;
  ctx.fillText(s, x + 3, y + row_height / 2);
}

// A name that does not fit loses its package or library first, then its end.
function short(s, room, i) {
  const bare = kind[i] < 3 ? s.replace(/^(?:[a-z_]\w*\.)+(?=[^.]+\.)/, '') : s.replace(/^[^:]*?\.so(?:\.\d+)*\./, '');
  return bare.length <= room ? bare : bare.slice(0, Math.max(room - 1, 1)) + '…';
}

function find(event) {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  for (let b = 0; b < boxes.length; b += 4)
    if (y >= boxes[b + 2] && y < boxes[b + 2] + row_height && x >= boxes[b + 1] && x < boxes[b + 1] + Math.max(boxes[b + 3], 1)) return boxes[b];
  return -1;
}

function zoom(i) { focus = i; cursor = -1; draw(); scroll_to_focus(); }
function scroll_to_focus() { canvas.parentElement.scrollTop = inverted ? 0 : canvas.parentElement.scrollHeight; }

// Shows other weights. What was zoomed into stays, unless nothing of it is left.
function show(own) {
  lay_out(own);
  if (!total[focus]) focus = 0;
  document.documentElement.dataset.total = total[0];
  about();
  match();
}

// The share of the weight under any matching frame. A frame below another match is not counted again.
function match() {
  const wanted = search.value;
  pattern = null; hits = null;
  search.classList.remove('bad');
  byId('matched').textContent = '';
  if (wanted) {
    try { pattern = new RegExp(wanted, 'i'); } catch { search.classList.add('bad'); }
  }
  if (pattern) {
    hits = names.map(n => pattern.test(n));
    let sum = 0;
    for (let i = 1; i < count;) {
      if (hits[name[i]]) { sum += total[i]; i = after[i]; } else i++;
    }
    byId('matched').textContent = `matched ${share(sum)}`;
  }
  draw();
}

function details_of(i) {
  if (before) {
    const points = 100 * change(i);
    return `${percent(share_of(before_totals, i))} before, ${percent(share_of(after_totals, i))} after: ${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)} points`;
  }
  const what = i === 0 ? '' : ` · ${kinds[kind[i]]}`;
  return `${grouped(total[i])} ${data.unit}, ${share(total[i])} · self ${grouped(self[i])}, ${share(self[i])}${what}`;
}

function point(event) { describe(find(event), event.clientX, event.clientY); }

function describe(i, x, y) {
  hover = i;
  tip.style.display = hover < 0 ? 'none' : 'block';
  if (hover < 0) return;
  tip.textContent = label(hover);
  const line = document.createElement('span');
  line.textContent = details_of(hover);
  tip.append(line);
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 8)) + 'px';
  tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + 'px';
}

function legend() {
  const present = new Set(kind.subarray(1));
  const entries = before ? [['grew', 'hsl(4 78% 60%)'], ['shrank', 'hsl(214 78% 60%)']]
      : kinds.map((text, k) => [text, `hsl(${hues[k][0]} ${hues[k][1]}% ${is_dark() ? 34 : 74}%)`]).filter((_, k) => present.has(k));
  byId('legend').replaceChildren(...entries.map(([text, fill]) => {
    const item = document.createElement('span'), swatch = document.createElement('i');
    swatch.style.background = fill;
    item.append(swatch, text);
    return item;
  }));
}

function about() {
  byId('about').title = byId('about').textContent = `${data.event} · ${grouped(total[0])} ${data.unit}` +
      (data.seconds > 0 ? ` in ${data.seconds.toFixed(1)} s from ${data.start.slice(0, 19).replace('T', ' ')} UTC` : '') +
      (before ? ` · against ${grouped(before_totals[0])} of ${data.before_name}` : '') +
      (data.truncated ? ` · ${grouped(data.truncated)} of ${grouped(data.samples)} stacks truncated` : '');
  byId('nothing').textContent = data.note || '';
  byId('nothing').hidden = !data.note;
}
