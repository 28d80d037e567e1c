// A program that is written against the Objective-C names of Amplitude's SDK, but for the module's name.
@import Foundation;
@import FootfallAmplitude;

static Amplitude *lamps(void) {
  AMPConfiguration *configuration = [AMPConfiguration initWithApiKey:@"KEY"];
  configuration.autocapture = [[AMPAutocaptureOptions alloc] initWithOptionsToUnion:@[
    AMPAutocaptureOptions.sessions,
    AMPAutocaptureOptions.appLifecycles,
  ]];
  configuration.serverZone = AMPServerZoneEU;
  configuration.logLevel = AMPLogLevelDEBUG;
  configuration.loggerProvider = ^(NSInteger level, NSString * _Nonnull line) {};
  Amplitude *amplitude = [Amplitude initWithConfiguration:configuration];

  AMPBaseEvent *event = [AMPBaseEvent initWithEventType:@"Lamp Lit"
                                        eventProperties:@{@"room": @"study"}];
  [amplitude track:event];

  AMPIdentify *identify = [AMPIdentify new];
  [identify set:@"floor" value:@"attic"];
  [amplitude identify:identify];

  AMPRevenue *revenue = [AMPRevenue new];
  revenue.price = 4.5;
  revenue.quantity = 2;
  [amplitude revenue:revenue];

  [amplitude setUserId:@"lamp-keeper"];
  [amplitude reset];
  return amplitude;
}

static void plugins(Amplitude *amplitude) {
  AMPPlugin *room = [AMPPlugin initWithType:AMPPluginTypeEnrichment
                                    execute:^AMPBaseEvent * _Nullable(AMPBaseEvent * _Nonnull event) {
    [event.eventProperties set:@"room" value:@"hall"];
    return event;
  }];
  [amplitude add:room];
  AMPPlugin *all = [AMPPlugin initWithType:AMPPluginTypeDestination
      setup:^(Amplitude * _Nonnull client) {}
      execute:^AMPBaseEvent * _Nullable(AMPBaseEvent * _Nonnull event) { return nil; }
      flush:^{}];
  [amplitude add:all];
  [amplitude remove:all];
}

static BOOL isQuiet(AMPLogLevel level) {
  switch (level) {
    case AMPLogLevelOFF: return YES;
    case AMPLogLevelERROR: case AMPLogLevelWARN: case AMPLogLevelLOG: case AMPLogLevelDEBUG: return NO;
  }
}

static void consent(Amplitude *amplitude) {
  amplitude.configuration.optOut = YES;
  AMPCaptureRule *rule = [[AMPCaptureRule alloc] initWithHosts:@[@"lamps.example"]
                                               statusCodeRange:@"500-599"];
  amplitude.configuration.networkTrackingOptions =
      [[AMPNetworkTrackingOptions alloc] initWithCaptureRules:@[rule]
                                                  ignoreHosts:@[]
                                      ignoreAmplitudeRequests:YES];
}

void run(void) {
  Amplitude *amplitude = lamps();
  if (isQuiet(amplitude.configuration.logLevel)) { return; }
  plugins(amplitude);
  consent(amplitude);
  [amplitude flush];
}
