import Catalog

/// Says what went wrong and where to go from here.
struct ProblemPage: Page {
  let problem: PageProblem
  let frame: PageFrame

  var title: String { problem.title }

  var content: HTML {
    """
    <section class="sheet sheet-narrow">
    <p class="overline num">\(problem.status)</p>
    <h1>\(problem.title)</h1>
    <p>\(problem.message)</p>
    <p class="actions">\(ways)</p>
    </section>
    """
  }

  private var ways: HTML {
    guard frame.visitor != nil else {
      return #"<a class="button" href="\#(Address())">To the start page</a>"#
    }
    guard let project = frame.project else {
      return #"<a class="button" href="\#(Address())">To your projects</a>"#
    }
    let section =
      frame.section.flatMap { section in
        frame.visitor?.user.role.may(section.permission) == true ? section : nil
      } ?? .live
    return """
      <a class="button" href="\(Address("projects", "\(project.id)", section.rawValue))">\
      To “\(section.title)” of \(project.name)</a>
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
