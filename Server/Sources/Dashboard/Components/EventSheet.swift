import EventRecord
import EventStore
import Foundation

/// All of one event: times, person, properties, context, ids and the whole as JSON.
struct EventSheet {
  let event: StoredEvent
  let project: UInt32
  let zone: TimeZone
  /// The level of its title: 1 on a page of its own, else 2; its parts stand one below.
  var level = 2

  var html: HTML {
    """
    <article class="event-view" aria-labelledby="event-title">
    <header>
    <p class="overline">\(event.kind == .event ? "Event" : "Person’s properties")\
    \(event.isTest ? #" <span class="tag tag-test">test</span>"# as HTML : nil)</p>
    \(title)
    <p class="muted">\(Moment(ms: event.correctedMs, zone: zone).full)</p>
    </header>
    \(section("Properties", JSONTable(text: event.properties)))
    \(section("Operations on the person", JSONTable(text: event.operations)))
    \(section("Groups", JSONTable(text: event.groups)))
    <section>\(part("Person"))<dl class="facts">
    \(personFact("User", event.userID))
    \(personFact("Device", event.deviceID))
    \(fact("Session", event.sessionID))
    </dl></section>
    <section>\(part("Time"))<dl class="facts">
    \(times)
    </dl>
    <p class="hint">Charts use the corrected time: the event’s own time minus what the client’s \
    clock was off when it uploaded, if that was more than a minute.</p></section>
    \(section("App and device", JSONTable(text: event.client)))
    \(section("Context", JSONTable(text: event.context)))
    <section>\(part("Identity"))<dl class="facts">
    \(fact("Event id", event.id))
    \(fact("Sequence", "\(event.sequence)"))
    \(fact("Key", event.key.description))
    </dl>
    <p class="hint">A repeat with the same key is refused, so the event counts once.</p></section>
    <section class="raw">\(part("JSON"))
    <div class="code"><div class="code-bar"><span>As sent, with the server’s times</span>\
    <button type="button" class="copy" data-copy="raw-json" aria-label="Copy the JSON">Copy</button>\
    </div><pre id="raw-json">\(json)</pre></div></section>
    </article>
    """
  }

  private var title: HTML {
    level == 1
      ? #"<h1 id="event-title" tabindex="-1">\#(event.displayName)</h1>"#
      : #"<h2 id="event-title" tabindex="-1">\#(event.displayName)</h2>"#
  }

  private func part(_ title: String) -> HTML {
    level == 1
      ? #"<h2 class="event-part">\#(title)</h2>"# : #"<h3 class="event-part">\#(title)</h3>"#
  }

  private func section(_ title: String, _ table: JSONTable) -> HTML? {
    guard !table.isEmpty else { return nil }
    return "<section>\(part(title))\(table.html)</section>"
  }

  private func fact(_ name: String, _ value: String) -> HTML? {
    guard !value.isEmpty else { return nil }
    return #"<div><dt>\#(name)</dt><dd class="mono">\#(value)</dd></div>"#
  }

  private func personFact(_ name: String, _ value: String) -> HTML? {
    guard !value.isEmpty else { return nil }
    let profile = PersonAddress(value, isDevice: name == "Device").address(project: project)
    return """
      <div><dt>\(name)</dt><dd class="mono">\(value) \
      <a class="quiet" href="\(profile)">Show the profile</a></dd></div>
      """
  }

  private var times: HTML {
    let corrected = event.correctedMs - event.timestampMs
    let correction = corrected == 0 ? "same as sent" : "clock off by \(Moment.fineSpan(corrected))"
    let travel = event.receivedMs - event.correctedMs
    let arrival = travel >= 0 ? "\(Moment.fineSpan(travel)) later" : "before its own time"
    return """
      \(time("Sent as", event.timestampMs, "the event’s own time"))
      \(time("Corrected", event.correctedMs, correction))
      \(time("Received", event.receivedMs, arrival))
      """
  }

  private func time(_ name: String, _ ms: Int64, _ remark: String) -> HTML {
    let moment = Moment(ms: ms, zone: zone)
    return """
      <div><dt>\(name)</dt><dd><time class="num" datetime="\(moment.iso)" title="\(ms) ms">\
      \(moment.full)</time> <span class="remark">\(remark)</span></dd></div>
      """
  }

  /// The event in the spelling of the wire, with what the server added at the end.
  private var json: String {
    func text(_ name: String, _ value: String) -> JSONText.Member? {
      value.isEmpty ? nil : .init(name: name, value: .string(value))
    }
    func nested(_ name: String, _ value: String) -> JSONText.Member? {
      value.isEmpty || value == "{}"
        ? nil : .init(name: name, value: JSONText(value) ?? .string(value))
    }
    func number(_ name: String, _ value: Int64) -> JSONText.Member {
      .init(name: name, value: .number("\(value)"))
    }
    let members: [JSONText.Member?] = [
      text("id", event.id), number("seq", event.sequence), text("name", event.name),
      number("ts", event.timestampMs), text("device_id", event.deviceID),
      text("user_id", event.userID), text("session_id", event.sessionID),
      event.isTest ? .init(name: "test", value: .boolean(true)) : nil,
      nested("props", event.properties), nested("groups", event.groups),
      nested("ops", event.operations), nested("context", event.context),
      nested("client", event.client), number("corrected_ts", event.correctedMs),
      number("received_ts", event.receivedMs),
    ]
    return JSONText.object(members.compactMap { $0 }).encoded(indent: 0)
  }
}
