import type { InboundContent, InboundEvent, PersonIds, Sender } from "@parley/domain/messaging"
import type { Schema } from "effect"
import { at, listAt, textAt } from "../../json.ts"
import { contentIn, rawIn } from "./readContent.ts"
import { forwardingIn, phoneIn, productIn, referralIn } from "./readDetails.ts"
import { type Place, timeAt, unknownEvent, usernameIn } from "./readPlace.ts"

/** Field for messages that the business wrote in the app of the provider. */
export const echoField = "smb_message_echoes"

/** Ids of a person under their names in a value. */
export const personIn = (
  value: unknown,
  names: { readonly phone: string; readonly user: string; readonly parent: string }
): PersonIds => {
  const parentUser = textAt(value, names.parent)
  return {
    phone: phoneIn(textAt(value, names.phone)),
    chatUser: textAt(value, names.user),
    ...(parentUser !== null && { parentUser })
  }
}

/** Whether the provider names the person at all. */
export const isPerson = ({ chatUser, parentUser, phone }: PersonIds): boolean =>
  phone !== null || chatUser !== null || parentUser !== undefined

/** Finds the entry of a person in the list of contacts of a value. */
export const contactOf = (value: unknown, phone: string | null, chatUser: string | null): unknown =>
  listAt(value, "contacts").find(
    (candidate) =>
      (phone !== null && textAt(candidate, "wa_id") === phone) ||
      (chatUser !== null && textAt(candidate, "user_id") === chatUser)
  )

/** Ids of the person before a change of them, which the message reports. */
const previousIds = (message: unknown): PersonIds =>
  personIn(at(message, "system"), { phone: "none", user: "previous_user_id", parent: "previous_parent_user_id" })

const senderOf = (value: unknown, message: unknown): Sender => {
  const from = textAt(message, "from")
  const previous = previousIds(message)
  const chatUser = previous.chatUser ?? textAt(message, "from_user_id")
  const contact = contactOf(value, from, chatUser)
  const parentUser = previous.parentUser ?? textAt(message, "from_parent_user_id") ?? textAt(contact, "parent_user_id")
  const username = usernameIn(textAt(contact, "profile", "username"))
  return {
    phone: phoneIn(from ?? textAt(contact, "wa_id")),
    chatUser: chatUser ?? textAt(contact, "user_id"),
    ...(parentUser !== null && { parentUser }),
    ...(username !== null && { username }),
    name: textAt(contact, "profile", "name")
  }
}

/** Reads the common part of all messages. */
export const headIn = ({ phoneId }: Place, message: unknown) => {
  const id = textAt(message, "id")
  const at = timeAt(message, "timestamp")
  return phoneId === null || id === null || at === null ? null : { phoneId, id, at }
}

export const bodyIn = (message: unknown) => {
  const content = contentIn(message)
  const raw = rawIn(content, message)
  return { content, replyTo: textAt(message, "context", "id"), ...(raw !== undefined && { raw }) }
}

/** Content of a message in a group. It was parsed from JSON, so it is JSON. */
const groupBody = (groupId: string, message: unknown) => {
  const content = contentIn(message)
  const text = content.kind === "text" ? content.text : "media" in content ? content.media.caption : null
  return {
    content: { kind: "group", groupId, text } satisfies InboundContent,
    replyTo: null,
    raw: message as Schema.Json
  }
}

/** A message without its content, and the errors of the value that explain it. */
const withErrors = (body: ReturnType<typeof bodyIn>, value: unknown, message: unknown) => {
  const errors = at(value, "errors")
  return body.content.kind === "unsupported" && Array.isArray(errors) && at(message, "errors") === undefined
    ? { ...body, raw: { ...(message as object), errors } as Schema.Json }
    : body
}

/** Reads an incoming message. */
export const messageIn = (place: Place, value: unknown, message: unknown): InboundEvent => {
  const head = headIn(place, message)
  const from = senderOf(value, message)
  if (head === null) return unknownEvent(place, "messages", "message")
  if (!isPerson(from)) return unknownEvent(place, "messages", "sender")
  const groupId = textAt(message, "group_id")
  const { isAdvertisement, referral } = referralIn(at(message, "referral"))
  const context = at(message, "context")
  const forwarded = forwardingIn(context)
  const product = productIn(context)
  return {
    kind: "message",
    ...head,
    from,
    ...(groupId === null ? withErrors(bodyIn(message), value, message) : groupBody(groupId, message)),
    fromAdvertisement: isAdvertisement,
    ...(referral !== null && { referral }),
    ...(forwarded !== null && { forwarded }),
    ...(product !== null && { product })
  }
}

/** Reads a message that the business wrote in the app of the provider. */
export const echoIn = (place: Place, value: unknown, message: unknown): InboundEvent => {
  const head = headIn(place, message)
  const to = personIn(message, { phone: "to", user: "to_user_id", parent: "to_parent_user_id" })
  if (head === null) return unknownEvent(place, echoField, "message")
  if (textAt(message, "group_id") !== null) return unknownEvent(place, echoField, "group")
  if (!isPerson(to)) return unknownEvent(place, echoField, "recipient")
  const name = textAt(contactOf(value, textAt(message, "to"), to.chatUser), "profile", "name")
  return { kind: "echo", ...head, to: { ...to, ...(name !== null && { name }) }, ...bodyIn(message) }
}
