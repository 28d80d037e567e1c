import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions

extension DashboardSite {
  /// The largest file of a list, in bytes.
  static let maxListBytes = 64 << 20

  func installSegments(in router: inout Router) {
    let root = "/projects/:id/people/segments"
    router.get(root, handler: signedIn(.viewEvents) { try self.segmentsPage($0, $1) })
    router.get("\(root)/new", handler: signedIn(.viewEvents) { try self.segmentPage($0, $1) })
    router.get("\(root)/count", handler: signedIn(.viewEvents) { try self.segmentCount($0, $1) })
    router.get(
      "\(root)/:segment",
      handler: signedIn(.viewEvents) { request, visitor in
        try self.segmentPage(request, visitor, saved: try self.segment(request))
      }
    )
    router.get(
      "\(root)/:segment/remove",
      handler: signedIn(.manageProject) { request, visitor in
        let project = try self.project(request)
        let segment = try self.segment(request)
        let page = SegmentRemovalPage(
          visitor: visitor,
          project: project,
          what: "segment",
          name: segment.name,
          uses: try self.catalog.uses(ofSegment: segment.id, project: project.id),
          action: SegmentAddress.removal(segment.id, project.id),
          back: SegmentAddress.one(segment.id, project.id)
        )
        return .now(self.page(page, in: try self.frame(visitor, project, .people)))
      }
    )
    router.post(root, handler: signedInForm { try self.saveSegment($0, $1) })
    router.post(
      "\(root)/:segment",
      handler: signedInForm { request, visitor in
        try self.saveSegment(request, visitor, saved: try self.segment(request))
      }
    )
    router.post(
      "\(root)/:segment/remove",
      handler: signedInForm { request, visitor in
        let project = try self.project(request)
        let segment = try self.segment(request)
        try self.catalog.removeSegment(segment.id, project: project.id, by: visitor.actor)
        return .now(.redirect(to: SegmentAddress.all(project.id).text))
      }
    )
  }

  /// Where a project's segments and lists are found by questions.
  func shelf(of project: UInt32) -> SegmentShelf {
    SegmentShelf(catalog, project: project)
  }

  private func segment(_ request: Request) throws -> SavedSegment {
    let project = try project(request)
    guard let id = Int64(request.parameter("segment")),
      let segment = try catalog.segment(id, project: project.id)
    else { throw PageProblem.notFound }
    return segment
  }

  private func listNames(_ project: UInt32) throws -> [Int64: String] {
    Dictionary(uniqueKeysWithValues: try catalog.lists(project: project).map { ($0.id, $0.name) })
  }

  private func segmentsPage(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let page = SegmentsPage(
      visitor: visitor,
      project: project,
      segments: try catalog.segments(project: project.id),
      lists: try listNames(project.id),
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
    return .now(self.page(page, in: try frame(visitor, project, .people)))
  }

  private func segmentPage(
    _ request: Request,
    _ visitor: Visitor,
    saved: SavedSegment? = nil
  ) throws -> Reply {
    let project = try project(request)
    let query = SegmentQuery(request, saved: saved.flatMap { Segment($0.definition) } ?? Segment())
    let address =
      saved.map { SegmentAddress.one($0.id, project.id) } ?? SegmentAddress.new(project.id)
    if query.isGathered, let segment = query.segment {
      return .now(.redirect(to: address.with("definition", segment.text).text))
    }
    let page = SegmentPage(
      visitor: visitor,
      project: project,
      saved: saved,
      segment: query.segment ?? Segment(),
      lists: try catalog.lists(project: project.id),
      problem: query.segment == nil ? "The address holds no segment that can be read." : nil
    )
    return .now(
      self.page(
        page,
        in: try frame(visitor, project, .people),
        status: query.segment == nil ? 422 : 200
      )
    )
  }

  /// How many belong, as a part of a page.
  private func segmentCount(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let text = request.query("definition") ?? ""
    let html: HTML
    do {
      guard let segment = text.isEmpty ? Segment() : Segment(String(text.prefix(20_000))) else {
        throw QuestionForm.Problem("definition", "This is no segment.")
      }
      let filter = try shelf(of: project.id).filter(segment, nowMs: clock.nowMs())
      let count = try SegmentCount(project: project.id, filter).run(on: store)
      html = "\(count.grouped) \(count == 1 ? "person" : "people")"
    } catch let problem as QuestionForm.Problem {
      html = #"<span class="faint">\#(problem.description)</span>"#
    } catch let error as StoreError {
      html = #"<span class="faint">\#(Self.sentence(error))</span>"#
    }
    return .now(.html(html.text))
  }

  private func saveSegment(
    _ request: Request,
    _ visitor: Visitor,
    saved: SavedSegment? = nil
  ) throws -> Reply {
    let project = try project(request)
    let name = request.form("name") ?? ""
    let read = Segment(request.form("definition") ?? "")
    do {
      guard let segment = read else {
        throw CatalogError.invalid(field: "definition", reason: "The form held no segment.")
      }
      do { _ = try shelf(of: project.id).filter(segment, nowMs: clock.nowMs()) } catch {
        throw CatalogError.invalid(field: "definition", reason: error.description)
      }
      let kept =
        try saved.map {
          try catalog.changeSegment(
            $0.id,
            name: name,
            definition: segment.text,
            project: project.id,
            by: visitor.actor
          )
        }
        ?? catalog.addSegment(
          name: name,
          definition: segment.text,
          project: project.id,
          by: visitor.actor
        )
      return .now(.redirect(to: SegmentAddress.one(kept.id, project.id).text))
    } catch CatalogError.invalid(let field, let reason) {
      let page = SegmentPage(
        visitor: visitor,
        project: project,
        saved: saved,
        segment: read ?? Segment(),
        lists: try catalog.lists(project: project.id),
        typedName: name,
        problem: reason
      )
      return .now(
        self.page(page, in: try frame(visitor, project, .people), status: 422)
      ).beside(field, reason, of: request)
    }
  }
}
