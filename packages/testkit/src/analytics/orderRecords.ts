import {
  type BroadcastId,
  type CountedOrder,
  givenBackOf,
  isAccepted,
  type KeptOrder,
  type OrderId
} from "@parley/domain"
import { DateTime, HashMap } from "effect"
import { type BroadcastRecipientRow, rowAt, type Tenant } from "../store/State.ts"

/** A message of a broadcast that somebody has read or answered before an order. */
interface Touch {
  readonly broadcastId: BroadcastId
  readonly acceptedAt: DateTime.Utc
  readonly at: DateTime.Utc
}

const known = (times: ReadonlyArray<DateTime.Utc | null>) => times.filter((time) => time !== null)

const touchOf = (
  broadcastId: BroadcastId,
  { deliveredAt, readAt, repliedAt, sentAt, status }: BroadcastRecipientRow,
  { placedAt }: KeptOrder["record"],
  hours: number
): ReadonlyArray<Touch> => {
  const accepted = known([sentAt, deliveredAt, readAt])
  const touched = known([readAt, repliedAt]).filter((time) => DateTime.isLessThan(time, placedAt))
  if (status === "waiting" || !isAccepted(status) || accepted.length === 0 || touched.length === 0) return []
  const acceptedAt = accepted.reduce(DateTime.min)
  const isInTime =
    DateTime.isLessThanOrEqualTo(acceptedAt, placedAt) &&
    DateTime.isLessThan(placedAt, DateTime.add(acceptedAt, { hours }))
  return isInTime ? [{ broadcastId, acceptedAt, at: touched.reduce(DateTime.max) }] : []
}

/** What the contact of an order has read or answered in time, the last of it last. */
const touchesOf = (tenant: Tenant, { contactId, record }: KeptOrder, hours: number): ReadonlyArray<Touch> =>
  HashMap.toEntries(tenant.broadcastRecipients)
    .flatMap(([broadcastId, rows]) =>
      rows
        .filter((row) => contactId !== null && row.contactId === contactId)
        .flatMap((row) => touchOf(broadcastId, row, record, hours))
    )
    .toSorted(
      (one, other) =>
        DateTime.Order(one.at, other.at) ||
        DateTime.Order(one.acceptedAt, other.acceptedAt) ||
        (one.broadcastId < other.broadcastId ? -1 : 1)
    )

/** An order, as far as it is counted. */
export const countedOrderOf = (tenant: Tenant, order: KeptOrder, hours: number): CountedOrder => {
  const { gross, id, record } = order
  return {
    id,
    gross,
    isTest: record.test,
    placedAt: record.placedAt,
    cancelledAt: record.cancelledAt,
    currency: record.total.currency,
    refunds: record.refunds.map(({ amount: { amountMinor }, at }) => ({ amountMinor, at })),
    givenBack: givenBackOf(record),
    touchedBy: touchesOf(tenant, order, hours).at(-1)?.broadcastId ?? null,
    creditKept: rowAt(tenant.analyticsCredits, id)
  }
}

/** The orders before which their contacts have read or answered one of these broadcasts in time. */
export const touchedBy = (
  tenant: Tenant,
  broadcastIds: ReadonlyArray<BroadcastId>,
  hours: number
): ReadonlyArray<OrderId> =>
  HashMap.toValues(tenant.storeOrders)
    .filter((order) => touchesOf(tenant, order, hours).some(({ broadcastId }) => broadcastIds.includes(broadcastId)))
    .map(({ id }) => id)
