/// The script of all pages: small behaviours first, then the live page's chart, drawer and stream.
///
/// Everything here improves pages that work without it. Nothing is fetched from elsewhere, and
/// markup only ever comes from our own server, which escapes it by type.
enum Scripts {
  /// One file; the parts share a few names, hence the function around them.
  static let all =
    "(() => {\n'use strict';\n" + common + tables + axis + chart + flow + report + drawer + live
    + upload + start
    + "})();\n"

  private static let start = #"""
    addEventListener('htmx:beforeSwap', event => event.detail.target?.id === 'live' && closeLive());
    addEventListener('htmx:afterSwap', () => openLive());
    openLive();
    function show() { drawReports(false); makeSortable(); }
    addEventListener('htmx:afterSwap', show);
    show();

    """#
}
