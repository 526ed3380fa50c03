import { Effect } from "effect"
import type { BroadcastId } from "../../campaigns/index.ts"
import type { LoggedEvent } from "../../events/index.ts"
import type { ConversationId, MessageId } from "../../inbox/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { addCounts } from "./addCounts.ts"
import { countBroadcasts } from "./countBroadcasts.ts"
import { countPresence, handedIn } from "./countPresence.ts"
import { keptAs } from "./keptAs.ts"
import { eventCounts, type FollowedEvent } from "./eventCounts.ts"
import { recountRecords } from "./recountRecords.ts"

type Logged = LoggedEvent<FollowedEvent>

const messageOf = ({ event }: Logged): ReadonlyArray<MessageId> => {
  switch (event.type) {
    case "message.received":
    case "message.echoed":
    case "message.queued":
    case "message.status_changed":
    case "message.updated":
      return [event.messageId]
    default:
      return []
  }
}

/** Messages that were accepted, and have failed after it: what they had ended, others may end now. */
const lostMessageOf = ({ event }: Logged): ReadonlyArray<MessageId> =>
  event.type === "message.status_changed" && event.from === "sent" && event.to === "failed" ? [event.messageId] : []

const conversationOf = ({ event }: Logged): ReadonlyArray<ConversationId> => {
  switch (event.type) {
    case "conversation.opened":
      return [event.conversationId]
    case "conversation.status_changed":
      return event.from === "resolved" || event.to === "resolved" ? [event.conversationId] : []
    case "conversation.updated":
      return event.fields.includes("firstRepliedAt") ? [event.conversationId] : []
    default:
      return []
  }
}

const broadcastOf = ({ event }: Logged): ReadonlyArray<BroadcastId> => {
  switch (event.type) {
    case "broadcast.status_changed":
    case "broadcast.progressed":
    case "broadcast.replied":
      return [event.broadcastId]
    default:
      return []
  }
}

const distinct = <Id>(ids: ReadonlyArray<Id>) => [...new Set(ids)]

/**
 * Counts what events are about as it is now, and what they tell by themselves. Events that come again change nothing of the records that
 * they are about; those that are gone by now stay counted as they were, in the edition that stands. By themselves only those count that come after `counted`.
 */
export const countEvents = Effect.fnUntraced(function* (
  edition: Edition,
  standing: Edition,
  timezone: string,
  events: ReadonlyArray<Logged>,
  counted: number
) {
  const records = yield* AnalyticsRecords
  const heirs = yield* records.answersBeside(distinct(events.flatMap(lostMessageOf)))
  const messages = yield* records.messages(distinct([...events.flatMap(messageOf), ...heirs]))
  const conversations = yield* records.conversations(distinct(events.flatMap(conversationOf)))
  const fresh = events.filter(({ position }) => position > counted)
  const changes = yield* recountRecords(edition, keptAs({ messages, conversations }))
  const active = yield* countPresence(edition, timezone, messages, distinct(events.flatMap(handedIn)))
  const ofBroadcasts = yield* countBroadcasts(edition, standing, distinct(events.flatMap(broadcastOf)))
  yield* addCounts(edition, timezone, [...changes, ...active, ...ofBroadcasts, ...fresh.flatMap(eventCounts)])
})
