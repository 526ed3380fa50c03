import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { toLocalDate } from "../../kernel/index.ts"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import { RollupStore, type RollupVersion, type ContactPresence } from "../RollupStore.ts"
import { AnalyticsRecords, type MessageRecord } from "../AnalyticsRecords.ts"
import {
  type Count,
  type QuarterHour,
  toQuarterHour,
  quarterHourStart,
  negate,
  toTallies,
  wholeOrganization
} from "../Count.ts"
import { messageCounts } from "./conversationCounts.ts"
import type { ConsumedEvent } from "./eventCounts.ts"

const dayMillis = 86_400_000

/** The number of a local day: one more than that of the day before. */
const toDayNumber = (date: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) / dayMillis

/** Of each local day of a contact, the first quarter hour in which it has written. */
const firstQuarters = (quarters: ReadonlyArray<QuarterHour>, zone: DateTime.TimeZone) => {
  const days = new Map<number, QuarterHour>()
  for (const quarter of quarters.toSorted((one, other) => one - other)) {
    const day = toDayNumber(toLocalDate(quarterHourStart(quarter), zone))
    if (!days.has(day)) days.set(day, quarter)
  }
  return days
}

/**
 * What contacts count as who have written: one on each local day, in its first quarter hour. Its step is how many days before that they had
 * written last, and 0 where they never had. So those in a range of days are counted once: on their first day in it, whose step is
 * greater than the days of the range before it, or 0.
 */
export const activeCounts = (presence: ReadonlyArray<ContactPresence>, zone: DateTime.TimeZone): ReadonlyArray<Count> =>
  [...Map.groupBy(presence, ({ contactId }) => contactId).values()].flatMap((rows) => {
    let last: number | null = null
    return Array.from(
      firstQuarters(
        rows.map(({ quarter }) => quarter),
        zone
      ),
      ([day, quarter]): Count => {
        const step = last === null ? 0 : day - last
        last = day
        return { figure: "contacts.active", quarter, step, amount: 1, scopes: [wholeOrganization] }
      }
    )
  })

/** The contacts whose conversations an event has handed to another one, or back. */
export const transferredContactIds = ({ event }: LoggedEvent<ConsumedEvent>): ReadonlyArray<ContactId> => {
  switch (event.type) {
    case "contact.merged":
      return [event.contactId, event.mergedId]
    case "contact.unmerged":
      return [event.contactId, event.restoredId]
    default:
      return []
  }
}

const keyOf = ({ conversationId, quarter }: ContactPresence) => `${conversationId} ${quarter}`

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** Whose conversations these are: as it is now where contacts were merged or parted, and else as it was counted before. */
const findOwners = Effect.fnUntraced(function* (
  edition: RollupVersion,
  conversationIds: ReadonlyArray<ConversationId>,
  handed: ReadonlyArray<ContactId>
) {
  const records = yield* AnalyticsRecords
  const moved = yield* records.owners([], handed)
  const holders = yield* (yield* RollupStore).holders(edition, distinct([...conversationIds, ...moved.keys()]))
  const owners = new Map([...(yield* records.owners(conversationIds, [])), ...holders, ...moved])
  return { contactIds: distinct([...handed, ...holders.values(), ...owners.values()]), moved, owners }
})

/**
 * Notes when contacts have written what is in these messages, and to whom what was written belongs now. What it comes to is not added
 * yet.
 */
export const countPresence = Effect.fnUntraced(function* (
  edition: RollupVersion,
  timezone: string,
  messages: ReadonlyArray<MessageRecord>,
  handed: ReadonlyArray<ContactId>
) {
  const written = messages.filter((message) => message.direction === "inbound" && messageCounts(message).length > 0)
  if (written.length === 0 && handed.length === 0) return []
  const books = yield* RollupStore
  const conversationIds = distinct(written.map(({ conversationId }) => conversationId))
  const { contactIds, moved, owners } = yield* findOwners(edition, conversationIds, handed)
  const before = yield* books.presence(edition, contactIds)
  const after = new Map(
    before.map((each) => [keyOf(each), { ...each, contactId: moved.get(each.conversationId) ?? each.contactId }])
  )
  for (const { at, conversationId } of written) {
    const contactId = owners.get(conversationId)
    if (contactId === undefined) continue
    const presence = { contactId, conversationId, quarter: toQuarterHour(at) }
    after.set(keyOf(presence), presence)
  }
  const known = new Map(before.map((each) => [keyOf(each), each.contactId]))
  const changed = [...after.values()].filter((each) => known.get(keyOf(each)) !== each.contactId)
  if (changed.length === 0) return []
  yield* books.savePresence(edition, changed)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  const counts: ReadonlyArray<Count> = [
    ...negate(activeCounts(before, zone)),
    ...activeCounts([...after.values()], zone)
  ]
  return counts
})

/** How many contacts are counted at once. */
const contactBatchSize = 1_000

/** Counts the days on which contacts have written as those of another zone. The days are cut anew after it. */
export const rebucketPresence = Effect.fnUntraced(function* (edition: RollupVersion, from: string, to: string) {
  const books = yield* RollupStore
  const [was, is] = [DateTime.zoneMakeNamedUnsafe(from), DateTime.zoneMakeNamedUnsafe(to)]
  let after: ContactId | null = null
  while (true) {
    const contactIds: ReadonlyArray<ContactId> = yield* books.present(edition, after, contactBatchSize)
    const presence = yield* books.presence(edition, contactIds)
    yield* books.add(edition, toTallies([...negate(activeCounts(presence, was)), ...activeCounts(presence, is)]), [])
    if (contactIds.length < contactBatchSize) return
    after = contactIds.at(-1) ?? null
  }
})
