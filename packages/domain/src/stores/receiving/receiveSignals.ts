import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { StoreSignal } from "../StoreSignal.ts"
import { completeCart } from "./completeCart.ts"
import { deleteCart } from "./deleteCart.ts"
import { deleteRecords } from "./deleteRecords.ts"
import { markChanged } from "./markChanged.ts"
import { mergeCustomers } from "./mergeCustomers.ts"
import { receiveCarts } from "./receiveCarts.ts"

const receiveSignal = Effect.fnUntraced(function* (connection: Pick<StoreConnection, "id">, signal: StoreSignal) {
  switch (signal.kind) {
    case "changed":
      return yield* markChanged(connection.id, [{ kind: signal.record, externalId: signal.externalId }])
    case "deleted":
      return yield* deleteRecords(connection, signal.record, [signal.externalId])
    case "customers_merged":
      return yield* mergeCustomers(connection, signal.keptId, signal.mergedId)
    case "cart":
      return yield* receiveCarts(connection, [signal.cart])
    case "cart_deleted":
      return yield* deleteCart(connection, signal.externalId)
    case "cart_completed":
      return yield* completeCart(connection, signal.token)
    default:
      return undefined
  }
})

/** Takes what a delivery tells of the records of a shop. What it tells of the shop itself, or of privacy, is for others. */
export const receiveSignals = Effect.fnUntraced(function* (
  connection: Pick<StoreConnection, "id">,
  signals: ReadonlyArray<StoreSignal>
) {
  for (const signal of signals) yield* receiveSignal(connection, signal)
}, transact)
