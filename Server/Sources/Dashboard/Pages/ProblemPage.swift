/// Says what went wrong and where to go from here.
struct ProblemPage: Page {
  let problem: PageProblem

  var title: String { problem.title }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <p class="overline num">\(problem.status)</p>
    <h1>\(problem.title)</h1>
    <p>\(problem.message)</p>
    <p><a class="button" href="\(Address())">To the start page</a></p>
    </section>
    """
  }
}

/// Loads the same address once more, see `DashboardSite.refusal`.
struct ComingBackPage: Page {
  let address: Address

  var title: String { "One moment" }
  var head: HTML { #"<meta http-equiv="refresh" content="0">"# }

  var content: HTML {
    """
    <section class="sheet sheet-narrow"><p class="muted">One moment…</p>
    <p><a href="\(address)">Go on</a></p></section>
    """
  }
}
