#if os(Linux)

/// Answers from the kernel's tables whether any route leads out of the machine.
///
/// A route counts if its interface is up and running and is not the loopback one, and if it leads
/// further than the link itself does without any configuration. A default route is not asked for: a
/// collector may stand in the same network. Bridges of containers count as long as one runs in
/// them; at worst a request is made in vain.
///
/// Source: `man 5 proc` for `/proc/net/route`; `net/ipv6/route.c` for the fields of
/// `/proc/net/ipv6_route`; `linux/route.h` for the flags.
enum RouteTable {
  /// `RTF_UP`, and `RTF_REJECT`: a route that refuses.
  private static let (up, reject): (Int64, Int64) = (0x1, 0x200)

  /// Whether `/proc/net/route` names a route by one of the interfaces.
  static func hasRoute(v4 table: String, by interfaces: Set<String>) -> Bool {
    table.split(separator: "\n").dropFirst().contains { line in
      let fields = line.split { $0 == "\t" || $0 == " " }
      guard fields.count >= 8, interfaces.contains(String(fields[0])),
        let bytes = Int64(fields[1], radix: 16), let flags = Int64(fields[3], radix: 16)
      else { return false }
      let destination = UInt32(bigEndian: UInt32(truncatingIfNeeded: bytes))
      // 169.254.0.0/16 and 224.0.0.0/4 are there without a network.
      let isLocal = destination >> 16 == 0xA9FE || destination >> 28 == 0xE
      return flags & up != 0 && flags & reject == 0 && !isLocal
    }
  }

  /// Whether `/proc/net/ipv6_route` names a route by one of the interfaces.
  static func hasRoute(v6 table: String, by interfaces: Set<String>) -> Bool {
    table.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count == 10, interfaces.contains(String(fields[9])),
        let start = Int64(fields[0].prefix(4), radix: 16),
        let flags = Int64(fields[8], radix: 16)
      else { return false }
      // fe80::/10 and ff00::/8 are there without a network; a host route is the machine's own address.
      let isLocal = start & 0xFFC0 == 0xFE80 || start >> 8 == 0xFF || fields[1] == "80"
      return flags & up != 0 && flags & reject == 0 && !isLocal
    }
  }
}
#endif
