extension Styles {
  /// The live page.
  static let live = #"""
    .status { display: inline-flex; align-items: center; gap: 8px; color: var(--ink-2);
      font-size: 14px; }
    .status i { position: relative; width: 8px; height: 8px; border-radius: 50%;
      background: var(--ink-3); }
    .status[data-state=live] i { background: var(--live); }
    .status[data-state=live] i::after { content: ""; position: absolute; inset: 0;
      border-radius: 50%; background: var(--live); animation: pulse 2.4s ease-out infinite; }
    .status[data-state=lost] { color: var(--warn); }
    .status[data-state=lost] i { background: var(--warn); }
    @keyframes pulse { 0% { opacity: 0.55; transform: scale(1); }
      70%, 100% { opacity: 0; transform: scale(2.6); } }

    .filters { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-left: auto; }
    .filter { display: flex; align-items: center; border: 1px solid var(--line-2);
      border-radius: var(--radius-2); background: var(--card); }
    .filter:focus-within { outline: 2px solid var(--focus); outline-offset: -1px; }
    .filter span { padding-left: 11px; color: var(--ink-3); font-size: 13.5px; }
    .filter input:not([type=radio]) { width: 168px; min-height: 32px; padding: 3px 9px 3px 7px; border: 0;
      background: none; font-size: 14px; }
    .filter input:focus-visible { outline: none; }
    .htmx .filter-go { display: none; }
    #filter-clear { display: none; padding: 4px; }
    .filters:has(#filter-name:not(:placeholder-shown)) #filter-clear,
    .filters:has(#filter-person:not(:placeholder-shown)) #filter-clear { display: inline; }

    .counters { display: grid; grid-template-columns: repeat(4, 1fr); margin-bottom: 18px;
      background: var(--card); border: 1px solid var(--line); border-radius: var(--radius);
      box-shadow: var(--shadow); }
    .counters > div { padding: 13px 22px 14px; border-left: 1px solid var(--line); }
    .counters > div:first-child { border-left: 0; }
    .counters dt { font-size: 14px; font-weight: 540; color: var(--ink-2); }
    .counters .counter { margin: 1px 0 2px; font-size: 30px; line-height: 1.2; font-weight: 620;
      letter-spacing: -0.025em; }

    .chart-card { position: relative; }
    .chart { height: 190px; margin: 12px -6px 6px; }
    .chart:empty { display: none; }
    .charts .chart:empty { display: block; }
    .tabs { display: flex; gap: 2px; padding: 2px; border-radius: 9px; background: var(--sunk); }
    .tabs a { padding: 3px 11px; border-radius: 7px; color: var(--ink-2); font-size: 13.5px;
      font-weight: 520; text-decoration: none; white-space: nowrap; }
    .tabs a:hover { color: var(--ink); }
    .tabs a[aria-current] { background: var(--raised); color: var(--ink);
      box-shadow: 0 1px 2px rgb(0 0 0 / 12%); }
    .legend { display: flex; flex-wrap: wrap; gap: 2px 4px; margin: 0 -8px 10px; }
    .legend li { max-width: 100%; }
    .legend-item { display: flex; align-items: center; gap: 7px; padding: 3px 8px;
      border-radius: 6px; color: var(--ink); font-size: 13.5px; text-decoration: none; }
    .legend-item b { color: var(--ink-3); font-weight: 500; }
    a.legend-item:hover { background: var(--sunk); color: var(--ink); }
    .legend-none { margin-bottom: 10px; font-size: 14px; }
    .swatch, .dot { flex: none; width: 9px; height: 9px; border-radius: 3px;
      background: var(--series-other); }
    .dot { border-radius: 50%; width: 7px; height: 7px; }
    [data-series="other"] > * > i { background: var(--series-other); }
    [data-series="before"] > * > i { background: var(--ink-2); }
    [data-series="1"] > * > i, [data-series="1"] .dot { background: var(--series-1); }
    [data-series="2"] > * > i, [data-series="2"] .dot { background: var(--series-2); }
    [data-series="3"] > * > i, [data-series="3"] .dot { background: var(--series-3); }
    [data-series="4"] > * > i, [data-series="4"] .dot { background: var(--series-4); }
    [data-series="5"] > * > i, [data-series="5"] .dot { background: var(--series-5); }
    [data-series="6"] > * > i, [data-series="6"] .dot { background: var(--series-6); }
    [data-series="7"] > * > i, [data-series="7"] .dot { background: var(--series-7); }
    [data-series="8"] > * > i, [data-series="8"] .dot { background: var(--series-8); }
    .event:not([data-kind=event]) .dot { background: none; box-shadow: inset 0 0 0 1.5px var(--ink-3); }
    .table-toggle { margin-top: 8px; }
    .table-toggle > summary, .more > summary { width: fit-content; color: var(--accent);
      font-size: 13.5px; cursor: pointer; }
    .tip { font: 13px/1.5 var(--sans); color: var(--ink); min-width: 150px; }
    .tip b { display: block; margin-bottom: 4px; font-weight: 600; }
    .tip p { display: flex; align-items: center; gap: 8px; }
    .tip p span { flex: 1; max-width: 220px; overflow: hidden; text-overflow: ellipsis; }
    .tip p em { padding-left: 16px; font-style: normal; font-variant-numeric: tabular-nums; }
    .tip .tip-sum { margin-top: 3px; color: var(--ink-2); }

    .list-card { padding: 18px 0 0; overflow: clip; }
    .list-card > .card-head { padding: 0 22px; }
    .list-head, .event > a { display: grid; align-items: center; column-gap: 16px;
      grid-template-columns: minmax(150px, 1.25fr) minmax(120px, 2fr) minmax(90px, 0.9fr) minmax(70px, 0.6fr) 124px; }
    .list-head { padding: 14px 22px 7px; border-bottom: 1px solid var(--line); color: var(--ink-3);
      font-size: 13px; font-weight: 540; }
    .list-head :last-child { text-align: right; }
    .list-wrap { position: relative; min-height: 132px; }
    .event { border-bottom: 1px solid var(--line); content-visibility: auto;
      contain-intrinsic-size: auto 43px; }
    .event:last-child { border-bottom: 0; }
    .event > a { min-height: 42px; padding: 4px 22px; color: inherit; font-size: 14px;
      text-decoration: none; }
    .event > a:hover { background: var(--hover); }
    .event > a:focus-visible { outline-offset: -3px; border-radius: 8px; }
    .event.is-open > a { background: var(--accent-soft); }
    .events-own .event > a { grid-template-columns: minmax(150px, 1.25fr) minmax(120px, 2.6fr) minmax(70px, 0.7fr) 124px; }
    .session-device { margin: -8px 0 14px; overflow-wrap: anywhere; }
    .session-device + .session-device { margin-top: -10px; }
    .event-name { display: flex; align-items: center; gap: 9px; min-width: 0; font-weight: 560; }
    .event-props { color: var(--ink-2); font-size: 13.5px; }
    .event-app { color: var(--ink-3); font-size: 13px; }
    .event-person .mono { font-size: 12.5px; }
    .event-time { display: flex; align-items: center; justify-content: flex-end; gap: 8px;
      color: var(--ink-2); font-size: 13.5px; white-space: nowrap; }
    .late { padding: 0 6px; border-radius: 5px; background: var(--sunk); color: var(--ink-3);
      font-size: 12px; line-height: 18px; }
    .event.fresh > a { animation: arrive 1.8s ease-out; }
    @keyframes arrive { from { background: var(--accent-soft); } }
    .older { padding: 12px 22px 14px; text-align: center; }
    .older a { color: var(--ink-2); font-size: 14px; }
    .older .htmx-request { opacity: 0.5; }
    .fresh-pill { position: sticky; top: 68px; z-index: 5; display: block; width: max-content;
      height: 32px; margin: 8px auto -40px; padding: 0 15px; border: 0; border-radius: 16px;
      background: var(--accent); color: var(--on-accent); font: 560 13.5px/32px var(--sans);
      font-variant-numeric: tabular-nums; box-shadow: var(--shadow-2); cursor: pointer; }
    .fresh-pill:hover { background: var(--accent-2); }
    .icon-resume { display: none; }
    [aria-pressed=true] .icon-resume { display: block; }
    [aria-pressed=true] .icon-pause { display: none; }
    #pause { min-width: 98px; }
    .nothing { padding: 34px 22px 38px; text-align: center; }
    .nothing p + p { margin-top: 6px; }
    .nothing .button { margin-top: 8px; }
    .htmx-request.filters, #live.htmx-request { cursor: progress; }
    .busy { position: fixed; inset: 0 0 auto; z-index: 30; height: 2px; background: var(--accent);
      transform-origin: left; animation: busy 8s cubic-bezier(0.1, 0.8, 0.2, 1) forwards; }
    @keyframes busy { from { transform: scaleX(0); } to { transform: scaleX(0.95); } }

    .first { max-width: 900px; padding: 30px 32px; }
    .first > * + * { margin-top: 12px; }
    .first h2 { font-size: 20px; letter-spacing: -0.01em; }
    .waiting { display: flex; align-items: center; gap: 11px; padding-top: 8px; color: var(--ink-2); }
    .waiting i { width: 14px; height: 14px; border: 2px solid var(--line-2); border-top-color: var(--live);
      border-radius: 50%; animation: turn 1.1s linear infinite; }
    @keyframes turn { to { transform: rotate(1turn); } }

    @media (max-width: 860px) {
      .list-head { display: none; }
      .list-card > .card-head { padding-bottom: 12px; border-bottom: 1px solid var(--line); }
      .event > a, .events-own .event > a { grid-template-columns: 1fr auto; gap: 1px 12px; padding-block: 9px; }
      .event-time { grid-area: 1 / 2; }
      .event-props { grid-area: 2 / 1 / 3 / 3; }
      .event-props:empty { display: none; }
      .event-person { grid-area: 3 / 1; font-size: 13px; color: var(--ink-2); }
      .event-app { grid-area: 3 / 2; text-align: right; }
      .event { contain-intrinsic-size: auto 78px; }
    }
    @media (max-width: 640px) {
      .filters { width: 100%; margin: 0; }
      .filter { flex: 1 1 140px; }
      .filter input:not([type=radio]) { width: 100%; min-width: 0; }
      .counters { grid-template-columns: 1fr 1fr; margin-bottom: 14px; }
      .counters > div { padding: 13px 16px 14px; }
      .counters .counter { font-size: 26px; }
      .counters > div:nth-child(n + 3) { border-top: 1px solid var(--line); }
      .counters > div:nth-child(3) { border-left: 0; }
      .chart { height: 170px; }
      .chart-card .tabs { flex: 1 0 100%; margin: 6px 0 0; }
      .chart-card .tabs a { flex: 1; text-align: center; padding-block: 5px; }
      .list-card .card-head .button { margin-left: auto; }
      .list-card .card-head .definition { order: 1; flex-basis: 100%; margin: 0; }
      .list-card { padding: 16px 0 0; }
      .list-card > .card-head, .event > a { padding-inline: 16px; }
      .first { padding: 22px 18px; }
    }
    """#

  /// The panel that shows one event beside the list.
  static let drawer = #"""
    .drawer { position: fixed; inset: 0 0 0 auto; width: min(560px, 100vw); height: 100dvh;
      max-width: none; max-height: none; margin: 0; padding: 0; border: 0; background: var(--card);
      color: var(--ink); box-shadow: var(--shadow-2); overflow: hidden; }
    .drawer[open] { display: flex; flex-direction: column; animation: slide 0.18s ease-out; }
    @keyframes slide { from { transform: translateX(28px); opacity: 0; } }
    .drawer::backdrop { background: rgb(20 18 14 / 28%); }
    .drawer-bar { display: flex; align-items: center; gap: 2px; padding: 10px 14px 10px 20px;
      border-bottom: 1px solid var(--line); }
    .drawer-bar .quiet { margin: 0 auto 0 12px; }
    .drawer-body { flex: 1; padding: 22px 28px 40px; overflow-y: auto; overscroll-behavior: contain; }
    .event-view > header { margin-bottom: 22px; }
    .event-view #event-title { margin: 1px 0 3px; font-size: 22px; font-weight: 620; line-height: 1.25; letter-spacing: -0.015em;
      overflow-wrap: anywhere; }
    .event-view section { margin-top: 24px; }
    .event-view .event-part { margin-bottom: 6px; font-size: 13px; line-height: 1.4; }
    .event-view .hint { margin-top: 8px; }
    .event-view .code { margin-top: 6px; }
    .event-view .code pre { font-size: 12.5px; line-height: 1.55; }
    @media (max-width: 640px) {
      .drawer-body { padding: 18px 16px 36px; }
      .drawer-bar { padding-inline: 10px; }
    }
    """#
}
