// SPDX-License-Identifier: Apache-2.0
// DataTable shows rows in columns that one may sort by: a click on a head, or Enter on it.
//
//   new DataTable(place, columns, { chosen(row, index), sort, most, label })
//     column    { title, kind: 'name' | 'text' | 'number', value(row), text(row), part(row), tip(row) }     part: of a bar under the number, 0 to 1
//     chosen    a row was clicked, or Enter pressed on it
class DataTable {
  constructor(place, columns, options = {}) {
    Object.assign(this, { place, columns, options, rows: [], sort: options.sort ?? 0, down: true, most: options.most || 100, selected: null });
    this.heads = columns.map((column, i) => {
      const button = element('button', { textContent: column.title, title: 'Sort' }), head = element('th', { className: column.kind, scope: 'col' }, button);
      button.addEventListener('click', () => { this.down = this.sort === i ? !this.down : column.kind === 'number'; this.sort = i; this.draw(); });
      return head;
    });
    this.body = element('tbody');
    const table = element('table', {}, element('thead', {}, element('tr', {}, ...this.heads)), this.body);
    if (options.label) table.setAttribute('aria-label', options.label);
    place.replaceChildren(table);
  }

  show(rows) { this.rows = rows; this.draw(); }

  draw() {
    const column = this.columns[this.sort], value = column.value, sign = this.down ? -1 : 1;
    const order = (a, b) => a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? sign : -sign;
    const rows = [...this.rows].sort((a, b) => -order(value(a), value(b)));
    this.heads.forEach((head, i) => { i === this.sort ? head.setAttribute('aria-sort', this.down ? 'descending' : 'ascending') : head.removeAttribute('aria-sort'); });
    this.body.replaceChildren(...rows.slice(0, this.most).map(row => this.line(row)));
    if (rows.length <= this.most) return;
    const more = element('button', { textContent: `${grouped(rows.length - this.most)} more` });
    more.addEventListener('click', () => { this.most *= 5; this.draw(); });
    this.body.append(element('tr', {}, element('td', { className: 'more', colSpan: this.columns.length }, more)));
  }

  line(row) {
    const line = element('tr', {}, ...this.columns.map(column => {
      const text = column.text(row), cell = element('td', { className: column.kind }, column.kind === 'name' ? element('bdi', { textContent: text }) : text);
      if (column.kind !== 'number' || column.tip) cell.title = column.tip ? column.tip(row) : text;
      if (column.part) {
        const bar = element('i');
        bar.style.setProperty('--part', 100 * column.part(row) + '%');
        cell.append(bar);
      }
      return cell;
    }));
    if (!this.options.chosen) return line;
    line.className = 'able'; line.tabIndex = 0;
    line.setAttribute('aria-selected', this.options.is_selected ? this.options.is_selected(row) : false);
    line.addEventListener('click', () => this.options.chosen(row));
    line.addEventListener('keydown', event => {
      const next = { ArrowDown: line.nextElementSibling, ArrowUp: line.previousElementSibling }[event.key];
      if (event.key === 'Enter') this.options.chosen(row);
      else if (next) { event.preventDefault(); next.focus(); }
    });
    return line;
  }
}
