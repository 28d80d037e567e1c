/* What the Objective-C runtime declares, as far as a header written by Swift and a short program ask. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;

@class NSString;

@protocol NSObject
- (BOOL)isEqual:(id _Nullable)object;
@property (readonly) NSUInteger hash;
@property (readonly, copy) NSString * _Nonnull description;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype _Nonnull)alloc;
+ (instancetype _Nonnull)new;
- (instancetype _Nonnull)init;
@end
