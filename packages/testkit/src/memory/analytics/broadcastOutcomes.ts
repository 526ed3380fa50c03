import { type Broadcast, isAccepted } from "@parley/domain/campaigns"
import {
  type BroadcastOutcome,
  type BroadcastRecord,
  type BroadcastTotals,
  type QuarterHour,
  toQuarterHour
} from "@parley/domain/analytics"
import { DateTime } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "../campaigns/state.ts"

const nothing = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }

const placeOf = ({ deliveredAt, failedAt, readAt, sentAt, status }: BroadcastRecipientRow): QuarterHour | null => {
  if (status === "failed") return failedAt === null ? null : toQuarterHour(failedAt)
  const times = [sentAt, deliveredAt, readAt].filter((time) => time !== null)
  if (status === "waiting" || !isAccepted(status) || times.length === 0) return null
  return toQuarterHour(times.reduce(DateTime.min))
}

const outcomeOf = (quarter: QuarterHour, rows: ReadonlyArray<BroadcastRecipientRow>): BroadcastOutcome => {
  const accepted = rows.filter(({ status }) => status !== "failed")
  const read = accepted.filter(({ status }) => status === "read").length
  return {
    quarter,
    sent: accepted.length,
    delivered: read + accepted.filter(({ status }) => status === "delivered").length,
    read,
    replied: accepted.filter(({ repliedAt }) => repliedAt !== null).length,
    failed: rows.length - accepted.length
  }
}

/** Whether the recipients of a broadcast are still stored. */
export const isKept = ({ recipientsKeptUntil: until }: Broadcast, now: DateTime.Utc): boolean =>
  until === null || DateTime.isGreaterThan(until, now)

/** Returns the outcomes of a broadcast's recipients. */
export const broadcastRecordOf = (tenant: Tenant, { chatAccountId, id }: Broadcast): BroadcastRecord => {
  const quarters = new Map<QuarterHour, Array<BroadcastRecipientRow>>()
  for (const row of rowAt(tenant.broadcastRecipients, id) ?? []) {
    const quarter = placeOf(row)
    if (quarter !== null) quarters.set(quarter, [...(quarters.get(quarter) ?? []), row])
  }
  const sorted = [...quarters].toSorted(([one], [other]) => one - other)
  return { id, chatAccountId, outcomes: sorted.map(([quarter, rows]) => outcomeOf(quarter, rows)) }
}

/** Totals the outcomes of a broadcast's recipients. */
export const broadcastTotalsOf = ({ id, outcomes }: BroadcastRecord): BroadcastTotals =>
  outcomes.reduce(
    (sum, each) => ({
      id,
      sent: sum.sent + each.sent,
      delivered: sum.delivered + each.delivered,
      read: sum.read + each.read,
      replied: sum.replied + each.replied,
      failed: sum.failed + each.failed
    }),
    { id, ...nothing }
  )
