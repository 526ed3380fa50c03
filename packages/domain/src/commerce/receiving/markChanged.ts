import { DateTime, Effect } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreMarkId, StoreMarks } from "../StoreMarks.ts"
import type { MarkedKind } from "../StoreSignal.ts"
import { openStoreLane } from "../syncing/storeLane.ts"

/** A record that a shop has told to be changed. */
export interface ChangedRecord {
  readonly kind: MarkedKind
  readonly externalId: string
}

/** Has what a shop has told to be changed read again, once, however often it is told. */
export const markChanged = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  records: ReadonlyArray<ChangedRecord>
) {
  if (records.length === 0) return
  const toldAt = yield* DateTime.now
  const marks = yield* Effect.forEach(records, ({ externalId, kind }) =>
    Effect.map(nextId(StoreMarkId), (id) => ({ id, storeConnectionId, kind, externalId, toldAt }))
  )
  yield* (yield* StoreMarks).mark(marks)
  yield* openStoreLane(storeConnectionId, toldAt)
}, transact)
