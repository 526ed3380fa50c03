import { Context, DateTime, Effect, Schema } from "effect"
import { nextId, type TenantScoped, transact, type Transaction, Uuid } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { MarkedKind } from "./Shop.ts"
import { openStoreLane } from "./StoreConnections.ts"

export const StoreMarkId = Uuid.pipe(Schema.brand("StoreMarkId"))
export type StoreMarkId = typeof StoreMarkId.Type

/** A record that a shop has told to be changed, and that is not read again yet. */
export interface StoreMark {
  /** Another one each time that it is told. */
  readonly id: StoreMarkId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: MarkedKind
  readonly externalId: string
  readonly toldAt: DateTime.Utc
}

/** When the oldest change of a store was told that is not read yet. */
export interface OldestMark {
  readonly storeConnectionId: StoreConnectionId
  readonly toldAt: DateTime.Utc
}

/** What is to be read again of the organization's stores. A record is marked once, however often it is told. */
export class StoreMarks extends Context.Service<
  StoreMarks,
  TenantScoped<{
    /** Marks records. One that is marked already gets the new id, and stays as old as it is. */
    readonly mark: (marks: ReadonlyArray<StoreMark>) => Effect.Effect<void, never, Transaction>
    /** The oldest of a kind, at most `limit`. */
    readonly oldest: (
      storeConnectionId: StoreConnectionId,
      kind: MarkedKind,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoreMark>>
    /** Drops those that were not told again since they were read. */
    readonly drop: (marks: ReadonlyArray<StoreMark>) => Effect.Effect<void, never, Transaction>
    /** The age of what waits in these stores, in no order; a store where nothing waits is not among them. */
    readonly oldestOf: (
      storeConnectionIds: ReadonlyArray<StoreConnectionId>
    ) => Effect.Effect<ReadonlyArray<OldestMark>>
  }>
>()("@parley/domain/commerce/StoreMarks") {}

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
