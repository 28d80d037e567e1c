import CDuckDB
import EventStore

/// `footfall_funnel(moment, seq, mask_and_plan)`, an aggregate over a person's events.
///
/// It gives how long each step of a funnel took at least, as a list; its length is how far the person came.
/// NULL says that two events of one moment and one `seq` decide it: it is to be asked again with their
/// places as `seq`. What the numbers mean is said at `FunnelFold`.
enum FunnelAggregate {
  /// Makes the function known to a database.
  ///
  /// - Throws: `.engine` when DuckDB refuses it.
  static func register(on connection: Connection) throws(StoreError) {
    let library = connection.library
    var function: ddb_aggregate? = library.createAggregate()
    defer { library.destroyAggregate(&function) }
    library.nameAggregate(function, "footfall_funnel")
    var number = library.createType(Int32(DDB_BIGINT))
    var time = library.createType(Int32(DDB_TIMESTAMP_MS))
    var list = library.createListType(number)
    defer {
      library.destroyType(&number)
      library.destroyType(&time)
      library.destroyType(&list)
    }
    for type in [time, number, number] {
      library.addAggregateParameter(function, type)
    }
    library.setAggregateReturn(function, list)
    CallbackLibrary.keep(library)
    library.setAggregateFunctions(
      function,
      { _ in UInt64(MemoryLayout<FunnelFold>.stride) },
      { _, state in _ = state?.initializeMemory(as: FunnelFold.self, to: FunnelFold()) },
      { info, chunk, states in FunnelAggregate.update(info, chunk, states) },
      { _, sources, targets, count in FunnelAggregate.combine(sources, targets, count) },
      { info, states, result, count, offset in
        FunnelAggregate.finalize(info, states, result, count, offset)
      }
    )
    library.setAggregateDestroy(function) { states, count in
      guard let states else { return }
      for index in 0..<Int(count) { FunnelAggregate.fold(states[index])?.pointee.free() }
    }
    guard library.registerAggregate(connection.handle, function) == 0 else {
      throw .engine("the function footfall_funnel was refused")
    }
  }

  private static func fold(_ state: ddb_aggregate_state?) -> UnsafeMutablePointer<FunnelFold>? {
    state?.assumingMemoryBound(to: FunnelFold.self)
  }

  private static func update(
    _ info: ddb_function_info?,
    _ chunk: ddb_chunk?,
    _ states: UnsafeMutablePointer<ddb_aggregate_state?>?
  ) {
    guard let library = CallbackLibrary.current, let states else { return }
    func column<Value>(_ number: UInt64, _ type: Value.Type) -> UnsafePointer<Value>? {
      library.vectorData(library.chunkVector(chunk, number))
        .map { UnsafePointer($0.assumingMemoryBound(to: Value.self)) }
    }
    guard let moments = column(0, Int64.self), let sequences = column(1, Int64.self),
      let masks = column(2, Int64.self)
    else {
      library.aggregateError(info, "footfall_funnel was given no values")
      return
    }
    for row in 0..<Int(library.chunkSize(chunk)) {
      fold(states[row])?.pointee.add(
        FunnelFold.Entry(
          moment: moments[row],
          sequence: sequences[row],
          mask: masks[row] & 0xFFF
        ),
        plan: masks[row] >> 12
      )
    }
  }

  private static func combine(
    _ sources: UnsafeMutablePointer<ddb_aggregate_state?>?,
    _ targets: UnsafeMutablePointer<ddb_aggregate_state?>?,
    _ count: UInt64
  ) {
    guard let sources, let targets else { return }
    for index in 0..<Int(count) {
      guard let source = fold(sources[index]), let target = fold(targets[index]), source != target
      else { continue }
      target.pointee.take(from: &source.pointee)
    }
  }

  private static func finalize(
    _ info: ddb_function_info?,
    _ states: UnsafeMutablePointer<ddb_aggregate_state?>?,
    _ result: ddb_vector?,
    _ count: UInt64,
    _ offset: UInt64
  ) {
    guard let library = CallbackLibrary.current, let states,
      let lists = library.vectorData(result)?.assumingMemoryBound(to: ddb_list_entry.self)
    else { return }
    var end = library.listSize(result)
    // Room for the longest lists there can be; what is not needed is not counted.
    let most = UInt64(FunnelFold.maxSteps)
    guard library.listReserve(result, end + count * most) == 0,
      let values = library.vectorData(library.listChild(result))?
        .assumingMemoryBound(to: Int64.self)
    else {
      library.aggregateError(info, "footfall_funnel found no memory for its answer")
      return
    }
    library.vectorWritableValidity(result)
    let validity = library.vectorValidity(result)
    for index in 0..<Int(count) {
      let took = fold(states[index])?.pointee.took(into: values + Int(end))
      let row = Int(offset) + index
      if took == nil { validity?[row / 64] &= ~(1 << UInt64(row % 64)) }
      let reached = took ?? 0
      lists[Int(offset) + index] = ddb_list_entry(offset: end, length: UInt64(reached))
      end += UInt64(reached)
    }
    guard library.setListSize(result, end) == 0 else {
      library.aggregateError(info, "footfall_funnel could not tell its answer")
      return
    }
  }
}
