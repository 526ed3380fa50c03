import { DateTime } from "effect"
import { type Contact, type IdentityRef, isSameIdentity, type PersonIdentity } from "../../crm/index.ts"
import type { MessageSender, Recipient } from "../chat/index.ts"
import { Conversation, type IdentityWindow } from "./Conversation.ts"

/** Fields of a contact that determine its recipients. */
export type RecipientSource = Pick<Contact, "phone"> & { readonly identities: ReadonlyArray<PersonIdentity> }

/** Whether two recipients have the same kind and spelling. */
export const isSameRecipient = (one: Recipient, other: Recipient): boolean =>
  one.kind === other.kind && one.value === other.value

const toRecipients = ({ kind, value }: IdentityRef): ReadonlyArray<Recipient> =>
  kind === "phone" || kind === "chat_user" || kind === "external" ? [{ kind, value }] : []

const identityRanks = { chat_user: 2, external: 3 } as const

/**
 * Returns the contact's recipients: the primary phone, other phones, chat user ids, then ids of other systems. Identities of another person by now
 * are excluded.
 */
export const recipientIdentities = ({ identities, phone }: RecipientSource): ReadonlyArray<Recipient> => {
  const ways = identities.filter(({ formerSince }) => formerSince === undefined).flatMap(toRecipients)
  const rank = ({ kind, value }: Recipient) => (kind === "phone" ? (value === phone ? 0 : 1) : identityRanks[kind])
  return ways.toSorted((one, other) => rank(one) - rank(other))
}

/** Selects the recipients that a channel reaches. */
export const reachableVia = (ways: ReadonlyArray<Recipient>, { reaches }: Pick<MessageSender, "reaches">) =>
  ways.filter(({ kind }) => reaches.has(kind))

/** Whether free-form messages are allowed at this time. */
export const isWindowOpen = (expiresAt: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isGreaterThan(expiresAt, now)

type RecipientWindows = Pick<Conversation, "recipient" | "windowExpiresAt" | "otherWindows">

/** Returns the end of the recipient's service window; `null` if the recipient has not written. */
export const findWindowExpiry = (
  { otherWindows, recipient, windowExpiresAt }: RecipientWindows,
  way: Recipient
): DateTime.Utc | null =>
  recipient === null || isSameIdentity(recipient, way)
    ? windowExpiresAt
    : (otherWindows.find((each) => isSameIdentity(each, way))?.expiresAt ?? null)

/** Returns the recipient with the latest open window, else the first one. */
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
 * Returns the recipient of a conversation at this time. The stored recipient stays while the contact has it or its window is open. Therefore answers
 * go to the sender, even if the contact has lost that identity.
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

/** Sorts and limits windows independent of their opening order. */
const limitWindows = (windows: ReadonlyArray<IdentityWindow>): ReadonlyArray<IdentityWindow> =>
  windows
    .toSorted((one, other) => DateTime.Order(other.expiresAt, one.expiresAt) || (one.value < other.value ? -1 : 1))
    .slice(0, maxWindows)

const ownWindow = ({ recipient, windowExpiresAt }: RecipientWindows): ReadonlyArray<IdentityWindow> =>
  recipient === null || windowExpiresAt === null ? [] : [{ ...recipient, expiresAt: windowExpiresAt }]

export const allWindows = (windows: RecipientWindows): ReadonlyArray<IdentityWindow> => [
  ...ownWindow(windows),
  ...windows.otherWindows
]

/** Changes the recipient, and updates the windows. */
export const switchWindows = (before: RecipientWindows, recipient: Recipient): RecipientWindows => ({
  recipient,
  windowExpiresAt: findWindowExpiry(before, recipient),
  otherWindows: limitWindows(allWindows(before).filter((each) => !isSameIdentity(each, recipient)))
})

/** Gives the person's new identities the window of the former one. It is the same person, and the window belongs to the person. */
export const withMovedWindow = (
  before: Conversation,
  former: ReadonlyArray<Recipient>,
  ways: ReadonlyArray<Recipient>
): Conversation => {
  const [expiresAt] = former
    .flatMap((way) => findWindowExpiry(before, way) ?? [])
    .toSorted((one, other) => DateTime.Order(other, one))
  return expiresAt === undefined ? before : ways.reduce((each, way) => withWindow(each, way, expiresAt), before)
}

/** Changes the recipient of the conversation. */
export const withRecipient = (before: Conversation, recipient: Recipient, at: DateTime.Utc | null): Conversation =>
  new Conversation({ ...before, ...switchWindows(before, recipient), recipientAt: at })

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** Ensures a window that is open at least until then. */
export const withWindow = (before: Conversation, way: Recipient, until: DateTime.Utc): Conversation => {
  const expiresAt = later(findWindowExpiry(before, way), until)
  if (before.recipient === null || isSameIdentity(before.recipient, way)) {
    return new Conversation({ ...before, windowExpiresAt: expiresAt })
  }
  const others = before.otherWindows.filter((each) => !isSameIdentity(each, way))
  return new Conversation({ ...before, otherWindows: limitWindows([...others, { ...way, expiresAt }]) })
}

const recipientKey = (recipient: Recipient | null) => (recipient === null ? "" : `${recipient.kind} ${recipient.value}`)

/** Whether another identity wrote after the recipient. At equal times the choice is deterministic. */
export const hasWrittenLater = (
  { recipient, recipientAt }: Pick<Conversation, "recipient" | "recipientAt">,
  way: Recipient,
  at: DateTime.Utc
): boolean =>
  recipient === null ||
  recipientAt === null ||
  DateTime.isGreaterThan(at, recipientAt) ||
  (DateTime.Equivalence(at, recipientAt) && recipientKey(way) > recipientKey(recipient))
