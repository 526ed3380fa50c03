import type { Currency, RecordKind, StoreRecords } from "@parley/domain"
import { Effect } from "effect"
import { textAt } from "../../json.ts"
import { type Raw, readers } from "./readRecords.ts"

/** Records of some nodes. One that cannot be read does not keep the others away. */
export const recordsOf = Effect.fnUntraced(function* <Kind extends RecordKind>(
  kind: Kind,
  currency: Currency,
  raws: ReadonlyArray<Raw>
) {
  const read: (raw: Raw, currency: Currency) => StoreRecords[Kind] | null = readers[kind]
  const records = raws.map((raw) => read(raw, currency))
  const unread = raws.filter((_, index) => records[index] === null).map(({ node }) => textAt(node, "id"))
  if (unread.length > 0) yield* Effect.logWarning("A store has records that cannot be read.", { kind, unread })
  return records.filter((record) => record !== null)
})
