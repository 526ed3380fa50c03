import { DateTime } from "effect"
import { acceptedAt, isByPerson, type Stretch } from "../../messaging/inbox/index.ts"
import type { Kept } from "../AnalyticsBooks.ts"
import type { ConversationRecord, MessageRecord } from "../AnalyticsRecords.ts"
import { type Count, lasted, once, quarterOf, secondsBetween, wholeOrganization } from "../Count.ts"
import { type CountedAuthor, CountedKind } from "../Figures.ts"

const kinds: ReadonlySet<string> = new Set(CountedKind.literals)

const isCounted = (kind: string): kind is CountedKind => kinds.has(kind)

const authorOf = ({ author }: MessageRecord): CountedAuthor | null => (author.kind === "contact" ? null : author.kind)

/** What a message counts as. Those of broadcasts are counted with their recipients. */
export const messageCounts = (message: MessageRecord): ReadonlyArray<Count> => {
  const { at, chatAccountId, direction, endedWaitSince, failedAt, kind, status } = message
  const author = authorOf(message)
  if (!isCounted(kind) || author === "broadcast") return []
  const scopes = [wholeOrganization, chatAccountId]
  if (direction === "inbound") return [once(`messages.inbound.byKind.${kind}`, quarterOf(at), scopes)]
  if (author === null) return []
  if (status === "failed") return failedAt === null ? [] : [once("messages.failed", quarterOf(failedAt), scopes)]
  const accepted = acceptedAt(message)
  if (accepted === null) return []
  const quarter = quarterOf(accepted)
  const own = author === "user" ? [...scopes, message.author.id] : scopes
  return [
    once(`messages.outbound.byKind.${kind}`, quarter, scopes),
    once(`messages.outbound.byAuthor.${author}`, quarter, own),
    ...(endedWaitSince !== null && isByPerson(message)
      ? [lasted("reply", quarter, secondsBetween(endedWaitSince, accepted), own)]
      : [])
  ]
}

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
const conversationCounts = ({ chatAccountId, firstReply, id, stretches }: ConversationRecord): Kept => {
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

/** Records that are counted together. */
export interface CountedRecords {
  readonly messages: ReadonlyArray<MessageRecord>
  readonly conversations: ReadonlyArray<ConversationRecord>
}

/** What records count as. */
export const keptAs = ({ conversations, messages }: CountedRecords): Kept =>
  new Map([
    ...messages.map((message) => [message.id, messageCounts(message)] as const),
    ...conversations.flatMap((conversation) => [...conversationCounts(conversation)])
  ])
