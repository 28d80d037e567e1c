extension Styles {
  /// The questions: their form, figures, charts and shaded tables.
  static let insights = #"""
    .tabs-page { flex-wrap: wrap; margin-left: auto; }
    .page-head:has(#questions) { display: block; }
    #questions { width: fit-content; max-width: 100%; margin: 12px 0 0; }
    .ask-row:has(.field-problem) { align-items: start; }
    .ask-row:has(.field-problem) :is(.ask-check, .button) { margin-top: 24px; }
    .table:has(th:nth-child(16)) { font-size: 12.5px; }
    .table:has(th:nth-child(16)) :is(th, td) { padding-right: 7px; }
    .ask, .ask-choices { display: grid; gap: 14px; }
    .ask-row { display: flex; flex-wrap: wrap; align-items: end; gap: 10px 14px; }
    .ask-field { flex: 1 1 150px; min-width: 0; max-width: 260px; }
    /* As wide as the longest choice: what is chosen is read whole. */
    .ask-field:has(> select) { flex: 0 0 auto; min-width: min(100%, 130px); max-width: min(100%, 340px); }
    .ask-field > span, .segments legend { display: block; padding: 0; margin-bottom: 4px;
      color: var(--ink-2); font-size: 13px; font-weight: 520; }
    .ask-field input, .ask-field select { width: 100%; min-height: 36px; padding: 5px 10px; font-size: 14px; }
    .segments { min-width: 0; margin: 0; padding: 0; border: 0; }
    .segments > div { display: flex; padding: 2px; border-radius: 9px; background: var(--sunk); }
    .segments label { position: relative; cursor: pointer; }
    .segments input { position: absolute; inset: 0; width: auto; height: auto; margin: 0; opacity: 0; cursor: pointer; }
    .segments span { display: block; padding: 5px 11px; border-radius: 7px; color: var(--ink-2);
      font-size: 13.5px; font-weight: 520; white-space: nowrap; }
    .segments label:hover span { color: var(--ink); }
    .segments input:checked + span { background: var(--raised); color: var(--ink);
      box-shadow: 0 1px 2px rgb(0 0 0 / 12%); }
    .segments input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: 1px; }
    .ask-wide { flex: 1 1 320px; max-width: 560px; }
    .ask-short { flex: 0 1 130px; }
    .cut-wide { max-width: 420px; }
    .rule-group { margin: 0; padding: 12px 14px 14px; border: 1px solid var(--line); border-radius: var(--radius-2); }
    .rule-group legend { padding: 0 6px; font-weight: 540; }
    .rule-group .chips { margin-top: 8px; }
    .add-rule { padding: 14px 0; border-top: 1px solid var(--line); }
    .add-rule:first-of-type { border-top: 0; }
    .add-rule h3 { margin-bottom: 8px; }
    .sort { color: inherit; text-decoration: none; }
    .sort:hover { color: var(--ink); text-decoration: underline; }
    th[aria-sort] .sort { color: var(--ink); }
    .pages { display: flex; gap: 10px; margin-top: 14px; }
    .ask .hint a { margin-right: 8px; }
    .crumbs-wide { max-width: none; }
    .profile-head { align-items: center; }
    .profile-actions { margin-left: auto; }
    .profile-hint { margin: -10px 0 16px; }
    .part-title { margin-top: 18px; }
    .plain-list li { padding: 9px 0; border-top: 1px solid var(--line); }
    .plain-list li:first-child { border-top: 0; }
    .plain-list li b { font-weight: 540; }
    .list-note { padding: 2px 22px 12px; border-bottom: 1px solid var(--line); }
    .day { padding: 14px 22px 5px; border-bottom: 1px solid var(--line); background: var(--sunk); }
    .day h3 { color: var(--ink-2); }
    .ask-check { display: flex; align-items: center; gap: 8px; min-height: 36px; font-size: 14px; cursor: pointer; }
    .ask-check input[type=checkbox] { width: 16px; height: 16px; min-height: 0; padding: 0; margin: 0; accent-color: var(--accent); }
    .ask details.more .ask-row { margin-top: 10px; }
    .ask-filters { padding-top: 14px; border-top: 1px solid var(--line); }
    .ask-filters .button { min-height: 36px; }
    .chips { display: flex; flex-wrap: wrap; gap: 6px; flex-basis: 100%; }
    .chips .chip { margin: 0; padding: 2px 4px 2px 10px; font-size: 13.5px; }
    .chip-off { padding: 0 6px; color: var(--ink-3); text-decoration: none; }
    .chip-off:hover { color: var(--danger); }

    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 1px;
      margin-bottom: 18px; overflow: hidden; background: var(--card); border: 1px solid var(--line);
      border-radius: var(--radius); box-shadow: var(--shadow); }
    .figure { padding: 14px 20px 15px; box-shadow: 0 0 0 1px var(--line); }
    .figure-name { font-size: 14px; font-weight: 540; color: var(--ink-2); overflow-wrap: anywhere; }
    .figure-value { margin: 2px 0 4px; font-size: 25px; line-height: 1.2; font-weight: 620;
      letter-spacing: -0.02em; }
    .change { display: inline-block; margin-right: 3px; padding: 1px 7px; border-radius: 6px; background: var(--sunk); color: var(--ink-2);
      font-size: 13px; line-height: 19px; font-weight: 540; }
    .period { color: var(--ink-2); font-size: 13.5px; }
    #unknown { margin-bottom: 14px; }
    .period + .figures { margin-top: 8px; }
    .card-head .period { flex-basis: 100%; }
    .figure-before { margin: -2px 0 4px; color: var(--ink-2); font-size: 13px; }
    .axis-name { display: none; margin-top: 12px; color: var(--ink-3); font-size: 12px; }
    .charts .axis-name { display: block; }
    .chart-scroll { margin: 4px -6px 8px; overflow-x: auto; overflow-y: hidden; }
    .report-chart { display: none; height: 300px; }
    .charts .report-chart { display: block; }
    .charts .report-chart.report-flow { height: 440px; min-width: 660px; }
    .subject { margin-bottom: 2px; font-size: 13.5px; font-weight: 520; color: var(--ink-2); overflow-wrap: anywhere; }
    .waiting { display: grid; justify-items: center; gap: 12px; padding: 44px 22px; text-align: center; }
    .waiting-text { color: var(--ink-2); }
    .waiting-bar { width: min(320px, 100%); height: 6px; accent-color: var(--accent); }
    .legend-note { color: var(--ink-2); }
    .swatch-hatched { background: repeating-linear-gradient(135deg, var(--ink-2) 0 1.5px, transparent 1.5px 3.5px);
      box-shadow: inset 0 0 0 1px var(--ink-2); }
    .swatch-second { -webkit-mask: radial-gradient(circle, transparent 2px, #000 2.6px);
      mask: radial-gradient(circle, transparent 2px, #000 2.6px); }
    .swatch-dashed { width: 18px; height: 0; border-radius: 0; background: none; border-top: 2px dashed var(--ink-2); }
    .swatch-dotted { width: 20px; height: 3px; border-radius: 0;
      -webkit-mask: repeating-linear-gradient(90deg, #000 0 3px, transparent 3px 6px);
      mask: repeating-linear-gradient(90deg, #000 0 3px, transparent 3px 6px); }
    .name-cell { overflow-wrap: anywhere; }
    .table .name-cell { font-weight: 520; }
    .table tbody th.name-cell { white-space: normal; }
    .heat { --heat: 0%; background: color-mix(in srgb, var(--series-1) var(--heat), transparent); }
    .table td.heat { padding-left: 8px; padding-right: 8px; white-space: nowrap; font-size: 13px; border-bottom-color: var(--card); }
    .heat-1 { --heat: 6%; } .heat-2 { --heat: 11%; } .heat-3 { --heat: 16%; } .heat-4 { --heat: 21%; }
    .heat-5 { --heat: 27%; } .heat-6 { --heat: 32%; } .heat-7 { --heat: 37%; } .heat-8 { --heat: 42%; }
    .heat-9 { --heat: 47%; } .heat-10 { --heat: 52%; }
    @media (max-width: 640px) {
      .tabs-page { margin-left: 0; }
      .profile-actions { margin-left: 0; }
      .list-note, .day { padding-inline: 16px; }
      .ask-field { flex-basis: 130px; max-width: none; }
      .segments { flex: 1 1 100%; }
      .segments > div { flex-wrap: wrap; }
      .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .figure:last-child:nth-child(odd) { grid-column: 1 / 3; }
      .figure { padding: 12px 14px; }
      .figure-value { font-size: 16px; overflow-wrap: anywhere; }
      .report-chart { height: 240px; }
    }
    """#
}
