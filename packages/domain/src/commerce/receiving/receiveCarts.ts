import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import type { KeptCart } from "../Cart.ts"
import { cartDueAt, orderedCart, toldCart } from "../carts/cartStates.ts"
import { CartId } from "../Ids.ts"
import type { CartRecord } from "../records/CartRecord.ts"
import { cutCart } from "../records/cutRecords.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreCarts } from "../StoreCarts.ts"
import { StoreOrders } from "../StoreOrders.ts"
import { passEvery } from "../syncing/passEvery.ts"
import { openStoreLane } from "../syncing/storeLane.ts"
import { closedCartsKept } from "../carts/closedCartsKept.ts"
import { putCarts } from "./completeCarts.ts"
import { byExternalId, latest } from "./latest.ts"
import { ownersOf } from "./ownersOf.ts"
import { underStore } from "./underStore.ts"

/** A cart that is read names no guest, where one that is delivered does: what is known of the guest stays. */
const withGuest = (record: CartRecord, before: KeptCart | null): CartRecord =>
  before === null || record.externalCustomerId !== null || record.phone !== null || record.email !== null
    ? record
    : { ...record, phone: before.record.phone, email: before.record.email }

/** A store is looked after often enough to see carts fall silent, but for those of which the shop tells late. */
const seeSilent = Effect.fnUntraced(function* (
  { cartAbandonedAfterMinutes: minutes, id }: StoreConnection,
  carts: ReadonlyArray<KeptCart>,
  now: DateTime.Utc
) {
  const dueAt = carts.flatMap((cart) => (cart.state === "active" ? (cartDueAt(cart, minutes) ?? []) : []))
  const [first] = dueAt.toSorted(DateTime.Order)
  if (first === undefined || DateTime.isGreaterThan(first, DateTime.addDuration(now, passEvery))) return
  yield* openStoreLane(id, DateTime.max(first, now))
})

/** Takes carts as a shop tells of them, in whichever order they and the orders from them come. */
export const receiveCarts = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<CartRecord>) =>
  underStore(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const carts = yield* StoreCarts
      const told = latest(records)
      const owners = yield* ownersOf(connection, told)
      const kept = byExternalId(
        yield* carts.lock(
          id,
          told.map(({ externalId }) => externalId)
        ),
        ({ record }) => record.externalId
      )
      const placed = new Map(
        (yield* (yield* StoreOrders).placedFrom(
          id,
          told.flatMap(({ token }) => token ?? [])
        )).map((order) => [order.checkoutToken, order])
      )
      const oldest = DateTime.subtractDuration(now, closedCartsKept)
      const changes: Array<{ readonly before: KeptCart | null; readonly after: KeptCart }> = []
      for (const each of told) {
        const before = kept.get(each.externalId) ?? null
        const isHistory = before === null && DateTime.isLessThan(each.updatedAt, oldest)
        if (isHistory || owners.isClosed(each)) continue
        const record = withGuest(cutCart(each), before)
        const course = toldCart(before, record)
        if (course === before) continue
        const order = placed.get(record.token ?? "")
        changes.push({
          before,
          after: {
            id: before?.id ?? (yield* nextId(CartId)),
            storeConnectionId: id,
            contactId: owners.contactOf(record, before?.contactId ?? null),
            createdAt: before?.createdAt ?? now,
            ...(order === undefined ? course : orderedCart(course, order.id, order.placedAt)),
            updatedAt: now
          }
        })
      }
      yield* putCarts(changes)
      yield* seeSilent(
        connection,
        changes.map(({ after }) => after),
        now
      )
    })
  )
