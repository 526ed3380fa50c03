import { DateTime, Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import type { ConversationId, MessageId } from "../messaging/inbox/index.ts"
import { AnalyticsBooks, type Book, type Edition, type Kept } from "./AnalyticsBooks.ts"
import { AnalyticsRecords, type ConversationRecord, type MessageRecord } from "./AnalyticsRecords.ts"
import { type Count, once, takenBack, talliesOf, wholeOrganization } from "./Count.ts"
import { activeCounts } from "./counting/activeCounts.ts"
import { addCounts } from "./counting/addCounts.ts"
import { countPresence } from "./counting/countPresence.ts"
import { type CountedRecords, keptAs } from "./counting/keptAs.ts"
import { recountRecords } from "./counting/recountRecords.ts"
import { uncountedMessages } from "./counting/uncountedMessages.ts"
import { keepCredits } from "./orderHolding.ts"
import { quarterOf } from "./time/quarters.ts"

/** How many records are counted at once. */
const stride = 1_000

const release = Effect.fnUntraced(function* (
  book: Book,
  edition: Edition,
  counts: Kept,
  messages: ReadonlyArray<MessageRecord>
) {
  const isKept = edition === book.edition
  const books = yield* AnalyticsBooks
  const keys = [...counts.keys()]
  if (isKept) {
    const changes = yield* recountRecords(edition, counts)
    const active = yield* countPresence(edition, book.timezone, messages, [])
    yield* addCounts(edition, book.timezone, [...changes, ...active])
  } else {
    // What is counted anew gets the erased ones at its end.
    const kept = yield* books.kept(edition, keys)
    yield* addCounts(edition, book.timezone, takenBack([...kept.values()].flat()))
  }
  yield* books.keep(edition, new Map(keys.map((key) => [key, []])))
})

/** Conversations that go are not open any more, and nobody waits in them. Nothing else of what was counted is lower by it. */
const levelsLost = (conversations: ReadonlyArray<ConversationRecord>, now: DateTime.Utc): ReadonlyArray<Count> =>
  conversations.flatMap(({ chatAccountId, isOpen, isWaiting }) => {
    const scopes = [wholeOrganization, chatAccountId]
    return [
      ...(isOpen ? [once("conversations.open", quarterOf(now), scopes, -1)] : []),
      ...(isWaiting ? [once("conversations.waiting", quarterOf(now), scopes, -1)] : [])
    ]
  })

const forgetRecords = Effect.fnUntraced(function* (book: Book, records: CountedRecords) {
  const books = yield* AnalyticsBooks
  const counts = keptAs(records)
  yield* release(book, book.edition, counts, records.messages)
  if (book.recount !== null) yield* release(book, book.recount.edition, counts, records.messages)
  const lost = levelsLost(records.conversations, yield* DateTime.now)
  yield* addCounts(book.edition, book.timezone, lost)
  yield* books.addErased(talliesOf([...[...counts.values()].flat(), ...lost]))
})

/** Takes over what these contacts have written that is still counted as somebody else's, who was merged into them, and says what it comes to. */
const takePresence = Effect.fnUntraced(function* (book: Book, edition: Edition, contactIds: ReadonlyArray<ContactId>) {
  yield* addCounts(edition, book.timezone, yield* countPresence(edition, book.timezone, [], contactIds))
  const presence = yield* (yield* AnalyticsBooks).presence(edition, contactIds)
  return activeCounts(presence, DateTime.zoneMakeNamedUnsafe(book.timezone))
})

/** The days on which contacts have written stay counted, and nobody knows any more whose they were. */
const forgetPresence = Effect.fnUntraced(function* (book: Book, contactIds: ReadonlyArray<ContactId>) {
  const books = yield* AnalyticsBooks
  yield* books.addErased(talliesOf(yield* takePresence(book, book.edition, contactIds)))
  yield* books.removePresence(book.edition, contactIds)
  if (book.recount === null) return
  const { edition } = book.recount
  const recounted = yield* takePresence(book, edition, contactIds)
  yield* addCounts(edition, book.timezone, takenBack(recounted))
  yield* books.removePresence(edition, contactIds)
})

const forgetConversations = Effect.fnUntraced(function* (book: Book, contactIds: ReadonlyArray<ContactId>) {
  const records = yield* AnalyticsRecords
  const ids = new Set<ConversationId>()
  let after: ConversationId | null = null
  while (true) {
    const rows: ReadonlyArray<ConversationRecord> = yield* records.conversationsWith(contactIds, after, stride)
    yield* forgetRecords(book, { messages: [], conversations: rows })
    for (const { id } of rows) ids.add(id)
    if (rows.length < stride) return ids
    after = rows.at(-1)?.id ?? null
  }
})

/** Those that count: what a blocked contact has written was told to nobody, and nobody has counted it. */
const counting = Effect.fnUntraced(function* (
  book: Book,
  messages: ReadonlyArray<MessageRecord>,
  uncounted: ReadonlySet<MessageId>
) {
  const kept = yield* (yield* AnalyticsBooks).kept(
    book.edition,
    messages.map(({ id }) => id)
  )
  return messages.filter(({ direction, id }) => direction === "outbound" || kept.has(id) || uncounted.has(id))
})

/**
 * What is counted of contacts is nameless, and stays. Before their records go, these are counted as they are, and the link of the counts to the
 * records is cut: so that nothing is lost of what nobody has counted yet.
 */
export const erasedHolding = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    const records = yield* AnalyticsRecords
    yield* keepCredits(yield* records.ordersOf([], contactIds))
    const [first] = yield* records.conversationsWith(contactIds, null, 1)
    if (first === undefined) return
    const book = yield* (yield* AnalyticsBooks).lock((yield* (yield* Organizations).current()).timezone)
    const uncounted = yield* uncountedMessages(book, yield* forgetConversations(book, contactIds))
    let after: MessageId | null = null
    while (true) {
      const rows: ReadonlyArray<MessageRecord> = yield* records.messagesWith(contactIds, after, stride)
      yield* forgetRecords(book, { messages: yield* counting(book, rows, uncounted), conversations: [] })
      if (rows.length < stride) break
      after = rows.at(-1)?.id ?? null
    }
    yield* forgetPresence(book, contactIds)
  })
}
