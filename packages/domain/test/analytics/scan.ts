import { type LoggedEvent, Organizations } from "@parley/domain/platform"
import { type ContactId, Contacts, anyContact } from "@parley/domain/crm"
import { type Conversation, Conversations, type Message, Messages, type Episode, Waits } from "@parley/domain/messaging"
import { stepOf } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"

/** A message, and whom it is with. */
export interface Line {
  readonly contactId: ContactId
  readonly message: Message
  /** Start of the wait that the message ended. */
  readonly endedWaitSince: DateTime.Utc | null
}

/** A conversation, whom it is with, and its episodes. */
export interface Talk {
  readonly contactId: ContactId
  readonly conversation: Conversation
  readonly episodes: ReadonlyArray<Episode>
  /** How long the contact had waited for the first answer of a person. */
  readonly firstWait: number | null
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

const seconds = (from: DateTime.Utc, to: DateTime.Utc) =>
  Math.max(0, Math.floor((DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)) / 1_000))

/** All that there is, as the other areas have it. */
export const everythingIn = Effect.gen(function* () {
  const messages = yield* Messages
  const { rows } = yield* (yield* Conversations).list(anyConversation, all)
  const waits = yield* Waits
  const talked = yield* Effect.forEach(
    rows,
    Effect.fnUntraced(function* ({ conversation }) {
      const { contactId, firstRepliedAt, firstReplyId, id } = conversation
      const answers = yield* waits.answers([{ conversationId: id, from: DateTime.makeUnsafe(0) }])
      const ended = new Map(answers.map(({ messageId, since }) => [messageId, since]))
      const lines = (yield* messages.list(id, all)).map((message): Line => ({
        contactId,
        message,
        endedWaitSince: ended.get(message.id) ?? null
      }))
      const since = firstReplyId === null ? null : (ended.get(firstReplyId) ?? null)
      const firstWait = since === null || firstRepliedAt === null ? null : seconds(since, firstRepliedAt)
      const talk: Talk = { contactId, conversation, episodes: yield* waits.episodes(id), firstWait }
      return { lines, talk }
    })
  )
  const lines = talked.flatMap((each) => each.lines)
  const talks = talked.map(({ talk }) => talk)
  const contacts = yield* (yield* Contacts).list({ filter: anyContact, search: null, sort: "createdAt" }, all)
  const { timezone } = yield* (yield* Organizations).current()
  return { contacts: contacts.rows, lines, talks, timezone }
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

/** A figure, when it counts, and the step of a duration. */
export type Found = readonly [figure: string, at: DateTime.Utc | undefined, step?: number]

const people = new Set(["user", "operator", "phone_app"])

const figuresOf = ({ endedWaitSince, message }: Line): ReadonlyArray<Found> => {
  const { at, author, deliveredAt, direction, failedAt, kind, readAt, sentAt, status } = message
  if (direction === "inbound") return [[`messages.inbound.byKind.${kind}`, at]]
  if (status === "failed") return [["messages.failed", failedAt ?? undefined]]
  if (status === "queued" || status === "in_doubt") return []
  const accepted = firstOf([sentAt, deliveredAt, readAt])
  return [
    [`messages.outbound.byKind.${kind}`, accepted],
    [`messages.outbound.byAuthor.${author.kind}`, accepted],
    ...(endedWaitSince !== null && accepted !== undefined && people.has(author.kind)
      ? [["reply", accepted, stepOf(seconds(endedWaitSince, accepted))] as const]
      : [])
  ]
}

const talkFigures = ({ conversation, firstWait, episodes }: Talk): ReadonlyArray<Found> => [
  ...(firstWait === null
    ? []
    : [["firstResponse", conversation.firstRepliedAt ?? undefined, stepOf(firstWait)] as const]),
  ...episodes.flatMap(({ number, resolvedAt, resolvedBy, startedAt }): ReadonlyArray<Found> => {
    const begun: Found = [`conversations.${number === 1 ? "opened" : "reopened"}`, startedAt]
    if (resolvedAt === null) return [begun]
    return [
      begun,
      ["conversations.resolved", resolvedAt],
      ...(resolvedBy?.kind === "operator" ? [] : [["conversations.resolvedByMachine", resolvedAt] as const]),
      ["resolution", resolvedAt, stepOf(seconds(startedAt, resolvedAt))]
    ]
  })
]

const logFigures = ({ at, event }: LoggedEvent): ReadonlyArray<Found> => {
  if (event.type === "contact.created") return [[event.imported === true ? "contacts.imported" : "contacts.new", at]]
  return event.type === "contact.consent_changed" && event.to === "unsubscribed" ? [["contacts.unsubscribed", at]] : []
}

/** Messages of a blocked contact publish no event. */
const heardOf = (lines: ReadonlyArray<Line>, log: ReadonlyArray<LoggedEvent>) => {
  const heard = new Set(log.flatMap(({ event }) => ("messageId" in event ? [event.messageId] : [])))
  return lines.filter(({ message }) => heard.has(message.id))
}

/** On which days contacts have written, each with how many days before they had written last, as it is cut in this zone. */
export const activeOf = (
  lines: ReadonlyArray<Line>,
  log: ReadonlyArray<LoggedEvent>,
  timezone: string
): ReadonlyArray<Found> => {
  const dateOf = dateIn(timezone)
  const written = heardOf(lines, log).filter(({ message: { direction } }) => direction === "inbound")
  return [...Map.groupBy(written, ({ contactId }) => contactId).values()].flatMap((own) => {
    const days = new Map<string, DateTime.Utc>()
    for (const { message } of own.toSorted((one, other) => DateTime.Order(one.message.at, other.message.at))) {
      const date = dateOf(message.at)
      if (!days.has(date)) days.set(date, message.at)
    }
    const dates = [...days.keys()]
    return Array.from(days, ([date, at], index): Found => {
      const last = dates[index - 1]
      const gap = last === undefined ? 0 : (Date.parse(date) - Date.parse(last)) / 86_400_000
      return ["contacts.active", at, gap]
    })
  })
}

/** Number of open conversations and of waiting ones at present. */
export const levelsOf = (talks: ReadonlyArray<Talk>) => ({
  open: talks.filter(({ conversation }) => conversation.status === "open").length,
  waiting: talks.filter(({ conversation }) => conversation.waitingSince !== null).length
})

/** Days and figures from a scan of all messages and of the log, without rollups. */
export const scanned = (
  lines: ReadonlyArray<Line>,
  talks: ReadonlyArray<Talk>,
  active: ReadonlyArray<Found>,
  log: ReadonlyArray<LoggedEvent>,
  timezone: string
): ReadonlyArray<string> => {
  const dateOf = dateIn(timezone)
  const sums = new Map<string, number>()
  const found = [...heardOf(lines, log).flatMap(figuresOf), ...talks.flatMap(talkFigures), ...log.flatMap(logFigures)]
  for (const [figure, at, step = 0] of [...found, ...active]) {
    if (at === undefined) continue
    const key = `${dateOf(at)} ${figure} ${step}`
    sums.set(key, (sums.get(key) ?? 0) + 1)
  }
  return Array.from(sums, ([key, sum]) => `${key} ${sum}`).toSorted()
}
