// SPDX-License-Identifier: Apache-2.0
// Chooser is a panel under a button that chooses some of a list, of threads for example: with a check box each, and by regular expression. Escape closes
// it, and a click beside it.
//
//   <details id="threads"></details>
//   const chooser = new Chooser(byId('threads'), 'Threads', ['main (1)', ...], changed)     changed() is called after each choice
//   chooser.has(2)                                                                          whether it is chosen
//   chooser.tell([0.5, ...])                                                                the share of each: the largest come first
class Chooser {
  constructor(around, title, items, changed) {
    Object.assign(this, { around, title, items, changed, chosen: null });   // null: all
    this.button = element('summary', { title: `Which ${title.toLowerCase()}` });
    this.field = element('input', { type: 'search', placeholder: 'Regex', spellcheck: false });
    this.field.setAttribute('aria-label', `${title} by regular expression`);
    this.list = element('div', { className: 'list' });
    const all = element('button', { textContent: 'All' }), none = element('button', { textContent: 'None' });
    all.addEventListener('click', () => this.reset());
    none.addEventListener('click', () => this.choose(new Set()));
    this.field.addEventListener('input', () => this.search());
    around.classList.add('chooser');
    around.replaceChildren(this.button, element('div', { className: 'box' }, this.field, ' ', all, ' ', none, this.list));
    around.hidden = items.length < 2;
    around.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !around.open) return;
      event.stopPropagation();
      around.open = false;
      this.button.focus();
    });
    around.addEventListener('toggle', () => this.fit());
    document.addEventListener('pointerdown', event => { if (!around.contains(event.target)) around.open = false; });
    this.lines = items.map((item, i) => this.line(item, i));
    this.list.append(...this.lines);
    this.say();
  }

  has(i) { return this.chosen === null || this.chosen.has(i); }
  fit() {   // into the window
    const least = 120, margin = 16;
    this.list.style.maxHeight = `${Math.max(least, Math.min(innerHeight / 2, innerHeight - this.list.getBoundingClientRect().top - margin))}px`;
  }
  toggle_panel() { if (this.button.offsetParent !== null && (this.around.open = !this.around.open)) this.field.focus(); }

  line(item, i) {
    const box = element('input', { type: 'checkbox', checked: true, value: i }), only = element('button', { textContent: item, title: 'Only this' });
    box.setAttribute('aria-label', item);
    box.addEventListener('change', () => {
      const now = new Set(this.chosen === null ? this.items.keys() : this.chosen);
      box.checked ? now.add(i) : now.delete(i);
      this.choose(now);
    });
    only.addEventListener('click', () => this.choose(new Set([i])));
    return element('div', {}, box, only, element('span'));
  }

  tell(shares) {
    this.lines.forEach((line, i) => { line.lastElementChild.textContent = percent(shares[i]); });
    this.list.append(...[...shares.keys()].sort((a, b) => shares[b] - shares[a]).map(i => this.lines[i]));
  }

  // As it was at first, without a word to anybody.
  clear() { this.field.value = ''; for (const line of this.lines) line.hidden = false; this.set(null); }
  reset() { this.clear(); this.changed(); }
  choose(chosen) { this.set(chosen); this.changed(); }
  set(chosen) {
    this.chosen = chosen !== null && chosen.size === this.items.length ? null : chosen;
    this.lines.forEach((line, i) => { line.firstElementChild.checked = this.has(i); });
    this.say();
  }
  say() {
    const on = this.chosen;
    this.button.textContent = `${this.title}: ` + (on === null ? 'all' : on.size === 1 ? this.items[[...on][0]] : `${on.size} of ${this.items.length}`);
  }

  search() {
    const wanted = pattern_of(this.field), found = new Set();
    this.lines.forEach((line, i) => {
      line.hidden = wanted !== null && !wanted.test(this.items[i]);
      if (!line.hidden) found.add(i);
    });
    this.choose(wanted ? found : null);
  }
}
