import type { UserId } from "@parley/domain/kernel"
import type { ConversationView, Message } from "@parley/domain/messaging"
import { DateTime, type Terminal } from "effect"
import { fitted, wrapped } from "../../console/text.ts"
import { draftTo, selectedIn, type View } from "./View.ts"

const midnightOf = (at: DateTime.Zoned): number => {
  const { day, month, year } = DateTime.toParts(at)
  return DateTime.toEpochMillis(DateTime.makeUnsafe({ day, month, year }))
}

const dayMillis = 86_400_000

/** Returns the number of days since a time, by the calendar of the user. */
const daysSince = (at: DateTime.Zoned, now: DateTime.Zoned) =>
  Math.round((midnightOf(now) - midnightOf(at)) / dayMillis)

const zoned = (at: DateTime.DateTime, now: DateTime.Zoned) => DateTime.setZone(at, now.zone)

const written = (at: DateTime.Zoned, options: Intl.DateTimeFormatOptions) =>
  DateTime.format(at, { ...options, locale: "en-GB" })

/** Formats the time of day. */
export const clockAt = (at: DateTime.Utc, now: DateTime.Zoned): string =>
  written(zoned(at, now), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

/** Formats a day: today, yesterday, tomorrow, a weekday or a date. */
export const dayAt = (at: DateTime.Utc, now: DateTime.Zoned): string => {
  const there = zoned(at, now)
  const ago = daysSince(there, now)
  if (ago === 0) return "Today"
  if (ago === 1) return "Yesterday"
  if (ago === -1) return "Tomorrow"
  if (Math.abs(ago) < 7) return written(there, { weekday: "long" })
  const isThisYear = DateTime.getPart(there, "year") === DateTime.getPart(now, "year")
  return written(there, { day: "numeric", month: "long", ...(isThisYear ? { weekday: "short" } : { year: "numeric" }) })
}

/** Formats a time in the shortest form: the time of today, or else the day. */
export const shortlyAt = (at: DateTime.Utc, now: DateTime.Zoned): string => {
  const there = zoned(at, now)
  const ago = daysSince(there, now)
  if (ago === 0) return clockAt(at, now)
  if (ago === 1) return "Yesterday"
  if (ago > 1 && ago < 7) return written(there, { weekday: "short" })
  return written(there, { day: "numeric", month: "short" })
}

const nameOf = ({ contact }: ConversationView) => contact.name ?? contact.phone ?? "Somebody"

const statusMarks: Readonly<Record<Message["status"], string>> = {
  received: "",
  queued: "waiting",
  in_doubt: "in doubt",
  sent: "sent",
  delivered: "delivered",
  read: "read",
  failed: "FAILED"
}

const itemsOf = ({ order }: Message) =>
  (order?.items ?? []).map(({ productId, quantity }) => `${quantity} x ${productId}`).join(", ")

const contentOf = (message: Message): string => {
  const caption = message.text === null ? "" : ` ${message.text}`
  switch (message.kind) {
    case "text":
    case "system":
      return message.text ?? ""
    case "template":
      return message.text ?? `[template ${message.template?.name ?? ""}]`
    case "order":
      return `[order ${itemsOf(message)}]${caption}`
    case "contacts":
      return `[contacts ${(message.contacts ?? []).map(({ name }) => name).join(", ")}]`
    case "edit":
      return `[corrected] ${message.text ?? ""}`
    case "revocation":
      return "[has deleted a message]"
    case "unsupported":
      return "[a message of an unsupported kind]"
    case "interactive":
      return message.text ?? (message.interactive?.type === "reply" ? message.interactive.title : "[choices]")
    default:
      return `[${message.kind}]${caption}`
  }
}

const authorOf = ({ author, direction }: Message, contact: string, people: View["people"]) => {
  if (direction === "inbound") return contact
  if (author.kind === "phone_app") return "phone"
  return author.kind === "user" ? (people.get(author.id as UserId) ?? "a colleague") : author.kind
}

const changeOf = ({ editedAt, revokedAt }: Message) =>
  revokedAt !== null ? ", taken back" : editedAt !== null ? ", corrected" : ""

/** Context of drawing: the names and the current time. */
interface Look {
  readonly contact: string
  readonly people: View["people"]
  readonly now: DateTime.Zoned
}

/** Returns the lines of one message: sender and time, then the content. */
const linesOf = (message: Message, { contact, now, people }: Look, width: number): ReadonlyArray<string> => {
  const mark = statusMarks[message.status]
  const reason = message.error === null ? "" : `: ${message.error.reason}`
  const head = `${clockAt(message.at, now)} ${authorOf(message, contact, people)}${changeOf(message)}${mark === "" ? "" : ` (${mark}${reason})`}`
  return [head, ...wrapped(contentOf(message), width - 2).map((line) => `  ${line}`)]
}

/** Returns the lines of the messages, with the day above its messages. */
const linesOfDays = (messages: ReadonlyArray<Message>, look: Look, width: number): ReadonlyArray<string> =>
  messages.flatMap((message, index) => {
    const day = dayAt(message.at, look.now)
    const before = messages[index - 1]
    const isNew = before === undefined || dayAt(before.at, look.now) !== day
    return [...(isNew ? [`-- ${day} --`] : []), ...linesOf(message, look, width)]
  })

const entryOf = (conversation: ConversationView, view: View, now: DateTime.Zoned, width: number): string => {
  const { id, lastActivityAt, status, unreadCount } = conversation
  const unread = unreadCount === 0 ? "" : ` (${unreadCount})`
  const draft = draftTo(view, id) === "" || id === view.selected ? "" : " draft"
  const mark = status === "open" ? "" : ` ${status}`
  const state = `${unread}${draft}${mark} ${shortlyAt(lastActivityAt, now)}`
  return `${id === view.selected ? ">" : " "}${fitted(nameOf(conversation), width - 1 - state.length)}${state}`
}

/** Help line. It is cut to the width of the terminal. */
const help = "Up/Down choose  Enter send  Ctrl-E resolve  PgUp/PgDn scroll  Esc quit"

const windowOf = ({ window }: ConversationView, now: DateTime.Zoned) => {
  if (!window.open || window.expiresAt === null) return "only templates can be sent"
  const day = dayAt(window.expiresAt, now)
  return `can be answered until ${day === "Today" ? "" : `${day.toLowerCase()} `}${clockAt(window.expiresAt, now)}`
}

/** Recipient of an answer, if it differs from the phone number of the contact. */
const recipientOf = ({ contact, recipient }: ConversationView) =>
  recipient === null || recipient.value === contact.phone ? "" : ` at ${recipient.value}`

/** Visible end of the draft while the user types. */
const endOf = (draft: string, width: number) => wrapped(draft, width).at(-1) ?? ""

const away = "The service does not answer. The screen can be outdated; drafts are stored."

/** Returns the last line: the question or notice to the user, or else the help. */
const lastLine = (view: View, contact: string) => {
  if (view.asks === "resolve") return `Resolve the conversation with ${contact}? y resolves it, any other key cancels`
  if (view.notice !== "") return view.notice
  if (view.isSending) return "Sending"
  return view.isAway ? away : help
}

/** Draws the screen: one line for each row, each exactly as wide as the columns. */
export const draw = (view: View, { columns, rows }: Terminal.Size, now: DateTime.Zoned): ReadonlyArray<string> => {
  const left = Math.min(32, Math.max(18, Math.floor(columns / 3)))
  const right = columns - left - 3
  const height = Math.max(1, rows - 4)
  const conversation = selectedIn(view)
  const contact = conversation === null ? "" : nameOf(conversation)
  const unread = view.conversations.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

  const at = view.conversations.findIndex(({ id }) => id === view.selected)
  const first = Math.max(0, at - height + 1)
  const entries = view.conversations.slice(first, first + height).map((each) => entryOf(each, view, now, left))

  const all = linesOfDays(view.messages, { contact, people: view.people, now }, right)
  const end = Math.max(Math.min(all.length, height), all.length - view.scrolled)
  const shown = all.slice(Math.max(0, end - height), end)

  const title =
    conversation === null
      ? view.isLoading
        ? ""
        : "No conversation"
      : `${contact}${recipientOf(conversation)}, ${conversation.status}, ${windowOf(conversation, now)}`
  const body = Array.from(
    { length: height },
    (_, row) => `${fitted(entries[row] ?? "", left)} | ${fitted(shown[row] ?? "", right)}`
  )
  const state = view.isAway ? "AWAY" : view.isLoading ? "Loading…" : `${unread} unread`
  return [
    `${fitted(`${view.organization}: ${state}`, left)} | ${fitted(title, right)}`,
    fitted("-".repeat(columns), columns),
    ...body,
    fitted(`Reply: ${endOf(draftTo(view, view.selected), columns - 8)}_`, columns),
    fitted(lastLine(view, contact), columns)
  ]
}
