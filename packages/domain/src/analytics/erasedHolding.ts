import { Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import { Organizations } from "../identity/index.ts"
import type { MessageId } from "../inbox/index.ts"
import { AnalyticsBooks, type Book, type Edition } from "./AnalyticsBooks.ts"
import { AnalyticsRecords, type MessageRecord } from "./AnalyticsRecords.ts"
import { takenBack, talliesOf } from "./Count.ts"
import { addCounts } from "./counting/addCounts.ts"
import { recountMessages } from "./counting/countEvents.ts"
import { messageCounts } from "./counting/messageCounts.ts"

/** How many messages are counted at once. */
const stride = 1_000

const release = Effect.fnUntraced(function* (book: Book, edition: Edition, messages: ReadonlyArray<MessageRecord>) {
  const isKept = edition === book.edition
  const books = yield* AnalyticsBooks
  const ids = messages.map(({ id }) => id)
  if (isKept) yield* addCounts(edition, book.timezone, yield* recountMessages(edition, messages))
  else {
    // What is counted anew gets the erased ones at its end.
    const kept = yield* books.kept(edition, ids)
    yield* addCounts(edition, book.timezone, takenBack([...kept.values()].flat()))
  }
  yield* books.keep(edition, new Map(ids.map((id) => [id, []])))
})

/**
 * What is counted of contacts is nameless, and stays. Before their messages go, these are counted as they are, and the link of the counts to the
 * messages is cut: so that nothing is lost of what nobody has counted yet.
 */
export const erasedHolding = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    const [books, records] = [yield* AnalyticsBooks, yield* AnalyticsRecords]
    let after: MessageId | null = null
    while (true) {
      const messages: ReadonlyArray<MessageRecord> = yield* records.messagesWith(contactIds, after, stride)
      if (messages.length > 0) {
        const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
        yield* release(book, book.edition, messages)
        if (book.recount !== null) yield* release(book, book.recount.edition, messages)
        yield* books.addErased(talliesOf(messages.flatMap(messageCounts)))
      }
      if (messages.length < stride) return
      after = messages.at(-1)?.id ?? null
    }
  })
}
