import type { Kept } from "../AnalyticsBooks.ts"
import type { BroadcastOutcome, BroadcastRecord } from "../AnalyticsRecords.ts"
import { type Count, once, wholeOrganization } from "../Count.ts"

const outcomeCounts = (
  { delivered, failed, quarter, read, replied, sent }: BroadcastOutcome,
  scopes: ReadonlyArray<string>
): ReadonlyArray<Count> =>
  [
    once("broadcasts.sent", quarter, scopes, sent),
    once("broadcasts.delivered", quarter, scopes, delivered),
    once("broadcasts.read", quarter, scopes, read),
    once("broadcasts.replied", quarter, scopes, replied),
    once("messages.outbound.byKind.template", quarter, scopes, sent),
    once("messages.outbound.byAuthor.broadcast", quarter, scopes, sent),
    once("messages.failed", quarter, scopes, failed)
  ].filter(({ amount }) => amount > 0)

/**
 * What a broadcast counts as, each quarter hour as a part of its own. A late receipt may move all that was accepted in one to the one before, so that
 * nothing is left of it.
 */
export const broadcastCounts = ({ chatAccountId, id, outcomes }: BroadcastRecord): Kept => {
  const scopes = [wholeOrganization, ...(chatAccountId === null ? [] : [chatAccountId]), id]
  const parts = new Map<string, ReadonlyArray<Count>>(outcomes.map(({ quarter }) => [`${id}#${quarter + 1}`, []]))
  for (const outcome of outcomes) parts.set(`${id}#${outcome.quarter}`, outcomeCounts(outcome, scopes))
  return parts
}
