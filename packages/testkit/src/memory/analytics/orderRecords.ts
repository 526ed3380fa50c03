import { type BroadcastId, isAccepted } from "@parley/domain/campaigns"
import { refundedAmount, type StoredOrder, type OrderId } from "@parley/domain/commerce"
import { type Count, type CountedOrder, type RollupVersion, wholeOrganization } from "@parley/domain/analytics"
import { DateTime, HashMap } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "../campaigns/state.ts"

type Counts = ReadonlyArray<Count>

/** Broadcast message that a contact read or answered before an order. */
interface Touch {
  readonly broadcastId: BroadcastId
  readonly acceptedAt: DateTime.Utc
  readonly at: DateTime.Utc
}

const known = (times: ReadonlyArray<DateTime.Utc | null>) => times.filter((time) => time !== null)

const touchOf = (
  broadcastId: BroadcastId,
  { deliveredAt, readAt, repliedAt, sentAt, status }: BroadcastRecipientRow,
  { placedAt }: StoredOrder["record"],
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

/** Returns the touches of the order's contact within the time limit, oldest first. */
const touchesOf = (tenant: Tenant, { contactId, record }: StoredOrder, hours: number): ReadonlyArray<Touch> =>
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
export const countedOrderOf = (tenant: Tenant, order: StoredOrder, hours: number): CountedOrder => {
  const { gross, id, record } = order
  return {
    id,
    gross,
    isTest: record.test,
    placedAt: record.placedAt,
    cancelledAt: record.cancelledAt,
    currency: record.total.currency,
    refunds: record.refunds.map(({ amount: { amountMinor }, at }) => ({ amountMinor, at })),
    givenBack: refundedAmount(record),
    touchedBy: touchesOf(tenant, order, hours).at(-1)?.broadcastId ?? null,
    keptAttribution: rowAt(tenant.keptAttributions, id)
  }
}

/** Broadcast with the attribution of an order in its counted state. */
const creditCounted = (tenant: Tenant, version: RollupVersion, id: OrderId): BroadcastId | null => {
  const counts = rowAt(rowAt(tenant.rollupVersions, version)?.kept ?? HashMap.empty<string, Counts>(), id) ?? []
  const scopes = counts.flatMap((count) => count.scopes)
  return (scopes.find((scope) => scope !== wholeOrganization) as BroadcastId | undefined) ?? null
}

/** Returns the orders of these broadcasts' recipients whose attribution differs from the counted version. */
export const touchedBy = (
  tenant: Tenant,
  broadcastIds: ReadonlyArray<BroadcastId>,
  hours: number,
  version: RollupVersion
): ReadonlyArray<OrderId> => {
  const rows = broadcastIds.flatMap((id) =>
    (rowAt(tenant.broadcastRecipients, id) ?? []).map((row) => ({ ...row, broadcastId: id }))
  )
  return HashMap.toValues(tenant.storeOrders)
    .filter((order) => {
      const { keptAttribution, id, placedAt, touchedBy: credit } = countedOrderOf(tenant, order, hours)
      const counted = creditCounted(tenant, version, id)
      const isAbout = ({ broadcastId, contactId, readAt, repliedAt }: (typeof rows)[number]) =>
        contactId === order.contactId &&
        (broadcastId === counted || known([readAt, repliedAt]).some((time) => DateTime.isLessThan(time, placedAt)))
      return (keptAttribution ?? credit) !== counted && rows.some(isAbout)
    })
    .map(({ id }) => id)
}
