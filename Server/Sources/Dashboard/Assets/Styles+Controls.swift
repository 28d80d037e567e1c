extension Styles {
  /// Buttons, fields, tables and code.
  static let controls = #"""
    .button { display: inline-flex; align-items: center; justify-content: center; gap: 7px;
      min-height: 36px; padding: 6px 15px; border: 1px solid var(--line-2);
      border-radius: var(--radius-2); background: var(--card); color: var(--ink); font: inherit;
      font-weight: 540; text-decoration: none; cursor: pointer; transition: background-color 0.12s,
      border-color 0.12s; }
    .button:hover { background: var(--hover); border-color: var(--ink-3); color: var(--ink); }
    .button:active { background: var(--sunk); }
    .button-main { border-color: transparent; background: var(--accent); color: var(--on-accent); }
    .button-main:hover { border-color: transparent; background: var(--accent-2);
      color: var(--on-accent); }
    .button-danger { border-color: var(--danger); color: var(--danger); }
    .button-danger:hover { border-color: var(--danger); background: var(--danger-soft);
      color: var(--danger); }
    .button-small { min-height: 32px; padding: 4px 12px; font-size: 14px; }
    .icon-button { display: grid; place-items: center; width: 32px; height: 32px; padding: 0;
      border: 0; border-radius: var(--radius-2); background: none; color: var(--ink-2);
      font: inherit; cursor: pointer; }
    .icon-button:hover:enabled { background: var(--sunk); color: var(--ink); }
    .icon-button:disabled { opacity: 0.35; cursor: default; }
    .quiet { color: var(--accent); font-size: 13.5px; text-decoration: none; }
    .quiet:hover { text-decoration: underline; }
    .quiet.danger { color: var(--danger); }
    .actions { display: flex; flex-wrap: wrap; gap: 10px; }

    .stack { display: grid; gap: 14px; margin-top: 14px; }
    .stack .button { justify-self: start; }
    .stack .two { row-gap: 14px; }
    .field > span, .choices legend { display: block; padding: 0; margin-bottom: 5px; font-size: 13.5px;
      font-weight: 540; }
    span.field-problem.field-problem { display: block; margin-top: 5px; color: var(--danger); font-size: 13.5px; line-height: 1.4; text-wrap: pretty; }
    [aria-invalid=true] { border-color: var(--danger) !important; }
    .field input, .field select, .field textarea { width: 100%; }
    input:not([type=radio]), select, textarea { min-height: 38px; padding: 6px 11px; border: 1px solid var(--line-2);
      border-radius: var(--radius-2); background: var(--card); color: var(--ink); font: inherit; }
    input { text-overflow: ellipsis; }
    input::placeholder { color: var(--ink-3); opacity: 1; }
    input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: -1px; border-radius: var(--radius-2); }
    .choices { display: grid; gap: 7px; margin: 0; padding: 0; border: 0; }
    .choices label { display: flex; align-items: center; gap: 9px; cursor: pointer; }
    input[type=radio] { flex: none; width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
    .line-form { display: flex; align-items: center; gap: 8px; }
    .line-end { justify-content: flex-end; gap: 14px; }
    .line-form label:has(select) { min-width: 0; max-width: 100%; }
    .line-form select { max-width: 100%; min-height: 32px; padding: 4px 8px; font-size: 14px; }
    .as-link { padding: 0; border: 0; background: none; font: inherit; font-size: 13.5px;
      cursor: pointer; }
    .no-wrap { white-space: nowrap; }
    .below-sheet { max-width: 760px; margin: 22px auto 0; }
    .row-form { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; margin: 14px 0 12px; }
    .row-form .field { flex: 1 1 200px; }
    .row-form .button { min-height: 38px; }
    /* A sentence below one field must not push the others down: all begin on one line then. */
    .row-form:has(.field-problem) { align-items: start; }
    .row-form:has(.field-problem) > .button { margin-top: 25px; }
    .two:has(.field-problem) { align-items: start; }

    .tag { display: inline-block; flex: none; padding: 0 7px; border-radius: 6px;
      background: var(--sunk); color: var(--ink-2); font-size: 12px; line-height: 19px;
      font-weight: 520; }
    .tag-test { background: var(--warn-soft); color: var(--warn); }
    .chip { display: inline-block; max-width: 100%; margin: 1px 5px 1px 0; padding: 0 8px;
      border-radius: 6px; background: var(--sunk); overflow-wrap: anywhere; }

    .scroll { position: relative; margin: 12px -22px 0; padding: 0 22px; overflow-x: auto; }
    .scroll-tall { max-height: 320px; overflow: auto; }
    .table { width: 100%; border-collapse: collapse; font-size: 14px; }
    .table th { font-weight: 540; text-align: left; white-space: nowrap; }
    .table th.end, .table td.end { text-align: right; }
    .table thead th { padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line-2);
      color: var(--ink-3); font-size: 13px; background: var(--card); }
    .scroll-tall thead th { position: sticky; top: 0; }
    .table tbody th, .table td { padding: 9px 14px 9px 0; border-bottom: 1px solid var(--line); }
    .table tbody tr:last-child > * { border-bottom: 0; }
    .table-tight tbody th, .table-tight td { padding-block: 4px; font-weight: 400; }
    .table-tight .strong { font-weight: 620; }
    .table-answer td { max-width: 360px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .table-answer td:hover, .table-answer td:focus-within { white-space: normal; overflow-wrap: anywhere; }
    .table th .cut { max-width: 150px; }
    .table .end + :not(.end) { padding-left: 12px; }
    .table td > a.cut { max-width: 300px; }
    .table tr > :last-child { padding-right: 0; }
    .table tr.off { color: var(--ink-3); }
    .table tr.off code { text-decoration: line-through; }
    .zero { color: var(--ink-3); }
    .key-text { overflow-wrap: anywhere; }

    .code { position: relative; margin-top: 12px; border-radius: var(--radius-2);
      background: var(--sunk); }
    .code pre { padding: 6px 16px 14px; font-size: 13px; line-height: 1.65; white-space: pre-wrap;
      overflow-wrap: anywhere; tab-size: 2; }
    .code-bar { display: flex; align-items: center; justify-content: space-between;
      padding: 6px 7px 0 16px; color: var(--ink-3); font-size: 12.5px; }
    .copy { padding: 3px 10px; border: 1px solid var(--line-2);
      border-radius: 6px; background: var(--card); color: var(--ink-2); font: 540 12.5px/1.5 var(--sans);
      cursor: pointer; }
    .copy:hover { color: var(--ink); border-color: var(--ink-3); }
    .copy.done { border-color: transparent; background: var(--accent); color: var(--on-accent); }

    .facts > div { display: grid; grid-template-columns: minmax(96px, 30%) 1fr; gap: 2px 16px;
      padding: 6px 0; border-top: 1px solid var(--line); }
    .facts > div:first-child { border-top: 0; }
    .facts dt { color: var(--ink-3); font-size: 13.5px; overflow-wrap: anywhere; }
    .facts dd { min-width: 0; font-size: 14px; overflow-wrap: anywhere; }
    .facts dd.mono { font-size: 13px; line-height: 1.6; }
    .facts dd .quiet { display: block; width: fit-content; font-family: var(--sans); }
    .remark { display: block; color: var(--ink-3); font-size: 13px; }
    .value { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; line-height: 1.55; }
    .v-string { white-space: pre-wrap; }
    .v-number, .v-word { font-family: var(--mono); font-size: 13px; }
    @media (max-width: 640px) {
      .scroll { margin-inline: -16px; padding-inline: 16px; }
      .table .name-cell { min-width: 7.4em; }
      .table td > a.cut { max-width: 120px; }
      .card-actions { margin-left: 0 !important; }
      input:not([type=radio]), select, textarea { font-size: 16px; }
      /* Each row as a block, its cells with the names of their columns: nothing has to be scrolled sideways. */
      .table-stack thead { display: none; }
      .table-stack, .table-stack tbody { display: block; }
      .table-stack tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
      .table-stack tr:last-child { border-bottom: 0; }
      .table-stack tbody th, .table-stack td { display: block; padding: 2px 0 !important; border: 0; text-align: left !important; }
      .table-stack tr > :first-child { font-weight: 540; }
      .table-stack td:empty { display: none; }
      .table-stack td[data-label] { display: grid; grid-template-columns: 112px minmax(0, 1fr); gap: 0 10px; align-items: baseline; overflow-wrap: anywhere; }
      .table-stack td[data-label]::before { content: attr(data-label); color: var(--ink-3); font-size: 13px; }
      .table-stack td[data-label] > * { grid-column: 2; }
      .table-stack .line-end { justify-content: flex-start; }
      .table-stack .no-wrap { white-space: normal; }
      .table-keys thead { display: none; }
      .table-keys tr { display: grid; grid-template-columns: auto 1fr auto; gap: 2px 12px;
        padding: 11px 0; border-bottom: 1px solid var(--line); }
      .table-keys tr:last-child { border-bottom: 0; }
      .table-keys td { padding: 0; border: 0; color: var(--ink-2); }
      .table-keys td:first-child { grid-column: 1 / 4; color: var(--ink); }
      .table-keys td:nth-child(4) { display: none; }
    }
    """#
}
