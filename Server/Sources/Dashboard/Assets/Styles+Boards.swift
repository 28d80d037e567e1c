extension Styles {
  /// Boards and their cards, heads that sort, and what stands in the head of a card.
  static let boards = #"""
    .card-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; }
    .png { display: none; }
    .charts .png { display: inline; }
    .sort { display: inline-flex; align-items: center; gap: 4px; max-width: 100%; padding: 0; border: 0;
      background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer; }
    .sort:hover { color: var(--ink); }
    .sort::after { content: "↕"; opacity: 0; font-size: 11px; }
    .sort:hover::after, .sort:focus-visible::after { opacity: 0.6; }
    [aria-sort=ascending] .sort::after { content: "↑"; opacity: 1; }
    [aria-sort=descending] .sort::after { content: "↓"; opacity: 1; }
    .end > .sort { flex-direction: row-reverse; }

    .board-list { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 14px; margin-bottom: 18px; }
    .board-link { display: block; padding: 16px 20px; color: inherit; text-decoration: none; background: var(--card);
      border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
    .board-link:hover { border-color: var(--line-2); background: var(--hover); color: inherit; }
    .board-link b { display: block; font-weight: 600; overflow-wrap: anywhere; }
    .board { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 18px; margin-bottom: 18px; }
    .board > .card { display: flex; flex-direction: column; min-width: 0; margin: 0; }
    .board-full { grid-column: 1 / -1; }
    .board-card .card-head { flex-wrap: nowrap; align-items: start; }
    .board-card .card-title { min-width: 0; overflow-wrap: anywhere; }
    .board-card .card-title a { color: inherit; text-decoration: none; }
    .board-card .card-title a:hover { color: var(--accent); text-decoration: underline; }
    .board-body { display: flex; flex: 1; flex-direction: column; min-height: 190px; }
    .board-full > .board-body { min-height: 230px; }
    .board-body > .empty-line { margin: auto; padding: 20px 0; text-align: center; }
    .board-text { white-space: pre-line; overflow-wrap: anywhere; }
    .board-text-card { min-height: 0; }
    .board-body .figures { margin: 10px 0 0; border: 0; border-radius: 0; box-shadow: none; gap: 4px 26px;
      display: flex; flex-wrap: wrap; overflow: visible; background: none; }
    .board-body .figure { flex: 0 1 auto; padding: 0; box-shadow: none; }
    .board-body .figure-name { font-size: 13px; }
    .board-body .figure-value { margin: 0; font-size: 22px; }
    .board-body .figure .definition { display: none; }
    .board-body .report-chart { height: 210px; }
    .board-full > .board-body .report-chart { height: 240px; }
    .board-body .definition { margin-top: auto; padding-top: 6px; }
    .board-body .card-actions { align-items: baseline; margin-top: 6px; }
    .board-body .table-toggle { min-width: 0; max-width: 100%; margin-top: 0; }
    .menu-box .card-form { display: grid; gap: 10px; width: min(330px, 80vw); padding: 8px 10px; }
    .menu-box .card-form .button { justify-self: start; width: auto; padding: 6px 15px; border-radius: var(--radius-2); text-align: center; }
    .menu-box .card-form .button-main, .menu-box .card-form .button-main:hover { background: var(--accent); color: var(--on-accent); }
    .menu-box .card-moves { display: flex; flex-wrap: wrap; gap: 2px; padding: 4px 0 2px; border-top: 1px solid var(--line); }
    .menu-box .card-moves button { width: auto; }
    .save-menu > summary { padding: 2px 0; color: var(--accent); font-size: 13.5px; font-weight: 400; }
    .save-menu > summary:hover, .save-menu[open] > summary { background: none; text-decoration: underline; }
    .crash-frame { margin: -8px 0 16px; color: var(--ink-2); font-size: 13.5px; overflow-wrap: anywhere; }
    .scroll-long { max-height: 70vh; overflow: auto; }
    .scroll-long thead th { position: sticky; top: 0; }
    textarea.mono { width: 100%; font-size: 13.5px; line-height: 1.5; }
    .link-row { overflow-wrap: anywhere; }
    @media (max-width: 760px) {
      .board { grid-template-columns: minmax(0, 1fr); gap: 14px; }
      .board > .card { grid-column: 1; }
    }
    """#
}
