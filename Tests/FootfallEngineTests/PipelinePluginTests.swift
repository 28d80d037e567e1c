import FootfallCore
import Testing

@testable import FootfallEngine

@Suite struct `Plugins in the pipeline` {
  let context = EventContext([.platform: "iOS", .country: "GB", .carrier: "C"])

  private func add(_ plugins: [RecordingPlugin], to subject: PipelineSubject) -> () -> [String] {
    var calls: [String] = []
    for plugin in plugins {
      plugin.journal = { calls.append($0) }
      subject.take(.addPlugin(plugin), at: 0)
    }
    return {
      defer { calls = [] }
      return calls
    }
  }

  @Test func `AMP L17, L18: before, enrichment, destination, each in the order they joined`() {
    let subject = PipelineSubject().launch(at: 0)
    let plugins = [
      RecordingPlugin("D1", .destination), RecordingPlugin("E1", .enrichment),
      RecordingPlugin("B1", .before), RecordingPlugin("E2", .enrichment),
      RecordingPlugin("B2", .before), RecordingPlugin("D2", .destination),
      RecordingPlugin("U", .utility), RecordingPlugin("O", .observe),
    ]
    let calls = add(plugins, to: subject)
    plugins[3].change = { event in
      var event = event
      event.properties["seen"] = true
      return event
    }
    subject.track("x", at: 1)
    #expect(calls() == ["B1 x", "B2 x", "E1 x", "E2 x", "D1 x", "D2 x"])
    #expect(subject.events.last?.properties == ["seen": true])
    subject.take(.removePlugin(plugins[1]), at: 2)
    subject.take(.removePlugin(RecordingPlugin("B1", .before)), at: 2)
    subject.take(.addPlugin(plugins[2]), at: 2)
    subject.track("y", at: 3)
    #expect(calls() == ["B1 y", "B2 y", "E2 y", "D1 y", "D2 y"])
  }

  @Test func `AMP L2, L19: nil drops the event for everyone after, and counts it`() {
    let subject = PipelineSubject().launch(at: 0)
    let dropping = RecordingPlugin("B1", .before)
    dropping.change = { $0.name.text.hasPrefix("Debug ") ? nil : $0 }
    let calls = add([dropping, RecordingPlugin("E", .enrichment)], to: subject)
    subject.track("Debug x", at: 1)
    subject.track("x", at: 2)
    #expect(calls() == ["B1 Debug x", "B1 x", "E x"])
    #expect(subject.losses.byReason == [.plugin: 1])
    #expect(subject.dropped.map(\.name) == ["Debug x"])
    #expect(subject.dropped.map(\.outcome) == [.dropped(.plugin, status: nil, message: "")])
  }

  @Test func `AMP L20, L25: session events pass plugins too`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 0, in: .background)
    let calls = add(
      [RecordingPlugin("E", .enrichment), RecordingPlugin("D", .destination)],
      to: subject
    )
    subject.track("x", at: 1)
    #expect(
      calls() == ["E session_start", "D session_start", "E session", "D session", "E x", "D x"]
    )
  }

  @Test func `AMP L24: a flush reaches destination plugins only`() {
    let subject = PipelineSubject().launch(at: 0)
    let calls = add(
      [RecordingPlugin("D", .destination), RecordingPlugin("E", .enrichment)],
      to: subject
    )
    subject.pipeline.flush()
    #expect(calls() == ["D flush"])
  }

  @Test func `AMP L7, P7, P8: changes are told once, to each stage in its order`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 0, in: .background)
    let calls = add([RecordingPlugin("O", .observe), RecordingPlugin("B", .before)], to: subject)
    subject.take(.identity(.setUser("x-1")), at: 1)
    subject.take(.identity(.setUser("x-1")), at: 2)
    #expect(
      calls() == [
        "B user x-1", "O user x-1", "B identity x-1 device-1 []", "O identity x-1 device-1 []",
      ]
    )
    subject.take(.identity(.assign(userID: "u", deviceID: "d", ["a": 1])), at: 3)
    #expect(
      calls().filter { $0.hasPrefix("O ") } == [
        "O user u", "O device d", "O identity u d [\"a\"]", "O session",
      ]
    )
    #expect(subject.events.last?.name == .identify)
    #expect(subject.events.last?.userOperations == .set("a", 1))
    subject.take(.session(.end), at: 4)
    subject.take(.collecting(false), at: 5)
    subject.take(.collecting(false), at: 6)
    #expect(calls().filter { $0.hasPrefix("O ") } == ["O session -", "O collection false"])
    subject.take(.collecting(true), at: 7)
    subject.take(.identity(.reset), at: 8)
    #expect(
      calls().filter { $0.hasPrefix("O ") } == [
        "O collection true", "O user -", "O device device-1", "O identity - device-1 []", "O reset",
      ]
    )
  }

  @Test func `AMP L27: context comes between before and enrichment`() {
    let subject = PipelineSubject(context: context).launch(at: 0)
    let before = RecordingPlugin("B", .before)
    let after = RecordingPlugin("E", .enrichment)
    var seen: [PropertyValue?] = []
    for plugin in [before, after] {
      plugin.change = { event in
        seen.append(event.context[.platform])
        return event
      }
    }
    _ = add([before, after], to: subject)
    subject.track("x", at: 1)
    #expect(seen == [nil, "iOS"])
  }

  @Test func `AMP P12 to P16, P29, P30: what is withheld, and who is asked for the country`() {
    func sent(
      _ rules: PipelineRules,
      own: EventContext = EventContext(),
      _ known: EventContext
    ) -> EventContext {
      let subject = PipelineSubject(rules, context: known).launch(at: 0)
      let plugin = RecordingPlugin("B", .before)
      plugin.change = { event in
        var event = event
        event.context = own
        return event
      }
      subject.take(.addPlugin(plugin), at: 0)
      subject.track("x", at: 1)
      return subject.events.last?.context ?? EventContext()
    }
    var known = context
    known[.vendorID] = "V"
    known[.city] = "Leeds"
    let usual = sent(.amplitude(), known)
    #expect(usual[.ip] == "$remote" && usual[.country] == nil && usual[.vendorID] == "V")
    let withheld = sent(.amplitude(withheld: [.ip, .carrier]), known)
    #expect(withheld[.ip] == nil && withheld[.carrier] == nil && withheld[.country] == "GB")
    let neither = sent(.amplitude(withheld: [.ip, .country]), known)
    #expect(neither[.ip] == nil && neither[.country] == nil)
    let child = sent(.amplitude(protectsChildren: true), known)
    #expect(child[.ip] == nil && child[.vendorID] == nil && child[.city] == nil)
    #expect(child[.country] == "GB")
    let own = sent(.amplitude(withheld: [.city]), own: EventContext([.city: "York"]), known)
    #expect(own[.city] == "York" && own[.ip] == "$remote" && own[.country] == nil)
    let kiosk = sent(.amplitude(), own: EventContext([.platform: "Kiosk", .ip: "1.2.3.4"]), known)
    #expect(kiosk[.platform] == "Kiosk" && kiosk[.country] == "GB")
    #expect(sent(.native, known) == known)
  }
}
