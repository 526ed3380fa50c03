import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { LaneLease } from "../../platform/background/index.ts"
import { LaneQueue } from "../../platform/background/index.ts"
import { type OpenShop, withShop } from "../access/withShop.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { deleteRecords } from "../receiving/deleteRecords.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import { receiveOrders } from "../receiving/receiveOrders.ts"
import { receiveProducts } from "../receiving/receiveProducts.ts"
import { type StoreMark, StoreMarks } from "../StoreMarks.ts"
import type { UnreadableRecord } from "../StorePlatform.ts"
import { noteSkipped } from "./skipped.ts"
import type { MarkedKind } from "../StoreSignal.ts"

/** As many as a platform reads at once. */
const atOnce = 50

const markedKinds: ReadonlyArray<MarkedKind> = ["orders", "customers", "products"]

const outcomeOf = (
  kind: MarkedKind,
  records: ReadonlyArray<{ readonly externalId: string }>,
  gone: ReadonlyArray<string>,
  unreadable: ReadonlyArray<UnreadableRecord>
) => ({ kind, settled: [...records.map(({ externalId }) => externalId), ...gone], unreadable })

/** Reads records of a kind, and says how what was found is taken. */
const read = Effect.fnUntraced(function* (
  { access, connection, platform }: OpenShop,
  kind: MarkedKind,
  ids: ReadonlyArray<string>
) {
  switch (kind) {
    case "customers": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = outcomeOf(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveCustomers(connection, records)) }
    }
    case "orders": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = outcomeOf(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveOrders(connection, records)) }
    }
    case "products": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = outcomeOf(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveProducts(connection, records)) }
    }
  }
})

/**
 * Reads records that were told to be changed. What was found is stored in the commit in which their marks go, so that whatever happens none is lost. One of
 * which the shop says nothing stays as it is known.
 */
const readSome = Effect.fnUntraced(function* (
  lease: LaneLease,
  id: StoreConnectionId,
  kind: MarkedKind,
  marks: ReadonlyArray<StoreMark>
) {
  const { gone, outcome, readerVersion, receive } = yield* withShop(id, (shop) =>
    Effect.map(
      read(
        shop,
        kind,
        marks.map(({ externalId }) => externalId)
      ),
      (found) => ({ ...found, readerVersion: shop.platform.readerVersion })
    )
  )
  yield* Effect.gen(function* () {
    yield* receive
    yield* deleteRecords({ id }, kind, gone)
    yield* noteSkipped(id, readerVersion, outcome)
    yield* (yield* StoreMarks).drop(marks)
    yield* (yield* LaneQueue).hold(lease)
  }).pipe(transact)
})

/** Reads all records that the shop reported as changed. Returns whether it called the shop. */
export const readMarks = Effect.fnUntraced(function* (lease: LaneLease, id: StoreConnectionId) {
  const port = yield* StoreMarks
  let hasAsked = false
  for (const kind of markedKinds) {
    for (;;) {
      const marks = yield* port.oldest(id, kind, atOnce)
      if (marks.length > 0) {
        yield* readSome(lease, id, kind, marks)
        hasAsked = true
      }
      if (marks.length < atOnce) break
    }
  }
  return hasAsked
})
