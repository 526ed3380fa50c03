import { DateTime, Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import { type OrderId, OrderLifecycleHook } from "../commerce/index.ts"
import type { ContactId } from "../crm/index.ts"
import { layerPort } from "../kernel/index.ts"
import type { ConversationId, MessageId } from "../messaging/inbox/index.ts"
import { EventLog } from "../platform/events/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { RollupStore, type RollupState, type RollupVersion, type CountedRecord } from "./RollupStore.ts"
import { AnalyticsRecords, type ConversationRecord, type MessageRecord } from "./AnalyticsRecords.ts"
import { type Count, countOne, toQuarterHour, negate, toTallies, wholeOrganization } from "./Count.ts"
import { addCounts, loadAttributionHours, recountRecords } from "./counting/addCounts.ts"
import { type ConversationRecords, countRecords } from "./counting/conversationCounts.ts"
import { countOrders, loadOrderCredits, saveRemovedOrders, replaceRemoved } from "./counting/countOrders.ts"
import { readConsumedEvents } from "./counting/eventCounts.ts"
import { activeCounts, countPresence } from "./counting/presence.ts"

/** Batch size of events. */
const batchSize = 1_000

/** Finds the logged messages of these conversations that are not counted yet. */
const findUncountedMessages = Effect.fnUntraced(function* (
  { position }: RollupState,
  conversationIds: ReadonlySet<ConversationId>
) {
  const log = yield* EventLog
  const found = new Set<MessageId>()
  let after = position
  while (true) {
    const logged = yield* log.list(["message.received"], { after: [String(after)], limit: batchSize })
    for (const { event } of yield* readConsumedEvents(logged)) {
      if (event.type === "message.received" && conversationIds.has(event.conversationId)) found.add(event.messageId)
    }
    if (logged.length < batchSize) return found
    after = logged.at(-1)?.position ?? after
  }
})

const emptyRollup = { edition: 0 }

/** Stores the current attribution of orders. After their customer is erased, it can no longer be derived. */
const saveCredits = Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
  const [books, records] = [yield* RollupStore, yield* AnalyticsRecords]
  const book = (yield* books.find()) ?? emptyRollup
  const hours = yield* loadAttributionHours
  for (let from = 0; from < ids.length; from += batchSize) {
    const credits = yield* loadOrderCredits(
      book.edition,
      yield* records.orders(ids.slice(from, from + batchSize), hours)
    )
    const some = Array.from(credits).filter((each): each is [OrderId, BroadcastId] => each[1] !== null)
    yield* books.keepCredits(new Map(some))
  }
})

const eraseOrders = Effect.fnUntraced(function* ({ recount, timezone }: RollupState, keys: ReadonlyArray<OrderId>) {
  const books = yield* RollupStore
  const none = new Map(keys.map((key) => [key, []]))
  if (recount !== null) {
    // A rollup version under construction gets the erased counts at its end.
    const kept = yield* books.kept(recount.edition, keys)
    yield* addCounts(recount.edition, timezone, negate([...kept.values()].flat()))
    yield* books.keep(recount.edition, none)
  }
  return none
})

const removeOrders = Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
  const books = yield* RollupStore
  const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
  const { edition, timezone } = book
  yield* replaceRemoved(book, ids)
  yield* addCounts(edition, timezone, yield* countOrders(edition, edition, yield* loadAttributionHours, ids))
  const counted = yield* books.kept(edition, ids)
  yield* books.addErased(toTallies([...counted.values()].flat()))
  yield* saveRemovedOrders(counted, ids)
  yield* books.keep(edition, yield* eraseOrders(book, ids))
  yield* books.dropCredits(ids)
})

/** Order counts contain no personal data. They stay after the erasure of the customer and the deletion of the order. */
export const layerOrderLifecycleHook = layerPort(OrderLifecycleHook, {
  release: (ids) => (ids.length === 0 ? Effect.void : saveCredits(ids)),
  remove: (ids) => (ids.length === 0 ? Effect.void : removeOrders(ids))
})

const detachCounts = Effect.fnUntraced(function* (
  book: RollupState,
  edition: RollupVersion,
  counts: CountedRecord,
  messages: ReadonlyArray<MessageRecord>
) {
  const isKept = edition === book.edition
  const books = yield* RollupStore
  const keys = [...counts.keys()]
  if (isKept) {
    const changes = yield* recountRecords(edition, counts)
    const active = yield* countPresence(edition, book.timezone, messages, [])
    yield* addCounts(edition, book.timezone, [...changes, ...active])
  } else {
    // A rollup version under construction gets the erased counts at its end.
    const kept = yield* books.kept(edition, keys)
    yield* addCounts(edition, book.timezone, negate([...kept.values()].flat()))
  }
  yield* books.keep(edition, new Map(keys.map((key) => [key, []])))
})

/** Returns the level changes of deleted conversations: they are no longer open, and their waits end. Other figures stay. */
const lostLevels = (conversations: ReadonlyArray<ConversationRecord>, now: DateTime.Utc): ReadonlyArray<Count> =>
  conversations.flatMap(({ chatAccountId, isOpen, isWaiting }) => {
    const scopes = [wholeOrganization, chatAccountId]
    return [
      ...(isOpen ? [countOne("conversations.open", toQuarterHour(now), scopes, -1)] : []),
      ...(isWaiting ? [countOne("conversations.waiting", toQuarterHour(now), scopes, -1)] : [])
    ]
  })

const eraseRecords = Effect.fnUntraced(function* (book: RollupState, records: ConversationRecords) {
  const books = yield* RollupStore
  const counts = countRecords(records)
  yield* detachCounts(book, book.edition, counts, records.messages)
  if (book.recount !== null) yield* detachCounts(book, book.recount.edition, counts, records.messages)
  const lost = lostLevels(records.conversations, yield* DateTime.now)
  yield* addCounts(book.edition, book.timezone, lost)
  yield* books.addErased(toTallies([...[...counts.values()].flat(), ...lost]))
})

/** Transfers presence that is still counted for a merged contact to these contacts. Returns the resulting counts. */
const takePresence = Effect.fnUntraced(function* (
  book: RollupState,
  edition: RollupVersion,
  contactIds: ReadonlyArray<ContactId>
) {
  yield* addCounts(edition, book.timezone, yield* countPresence(edition, book.timezone, [], contactIds))
  const presence = yield* (yield* RollupStore).presence(edition, contactIds)
  return activeCounts(presence, DateTime.zoneMakeNamedUnsafe(book.timezone))
})

/** Anonymizes the presence of contacts. The days of their messages stay counted. */
const erasePresence = Effect.fnUntraced(function* (book: RollupState, contactIds: ReadonlyArray<ContactId>) {
  const books = yield* RollupStore
  yield* books.addErased(toTallies(yield* takePresence(book, book.edition, contactIds)))
  yield* books.removePresence(book.edition, contactIds)
  if (book.recount === null) return
  const { edition } = book.recount
  const recounted = yield* takePresence(book, edition, contactIds)
  yield* addCounts(edition, book.timezone, negate(recounted))
  yield* books.removePresence(edition, contactIds)
})

const eraseConversations = Effect.fnUntraced(function* (book: RollupState, contactIds: ReadonlyArray<ContactId>) {
  const records = yield* AnalyticsRecords
  const ids = new Set<ConversationId>()
  let after: ConversationId | null = null
  while (true) {
    const rows: ReadonlyArray<ConversationRecord> = yield* records.conversationsWith(contactIds, after, batchSize)
    yield* eraseRecords(book, { messages: [], conversations: rows })
    for (const { id } of rows) ids.add(id)
    if (rows.length < batchSize) return ids
    after = rows.at(-1)?.id ?? null
  }
})

/** Filters countable messages. Messages of blocked contacts publish no events, so they are not counted. */
const filterCounted = Effect.fnUntraced(function* (
  book: RollupState,
  messages: ReadonlyArray<MessageRecord>,
  uncounted: ReadonlySet<MessageId>
) {
  const kept = yield* (yield* RollupStore).kept(
    book.edition,
    messages.map(({ id }) => id)
  )
  return messages.filter(({ direction, id }) => direction === "outbound" || kept.has(id) || uncounted.has(id))
})

/**
 * Contact counts contain no personal data and stay. Before the records are deleted, the current records are counted and the link to their counts is
 * removed. This includes records that no consumer has counted yet.
 */
export const analyticsData = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    const records = yield* AnalyticsRecords
    yield* saveCredits(yield* records.ordersOf([], contactIds))
    const [first] = yield* records.conversationsWith(contactIds, null, 1)
    if (first === undefined) return
    const book = yield* (yield* RollupStore).lock((yield* (yield* Organizations).current()).timezone)
    const uncounted = yield* findUncountedMessages(book, yield* eraseConversations(book, contactIds))
    let after: MessageId | null = null
    while (true) {
      const rows: ReadonlyArray<MessageRecord> = yield* records.messagesWith(contactIds, after, batchSize)
      yield* eraseRecords(book, { messages: yield* filterCounted(book, rows, uncounted), conversations: [] })
      if (rows.length < batchSize) break
      after = rows.at(-1)?.id ?? null
    }
    yield* erasePresence(book, contactIds)
  })
}
