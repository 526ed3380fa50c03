import { Effect } from "effect"
import type { LoggedEvent } from "../../events/index.ts"
import type { MessageId } from "../../inbox/index.ts"
import { AnalyticsBooks, type Edition, type Kept } from "../AnalyticsBooks.ts"
import { AnalyticsRecords, type MessageRecord } from "../AnalyticsRecords.ts"
import { type Count, takenBack } from "../Count.ts"
import { addCounts } from "./addCounts.ts"
import { eventCounts, type FollowedEvent } from "./eventCounts.ts"
import { messageCounts } from "./messageCounts.ts"

/** Counts messages as they are now, and takes back what they were counted as. What it comes to is not added yet. */
export const recountMessages = Effect.fnUntraced(function* (edition: Edition, messages: ReadonlyArray<MessageRecord>) {
  const books = yield* AnalyticsBooks
  const before: Kept = yield* books.kept(
    edition,
    messages.map(({ id }) => id)
  )
  const after = new Map(messages.map((message) => [message.id as string, messageCounts(message)]))
  const changed = new Map(
    [...after].filter(([id, counts]) => JSON.stringify(counts) !== JSON.stringify(before.get(id) ?? []))
  )
  yield* books.keep(edition, changed)
  return [...changed].flatMap(([id, counts]): ReadonlyArray<Count> => [...takenBack(before.get(id) ?? []), ...counts])
})

const messageOf = ({ event }: LoggedEvent<FollowedEvent>): ReadonlyArray<MessageId> => {
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

/**
 * Counts what events are about as it is now, and what they tell by themselves. Events that come again change nothing of the records that
 * they are about; those that are gone by now stay counted as they were. By themselves only those count that come after `counted`.
 */
export const countEvents = Effect.fnUntraced(function* (
  edition: Edition,
  timezone: string,
  events: ReadonlyArray<LoggedEvent<FollowedEvent>>,
  counted: number
) {
  const messages = yield* (yield* AnalyticsRecords).messages([...new Set(events.flatMap(messageOf))])
  const fresh = events.filter(({ position }) => position > counted)
  const ofMessages = yield* recountMessages(edition, messages)
  yield* addCounts(edition, timezone, [...ofMessages, ...fresh.flatMap(eventCounts)])
})
