import type { Currency, RecordKind, StoreRecords, UnreadableRecord } from "@parley/domain"
import { textAt } from "../../json.ts"
import { type Raw, readers, type ReadResult } from "./readRecords.ts"
import { numberOfGid } from "./values.ts"

const maxNamed = 10

/** A reason with field names and without values. */
export const unreadableReason = (faults: ReadonlyArray<string>): string =>
  `No readable value: ${[...new Set(faults)].slice(0, maxNamed).join(", ")}`

/** The records of some nodes, and the unreadable nodes. An unreadable node does not affect the others. */
export const recordsOf = <Kind extends RecordKind>(kind: Kind, currency: Currency, raws: ReadonlyArray<Raw>) => {
  const read: (raw: Raw, currency: Currency) => ReadResult<StoreRecords[Kind]> = readers[kind]
  const records: Array<StoreRecords[Kind]> = []
  const unreadable: Array<UnreadableRecord> = []
  for (const raw of raws) {
    const result = read(raw, currency)
    if ("record" in result) records.push(result.record)
    else {
      const id = textAt(raw.node, "id")
      unreadable.push({ externalId: numberOfGid(id) ?? id ?? "unknown", reason: unreadableReason(result.faults) })
    }
  }
  return { records, unreadable }
}
