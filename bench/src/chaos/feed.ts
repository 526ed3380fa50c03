import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Check, check } from "./verdict.ts"

interface Row {
  readonly position: number
  readonly type: string
  readonly messageId: string | null
  readonly conversationId: string | null
  readonly contactId: string | null
  readonly from: string | null
  readonly to: string | null
}

/** Expected content of the event feed. */
export interface FeedExpectation {
  /** Number of unread messages, new conversations and new contacts in all organizations. */
  readonly received: number
  readonly opened: number
  readonly contacts: number
  /** The previous and the current status of each outgoing message. */
  readonly outbound: ReadonlyMap<string, { readonly before: string; readonly after: string }>
}

const onceEach = (invariant: string, expected: number, ids: ReadonlyArray<string | null>): Check => ({
  invariant,
  looked: ids.length,
  faults: [
    ...(ids.length === expected ? [] : [`${ids.length} events were received, not ${expected}`]),
    ...(new Set(ids).size === ids.length ? [] : [`${ids.length - new Set(ids).size} events were received twice`])
  ]
})

/** Reads the feeds of these organizations: no event is missing or repeated, and statuses form a sequence. */
export const checkFeeds = Effect.fnUntraced(function* (organizations: Iterable<string>, expected: FeedExpectation) {
  const sql = yield* SqlClient.SqlClient
  const gaps: Array<string> = []
  const rows: Array<Row> = []
  for (const organization of organizations) {
    const feed = yield* sql<Row>`
      SELECT position::integer, type, data ->> 'messageId' AS "messageId", data ->> 'conversationId' AS "conversationId",
        data ->> 'contactId' AS "contactId", data ->> 'from' AS from, data ->> 'to' AS to
      FROM events WHERE organization_id = ${organization} ORDER BY events.position`
    const [counter] = yield* sql<{ readonly head: number }>`
      SELECT head::integer FROM event_heads WHERE organization_id = ${organization}`
    for (const [place, row] of feed.entries()) {
      if (row.position !== place + 1)
        gaps.push(`${organization}: in place ${place + 1} is the position ${row.position}`)
      rows.push(row)
    }
    if ((counter?.head ?? 0) !== feed.length) {
      gaps.push(`${organization}: the head is ${counter?.head ?? 0}, and there are ${feed.length} events`)
    }
  }
  const ofType = (type: string) => rows.filter((row) => row.type === type)
  const chains = new Map<string, Array<Row>>()
  for (const row of ofType("message.status_changed")) {
    const id = row.messageId ?? "none"
    const chain = chains.get(id)
    if (chain === undefined) chains.set(id, [row])
    else chain.push(row)
  }
  const chainFault = (id: string, before: string, after: string) => {
    const chain = chains.get(id) ?? []
    const states = [before, ...chain.map(({ to }) => to)]
    const follows = chain.every(({ from }, place) => from === states[place]) && states.at(-1) === after
    return follows
      ? null
      : `${id}: ${before}, ${chain.map(({ from, to }) => `${from} > ${to}`).join(", ")}; it is ${after}`
  }
  return [
    { invariant: "events have no gap", looked: rows.length, faults: gaps },
    onceEach(
      "each message that came in is an event",
      expected.received,
      ofType("message.received").map((row) => row.messageId)
    ),
    onceEach(
      "each conversation that began is an event",
      expected.opened,
      ofType("conversation.opened").map((row) => row.conversationId)
    ),
    onceEach(
      "each contact that came is an event",
      expected.contacts,
      ofType("contact.created").map((row) => row.contactId)
    ),
    check("changes of status follow from one another", expected.outbound, ([id, { after, before }]) =>
      chainFault(id, before, after)
    )
  ] satisfies ReadonlyArray<Check>
})
