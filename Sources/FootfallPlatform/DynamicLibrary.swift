#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A library that is not there, or lacks a function.
struct MissingLibrary: Error, Equatable {
  /// Part of a sentence, with the loader's own words.
  let reason: String
}

/// A shared library opened at run time, for the rest of the process.
struct DynamicLibrary {
  private let name: String
  private let handle: UnsafeMutableRawPointer

  init(named name: String) throws(MissingLibrary) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
      throw MissingLibrary(reason: "\(name) cannot be loaded (\(reason))")
    }
    self.name = name
    self.handle = handle
  }

  /// The function of a name, as a C function pointer of the type the caller asks for.
  ///
  /// Safety: the type is written down beside each call after the library's header; only C function
  /// pointers, which have the size of an address, may be asked for.
  func function<Function>(_ symbol: String) throws(MissingLibrary) -> Function {
    guard let address = dlsym(handle, symbol),
      MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size
    else {
      throw MissingLibrary(reason: "\(name) has no \(symbol) and is too old")
    }
    return unsafeBitCast(address, to: Function.self)
  }
}
