import * as domain from "@parley/domain"
import { isUseCase } from "@parley/domain"

/** Every use case that the domain exports, by the name it declares. */
export const useCases = Object.values<unknown>(domain)
  .filter(isUseCase)
  .toSorted((one, other) => (one.useCase.name < other.useCase.name ? -1 : 1))

/** Rows as a table whose columns line up. */
export const asTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(" | ")
        .trimEnd()
    )
    .join("\n")
}
