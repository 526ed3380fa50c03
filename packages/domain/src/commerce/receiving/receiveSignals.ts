import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { StoreSignal } from "../StoreSignal.ts"
import { noteSkipped } from "../syncing/skipped.ts"
import { openStoreLane } from "../syncing/storeLane.ts"
import { completeCartsOf } from "./completeCartsOf.ts"
import { deleteCart } from "./deleteCart.ts"
import { deleteRecords } from "./deleteRecords.ts"
import { markChanged } from "./markChanged.ts"
import { mergeCustomers } from "./mergeCustomers.ts"
import { receiveCarts } from "./receiveCarts.ts"

/** No reader of a platform has this version. The lane therefore requests the data that a delivery did not contain. */
const unknownReader = ""

type Kind = StoreSignal["kind"]

type Of<Told extends Kind> = Extract<StoreSignal, { readonly kind: Told }>

const isOf =
  <Told extends Kind>(kind: Told) =>
  (signal: StoreSignal): signal is Of<Told> =>
    signal.kind === kind

/** Signals of one kind that come one after the other, as they came. */
const runsOf = (signals: ReadonlyArray<StoreSignal>): ReadonlyArray<ReadonlyArray<StoreSignal>> => {
  const runs: Array<Array<StoreSignal>> = []
  for (const signal of signals) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === signal.kind) last.push(signal)
    else runs.push([signal])
  }
  return runs
}

const receiveOne = Effect.fnUntraced(function* (connection: Pick<StoreConnection, "id">, signal: StoreSignal) {
  switch (signal.kind) {
    case "deleted":
      yield* noteSkipped(connection.id, unknownReader, {
        kind: signal.record,
        settled: [signal.externalId],
        unreadable: []
      })
      return yield* deleteRecords(connection, signal.record, [signal.externalId])
    case "customers_merged":
      return yield* mergeCustomers(connection, signal.keptId, signal.mergedId)
    case "cart_deleted":
      yield* noteSkipped(connection.id, unknownReader, {
        kind: "carts",
        settled: [signal.externalId],
        unreadable: []
      })
      return yield* deleteCart(connection, signal.externalId)
    case "unreadable": {
      const { externalId, reason, record } = signal
      yield* noteSkipped(connection.id, unknownReader, {
        kind: record,
        settled: [],
        unreadable: [{ externalId, reason }]
      })
      // The lane requests the record from the shop.
      return yield* openStoreLane(connection.id, yield* DateTime.now)
    }
    default:
      return undefined
  }
})

/**
 * Takes what deliveries tell of the records of a shop: what has changed at once, since it is only marked, and else what comes together of one kind. What
 * they tell of the shop itself, or of privacy, is for others.
 */
export const receiveSignals = Effect.fnUntraced(function* (
  connection: Pick<StoreConnection, "id">,
  signals: ReadonlyArray<StoreSignal>
) {
  const changed = signals.filter(isOf("changed"))
  yield* markChanged(
    connection.id,
    changed.map(({ externalId, record }) => ({ kind: record, externalId }))
  )
  for (const run of runsOf(signals.filter(({ kind }) => kind !== "changed"))) {
    const [carts, completed] = [run.filter(isOf("cart")), run.filter(isOf("cart_completed"))]
    if (carts.length > 0) {
      yield* receiveCarts(
        connection,
        carts.map(({ cart }) => cart)
      )
      const settled = carts.map(({ cart }) => cart.externalId)
      yield* noteSkipped(connection.id, unknownReader, { kind: "carts", settled, unreadable: [] })
    } else if (completed.length > 0) {
      yield* completeCartsOf(
        connection,
        completed.map(({ token }) => token)
      )
    } else {
      yield* Effect.forEach(run, (signal) => receiveOne(connection, signal), { discard: true })
    }
  }
}, transact)
