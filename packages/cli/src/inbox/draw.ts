import type { ConversationView, Message } from "@parley/domain"
import { DateTime, type Terminal } from "effect"
import { fitted, wrapped } from "./text.ts"
import { selectedIn, type View } from "./View.ts"

const clock = (at: DateTime.Utc) => DateTime.formatIso(at).slice(11, 16)

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
      return "[has taken a message back]"
    case "unsupported":
      return "[a message of a kind that is not shown here]"
    case "interactive":
      return message.text ?? (message.interactive?.type === "reply" ? message.interactive.title : "[choices]")
    default:
      return `[${message.kind}]${caption}`
  }
}

const authorOf = (message: Message, contact: string) => {
  if (message.direction === "inbound") return contact
  return message.author.kind === "phone_app" ? "phone" : message.author.kind
}

const changeOf = ({ editedAt, revokedAt }: Message) =>
  revokedAt !== null ? ", taken back" : editedAt !== null ? ", corrected" : ""

/** The lines of one message: who and when, then what. */
const linesOf = (message: Message, contact: string, width: number): ReadonlyArray<string> => {
  const mark = statusMarks[message.status]
  const reason = message.error === null ? "" : `: ${message.error.reason}`
  const head = `${clock(message.at)} ${authorOf(message, contact)}${changeOf(message)}${mark === "" ? "" : ` (${mark}${reason})`}`
  return [head, ...wrapped(contentOf(message), width - 2).map((line) => `  ${line}`)]
}

const entryOf = (conversation: ConversationView, isSelected: boolean, width: number): string => {
  const unread = conversation.unreadCount === 0 ? "" : ` (${conversation.unreadCount})`
  const mark = conversation.status === "open" ? "" : ` ${conversation.status}`
  const state = `${unread}${mark}`
  return `${isSelected ? ">" : " "}${fitted(nameOf(conversation), width - 1 - state.length)}${state}`
}

/** What a person can do, as far as there is room for it. */
const help = "Up/Down choose  Enter send  Ctrl-E resolve  PgUp/PgDn scroll  Esc quit"

const windowOf = ({ window }: ConversationView) =>
  window.open && window.expiresAt !== null
    ? `may be answered until ${clock(window.expiresAt)}`
    : "only a template may be sent"

/** Whom an answer goes to, where that is not the contact's own phone. */
const recipientOf = ({ contact, recipient }: ConversationView) =>
  recipient === null || recipient.value === contact.phone ? "" : ` at ${recipient.value}`

/** What of the draft is seen while it is written: its end. */
const endOf = (draft: string, width: number) => wrapped(draft, width).at(-1) ?? ""

/** The screen, line by line: as many lines as there are rows, each exactly as wide as there are columns. */
export const draw = (view: View, { columns, rows }: Terminal.Size): ReadonlyArray<string> => {
  const left = Math.min(32, Math.max(18, Math.floor(columns / 3)))
  const right = columns - left - 3
  const height = Math.max(1, rows - 4)
  const conversation = selectedIn(view)
  const contact = conversation === null ? "" : nameOf(conversation)
  const unread = view.conversations.reduce((sum, { unreadCount }) => sum + unreadCount, 0)

  const at = view.conversations.findIndex(({ id }) => id === view.selected)
  const first = Math.max(0, at - height + 1)
  const entries = view.conversations
    .slice(first, first + height)
    .map((each) => entryOf(each, each.id === view.selected, left))

  const all = view.messages.flatMap((message) => linesOf(message, contact, right))
  const end = Math.max(Math.min(all.length, height), all.length - view.scrolled)
  const shown = all.slice(Math.max(0, end - height), end)

  const title =
    conversation === null
      ? "No conversation"
      : `${contact}${recipientOf(conversation)}, ${conversation.status}, ${windowOf(conversation)}`
  const body = Array.from(
    { length: height },
    (_, row) => `${fitted(entries[row] ?? "", left)} | ${fitted(shown[row] ?? "", right)}`
  )
  return [
    `${fitted(`${view.organization}: ${unread} unread`, left)} | ${fitted(title, right)}`,
    fitted("-".repeat(columns), columns),
    ...body,
    fitted(`Reply: ${endOf(view.draft, columns - 8)}_`, columns),
    fitted(view.notice === "" ? help : view.notice, columns)
  ]
}
