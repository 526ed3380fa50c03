import { type DateTime, Schema } from "effect"
import {
  type IdentityPair,
  type IdentityRef,
  OtherIdentity,
  parsePhoneNumber,
  PhoneNumber
} from "../../../crm/index.ts"
import type { Recipient, Sender } from "../../chat/index.ts"
import { sanitizeName } from "./plainText.ts"

/** Ids of a sender as reported by the provider; a user may have no phone number. */
export type SenderIds = Pick<Sender, "phone" | "chatUser" | "parentUser" | "external">

/** Data of a sender in addition to the ids. */
export interface SenderDetails {
  readonly name: string | null
  readonly username?: string
  /** Whether the sender is known from the past only. A new contact is an import then. */
  readonly isImported?: boolean
  /** Time of the report; `null` if it proves nothing about the present. */
  readonly at?: DateTime.Utc | null
}

const isPhone = Schema.is(PhoneNumber)
const isOtherId = Schema.is(OtherIdentity.fields.value)

/** Normalizes a number to the spelling of contacts, even if no numbering plan contains it. */
export const toPhoneNumber = (phone: string | null): PhoneNumber | null => {
  if (phone === null) return null
  const written = phone.startsWith("+") ? phone : `+${phone}`
  return parsePhoneNumber(written) ?? (isPhone(written) ? written : null)
}

/** Identities other than phone numbers: the provider's user id and its parent, or the id in another system. */
export const nonPhoneIdentities = ({
  chatUser,
  external,
  parentUser
}: SenderIds): ReadonlyArray<OtherIdentity & { readonly kind: "chat_user" | "external" }> => [
  ...(chatUser !== null && isOtherId(chatUser) ? [{ kind: "chat_user" as const, value: chatUser }] : []),
  ...(parentUser !== undefined && parentUser !== chatUser && isOtherId(parentUser)
    ? [{ kind: "chat_user" as const, value: parentUser }]
    : []),
  ...(external !== undefined && isOtherId(external) ? [{ kind: "external" as const, value: external }] : [])
]

/** Returns the sender's identities that the provider reported. */
export const senderIdentities = (reported: SenderIds): ReadonlyArray<IdentityRef> => {
  const phone = toPhoneNumber(reported.phone)
  return [...nonPhoneIdentities(reported), ...(phone === null ? [] : [{ kind: "phone" as const, value: phone }])]
}

/** Returns the identity that a message was sent to; the phone number precedes the chat user id. */
export const senderRecipient = (reported: SenderIds): Recipient | null => {
  const phone = toPhoneNumber(reported.phone)
  if (phone !== null) return { kind: "phone", value: phone }
  return nonPhoneIdentities(reported)[0] ?? null
}

/** Returns the pairs of identities that the provider reports for one person. */
export const senderPairs = (reported: SenderIds): ReadonlyArray<IdentityPair> => {
  const [first, ...others] = senderIdentities(reported)
  return first === undefined ? [] : others.map((other): IdentityPair => [first, other])
}

/** Longest username of the provider, with a reserve. */
const maxUsernameLength = 100

/** Converts the username to a storable one; `null` if nothing is left. */
export const sanitizeUsername = (username: string | undefined): string | null =>
  sanitizeName(username?.slice(0, maxUsernameLength) ?? null)
