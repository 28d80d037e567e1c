extension Styles {
  /// Colours and measures.
  ///
  /// The eight series colours and that of all others keep a contrast of 3:1 with the card in both schemes.
  /// Any two of them differ in lightness as well as hue, so that people who see red and green alike tell
  /// them apart; `PaletteTests` measures both, and that every text keeps 4.5:1.
  static let tokens = #"""
    :root {
      color-scheme: light dark;
      --paper: #f6f5f2; --card: #ffffff; --sunk: #f4f2ee; --hover: #faf9f6; --raised: #ffffff;
      --ink: #1d1d1b; --ink-2: #57554f; --ink-3: #6f6c65;
      --line: #e7e4dd; --line-2: #d3cfc6;
      --accent: #0b6b57; --accent-2: #095847; --on-accent: #ffffff; --accent-soft: #e4f2ed;
      --danger: #ad2a20; --danger-soft: #fbebe9; --warn: #7f5600; --warn-soft: #f8efdc;
      --live: #12906f; --focus: #1b6ef3;
      --shadow: 0 1px 2px rgb(40 36 28 / 5%);
      --shadow-2: 0 8px 30px rgb(40 36 28 / 14%), 0 1px 3px rgb(40 36 28 / 10%);
      --series-1: #006cd4; --series-2: #a85310; --series-3: #530078; --series-4: #849c00;
      --series-5: #289ebf; --series-6: #8c1c53; --series-7: #86619d; --series-8: #214401;
      --series-other: #8d8a82;
      --heat-0: #eaf1fb; --heat-1: #7db1ea; --heat-2: #0a3f86;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
      --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
      --radius: 12px; --radius-2: 8px;
    }
    /* Paper is white: neither the sheet nor a chart drawn for it is dark. */
    @media screen and (prefers-color-scheme: dark) {
      :root:not(.printing) {
        --paper: #131312; --card: #1b1b19; --sunk: #232220; --hover: #201f1d; --raised: #383733;
        --ink: #eceae5; --ink-2: #b1aea6; --ink-3: #95928a;
        --line: #2b2a27; --line-2: #43413c;
        --accent: #57c7a8; --accent-2: #74d6ba; --on-accent: #06231b; --accent-soft: #16302a;
        --danger: #ff9187; --danger-soft: #3a1f1c; --warn: #e8bd5f; --warn-soft: #342a15;
        --live: #3ecb9f; --focus: #7db1ff;
        --shadow: none;
        --shadow-2: 0 12px 40px rgb(0 0 0 / 55%), 0 0 0 1px #2f2e2b;
        --series-1: #6e97f2; --series-2: #e89150; --series-3: #9757b3; --series-4: #f5d657;
        --series-5: #6ff4c6; --series-6: #49beb6; --series-7: #ccb6fd; --series-8: #8b7311;
        --series-other: #858279;
        --heat-0: #23272f; --heat-1: #41639f; --heat-2: #b3ccff;
      }
    }
    """#

  /// The page's frame and its type.
  static let frame = #"""
    *, *::before, *::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scrollbar-gutter: stable; }
    html:has(dialog[open]) { overflow: hidden; }
    [id] { scroll-margin-top: 72px; }
    body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
      background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans);
      -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility; }
    h1, h2, h3, p, dl, dd, ol, ul, pre, figure { margin: 0; }
    ol, ul { padding: 0; list-style: none; }
    h1 { min-width: 0; font-size: 24px; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
    h2 { font-size: 16px; line-height: 1.3; font-weight: 620; letter-spacing: -0.005em; }
    h3 { font-size: 13px; line-height: 1.4; font-weight: 620; }
    b, .strong { font-weight: 620; }
    a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
    a:hover { color: var(--accent-2); }
    code, pre, .mono { font-family: var(--mono); font-size: 0.9em; }
    .num, time, table { font-variant-numeric: tabular-nums; }
    .muted { color: var(--ink-2); }
    .faint { color: var(--ink-3); }
    .end { text-align: right; }
    .cut { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis;
      white-space: nowrap; vertical-align: bottom; }
    .hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
      clip-path: inset(50%); white-space: nowrap; }
    [hidden] { display: none !important; }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
    main:focus, h1:focus, h2:focus, section.card:focus { outline: none; }
    ::selection { background: color-mix(in srgb, var(--accent) 26%, transparent); }

    .skip { position: absolute; left: 12px; top: -90px; z-index: 20; padding: 8px 14px;
      background: var(--card); border-radius: var(--radius-2); box-shadow: var(--shadow-2); }
    .skip:focus { top: 10px; }

    .top { position: sticky; top: 0; z-index: 10; border-bottom: 1px solid var(--line);
      background: color-mix(in srgb, var(--card) 88%, transparent);
      -webkit-backdrop-filter: saturate(1.6) blur(12px); backdrop-filter: saturate(1.6) blur(12px); }
    .top-in { max-width: 1180px; margin: 0 auto; padding: 0 24px; height: 56px; display: flex;
      align-items: center; gap: 6px; }
    .top-bare { position: static; border: 0; background: none; -webkit-backdrop-filter: none;
      backdrop-filter: none; padding: 56px 24px 0; text-align: center; }
    .brand { display: inline-flex; align-items: center; gap: 8px; margin-right: 10px;
      color: var(--ink); font-weight: 660; font-size: 16px; letter-spacing: -0.015em;
      text-decoration: none; }
    .brand:hover { color: var(--ink); }
    .mark { color: var(--accent); flex: none; }
    .nav { display: flex; gap: 2px; margin-left: 6px; }
    .nav > a, .nav .menu > summary { padding: 6px 12px; border-radius: var(--radius-2);
      color: var(--ink-2); text-decoration: none; font-weight: 520; }
    .nav > a:hover, .nav .menu > summary:hover { background: var(--sunk); color: var(--ink); }
    .nav > a[aria-current], .nav .menu > .here { color: var(--ink); background: var(--sunk); }

    .menu { position: relative; }
    .menu-end { margin-left: auto; }
    .menu > summary { display: flex; align-items: center; gap: 7px; max-width: 240px;
      padding: 6px 10px; border-radius: var(--radius-2); cursor: pointer; list-style: none;
      font-weight: 520; user-select: none; }
    .menu > summary::-webkit-details-marker { display: none; }
    .menu > summary:hover, .menu[open] > summary { background: var(--sunk); }
    .menu > summary svg { flex: none; color: var(--ink-3); }
    .menu-end > summary { padding: 4px; border-radius: 50%; }
    .menu-box { position: absolute; top: calc(100% + 6px); left: 0; z-index: 11; min-width: 220px;
      max-width: 380px; max-height: 70vh; overflow: auto; padding: 6px; background: var(--card);
      border-radius: var(--radius); box-shadow: var(--shadow-2); }
    .menu-end .menu-box { left: auto; right: 0; }
    .menu-box a, .menu-box button { display: block; width: 100%; padding: 8px 10px; border: 0;
      border-radius: var(--radius-2); background: none; color: var(--ink); font: inherit;
      text-align: left; text-decoration: none; cursor: pointer; }
    .menu-box a:hover, .menu-box button:hover { background: var(--sunk); }
    .menu-box a[aria-current] { font-weight: 620; }
    .menu-box a[aria-current]::after { content: " ✓"; color: var(--accent); }
    .menu-box .menu-more { margin-top: 5px; color: var(--ink-2); }
    .menu-note { padding: 7px 10px 6px; color: var(--ink-2); font-size: 13px; }
    .avatar { display: grid; place-items: center; width: 28px; height: 28px; border-radius: 50%;
      background: var(--accent-soft); color: var(--accent); font-size: 13px; font-weight: 640; }

    main { flex: 1; width: 100%; max-width: 1180px; margin: 0 auto; padding: 28px 24px 40px; }
    .foot { padding: 0 24px 28px; text-align: center; color: var(--ink-3); font-size: 12.5px; }
    .page-head { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 14px;
      margin-bottom: 18px; min-height: 34px; }

    .card { margin-bottom: 18px; padding: 20px 22px; background: var(--card);
      border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
    .card-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; }
    .card-head > :last-child:not(:first-child):not(p) { margin-left: auto; }
    .card > h2 + .definition { margin-top: 3px; }
    .card > h3 { margin-top: 18px; }
    .card > h2 + h3 { margin-top: 10px; }
    .definition, .hint { color: var(--ink-3); font-size: 13px; line-height: 1.45;
      text-wrap: pretty; }
    .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 0 18px; }
    .sheet { margin: 0 auto; padding: 30px 32px 32px; background: var(--card);
      border: 1px solid var(--line); border-radius: 16px; box-shadow: var(--shadow); }
    .sheet > * + * { margin-top: 14px; }
    .sheet > h2 { margin-top: 26px; }
    .sheet-narrow { max-width: 460px; margin-top: 20px; }
    .sheet-event { max-width: 760px; }
    .overline { color: var(--ink-3); font-size: 13px; }
    .crumbs { max-width: 760px; margin: 0 auto 12px; font-size: 14px; }
    .alert, .notice { padding: 10px 14px; border-radius: var(--radius-2); }
    .alert { background: var(--danger-soft); color: var(--danger); }
    .notice { background: var(--accent-soft); color: var(--accent); }
    main > .alert, main > .first-hint { margin-bottom: 18px; }
    .trouble { border-color: color-mix(in srgb, var(--danger) 40%, var(--line)); }
    .trouble > * + * { margin-top: 10px; }
    .empty-line { padding: 22px 0 6px; color: var(--ink-2); }

    @media (max-width: 640px) {
      .top { position: static; }
      .top-in { padding: 0 14px; height: auto; min-height: 52px; flex-wrap: wrap; }
      [id] { scroll-margin-top: 12px; }
      .brand { margin-right: 2px; }
      .brand span { display: none; }
      .menu > summary { max-width: 62vw; }
      /* All of it at once: what has to be scrolled to is not found. */
      .nav { position: relative; order: 1; flex-wrap: wrap; width: calc(100% + 20px); margin: 0 -10px; padding: 0 0 8px; }
      .nav > a, .nav .menu > summary { flex: none; padding: 7px 10px; }
      .nav .menu { position: static; flex: none; }
      .nav .menu-box { left: 14px; right: 14px; top: calc(100% + 4px); max-width: none; }
      main { padding: 20px 14px 32px; }
      .card { padding: 16px; margin-bottom: 14px; }
      .sheet { padding: 22px 20px 24px; }
      .top-bare { padding-top: 32px; }
      .top-bare .brand span { display: inline; }
    }
    @media (prefers-reduced-motion: reduce) {
      *, *::before, *::after { animation-duration: 0.01ms !important;
        animation-iteration-count: 1 !important; transition-duration: 0.01ms !important;
        scroll-behavior: auto !important; }
    }
    """#
}
