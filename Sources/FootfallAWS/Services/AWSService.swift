public import Foundation

/// What the clients of Amazon's services have in common: nothing but that they are such.
open class AWSService: NSObject {}
