import { DateTime } from "effect"
import { type Contact, type IdentityRef, sameIdentity } from "../../crm/index.ts"
import type { MessageSending, Recipient } from "../chat/index.ts"
import { Conversation, type IdentityWindow } from "./Conversation.ts"

/** What of a contact says what it is written to by. */
export type Reachable = Pick<Contact, "phone"> & { readonly identities: ReadonlyArray<IdentityRef> }

/** Whether two recipients are the very same, in one spelling. */
export const sameRecipient = (one: Recipient, other: Recipient): boolean =>
  one.kind === other.kind && one.value === other.value

const asRecipient = ({ kind, value }: IdentityRef): ReadonlyArray<Recipient> =>
  kind === "phone" || kind === "chat_user" || kind === "external" ? [{ kind, value }] : []

const ranks = { chat_user: 2, external: 3 } as const

/** What a contact can be written to by: its primary phone, the other phones, its chat user ids, then those of other systems. */
export const waysTo = ({ identities, phone }: Reachable): ReadonlyArray<Recipient> => {
  const ways = identities.flatMap(asRecipient)
  const rank = ({ kind, value }: Recipient) => (kind === "phone" ? (value === phone ? 0 : 1) : ranks[kind])
  return ways.toSorted((one, other) => rank(one) - rank(other))
}

/** Those of them that are reached through a channel. */
export const reachedBy = (ways: ReadonlyArray<Recipient>, { reaches }: Pick<MessageSending, "reaches">) =>
  ways.filter(({ kind }) => reaches.has(kind))

/** Whether free-form messages may go out at this time. */
export const isWindowOpen = (expiresAt: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isGreaterThan(expiresAt, now)

type Windows = Pick<Conversation, "recipient" | "windowExpiresAt" | "otherWindows">

/** Until when free-form messages may go to this one; `null` if they have not written. */
export const windowOf = ({ otherWindows, recipient, windowExpiresAt }: Windows, way: Recipient): DateTime.Utc | null =>
  recipient === null || sameIdentity(recipient, way)
    ? windowExpiresAt
    : (otherWindows.find((each) => sameIdentity(each, way))?.expiresAt ?? null)

/** Whom to write to where nobody has said: whoever has the latest open window, else the first way there is. */
export const defaultWay = (ways: ReadonlyArray<Recipient>, windows: Windows, now: DateTime.Utc): Recipient | null => {
  const end = (way: Recipient) => {
    const expiresAt = windowOf(windows, way)
    return expiresAt !== null && isWindowOpen(expiresAt, now) ? DateTime.toEpochMillis(expiresAt) : 0
  }
  return ways.toSorted((one, other) => end(other) - end(one))[0] ?? null
}

/**
 * Whom messages of a conversation go to at this time. It is the recipient as long as the contact is known by it, or its window
 * is open: whoever wrote is answered, whatever the contact is known by since.
 */
export const recipientNow = (
  conversation: Windows,
  ways: ReadonlyArray<Recipient>,
  now: DateTime.Utc
): Recipient | null => {
  const { recipient, windowExpiresAt } = conversation
  const stays =
    recipient !== null && (isWindowOpen(windowExpiresAt, now) || ways.some((way) => sameIdentity(way, recipient)))
  return stays ? recipient : defaultWay(ways, conversation, now)
}

const mostWindows = 20

/** In one order, whatever the order in which they were opened. */
const kept = (windows: ReadonlyArray<IdentityWindow>): ReadonlyArray<IdentityWindow> =>
  windows
    .toSorted((one, other) => DateTime.Order(other.expiresAt, one.expiresAt) || (one.value < other.value ? -1 : 1))
    .slice(0, mostWindows)

const own = ({ recipient, windowExpiresAt }: Windows): ReadonlyArray<IdentityWindow> =>
  recipient === null || windowExpiresAt === null ? [] : [{ ...recipient, expiresAt: windowExpiresAt }]

/** Every window that is known of a conversation. */
export const allWindows = (windows: Windows): ReadonlyArray<IdentityWindow> => [
  ...own(windows),
  ...windows.otherWindows
]

/** The recipient and the windows, once messages go to this one. */
export const windowsFor = (before: Windows, recipient: Recipient): Windows => ({
  recipient,
  windowExpiresAt: windowOf(before, recipient),
  otherWindows: kept(allWindows(before).filter((each) => !sameIdentity(each, recipient)))
})

/** The conversation, once its messages go to this one. */
export const addressed = (before: Conversation, recipient: Recipient, at: DateTime.Utc | null): Conversation =>
  new Conversation({ ...before, ...windowsFor(before, recipient), recipientAt: at })

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** The conversation with a window that is open at least until then. */
export const withWindow = (before: Conversation, way: Recipient, until: DateTime.Utc): Conversation => {
  const expiresAt = later(windowOf(before, way), until)
  if (before.recipient === null || sameIdentity(before.recipient, way)) {
    return new Conversation({ ...before, windowExpiresAt: expiresAt })
  }
  const others = before.otherWindows.filter((each) => !sameIdentity(each, way))
  return new Conversation({ ...before, otherWindows: kept([...others, { ...way, expiresAt }]) })
}

const spelled = (recipient: Recipient | null) => (recipient === null ? "" : `${recipient.kind} ${recipient.value}`)

/** Whether somebody wrote after the recipient did; of two at one time it is always the same one. */
export const wroteLater = (
  { recipient, recipientAt }: Pick<Conversation, "recipient" | "recipientAt">,
  way: Recipient,
  at: DateTime.Utc
): boolean =>
  recipient === null ||
  recipientAt === null ||
  DateTime.isGreaterThan(at, recipientAt) ||
  (DateTime.Equivalence(at, recipientAt) && spelled(way) > spelled(recipient))
