/// What an answer, or none, means for the events that were sent.
package enum UploadVerdict: Sendable, Equatable {
  /// The server has all of them.
  case delivered(status: Int)
  /// The answer says something of each event, in the order of the request.
  ///
  /// Events beyond the end are sent again.
  case partial([EventVerdict])
  /// The server will never take any of them: all are dropped.
  case refused(status: Int, message: String)
  /// An answer that should say what became of each event, and does not: sent again, which counts as
  /// a try of each.
  ///
  /// A refusal that names no event, or a positive answer whose body cannot be read: cut off at the
  /// transport's limit, or not what the protocol says, as the page of some proxy in between. Taking
  /// the latter for delivered would lose the events where the server never saw them, and hide which
  /// ones it refused where it did. Sending them again loses nothing, and counts nothing twice: they
  /// keep their ids, which the server knows, and are counted here once their end is known.
  case unexplained(status: Int, message: String)
  /// The server does not know the key: pause.
  case keyRefused
  /// Too much in one request: send it in parts; a lone event is dropped.
  case tooLarge(status: Int, message: String)
  /// The server cannot make sense of the request: send it in parts; a lone event is dropped.
  case malformed(status: Int, message: String)
  /// The server will never read this batch: put it aside.
  case unreadable
  /// Try again later, after at least `retryAfterSeconds` if the server said so.
  ///
  /// The problem's kind tells a server that cannot be reached (`offline`) from one that is slow
  /// (`timedOut`) and one that answered.
  case failed(DeliveryProblem, retryAfterSeconds: Double?)
}
