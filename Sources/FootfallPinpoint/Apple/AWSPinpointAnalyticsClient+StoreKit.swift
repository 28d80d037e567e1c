#if canImport(StoreKit) && !os(watchOS)
import FootfallCore
import Foundation
public import StoreKit

extension AWSPinpointAnalyticsClient {
  /// A new event of something bought in Apple's store: `_monetization.purchase`.
  ///
  /// - Parameters:
  ///   - transaction: The purchase.
  ///   - product: What was bought.
  /// - Returns: The event, to be recorded.
  public func createAppleMonetizationEvent(
    with transaction: SKPaymentTransaction,
    with product: SKProduct
  ) -> AWSPinpointEvent {
    let format = NumberFormatter()
    format.numberStyle = .currency
    format.locale = product.priceLocale
    return event(
      .pinpointStorePurchase(
        productID: product.productIdentifier,
        itemPrice: product.price.doubleValue,
        formattedPrice: format.string(from: product.price) ?? "\(product.price)",
        quantity: transaction.payment.quantity,
        currency: format.currencyCode ?? "",
        transactionID: transaction.transactionIdentifier
      )
    )
  }
}
#endif
