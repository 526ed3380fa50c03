import { type CountedAuthor, CountedKind } from "../answers/Figures.ts"
import { acceptedAt, isByPerson } from "../../messaging/inbox/index.ts"
import { type Count, lasted, once, wholeOrganization } from "../Count.ts"
import type { MessageRecord } from "../AnalyticsRecords.ts"
import { quarterOf, secondsBetween } from "../time/quarters.ts"

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
