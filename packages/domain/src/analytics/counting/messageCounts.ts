import { DateTime } from "effect"
import { type CountedAuthor, CountedKind } from "../answers/Figures.ts"
import { type Count, once, wholeOrganization } from "../Count.ts"
import type { MessageRecord } from "../AnalyticsRecords.ts"
import { quarterOf } from "../time/quarters.ts"

const kinds: ReadonlySet<string> = new Set(CountedKind.literals)

const isCounted = (kind: string): kind is CountedKind => kinds.has(kind)

/** When the provider accepted it, by the earliest that it has said; `null` where it has not, or where the message has failed. */
const acceptanceOf = ({ deliveredAt, readAt, sentAt, status }: MessageRecord): DateTime.Utc | null => {
  if (status !== "sent" && status !== "delivered" && status !== "read") return null
  const times = [sentAt, deliveredAt, readAt].filter((time) => time !== null)
  return times.length === 0 ? null : times.reduce(DateTime.min)
}

const authorOf = ({ author }: MessageRecord): CountedAuthor | null => (author.kind === "contact" ? null : author.kind)

/** What a message counts as. Those of broadcasts are counted with their recipients. */
export const messageCounts = (message: MessageRecord): ReadonlyArray<Count> => {
  const { at, chatAccountId, direction, failedAt, kind, status } = message
  const author = authorOf(message)
  if (!isCounted(kind) || author === "broadcast") return []
  const scopes = [wholeOrganization, chatAccountId]
  if (direction === "inbound") return [once(`messages.inbound.byKind.${kind}`, quarterOf(at), scopes)]
  if (author === null) return []
  if (status === "failed") return failedAt === null ? [] : [once("messages.failed", quarterOf(failedAt), scopes)]
  const acceptedAt = acceptanceOf(message)
  if (acceptedAt === null) return []
  const quarter = quarterOf(acceptedAt)
  const own = author === "user" ? [...scopes, message.author.id] : scopes
  return [
    once(`messages.outbound.byKind.${kind}`, quarter, scopes),
    once(`messages.outbound.byAuthor.${author}`, quarter, own)
  ]
}
