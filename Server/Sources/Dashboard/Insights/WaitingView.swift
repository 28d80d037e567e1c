import HTTPServing

/// A question that takes longer than a look: how far it is, and how it is stopped.
///
/// The script puts the next state in its place; without it the whole page comes again.
struct WaitingView {
  /// The page, with the name of the run.
  let again: Address
  /// Where a form stops the question.
  let stop: Address
  let run: String
  let formToken: String
  /// How far it is, from 0 to 1; nil where that is not known.
  let fraction: Double?
  /// For how long it has been asked.
  let seconds: Int
  /// Whether it is shown for the first time; only then it is read aloud.
  let isFirst: Bool

  var html: HTML {
    """
    <section class="card waiting" hx-get="\(again)" hx-trigger="load delay:400ms" hx-target="#answer" \
    hx-select="#answer" hx-swap="outerHTML">
    <p class="waiting-text"\(#" role="status""#, if: isFirst)>Counting…\(isFirst ? "" : " \(seconds) s so far.")</p>
    <progress class="waiting-bar" max="100"\(percent.map { #" value="\#($0)""# as HTML }) \
    aria-label="How far the answer is"></progress>
    <form method="post" action="\(stop)" hx-post="\(stop)" hx-trigger="submit" hx-target="#answer" hx-select="#answer" \
    hx-swap="outerHTML">\(FormToken.field(formToken))<input type="hidden" name="run" value="\(run)">\
    <button type="submit" class="button button-small">Stop</button></form>
    <noscript><meta http-equiv="refresh" content="1;url=\(again)"></noscript>
    </section>
    """
  }

  // The end is only there with the answer.
  private var percent: Int? { fraction.map { min(99, max(0, Int($0 * 100))) } }
}
