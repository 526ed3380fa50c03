import { DateTime } from "effect"
import { type Contact, type IdentityRef, isSameIdentity } from "../../crm/index.ts"
import type { MessageSender, Recipient } from "../chat/index.ts"
import { Conversation, type IdentityWindow } from "./Conversation.ts"

/** What of a contact says what it is written to by. */
export type RecipientSource = Pick<Contact, "phone"> & { readonly identities: ReadonlyArray<IdentityRef> }

/** Whether two recipients are the very same, in one spelling. */
export const isSameRecipient = (one: Recipient, other: Recipient): boolean =>
  one.kind === other.kind && one.value === other.value

const toRecipients = ({ kind, value }: IdentityRef): ReadonlyArray<Recipient> =>
  kind === "phone" || kind === "chat_user" || kind === "external" ? [{ kind, value }] : []

const identityRanks = { chat_user: 2, external: 3 } as const

/** What a contact can be written to by: its primary phone, the other phones, its chat user ids, then those of other systems. */
export const recipientIdentities = ({ identities, phone }: RecipientSource): ReadonlyArray<Recipient> => {
  const ways = identities.flatMap(toRecipients)
  const rank = ({ kind, value }: Recipient) => (kind === "phone" ? (value === phone ? 0 : 1) : identityRanks[kind])
  return ways.toSorted((one, other) => rank(one) - rank(other))
}

/** Those of them that are reached through a channel. */
export const reachableVia = (ways: ReadonlyArray<Recipient>, { reaches }: Pick<MessageSender, "reaches">) =>
  ways.filter(({ kind }) => reaches.has(kind))

/** Whether free-form messages may go out at this time. */
export const isWindowOpen = (expiresAt: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isGreaterThan(expiresAt, now)

type RecipientWindows = Pick<Conversation, "recipient" | "windowExpiresAt" | "otherWindows">

/** Until when free-form messages may go to this one; `null` if they have not written. */
export const findWindowExpiry = (
  { otherWindows, recipient, windowExpiresAt }: RecipientWindows,
  way: Recipient
): DateTime.Utc | null =>
  recipient === null || isSameIdentity(recipient, way)
    ? windowExpiresAt
    : (otherWindows.find((each) => isSameIdentity(each, way))?.expiresAt ?? null)

/** Whom to write to where nobody has said: whoever has the latest open window, else the first way there is. */
export const defaultRecipient = (
  ways: ReadonlyArray<Recipient>,
  windows: RecipientWindows,
  now: DateTime.Utc
): Recipient | null => {
  const end = (way: Recipient) => {
    const expiresAt = findWindowExpiry(windows, way)
    return expiresAt !== null && isWindowOpen(expiresAt, now) ? DateTime.toEpochMillis(expiresAt) : 0
  }
  return ways.toSorted((one, other) => end(other) - end(one))[0] ?? null
}

/**
 * Whom messages of a conversation go to at this time. It is the recipient as long as the contact is known by it, or its window
 * is open: whoever wrote is answered, whatever the contact is known by since.
 */
export const currentRecipient = (
  conversation: RecipientWindows,
  ways: ReadonlyArray<Recipient>,
  now: DateTime.Utc
): Recipient | null => {
  const { recipient, windowExpiresAt } = conversation
  const stays =
    recipient !== null && (isWindowOpen(windowExpiresAt, now) || ways.some((way) => isSameIdentity(way, recipient)))
  return stays ? recipient : defaultRecipient(ways, conversation, now)
}

const maxWindows = 20

/** In one order, whatever the order in which they were opened. */
const limitWindows = (windows: ReadonlyArray<IdentityWindow>): ReadonlyArray<IdentityWindow> =>
  windows
    .toSorted((one, other) => DateTime.Order(other.expiresAt, one.expiresAt) || (one.value < other.value ? -1 : 1))
    .slice(0, maxWindows)

const ownWindow = ({ recipient, windowExpiresAt }: RecipientWindows): ReadonlyArray<IdentityWindow> =>
  recipient === null || windowExpiresAt === null ? [] : [{ ...recipient, expiresAt: windowExpiresAt }]

/** Every window that is known of a conversation. */
export const allWindows = (windows: RecipientWindows): ReadonlyArray<IdentityWindow> => [
  ...ownWindow(windows),
  ...windows.otherWindows
]

/** The recipient and the windows, once messages go to this one. */
export const switchWindows = (before: RecipientWindows, recipient: Recipient): RecipientWindows => ({
  recipient,
  windowExpiresAt: findWindowExpiry(before, recipient),
  otherWindows: limitWindows(allWindows(before).filter((each) => !isSameIdentity(each, recipient)))
})

/** The conversation, once its messages go to this one. */
export const withRecipient = (before: Conversation, recipient: Recipient, at: DateTime.Utc | null): Conversation =>
  new Conversation({ ...before, ...switchWindows(before, recipient), recipientAt: at })

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** The conversation with a window that is open at least until then. */
export const withWindow = (before: Conversation, way: Recipient, until: DateTime.Utc): Conversation => {
  const expiresAt = later(findWindowExpiry(before, way), until)
  if (before.recipient === null || isSameIdentity(before.recipient, way)) {
    return new Conversation({ ...before, windowExpiresAt: expiresAt })
  }
  const others = before.otherWindows.filter((each) => !isSameIdentity(each, way))
  return new Conversation({ ...before, otherWindows: limitWindows([...others, { ...way, expiresAt }]) })
}

const recipientKey = (recipient: Recipient | null) => (recipient === null ? "" : `${recipient.kind} ${recipient.value}`)

/** Whether somebody wrote after the recipient did; of two at one time it is always the same one. */
export const hasWrittenLater = (
  { recipient, recipientAt }: Pick<Conversation, "recipient" | "recipientAt">,
  way: Recipient,
  at: DateTime.Utc
): boolean =>
  recipient === null ||
  recipientAt === null ||
  DateTime.isGreaterThan(at, recipientAt) ||
  (DateTime.Equivalence(at, recipientAt) && recipientKey(way) > recipientKey(recipient))
