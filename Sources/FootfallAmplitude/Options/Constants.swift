/// Names and numbers of Amplitude's clients.
public enum Constants {
  /// The event that carries changes of the person's properties.
  public static let IDENTIFY_EVENT = "$identify"
  /// The event that carries changes of a group's properties.
  public static let GROUP_IDENTIFY_EVENT = "$groupidentify"
  /// The event that tells of money earned.
  public static let AMP_REVENUE_EVENT = "revenue_amount"
  /// What names of events and properties that the library makes begin with.
  public static let AMP_AMPLITUDE_PREFIX = "[Amplitude] "
  /// A session began.
  public static let AMP_SESSION_START_EVENT = "session_start"
  /// A session is over.
  public static let AMP_SESSION_END_EVENT = "session_end"
  /// The app runs for the first time.
  public static let AMP_APPLICATION_INSTALLED_EVENT = "[Amplitude] Application Installed"
  /// The app runs for the first time in this version.
  public static let AMP_APPLICATION_UPDATED_EVENT = "[Amplitude] Application Updated"
  /// The app was opened, or returned to.
  public static let AMP_APPLICATION_OPENED_EVENT = "[Amplitude] Application Opened"
  /// The app was left.
  public static let AMP_APPLICATION_BACKGROUNDED_EVENT = "[Amplitude] Application Backgrounded"
  /// The app was opened by a link.
  public static let AMP_DEEP_LINK_OPENED_EVENT = "[Amplitude] Deep Link Opened"
  /// A screen was shown.
  public static let AMP_SCREEN_VIEWED_EVENT = "[Amplitude] Screen Viewed"
  /// An element of the interface was used.
  public static let AMP_ELEMENT_INTERACTED_EVENT = "[Amplitude] Element Interacted"
  /// A network request ended.
  public static let AMP_NETWORK_TRACKING_EVENT = "[Amplitude] Network Request"

  /// What a configuration says unless told otherwise.
  public enum Configuration {
    /// So many waiting events are sent at once.
    public static let FLUSH_QUEUE_SIZE = 30
    /// What waits is sent at every tick of so many milliseconds.
    public static let FLUSH_INTERVAL_MILLIS = 30 * 1_000
    /// The name of an instance without one.
    public static let DEFAULT_INSTANCE = "$default_instance"
    /// The client goes offline at the failure after so many in a row.
    public static let FLUSH_MAX_RETRIES = 6
    /// How long the app may be away before its session is over, in milliseconds.
    public static let MIN_TIME_BETWEEN_SESSIONS_MILLIS = 300_000
    /// How long identifies that only set properties are held back, in milliseconds.
    public static let IDENTIFY_BATCH_INTERVAL_MILLIS = 30 * 1_000
  }
}
