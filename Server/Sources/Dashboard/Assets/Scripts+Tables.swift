extension Scripts {
  /// Every table can be sorted by a column: by its `data-value` where a cell has one, else by its text.
  static let tables = #"""
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

    // The heads become buttons, so that the keyboard reaches them.
    function makeSortable() {
      for (const table of $$('table.table:not([data-sortable])')) {
        // Sorted by the server: there is more than the page shows.
        if (table.querySelector('th a.sort')) continue;
        const rows = table.tBodies[0]?.rows ?? [];
        if (rows.length < 2) continue;
        table.dataset.sortable = '';
        for (const head of table.tHead?.rows[0]?.cells ?? []) {
          if (!head.textContent.trim() || head.querySelector('.hidden')) continue;
          const button = document.createElement('button');
          button.type = 'button';
          button.className = 'sort';
          button.append(...head.childNodes);
          head.append(button);
        }
      }
    }

    // A button that leads somewhere else than its form's script would: to a file, or another page.
    document.addEventListener('click', event => {
      const button = event.target.closest('button[data-plain]');
      if (!button?.form?.reportValidity()) return;
      event.preventDefault();
      event.stopPropagation();
      const action = button.form.action;
      button.form.action = button.formAction;
      button.form.submit();
      button.form.action = action;
    }, true);

    document.addEventListener('click', event => {
      const head = event.target.closest('button.sort')?.parentElement;
      if (!head) return;
      const table = head.closest('table'), column = head.cellIndex;
      const cells = [...table.tBodies[0].rows].map(row => [row, row.cells[column]]);
      const value = cell => {
        if (!cell) return '';
        const text = cell.dataset.value ?? cell.querySelector('time[data-ms]')?.dataset.ms
          ?? cell.querySelector('time')?.dateTime ?? cell.textContent.trim();
        const plain = cell.dataset.value === undefined ? text.replace(/,/g, '').replace(/^−/, '-') : text;
        return plain !== '' && isFinite(plain) ? Number(plain) : text === '—' ? '' : text;
      };
      const values = new Map(cells.map(([row, cell]) => [row, value(cell)]));
      const isNumber = [...values.values()].every(one => one === '' || typeof one === 'number');
      // Numbers begin with the largest, texts with the first letter.
      const before = head.getAttribute('aria-sort');
      const falls = before ? before === 'ascending' : isNumber;
      const order = cells.map(([row]) => row).sort((a, b) => {
        const [x, y] = [values.get(a), values.get(b)];
        // What is missing stays at the end, whichever way.
        if (x === '' || y === '') return (x === '') - (y === '');
        const by = isNumber ? x - y : collator.compare(x, y);
        return falls ? -by : by;
      });
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
      table.tBodies[0].append(...order);
    });

    """#
}
