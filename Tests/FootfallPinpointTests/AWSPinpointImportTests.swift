import FootfallPinpoint
import Testing

@Suite struct `AWSPinpoint: one import` {
  @Test func `AWS-C6: one import has the client, its configuration, the mobile client and tasks`() {
    let found: [Any.Type] = [
      AWSPinpoint.self, AWSPinpointConfiguration.self, AWSMobileClient.self,
      AWSTask<AnyObject>.self, AWSPinpointEvent.self, AWSPinpointEndpointProfileUser.self,
      AWSServiceConfiguration.self, UserState.self,
    ]
    #expect(Set(found.map { "\($0)" }).count == 8)
  }
}
