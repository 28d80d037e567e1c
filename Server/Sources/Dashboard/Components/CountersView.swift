import Insights

/// The numbers at the top of the live page, each with how it is defined.
struct CountersView {
  let numbers: LiveNumbers
  let zoneName: String

  var html: HTML {
    """
    <dl class="counters" id="counters">
    \(counter("Events, last hour", numbers.lastHour,
      "Events that happened in the last 60 minutes."))
    \(counter("People, last hour", numbers.people,
      "User ids among them, or device ids where no user is known."))
    \(counter("Online now", numbers.online,
      "Devices that something came of in the last \(OnlineDevices.liveSeconds) seconds, whatever is filtered here."))
    \(counter("Events today", numbers.today, "Events since midnight in \(zoneName)."))
    </dl>
    """
  }

  private func counter(_ name: String, _ value: Int, _ definition: String) -> HTML {
    """
    <div><dt>\(name)</dt><dd class="counter num">\(value.grouped)</dd>\
    <dd class="definition">\(definition)</dd></div>
    """
  }
}
