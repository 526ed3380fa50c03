import { Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import { Organizations } from "../identity/index.ts"
import type { ConversationId, MessageId } from "../inbox/index.ts"
import { AnalyticsBooks, type Book, type Edition, type Kept } from "./AnalyticsBooks.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { takenBack, talliesOf } from "./Count.ts"
import { addCounts } from "./counting/addCounts.ts"
import { type CountedRecords, keptAs } from "./counting/keptAs.ts"
import { recountRecords } from "./counting/recountRecords.ts"

/** How many records are counted at once. */
const stride = 1_000

const release = Effect.fnUntraced(function* (book: Book, edition: Edition, counts: Kept) {
  const isKept = edition === book.edition
  const books = yield* AnalyticsBooks
  const keys = [...counts.keys()]
  if (isKept) yield* addCounts(edition, book.timezone, yield* recountRecords(edition, counts))
  else {
    // What is counted anew gets the erased ones at its end.
    const kept = yield* books.kept(edition, keys)
    yield* addCounts(edition, book.timezone, takenBack([...kept.values()].flat()))
  }
  yield* books.keep(edition, new Map(keys.map((key) => [key, []])))
})

const forgetRecords = Effect.fnUntraced(function* (records: CountedRecords) {
  const books = yield* AnalyticsBooks
  const counts = keptAs(records)
  if (counts.size === 0) return
  const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
  yield* release(book, book.edition, counts)
  if (book.recount !== null) yield* release(book, book.recount.edition, counts)
  yield* books.addErased(talliesOf([...counts.values()].flat()))
})

/** Reads records in strides, and forgets each stride. */
const forgetAll = Effect.fnUntraced(function* <Id, Row extends { readonly id: Id }, R>(
  next: (after: Id | null) => Effect.Effect<ReadonlyArray<Row>, never, R>,
  asRecords: (rows: ReadonlyArray<Row>) => Partial<CountedRecords>
) {
  let after: Id | null = null
  while (true) {
    const rows: ReadonlyArray<Row> = yield* next(after)
    yield* forgetRecords({ messages: [], conversations: [], ...asRecords(rows) })
    if (rows.length < stride) return
    after = rows.at(-1)?.id ?? null
  }
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
    yield* forgetAll(
      (after: MessageId | null) => records.messagesWith(contactIds, after, stride),
      (messages) => ({ messages })
    )
    yield* forgetAll(
      (after: ConversationId | null) => records.conversationsWith(contactIds, after, stride),
      (conversations) => ({ conversations })
    )
  })
}
