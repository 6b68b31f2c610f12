// SPDX-License-Identifier: Apache-2.0
// Chooser is a panel under a button that chooses some of a list, of threads for example: with a check box each, and by regular expression. Escape closes
// it, and a click beside it. Of many the first are listed, and it says how many more there are: a regular expression finds them.
//
//   <details id="threads"></details>
//   const chooser = new Chooser(byId('threads'), 'Threads', ['main (1)', ...], changed)     changed() is called after each choice
//   chooser.has(2)                                                                          whether it is chosen
//   chooser.tell([0.5, ...])                                                                the share of each: the largest come first
const most_listed = 500;

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
    around.addEventListener('toggle', () => { if (around.open) { this.show(); this.fit(); } });
    document.addEventListener('pointerdown', event => { if (!around.contains(event.target)) around.open = false; });
    this.order = [...items.keys()];
    this.shares = null;
    this.wanted = null;   // by the regular expression; null: all
    this.say();
  }

  has(i) { return this.chosen === null || this.chosen.has(i); }
  fit() {   // into the window
    const least = 120, margin = 16;
    this.list.style.maxHeight = `${Math.max(least, Math.min(innerHeight / 2, innerHeight - this.list.getBoundingClientRect().top - margin))}px`;
  }
  toggle_panel() { if (this.button.offsetParent !== null && (this.around.open = !this.around.open)) this.field.focus(); }

  line(i) {
    const box = element('input', { type: 'checkbox', checked: this.has(i), value: i }), only = element('button', { textContent: this.items[i], title: 'Only this' });
    box.setAttribute('aria-label', this.items[i]);
    box.addEventListener('change', () => {
      const now = new Set(this.chosen === null ? this.items.keys() : this.chosen);
      box.checked ? now.add(i) : now.delete(i);
      this.choose(now);
    });
    only.addEventListener('click', () => this.choose(new Set([i])));
    return element('div', {}, box, only, element('span', { textContent: this.shares ? percent(this.shares[i]) : '' }));
  }

  show() {
    const listed = this.order.filter(i => this.wanted === null || this.wanted.has(i)), more = listed.length - most_listed;
    this.list.replaceChildren(...listed.slice(0, most_listed).map(i => this.line(i)), ...(more > 0 ? [element('p', { className: 'dim', textContent: `and ${grouped(more)} more: a regex finds them` })] : []));
  }

  // Lines stay where they are while one of them has the focus.
  tell(shares) {
    this.shares = shares;
    this.order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]);
    if (!this.around.open) return;
    if (!this.list.contains(document.activeElement)) return this.show();
    for (const box of this.list.querySelectorAll('input')) box.parentElement.lastElementChild.textContent = percent(shares[box.value]);
  }

  // As it was at first, without a word to anybody.
  clear() { this.field.value = ''; this.wanted = null; this.set(null); if (this.around.open) this.show(); }
  reset() { this.clear(); this.changed(); }
  choose(chosen) { this.set(chosen); this.changed(); }
  set(chosen) {
    this.chosen = chosen !== null && chosen.size === this.items.length ? null : chosen;
    for (const box of this.list.querySelectorAll('input')) box.checked = this.has(+box.value);
    this.say();
  }
  say() {
    const on = this.chosen;
    this.button.textContent = `${this.title}: ` + (on === null ? 'all' : on.size === 1 ? this.items[[...on][0]] : `${on.size} of ${this.items.length}`);
  }

  search() {
    const pattern = pattern_of(this.field);
    this.wanted = pattern && new Set([...this.items.keys()].filter(i => pattern.test(this.items[i])));
    this.show();
    this.choose(this.wanted);
  }
}
