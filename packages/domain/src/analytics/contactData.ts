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
import { activeCounts, countActivity } from "./counting/contactActivity.ts"

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

const emptyRollup = { version: 0 }

/** Stores the current attribution of orders. After their customer is erased, it can no longer be derived. */
const saveCredits = Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
  const [rollups, records] = [yield* RollupStore, yield* AnalyticsRecords]
  const state = (yield* rollups.find()) ?? emptyRollup
  const hours = yield* loadAttributionHours
  for (let from = 0; from < ids.length; from += batchSize) {
    const credits = yield* loadOrderCredits(
      state.version,
      yield* records.orders(ids.slice(from, from + batchSize), hours)
    )
    const some = Array.from(credits).filter((each): each is [OrderId, BroadcastId] => each[1] !== null)
    yield* rollups.keepAttributions(new Map(some))
  }
})

const eraseOrders = Effect.fnUntraced(function* ({ recount, timezone }: RollupState, keys: ReadonlyArray<OrderId>) {
  const rollups = yield* RollupStore
  const none = new Map(keys.map((key) => [key, []]))
  if (recount !== null) {
    // A rollup version under construction gets the erased counts at its end.
    const kept = yield* rollups.kept(recount.version, keys)
    yield* addCounts(recount.version, timezone, negate([...kept.values()].flat()))
    yield* rollups.keep(recount.version, none)
  }
  return none
})

const removeOrders = Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
  const rollups = yield* RollupStore
  const state = yield* rollups.lock((yield* (yield* Organizations).current()).timezone)
  const { version, timezone } = state
  yield* replaceRemoved(state, ids)
  yield* addCounts(version, timezone, yield* countOrders(version, version, yield* loadAttributionHours, ids))
  const counted = yield* rollups.kept(version, ids)
  yield* rollups.addErased(toTallies([...counted.values()].flat()))
  yield* saveRemovedOrders(counted, ids)
  yield* rollups.keep(version, yield* eraseOrders(state, ids))
  yield* rollups.dropAttributions(ids)
})

/** Order counts contain no personal data. They stay after the erasure of the customer and the deletion of the order. */
export const layerOrderLifecycleHook = layerPort(OrderLifecycleHook, {
  release: (ids) => (ids.length === 0 ? Effect.void : saveCredits(ids)),
  remove: (ids) => (ids.length === 0 ? Effect.void : removeOrders(ids))
})

const detachCounts = Effect.fnUntraced(function* (
  state: RollupState,
  version: RollupVersion,
  counts: CountedRecord,
  messages: ReadonlyArray<MessageRecord>
) {
  const isKept = version === state.version
  const rollups = yield* RollupStore
  const keys = [...counts.keys()]
  if (isKept) {
    const changes = yield* recountRecords(version, counts)
    const active = yield* countActivity(version, state.timezone, messages, [])
    yield* addCounts(version, state.timezone, [...changes, ...active])
  } else {
    // A rollup version under construction gets the erased counts at its end.
    const kept = yield* rollups.kept(version, keys)
    yield* addCounts(version, state.timezone, negate([...kept.values()].flat()))
  }
  yield* rollups.keep(version, new Map(keys.map((key) => [key, []])))
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

const eraseRecords = Effect.fnUntraced(function* (state: RollupState, records: ConversationRecords) {
  const rollups = yield* RollupStore
  const counts = countRecords(records)
  yield* detachCounts(state, state.version, counts, records.messages)
  if (state.recount !== null) yield* detachCounts(state, state.recount.version, counts, records.messages)
  const lost = lostLevels(records.conversations, yield* DateTime.now)
  yield* addCounts(state.version, state.timezone, lost)
  yield* rollups.addErased(toTallies([...[...counts.values()].flat(), ...lost]))
})

/** Transfers activity that is still counted for a merged contact to these contacts. Returns the resulting counts. */
const takeActivity = Effect.fnUntraced(function* (
  state: RollupState,
  version: RollupVersion,
  contactIds: ReadonlyArray<ContactId>
) {
  yield* addCounts(version, state.timezone, yield* countActivity(version, state.timezone, [], contactIds))
  const activity = yield* (yield* RollupStore).activity(version, contactIds)
  return activeCounts(activity, DateTime.zoneMakeNamedUnsafe(state.timezone))
})

/** Anonymizes the activity of contacts. The days of their messages stay counted. */
const eraseActivity = Effect.fnUntraced(function* (state: RollupState, contactIds: ReadonlyArray<ContactId>) {
  const rollups = yield* RollupStore
  yield* rollups.addErased(toTallies(yield* takeActivity(state, state.version, contactIds)))
  yield* rollups.removeActivity(state.version, contactIds)
  if (state.recount === null) return
  const { version } = state.recount
  const recounted = yield* takeActivity(state, version, contactIds)
  yield* addCounts(version, state.timezone, negate(recounted))
  yield* rollups.removeActivity(version, contactIds)
})

const eraseConversations = Effect.fnUntraced(function* (state: RollupState, contactIds: ReadonlyArray<ContactId>) {
  const records = yield* AnalyticsRecords
  const ids = new Set<ConversationId>()
  let after: ConversationId | null = null
  while (true) {
    const rows: ReadonlyArray<ConversationRecord> = yield* records.conversationsWith(contactIds, after, batchSize)
    yield* eraseRecords(state, { messages: [], conversations: rows })
    for (const { id } of rows) ids.add(id)
    if (rows.length < batchSize) return ids
    after = rows.at(-1)?.id ?? null
  }
})

/** Filters countable messages. Messages of blocked contacts publish no events, so they are not counted. */
const filterCounted = Effect.fnUntraced(function* (
  state: RollupState,
  messages: ReadonlyArray<MessageRecord>,
  uncounted: ReadonlySet<MessageId>
) {
  const kept = yield* (yield* RollupStore).kept(
    state.version,
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
    const state = yield* (yield* RollupStore).lock((yield* (yield* Organizations).current()).timezone)
    const uncounted = yield* findUncountedMessages(state, yield* eraseConversations(state, contactIds))
    let after: MessageId | null = null
    while (true) {
      const rows: ReadonlyArray<MessageRecord> = yield* records.messagesWith(contactIds, after, batchSize)
      yield* eraseRecords(state, { messages: yield* filterCounted(state, rows, uncounted), conversations: [] })
      if (rows.length < batchSize) break
      after = rows.at(-1)?.id ?? null
    }
    yield* eraseActivity(state, contactIds)
  })
}
