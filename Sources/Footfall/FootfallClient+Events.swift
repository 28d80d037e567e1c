public import FootfallCore
import FootfallEngine
public import Foundation

// What happened.
extension FootfallClient {
  /// Says that something happened.
  ///
  /// Any thread; returns after a stamp, a lock and an append. The id, the time and the order are
  /// fixed here. Limits: a name of 256 characters, 256 properties, 8 levels, 8 KiB per text,
  /// 64 KiB in all; what is over is cut, left out or dropped, and counted.
  ///
  /// - Parameters:
  ///   - name: What happened; not empty.
  ///   - properties: What else there is to say; none unless given.
  ///   - options: What this event says differently, such as its id or time; nothing unless given.
  public func track(
    _ name: EventName,
    _ properties: Properties = [:],
    _ options: EventOptions? = nil
  ) {
    engine.track(name, properties, options)
  }

  /// Says that something happened, and hears what finally became of it.
  ///
  /// As `track` without `onResult`. It is called once, on the client's own thread, when the server
  /// has the event or it is lost; never for an event that is still on disk when the client ends,
  /// since that is sent at the next start.
  ///
  /// - Parameters:
  ///   - name: What happened; not empty.
  ///   - properties: What else there is to say; none unless given.
  ///   - options: What this event says differently; nothing unless given.
  ///   - onResult: Hears how it ended; must not wait for the client.
  public func track(
    _ name: EventName,
    _ properties: Properties = [:],
    _ options: EventOptions? = nil,
    onResult: @escaping @Sendable (EventResult) -> Void
  ) {
    engine.track(
      name,
      properties,
      EventDetails(options: options ?? EventOptions(), onResult: onResult)
    )
  }

  /// Says that something happened, and waits until it is delivered or lost.
  ///
  /// It is sent when it is its turn, as every event; call `flush()` as well for one that cannot
  /// wait. Any thread.
  ///
  /// - Parameters:
  ///   - name: What happened; not empty.
  ///   - properties: What else there is to say; none unless given.
  ///   - options: What this event says differently; nothing unless given.
  /// - Returns: How it ended; nil if the client or the surrounding task ended first: what is stored
  ///   is sent all the same, at the next start if need be.
  public func deliver(
    _ name: EventName,
    _ properties: Properties = [:],
    _ options: EventOptions? = nil
  ) async -> EventResult? {
    let waiter = ResultWaiter()
    // Only the event itself keeps it alive: when the client ends, so does the wait.
    track(name, properties, options, onResult: waiter.makeCallback())
    return await waiter.result
  }

  /// Says that a screen was shown: the event `screen_view` with the property `screen`.
  ///
  /// Any thread; returns at once. A property `screen` of the caller's own wins. Without a name
  /// nothing is tracked: a count, as `DropReason.invalid`, and a line in the log.
  ///
  /// - Parameters:
  ///   - name: The screen's name; not empty.
  ///   - properties: What else there is to say; none unless given.
  ///   - options: What this event says differently; nothing unless given.
  public func screen(
    _ name: String,
    _ properties: Properties = [:],
    _ options: EventOptions? = nil
  ) {
    guard !name.isEmpty else {
      return engine.refuse(vocabulary.screenView, "A screen has no name; its view is not tracked.")
    }
    let content = vocabulary.screenView(name, properties)
    track(content.name, content.properties, options)
  }

  /// Says that a link opened the app: the event `deep_link_opened` with `url` and `referrer`.
  ///
  /// Any thread; returns at once.
  ///
  /// - Parameters:
  ///   - url: The link; nil if it is unknown, which is told as an empty text.
  ///   - referrer: Where it was followed; nil unless given, and then left out.
  public func openedLink(_ url: URL?, referrer: URL? = nil) {
    let content = vocabulary.deepLinkOpened(
      url: url?.absoluteString,
      referrer: referrer?.absoluteString
    )
    track(content.name, content.properties)
  }

  /// Says that a link opened the app, for a link that is at hand as text.
  ///
  /// As `openedLink` with a `URL`; the texts are told as they are.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - referrer: Where it was followed; nil unless given, and then left out.
  public func openedLink(_ link: String, referrer: String? = nil) {
    let content = vocabulary.deepLinkOpened(url: link, referrer: referrer)
    track(content.name, content.properties)
  }

  /// Says that money was earned, or with a negative price given back.
  ///
  /// Any thread; returns at once. Without a price nothing is tracked: a count, as
  /// `DropReason.invalid`, and a line in the log.
  ///
  /// - Parameters:
  ///   - revenue: What was bought, how often and for how much.
  ///   - options: What this event says differently; nothing unless given.
  public func revenue(_ revenue: Revenue, _ options: EventOptions? = nil) {
    guard let content = revenue.content else {
      return engine.refuse(.revenue, Revenue.missingPrice)
    }
    track(content.name, content.properties, options)
  }

  /// Puts properties on every event tracked after this call, in the place of those set before.
  ///
  /// Any thread; returns at once. An event's own value wins. Not kept over starts. What is NaN or
  /// infinite is left out, and counted as `DropReason.propertyNotFinite`.
  public func setDefaultProperties(_ properties: Properties) {
    engine.change(.defaultProperties(properties))
  }
}
