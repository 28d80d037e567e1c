/// The few pictures of the pages, as inline SVG in the colour of the text.
enum Icons {
  /// Two steps: the mark beside the name.
  static let mark: HTML = """
    <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">\
    <g fill="currentColor"><rect x="4" y="9" width="6.4" height="11.6" rx="3.2" \
    transform="rotate(-8 7.2 15)"/><rect x="13.4" y="3.2" width="6.4" height="11.6" rx="3.2" \
    transform="rotate(8 16.6 9)"/></g></svg>
    """

  /// The mark as a file of its own, in a colour that stands on light and dark tabs.
  static let favicon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="#16a085">\
    <rect x="4" y="9" width="6.4" height="11.6" rx="3.2" transform="rotate(-8 7.2 15)"/>\
    <rect x="13.4" y="3.2" width="6.4" height="11.6" rx="3.2" transform="rotate(8 16.6 9)"/>\
    </g></svg>
    """

  static let chevron: HTML = """
    <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true"><path d="M2.5 4.5 6 8l3.5-3.5" \
    fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" \
    stroke-linejoin="round"/></svg>
    """

  static let pause: HTML = """
    <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true" class="icon-pause">\
    <g fill="currentColor"><rect x="2.2" y="1.5" width="2.8" height="9" rx="1"/>\
    <rect x="7" y="1.5" width="2.8" height="9" rx="1"/></g></svg>
    """

  static let resume: HTML = """
    <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true" class="icon-resume">\
    <path d="M3 1.8v8.4a.6.6 0 0 0 .9.5l6.6-4.2a.6.6 0 0 0 0-1L3.9 1.3a.6.6 0 0 0-.9.5z" \
    fill="currentColor"/></svg>
    """

  static let close: HTML = """
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path \
    d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" stroke-width="1.6" \
    stroke-linecap="round"/></svg>
    """
}
