import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { closedCartRetention, type StoredCart, StoreCarts } from "../Cart.ts"
import { CartId, type OrderId, type StoreConnectionId } from "../Ids.ts"
import { lockOwners } from "../CustomerMatcher.ts"
import { StoreOrders } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { scheduleStoreLane, withStoreLock } from "../StoreConnections.ts"
import { cartDueAt, expireCart, completeCart, applyCartReport } from "../cartStates.ts"
import { appendEvent } from "../events.ts"
import {
  hasProvisionalId,
  indexByExternalId,
  truncateCart,
  latestPerRecord,
  isSameContent,
  withKnownImages
} from "../recordRules.ts"
import type { CartRecord } from "../shopRecords.ts"
import { pollInterval } from "../syncing/syncSchedule.ts"
import { zeroShopMoney } from "../orderReports.ts"

/** An order from a cart; `null` if the order is not known yet. */
export interface CartOrder {
  readonly token: string
  readonly orderId: OrderId | null
  readonly at: DateTime.Utc
}

/** Stores changed carts, and appends events for recovered carts. */
const putCarts = Effect.fnUntraced(function* (
  changes: ReadonlyArray<{ readonly before: StoredCart | null; readonly after: StoredCart }>
) {
  const changed = changes.filter(({ after, before }) => !isSameContent(before, after))
  yield* (yield* StoreCarts).put(changed.map(({ after }) => after))
  for (const { after, before } of changed) {
    const { contactId, id: cartId, state, storeConnectionId } = after
    if (state !== "recovered" || before?.state === "recovered") continue
    yield* appendEvent({ type: "cart.recovered", cartId, storeConnectionId, contactId })
  }
})

/** Completes the carts that orders were placed from. */
export const completeCarts = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  ordered: ReadonlyArray<CartOrder>,
  now: DateTime.Utc
) {
  if (ordered.length === 0) return
  const byToken = new Map(ordered.map((each) => [each.token, each]))
  const carts = yield* (yield* StoreCarts).lockByToken(storeConnectionId, [...byToken.keys()])
  yield* putCarts(
    carts.flatMap((before) => {
      const order = byToken.get(before.record.token ?? "")
      return order === undefined
        ? []
        : [{ before, after: { ...before, ...completeCart(before, order.orderId, order.at), updatedAt: now } }]
    })
  )
})

/** Completes the carts with these tokens. The orders become known when they are read. */
export const completeOrderedCarts = ({ id }: Pick<StoreConnection, "id">, tokens: ReadonlyArray<string>) =>
  withStoreLock(id, (_connection, now) =>
    completeCarts(
      id,
      tokens.map((token) => ({ token, orderId: null, at: now })),
      now
    )
  )

/** Keeps the known guest data. A delivered cart contains the guest, but a read cart does not. */
const withGuestContact = (record: CartRecord, before: StoredCart | null): CartRecord =>
  before === null || record.externalCustomerId !== null || record.phone !== null || record.email !== null
    ? record
    : { ...record, phone: before.record.phone, email: before.record.email }

/** Keeps what a delivered cart does not contain: the id of the shop and the images. */
const withKnownFields = (record: CartRecord, before: StoredCart | null): CartRecord => {
  const known = withKnownImages(withGuestContact(record, before), before?.record ?? null)
  return before !== null && hasProvisionalId(record) ? { ...known, externalId: before.record.externalId } : known
}

/** Finds stored carts by the id of the shop, else by the token. */
const lockKnown = Effect.fnUntraced(function* (id: StoreConnectionId, records: ReadonlyArray<CartRecord>) {
  const carts = yield* StoreCarts
  const byId = indexByExternalId(
    yield* carts.lock(
      id,
      records.map(({ externalId }) => externalId)
    ),
    ({ record }) => record.externalId
  )
  const tokens = records.flatMap(({ token }) => token ?? [])
  const byToken = indexByExternalId(yield* carts.lockByToken(id, tokens), ({ record }) => record.token ?? "")
  return ({ externalId, token }: CartRecord): StoredCart | null =>
    byId.get(externalId) ?? (token === null ? null : (byToken.get(token) ?? null))
})

/** The newest report of each cart. A report without an id can be about the same cart as one with an id. */
const latestPerCart = (records: ReadonlyArray<CartRecord>): ReadonlyArray<CartRecord> => {
  const ids = new Map(
    records.flatMap((record) =>
      record.token === null || hasProvisionalId(record) ? [] : [[record.token, record.externalId] as const]
    )
  )
  return latestPerRecord(
    records.map((record) => ({ ...record, externalId: ids.get(record.token ?? "") ?? record.externalId }))
  )
}

/** Schedules the lane for carts that are due before the next poll. Regular polls are frequent enough for all other carts. */
const applySilence = Effect.fnUntraced(function* (
  { cartAbandonedAfterMinutes: minutes, id }: StoreConnection,
  carts: ReadonlyArray<StoredCart>,
  now: DateTime.Utc
) {
  const dueAt = carts.flatMap((cart) => (cart.state === "active" ? (cartDueAt(cart, minutes) ?? []) : []))
  const [first] = dueAt.toSorted(DateTime.Order)
  if (first === undefined || DateTime.isGreaterThan(first, DateTime.addDuration(now, pollInterval))) return
  yield* scheduleStoreLane(id, DateTime.max(first, now))
})

/** Stores carts as a shop reports them. Carts and their orders can arrive in any order. */
export const receiveCarts = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<CartRecord>) =>
  withStoreLock(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const latest = latestPerCart(records)
      const owners = yield* lockOwners(connection, latest)
      const knownOf = yield* lockKnown(id, latest)
      const placed = new Map(
        (yield* (yield* StoreOrders).placedFrom(
          id,
          latest.flatMap(({ token }) => token ?? [])
        )).map((order) => [order.checkoutToken, order])
      )
      const oldest = DateTime.subtractDuration(now, closedCartRetention)
      const changes: Array<{ readonly before: StoredCart | null; readonly after: StoredCart }> = []
      for (const each of latest) {
        const before = knownOf(each)
        const isHistory = before === null && DateTime.isLessThan(each.updatedAt, oldest)
        if (isHistory || owners.isClosed(each)) continue
        const record = withKnownFields(truncateCart(each), before)
        const course = applyCartReport(before, record)
        if (course === before) continue
        const order = placed.get(record.token ?? "")
        changes.push({
          before,
          after: {
            id: before?.id ?? (yield* nextId(CartId)),
            storeConnectionId: id,
            contactId: owners.contactOf(record, before?.contactId ?? null),
            createdAt: before?.createdAt ?? now,
            ...(order === undefined ? course : completeCart(course, order.id, order.placedAt)),
            updatedAt: now
          }
        })
      }
      yield* putCarts(changes)
      yield* applySilence(
        connection,
        changes.map(({ after }) => after),
        now
      )
    })
  )

/** Creates a deleted cart for a deletion that arrives before any other report. */
const newDeletedCart = (
  id: CartId,
  connection: Pick<StoreConnection, "currency" | "id">,
  externalId: string,
  now: DateTime.Utc
): StoredCart => ({
  id,
  storeConnectionId: connection.id,
  contactId: null,
  record: {
    externalId,
    token: null,
    externalCustomerId: null,
    phone: null,
    email: null,
    lines: [],
    total: zeroShopMoney(connection),
    recoveryUrl: null,
    completedAt: null,
    updatedAt: now
  },
  state: "expired",
  abandonedAt: null,
  toldAt: null,
  orderId: null,
  closedAt: now,
  createdAt: now,
  updatedAt: now
})

/** Expires a deleted cart and sets its update time to now. Late older reports then do not restore it. */
const markCartDeleted = (before: StoredCart, now: DateTime.Utc): StoredCart => {
  const updatedAt = DateTime.max(before.record.updatedAt, now)
  return { ...before, ...expireCart(before, now), record: { ...before.record, updatedAt }, updatedAt: now }
}

/** Deletes a cart that the shop has deleted. */
export const deleteCart = ({ id }: Pick<StoreConnection, "id">, externalId: string) =>
  withStoreLock(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const [before] = yield* (yield* StoreCarts).lock(id, [externalId])
      if (before !== undefined) return yield* putCarts([{ before, after: markCartDeleted(before, now) }])
      yield* putCarts([{ before: null, after: newDeletedCart(yield* nextId(CartId), connection, externalId, now) }])
    })
  )
