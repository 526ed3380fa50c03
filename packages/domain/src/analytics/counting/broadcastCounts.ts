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

/** What a broadcast counts as, each quarter hour as a part of its own. */
export const broadcastCounts = ({ chatAccountId, id, outcomes }: BroadcastRecord): Kept => {
  const scopes = [wholeOrganization, ...(chatAccountId === null ? [] : [chatAccountId]), id]
  return new Map(outcomes.map((outcome) => [`${id}#${outcome.quarter}`, outcomeCounts(outcome, scopes)]))
}
