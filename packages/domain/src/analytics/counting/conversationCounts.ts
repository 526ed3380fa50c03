import { DateTime } from "effect"
import type { Stretch } from "../../messaging/inbox/index.ts"
import type { Kept } from "../AnalyticsBooks.ts"
import type { ConversationRecord } from "../AnalyticsRecords.ts"
import { type Count, lasted, once, wholeOrganization } from "../Count.ts"
import { quarterOf, secondsBetween } from "../time/quarters.ts"

const isPerson = ({ kind }: { readonly kind: string }) => kind === "user" || kind === "operator"

const wholeSeconds = (from: DateTime.Utc, to: DateTime.Utc) =>
  Math.floor((DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)) / 1_000)

const stretchCounts = (
  { number, resolvedAt, resolvedBy, startedAt }: Stretch,
  scopes: ReadonlyArray<string>
): ReadonlyArray<Count> => {
  const begun = once(number === 1 ? "conversations.opened" : "conversations.reopened", quarterOf(startedAt), scopes)
  if (resolvedAt === null) return [begun]
  const quarter = quarterOf(resolvedAt)
  const isByPerson = resolvedBy !== null && isPerson(resolvedBy)
  const own = resolvedBy?.kind === "user" ? [...scopes, resolvedBy.id] : scopes
  return [
    begun,
    once("conversations.resolved", quarter, own),
    ...(isByPerson ? [] : [once("conversations.resolvedByMachine", quarter, scopes)]),
    lasted("resolution", quarter, wholeSeconds(startedAt, resolvedAt), own)
  ]
}

/** What a conversation counts as. Each stretch is a part of its own, so that one more of them does not store the others again. */
export const conversationCounts = ({ chatAccountId, firstReply, id, stretches }: ConversationRecord): Kept => {
  const scopes = [wholeOrganization, chatAccountId]
  const counts = new Map<string, ReadonlyArray<Count>>([[id, []]])
  if (firstReply !== null) {
    const { acceptedAt, author, endedWaitSince } = firstReply
    const own = author.kind === "user" ? [...scopes, author.id] : scopes
    const seconds = secondsBetween(endedWaitSince, acceptedAt)
    counts.set(id, [lasted("firstResponse", quarterOf(acceptedAt), seconds, own)])
  }
  for (const stretch of stretches) counts.set(`${id}#${stretch.number}`, stretchCounts(stretch, scopes))
  return counts
}
