import { DateTime, Equal } from "effect"

interface Told {
  readonly externalId: string
  readonly updatedAt: DateTime.Utc
}

/** Each record once, the newest of it; of those that are of one time the last. */
export const latest = <Record extends Told>(records: ReadonlyArray<Record>): ReadonlyArray<Record> => {
  const all = new Map<string, Record>()
  for (const record of records) {
    const before = all.get(record.externalId)
    if (before === undefined || DateTime.isGreaterThanOrEqualTo(record.updatedAt, before.updatedAt)) {
      all.set(record.externalId, record)
    }
  }
  return [...all.values()]
}

/** Whether two say the same, whenever that was stored: what is read again is mostly what is known. */
export const saysTheSame = <Row extends { readonly updatedAt: DateTime.Utc }>(one: Row | null, other: Row): boolean =>
  one === other || (one !== null && Equal.equals({ ...one, updatedAt: null }, { ...other, updatedAt: null }))

/** Rows by what the shop knows them by. */
export const byExternalId = <Row>(rows: ReadonlyArray<Row>, externalIdOf: (row: Row) => string) =>
  new Map(rows.map((row) => [externalIdOf(row), row]))
