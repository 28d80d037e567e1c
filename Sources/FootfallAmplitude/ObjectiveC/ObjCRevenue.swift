#if canImport(ObjectiveC)
public import Foundation

/// Money earned: `AMPRevenue`.
@objc(AMPRevenue)
public final class ObjCRevenue: NSObject {
  let content = Revenue()

  /// As `Revenue.productId`.
  @objc public var productId: String? {
    get { content.productId }
    set { content.productId = newValue }
  }
  /// As `Revenue.quantity`.
  @objc public var quantity: Int {
    get { content.quantity }
    set { content.quantity = newValue }
  }
  /// As `Revenue.revenueType`.
  @objc public var revenueType: String? {
    get { content.revenueType }
    set { content.revenueType = newValue }
  }
  /// As `Revenue.currency`.
  @objc public var currency: String? {
    get { content.currency }
    set { content.currency = newValue }
  }
  /// As `Revenue.receipt`.
  @objc public var receipt: String? {
    get { content.receipt }
    set { content.receipt = newValue }
  }
  /// As `Revenue.receiptSig`.
  @objc public var receiptSig: String? {
    get { content.receiptSig }
    set { content.receiptSig = newValue }
  }
  /// As `Revenue.properties`.
  @objc public var properties: [String: Any]? {
    get { content.properties }
    set { content.properties = newValue }
  }
  /// As `Revenue.price`; NaN while it is unset.
  @objc public var price: Double {
    get { content.price ?? .nan }
    set { content.price = newValue }
  }
  /// As `Revenue.revenue`; NaN while it is unset.
  @objc public var revenue: Double {
    get { content.revenue ?? .nan }
    set { content.revenue = newValue }
  }
  /// As `Revenue.setReceipt`.
  @objc(setReceipt:receiptSignature:) @discardableResult
  public func setReceipt(_ receipt: String, receiptSignature: String) -> ObjCRevenue {
    content.setReceipt(receipt: receipt, receiptSignature: receiptSignature)
    return self
  }
}
#endif
