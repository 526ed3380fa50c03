/** Lays out rows under their headings; the first column is text, the others are figures. */
export const table = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: ReadonlyArray<string>) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  return [headings, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n")
}

/** A figure with this number of digits after the point; a dash without a value. */
export const figure = (value: number | null, digits = 0): string => (value === null ? "-" : value.toFixed(digits))
