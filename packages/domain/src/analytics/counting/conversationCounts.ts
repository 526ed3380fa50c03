import { DateTime } from "effect"
import { acceptedAt, isByPerson, type Episode } from "../../messaging/inbox/index.ts"
import type { CountedRecord } from "../RollupStore.ts"
import type { ConversationRecord, MessageRecord } from "../AnalyticsRecords.ts"
import { type Count, countDuration, countOne, toQuarterHour, secondsBetween, wholeOrganization } from "../Count.ts"
import { type CountedAuthor, CountedKind } from "../Figures.ts"

const kinds: ReadonlySet<string> = new Set(CountedKind.literals)

const isCounted = (kind: string): kind is CountedKind => kinds.has(kind)

const authorOf = ({ author }: MessageRecord): CountedAuthor | null => (author.kind === "contact" ? null : author.kind)

/** Returns the counts of a message. Broadcast messages are counted with their recipients. */
export const messageCounts = (message: MessageRecord): ReadonlyArray<Count> => {
  const { at, chatAccountId, direction, endedWaitSince, failedAt, kind, status } = message
  const author = authorOf(message)
  if (!isCounted(kind) || author === "broadcast") return []
  const scopes = [wholeOrganization, chatAccountId]
  if (direction === "inbound") return [countOne(`messages.inbound.byKind.${kind}`, toQuarterHour(at), scopes)]
  if (author === null) return []
  if (status === "failed")
    return failedAt === null ? [] : [countOne("messages.failed", toQuarterHour(failedAt), scopes)]
  const accepted = acceptedAt(message)
  if (accepted === null) return []
  const quarter = toQuarterHour(accepted)
  const own = author === "user" ? [...scopes, message.author.id] : scopes
  return [
    countOne(`messages.outbound.byKind.${kind}`, quarter, scopes),
    countOne(`messages.outbound.byAuthor.${author}`, quarter, own),
    ...(endedWaitSince !== null && isByPerson(message)
      ? [countDuration("reply", quarter, secondsBetween(endedWaitSince, accepted), own)]
      : [])
  ]
}

const isPerson = ({ kind }: { readonly kind: string }) => kind === "user" || kind === "operator"

const wholeSeconds = (from: DateTime.Utc, to: DateTime.Utc) =>
  Math.floor((DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)) / 1_000)

const episodeCounts = (
  { number, resolvedAt, resolvedBy, startedAt }: Episode,
  scopes: ReadonlyArray<string>
): ReadonlyArray<Count> => {
  const begun = countOne(
    number === 1 ? "conversations.opened" : "conversations.reopened",
    toQuarterHour(startedAt),
    scopes
  )
  if (resolvedAt === null) return [begun]
  const quarter = toQuarterHour(resolvedAt)
  const isByPerson = resolvedBy !== null && isPerson(resolvedBy)
  const own = resolvedBy?.kind === "user" ? [...scopes, resolvedBy.id] : scopes
  return [
    begun,
    countOne("conversations.resolved", quarter, own),
    ...(isByPerson ? [] : [countOne("conversations.resolvedByMachine", quarter, scopes)]),
    countDuration("resolution", quarter, wholeSeconds(startedAt, resolvedAt), own)
  ]
}

/** Returns the counts of a conversation. Each episode is a separate part, so a new one does not rewrite the others. */
const conversationCounts = ({ chatAccountId, firstReply, id, episodes }: ConversationRecord): CountedRecord => {
  const scopes = [wholeOrganization, chatAccountId]
  const counts = new Map<string, ReadonlyArray<Count>>([[id, []]])
  if (firstReply !== null) {
    const { acceptedAt, author, endedWaitSince } = firstReply
    const own = author.kind === "user" ? [...scopes, author.id] : scopes
    const seconds = secondsBetween(endedWaitSince, acceptedAt)
    counts.set(id, [countDuration("firstResponse", toQuarterHour(acceptedAt), seconds, own)])
  }
  for (const episode of episodes) counts.set(`${id}#${episode.number}`, episodeCounts(episode, scopes))
  return counts
}

/** Records of one count step. */
export interface ConversationRecords {
  readonly messages: ReadonlyArray<MessageRecord>
  readonly conversations: ReadonlyArray<ConversationRecord>
}

/** Returns the counts of records. */
export const countRecords = ({ conversations, messages }: ConversationRecords): CountedRecord =>
  new Map([
    ...messages.map((message) => [message.id, messageCounts(message)] as const),
    ...conversations.flatMap((conversation) => [...conversationCounts(conversation)])
  ])
