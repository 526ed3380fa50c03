import { Effect } from "effect"
import { defineSubscriber } from "../events/index.ts"
import { Organizations } from "../identity/index.ts"
import { AnalyticsBooks } from "./AnalyticsBooks.ts"
import { recutPresence } from "./counting/recutPresence.ts"
import { countEvents } from "./counting/countEvents.ts"
import { cutDays } from "./counting/cutDays.ts"
import { FollowedEvents } from "./counting/readFollowed.ts"

/** The types of the events that are counted, or tell of records that are. */
export const countedEvents = [
  "message.received",
  "message.echoed",
  "message.queued",
  "message.status_changed",
  "message.updated",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.updated",
  "contact.created",
  "contacts.imported",
  "contact.consent_changed",
  "contact.merged",
  "contact.unmerged",
  "broadcast.status_changed",
  "broadcast.progressed",
  "broadcast.replied"
] as const

/** Counts what has happened, and cuts the days anew once the organization has another zone. */
export const countingSubscriber = defineSubscriber({
  name: "analytics.count",
  schema: FollowedEvents,
  events: [...countedEvents, "organization.updated"],
  beginsWith: "first_event",
  batch: 500,
  handle: Effect.fnUntraced(function* (events) {
    const books = yield* AnalyticsBooks
    const { timezone } = yield* (yield* Organizations).current()
    const book = yield* books.lock(timezone)
    const isMoved = book.timezone !== timezone
    yield* countEvents(book.edition, book.edition, book.timezone, events, book.position)
    if (isMoved) {
      for (const edition of [book.edition, ...(book.recount === null ? [] : [book.recount.edition])]) {
        yield* recutPresence(edition, book.timezone, timezone)
        yield* cutDays(edition, timezone)
      }
    }
    const position = Math.max(book.position, events.at(-1)?.position ?? 0)
    yield* books.save({ ...book, timezone, position })
  })
})

/** What this area does about events. */
export const analyticsReactions = [countingSubscriber] as const
