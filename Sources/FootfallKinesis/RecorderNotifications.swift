public import Foundation

extension NSNotification.Name {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// More bytes are kept than `AWSKinesisRecorder.notificationByteThreshold`.
  ///
  /// Once for each time they become so many; the new number is in `userInfo`, under `diskBytesUsed`.
  public static let AWSKinesisRecorderByteThresholdReached = NSNotification.Name(
    "com.amazonaws.AWSKinesisRecorderByteThresholdReachedNotification"
  )

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// More bytes are kept than `AWSFirehoseRecorder.notificationByteThreshold`.
  ///
  /// Once for each time they become so many; the new number is in `userInfo`, under `diskBytesUsed`.
  public static let AWSFirehoseRecorderByteThresholdReached = NSNotification.Name(
    "com.amazonaws.AWSFirehoseRecorderByteThresholdReachedNotification"
  )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the notifications have the bytes kept: a number.
public let AWSKinesisRecorderByteThresholdReachedNotificationDiskBytesUsedKey = "diskBytesUsed"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Where the notifications have the bytes kept: a number.
public let AWSFirehoseRecorderByteThresholdReachedNotificationDiskBytesUsedKey = "diskBytesUsed"
