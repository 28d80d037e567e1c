public import Foundation

extension NSNotification.Name {
  /// More bytes are kept than `AWSKinesisRecorder.notificationByteThreshold`.
  ///
  /// Once for each time they become so many; the new number is in `userInfo`, under `diskBytesUsed`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let AWSKinesisRecorderByteThresholdReached = NSNotification.Name(
    "com.amazonaws.AWSKinesisRecorderByteThresholdReachedNotification"
  )

  /// More bytes are kept than `AWSFirehoseRecorder.notificationByteThreshold`.
  ///
  /// Once for each time they become so many; the new number is in `userInfo`, under `diskBytesUsed`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let AWSFirehoseRecorderByteThresholdReached = NSNotification.Name(
    "com.amazonaws.AWSFirehoseRecorderByteThresholdReachedNotification"
  )
}

/// Where the notifications have the bytes kept: a number.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AWSKinesisRecorderByteThresholdReachedNotificationDiskBytesUsedKey = "diskBytesUsed"

/// Where the notifications have the bytes kept: a number.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AWSFirehoseRecorderByteThresholdReachedNotificationDiskBytesUsedKey = "diskBytesUsed"
