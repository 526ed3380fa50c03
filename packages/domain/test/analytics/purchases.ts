import { transact } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import { type BroadcastId, RecipientList, StoredBroadcastSettings } from "@parley/domain/campaigns"
import { type StoredOrder, StoreOrders, type StoreConnectionId } from "@parley/domain/commerce"
import { type DateTime, Effect } from "effect"

/** An order as reported by the shop in the history: amounts and refunds by time. */
export interface Purchase {
  readonly placedAt: DateTime.Utc
  readonly isTest: boolean
  readonly gross: ReadonlyArray<readonly [amount: number, at: DateTime.Utc]>
  readonly refunds: ReadonlyArray<readonly [amount: number, at: DateTime.Utc]>
  readonly cancelledAt: DateTime.Utc | null
}

/** So much of a figure, when it counts, and the broadcast that it counts for. */
export interface Amount {
  readonly figure: string
  readonly at: DateTime.Utc
  readonly amount: number
  readonly broadcastId: BroadcastId | null
}

const anybody = { status: null, reason: null, variant: null, replied: null }

/** The broadcast with the last read or answered message of a contact before this time, by a scan of all messages. */
const lastTouched = Effect.fnUntraced(function* (
  broadcastIds: ReadonlyArray<BroadcastId>,
  contactId: ContactId,
  placedAt: DateTime.Utc
) {
  const { attributionHours } = yield* (yield* StoredBroadcastSettings).get()
  const list = yield* RecipientList
  const found = yield* Effect.forEach(broadcastIds, (broadcastId) =>
    Effect.map(list.list(broadcastId, { ...anybody, contactId }, { limit: 100, after: null }), ({ rows }) =>
      rows.map((row) => ({ ...row, broadcastId }))
    )
  )
  const placed = placedAt.epochMilliseconds
  const millis = (time: DateTime.Utc | null) => (time === null ? [] : [time.epochMilliseconds])
  const touches = found.flat().flatMap(({ broadcastId, deliveredAt, readAt, repliedAt, sentAt, status }) => {
    if (status !== "sent" && status !== "delivered" && status !== "read") return []
    const accepted = Math.min(...[sentAt, deliveredAt, readAt].flatMap(millis))
    const touched = Math.max(...[readAt, repliedAt].flatMap(millis).filter((time) => time < placed))
    const isInTime = accepted <= placed && placed < accepted + attributionHours * 3_600_000
    return isInTime && touched > -Infinity ? [{ broadcastId, accepted, touched }] : []
  })
  const [last] = touches.toSorted(
    (one, other) =>
      other.touched - one.touched || other.accepted - one.accepted || (one.broadcastId < other.broadcastId ? 1 : -1)
  )
  return last?.broadcastId ?? null
})

/** Variant of a broadcast for a contact. With several recipient rows, the variant of the accepted message. */
export const variantOf = Effect.fnUntraced(function* (broadcastId: BroadcastId, contactId: ContactId) {
  const list = yield* RecipientList
  const { rows } = yield* list.list(broadcastId, { ...anybody, contactId }, { limit: 100, after: null })
  const accepted = rows.find(({ status }) => status === "sent" || status === "delivered" || status === "read")
  return (accepted ?? rows[0])?.variant ?? null
})

/** Which broadcast has the credit for each of these orders, as everything stands now. */
export const creditsNow = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  externalIds: ReadonlyArray<string>,
  broadcastIds: ReadonlyArray<BroadcastId>
) {
  const orders = yield* transact(Effect.flatMap(StoreOrders, (port) => port.lock(storeConnectionId, externalIds)))
  return yield* Effect.forEach(
    orders,
    Effect.fnUntraced(function* (order: StoredOrder) {
      const { contactId, record } = order
      const credit = contactId === null ? null : yield* lastTouched(broadcastIds, contactId, record.placedAt)
      return { externalId: record.externalId, customerId: record.externalCustomerId, contactId, credit }
    })
  )
})

/** The expected result of a purchase. */
export const amountsOf = (purchase: Purchase, credit: BroadcastId | null): ReadonlyArray<Amount> => {
  const { cancelledAt, gross, isTest, placedAt, refunds } = purchase
  if (isTest) return []
  const sum = (all: Purchase["gross"]) => all.reduce((total, [amount]) => total + amount, 0)
  const rest = Math.max(0, sum(gross) - sum(refunds))
  const givenBack = cancelledAt === null ? refunds : [...refunds, [rest, cancelledAt] as const]
  const money = (figure: string, all: Purchase["gross"], sign = 1, broadcastId: BroadcastId | null = null) =>
    all.map(([amount, at]): Amount => ({ figure, at, amount: sign * amount, broadcastId }))
  return [
    { figure: "commerce.orders", at: placedAt, amount: 1, broadcastId: null },
    ...money("commerce.gross.EUR", gross),
    ...money("commerce.refunded.EUR", givenBack),
    ...(credit === null
      ? []
      : [
          { figure: "commerce.attributedOrders.EUR", at: placedAt, amount: 1, broadcastId: credit },
          ...money("commerce.attributed.EUR", gross, 1, credit),
          ...money("commerce.attributed.EUR", givenBack, -1, credit)
        ])
  ]
}

/** Amounts by days and figures, of everything or of one broadcast. */
export const dailyOf = (
  amounts: ReadonlyArray<Amount>,
  timezone: string,
  broadcastId: BroadcastId | null
): ReadonlyArray<string> => {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit"
  })
  const days = new Map<string, number>()
  for (const { amount, at, broadcastId: of, figure } of amounts) {
    if (broadcastId !== null && of !== broadcastId) continue
    const key = `${format.format(at.epochMilliseconds)} ${figure}`
    days.set(key, (days.get(key) ?? 0) + amount)
  }
  return Array.from(days)
    .filter(([, amount]) => amount !== 0)
    .map(([key, amount]) => `${key} ${amount}`)
    .toSorted()
}
