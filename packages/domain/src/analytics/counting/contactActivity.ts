import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { toLocalDate } from "../../kernel/index.ts"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import { RollupStore, type RollupVersion, type ContactActivity } from "../RollupStore.ts"
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

/** Returns the number of a local day; consecutive days have consecutive numbers. */
const toDayNumber = (date: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) / dayMillis

/** Returns the first quarter hour with a message of a contact per local day. */
const firstQuarters = (quarters: ReadonlyArray<QuarterHour>, zone: DateTime.TimeZone) => {
  const days = new Map<number, QuarterHour>()
  for (const quarter of quarters.toSorted((one, other) => one - other)) {
    const day = toDayNumber(toLocalDate(quarterHourStart(quarter), zone))
    if (!days.has(day)) days.set(day, quarter)
  }
  return days
}

/**
 * Returns one count per contact and local day with a message, in the first such quarter hour. Its step is the number of days since the previous such
 * day, or 0 without one. A range of days counts each contact once, on its first day in the range. On that day, the step is 0 or greater than the
 * number of earlier days in the range.
 */
export const activeCounts = (activity: ReadonlyArray<ContactActivity>, zone: DateTime.TimeZone): ReadonlyArray<Count> =>
  [...Map.groupBy(activity, ({ contactId }) => contactId).values()].flatMap((rows) => {
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

/** Returns the contacts whose conversations this event transfers by a merge or unmerge. */
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

const keyOf = ({ conversationId, quarter }: ContactActivity) => `${conversationId} ${quarter}`

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** Finds the contacts of conversations: the current one after a merge or unmerge, else the counted one. */
const findOwners = Effect.fnUntraced(function* (
  version: RollupVersion,
  conversationIds: ReadonlyArray<ConversationId>,
  transferredIds: ReadonlyArray<ContactId>
) {
  const records = yield* AnalyticsRecords
  const moved = yield* records.owners([], transferredIds)
  const holders = yield* (yield* RollupStore).holders(version, distinct([...conversationIds, ...moved.keys()]))
  const owners = new Map([...(yield* records.owners(conversationIds, [])), ...holders, ...moved])
  return { contactIds: distinct([...transferredIds, ...holders.values(), ...owners.values()]), moved, owners }
})

/** Stores the activity of contacts from these messages, and moves activity after a merge or unmerge. Returns the counts, which the caller adds. */
export const countActivity = Effect.fnUntraced(function* (
  version: RollupVersion,
  timezone: string,
  messages: ReadonlyArray<MessageRecord>,
  transferredIds: ReadonlyArray<ContactId>
) {
  const written = messages.filter((message) => message.direction === "inbound" && messageCounts(message).length > 0)
  if (written.length === 0 && transferredIds.length === 0) return []
  const rollups = yield* RollupStore
  const conversationIds = distinct(written.map(({ conversationId }) => conversationId))
  const { contactIds, moved, owners } = yield* findOwners(version, conversationIds, transferredIds)
  const before = yield* rollups.activity(version, contactIds)
  const after = new Map(
    before.map((each) => [keyOf(each), { ...each, contactId: moved.get(each.conversationId) ?? each.contactId }])
  )
  for (const { at, conversationId } of written) {
    const contactId = owners.get(conversationId)
    if (contactId === undefined) continue
    const activity = { contactId, conversationId, quarter: toQuarterHour(at) }
    after.set(keyOf(activity), activity)
  }
  const known = new Map(before.map((each) => [keyOf(each), each.contactId]))
  const changed = [...after.values()].filter((each) => known.get(keyOf(each)) !== each.contactId)
  if (changed.length === 0) return []
  yield* rollups.saveActivity(version, changed)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  const counts: ReadonlyArray<Count> = [
    ...negate(activeCounts(before, zone)),
    ...activeCounts([...after.values()], zone)
  ]
  return counts
})

/** Batch size of contacts. */
const contactBatchSize = 1_000

/** Recounts the activity of contacts for the days of another zone. The local days must be recalculated afterwards. */
export const rebucketActivity = Effect.fnUntraced(function* (version: RollupVersion, from: string, to: string) {
  const rollups = yield* RollupStore
  const [was, is] = [DateTime.zoneMakeNamedUnsafe(from), DateTime.zoneMakeNamedUnsafe(to)]
  let after: ContactId | null = null
  while (true) {
    const contactIds: ReadonlyArray<ContactId> = yield* rollups.activeContacts(version, after, contactBatchSize)
    const activity = yield* rollups.activity(version, contactIds)
    yield* rollups.add(version, toTallies([...negate(activeCounts(activity, was)), ...activeCounts(activity, is)]), [])
    if (contactIds.length < contactBatchSize) return
    after = contactIds.at(-1) ?? null
  }
})
