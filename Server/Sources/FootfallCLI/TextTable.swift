/// Rows of cells as lines, each column as wide as its widest cell.
enum TextTable {
  /// The lines, the heads first.
  ///
  /// - Parameters:
  ///   - heads: the columns' names.
  ///   - rows: a cell for each column.
  ///   - numbers: which columns stand at their right edge.
  /// - Returns: a line for each row, and one before them.
  static func lines(_ heads: [String], _ rows: [[String]], numbers: [Bool]) -> [String] {
    let all = [heads] + rows
    let widths = heads.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return numbers[column] ? space + row[column] : row[column] + space
      }.joined(separator: "  ")
    }
  }
}
