extension Styles {
  /// Pages on paper: what is read, without what is clicked, on white.
  static let paper = #"""
    @media print {
      @page { margin: 14mm 12mm; }
      :root { color-scheme: light; }
      html, body { background: none; font-size: 11pt; scrollbar-gutter: auto; }
      body { display: block; min-height: 0; }
      main { max-width: none; padding: 0; }
      .top, .foot, .skip, .busy, .drawer, .filters, .status, .ask, .tabs, .crumbs, .menu, .board-edit, .actions,
      .card-actions, .pages, .older, .copy, .fresh-pill, .list-card .button, .table-toggle > summary, form,
      .card-head > a, .page-head > a { display: none !important; }
      .card, .sheet, .figures, .counters { break-inside: avoid; box-shadow: none; background: none; }
      .card, .sheet { border-color: #c9c5bc; }
      /* What is longer than a sheet goes on on the next one between two rows, its head above it again. */
      .card:has(tr:nth-child(26)), .list-card { break-inside: auto; }
      h1, h2, h3, .card-head, .period { break-after: avoid; }
      tr, li, .facts > div { break-inside: avoid; }
      thead { display: table-header-group; }
      .scroll, .scroll-tall, .scroll-long { max-height: none; margin-inline: 0; padding-inline: 0; overflow: visible; }
      .scroll-tall thead th, .scroll-long thead th { position: static; }
      .table { font-size: 9pt; }
      .table tbody th, .table td { padding-block: 3px; }
      .table:has(th:nth-child(11)) { font-size: 6.5pt; }
      .table:has(th:nth-child(11)) :is(th, td) { padding-inline: 2px !important; font-size: inherit !important; }
      .table td.num { white-space: nowrap; }
      .table th .cut { max-width: none; overflow: visible; white-space: normal; }
      .sort::after { content: none !important; }
      .chart-scroll { overflow: visible; }
      .charts .report-chart.report-flow { min-width: 0; }
      a { color: inherit; text-decoration: none; }
      .heat, .swatch, .dot, .tag { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .board { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
      .board > .card { grid-column: 1; }
      .board > .card { break-inside: avoid; }
      .event { content-visibility: visible; }
    }
    """#
}
