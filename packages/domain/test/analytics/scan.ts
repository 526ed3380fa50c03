import {
  type ContactId,
  Contacts,
  Conversations,
  everybody,
  type LoggedEvent,
  type Message,
  Messages,
  Organizations
} from "@parley/domain"
import { DateTime, Effect } from "effect"

/** A message, and whom it is with. */
export interface Line {
  readonly contactId: ContactId
  readonly message: Message
}

const all = { limit: 10_000, after: null }

const anyConversation = {
  statuses: null,
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  chatAccountId: null,
  contactId: null,
  words: null,
  sort: "createdAt"
} as const

/** All that there is, as the other areas have it. */
export const everythingIn = Effect.gen(function* () {
  const messages = yield* Messages
  const { rows } = yield* (yield* Conversations).list(anyConversation, all)
  const lines = yield* Effect.forEach(rows, ({ conversation }) =>
    Effect.map(messages.list(conversation.id, all), (found) =>
      found.map((message): Line => ({ contactId: conversation.contactId, message }))
    )
  )
  const contacts = yield* (yield* Contacts).list({ filter: everybody, search: null, sort: "createdAt" }, all)
  const { timezone } = yield* (yield* Organizations).current()
  return { contacts: contacts.rows, lines: lines.flat(), timezone }
})

/** The date on the calendars of a zone, as the runtime formats it. */
const dateIn = (timezone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit"
  })
  return (at: DateTime.Utc) => format.format(DateTime.toEpochMillis(at))
}

const firstOf = (times: ReadonlyArray<DateTime.Utc | null>) =>
  times.filter((time) => time !== null).toSorted(DateTime.Order)[0]

const figuresOf = ({ message }: Line): ReadonlyArray<readonly [figure: string, at: DateTime.Utc | undefined]> => {
  const { at, author, deliveredAt, direction, failedAt, kind, readAt, sentAt, status } = message
  if (direction === "inbound") return [[`messages.inbound.byKind.${kind}`, at]]
  if (status === "failed") return [["messages.failed", failedAt ?? undefined]]
  if (status === "queued" || status === "in_doubt") return []
  const accepted = firstOf([sentAt, deliveredAt, readAt])
  return [
    [`messages.outbound.byKind.${kind}`, accepted],
    [`messages.outbound.byAuthor.${author.kind}`, accepted]
  ]
}

/** The days and figures that a scan of all messages and of the log comes to, without any roll-up. */
export const scanned = (
  lines: ReadonlyArray<Line>,
  log: ReadonlyArray<LoggedEvent>,
  timezone: string
): ReadonlyArray<string> => {
  const dateOf = dateIn(timezone)
  const sums = new Map<string, number>()
  const add = (figure: string, at: DateTime.Utc) => {
    const key = `${dateOf(at)} ${figure}`
    sums.set(key, (sums.get(key) ?? 0) + 1)
  }
  for (const line of lines) {
    for (const [figure, at] of figuresOf(line)) if (at !== undefined) add(figure, at)
  }
  for (const { at, event } of log) if (event.type === "contact.created") add("contacts.new", at)
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).toSorted()
}
