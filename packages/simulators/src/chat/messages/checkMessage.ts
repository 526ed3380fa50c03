import { type Fields, numberAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import { refusal } from "../failures.ts"
import { phoneOf } from "../sending/recipients.ts"
import { checkContacts } from "./contacts.ts"
import { checkFilling } from "./checkFilling.ts"
import { checkInteractive } from "./interactive.ts"
import {
  type CheckedContent,
  type CheckedMessage,
  type CheckedRecipient,
  type Known,
  messageTypes,
  type MessageType,
  plain
} from "./Known.ts"
import { checkMedia, isMedia } from "./media.ts"

const day = 24 * 3_600_000

const envelope = [
  "messaging_product",
  "messaging_account_id",
  "paid_messaging_account_id",
  "recipient_type",
  "to",
  "recipient",
  "type",
  "context",
  "biz_opaque_callback_data",
  "recipient_identity_key_hash"
] as const

const marketingKeys = ["product_policy", "message_activity_sharing"] as const

const userIdAt = (value: unknown): string => {
  const userId = textAt(value, "recipient", 140)
  return /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/u.test(userId)
    ? userId
    : refuse(131_009, "Param recipient is not a user id.")
}

/** With a number and a user id, the message goes to the number. */
const recipientOf = (message: Fields, known: Known): CheckedRecipient => {
  const to = message["to"]
  if (message["recipient_type"] === "group") {
    const groupId = textAt(to, "to", 200)
    return { kind: "group", input: groupId, groupId }
  }
  if (to !== undefined) {
    const input = textAt(to, "to", 40)
    const phone = phoneOf(input, known.businessPhone)
    if (phone === null) return refuse(131_009, "Param to is not a phone number.")
    return phone === known.businessPhone
      ? refuse(131_021, "The recipient and the sender have the same number.")
      : {
          kind: "phone",
          input,
          phone,
          userId: message["recipient"] === undefined ? null : userIdAt(message["recipient"])
        }
  }
  if (message["recipient"] === undefined) return refuse(131_008, "The parameter to is required.")
  const userId = userIdAt(message["recipient"])
  return { kind: "user", input: userId, userId }
}

const checkText = (value: unknown): string => {
  const text = objectAt(value, "text", ["body", "preview_url"])
  const preview = text["preview_url"]
  if (preview !== undefined && typeof preview !== "boolean") refuse(100, "Param preview_url must be a boolean.")
  return textAt(text["body"], "text.body", 4_096)
}

/** A reaction to a message that is missing, too old or a reaction fails after it was accepted. */
const checkReaction = (value: unknown, known: Known): CheckedContent => {
  const reaction = objectAt(value, "reaction", ["message_id", "emoji"])
  const target = known.message(textAt(reaction["message_id"], "message_id", 300))
  textAt(reaction["emoji"], "emoji", 20, 0)
  const isFit = target !== undefined && !target.isReaction && known.now - target.at <= 30 * day
  return { ...plain(), lateFailure: isFit ? null : refusal(131_009, "The message to react to is not available.") }
}

/** A coordinate as a number or as a text. */
const coordinateAt = (value: unknown, name: string, most: number) => {
  const text = typeof value === "number" ? String(value) : textAt(value, name, 30)
  if (!/^-?\d+(?:\.\d+)?$/u.test(text)) refuse(131_009, `Param ${name} must be a number.`)
  numberAt(Number(text), name, -most, most)
}

const checkLocation = (value: unknown) => {
  const location = objectAt(value, "location", ["latitude", "longitude", "name", "address"])
  coordinateAt(location["latitude"], "latitude", 90)
  coordinateAt(location["longitude"], "longitude", 180)
  textIfAny(location["name"], "location.name", 1_000)
  textIfAny(location["address"], "location.address", 1_000)
}

const checkPin = (value: unknown, known: Known, message: Fields) => {
  const pin = objectAt(value, "pin", ["type", "message_id", "expiration_days"])
  if (message["recipient_type"] !== "group") refuse(131_051, "Messages can be pinned in groups only.")
  oneOf(pin["type"], "pin.type", ["pin", "unpin"])
  if (known.message(textAt(pin["message_id"], "message_id", 300)) === undefined) {
    refuse(131_009, "The message to pin does not exist.")
  }
  if (pin["type"] === "pin") numberAt(Number(pin["expiration_days"]), "expiration_days", 1, 30)
}

const groupTypes: ReadonlySet<MessageType> = new Set<MessageType>([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "template",
  "pin"
])

const checkContent = (type: MessageType, message: Fields, known: Known): CheckedContent => {
  const content = message[type]
  if (content === undefined) return refuse(131_008, `The parameter ${type} is required.`)
  if (isMedia(type)) return checkMedia(type, content, known)
  switch (type) {
    case "text":
      return plain(checkText(content))
    case "interactive":
      return checkInteractive(content, known)
    case "template":
      return checkFilling(content, known)
    case "reaction":
      return checkReaction(content, known)
    case "location":
      checkLocation(content)
      return plain()
    case "contacts":
      checkContacts(content)
      return plain()
    default:
      checkPin(content, known, message)
      return plain()
  }
}

const checkMarketing = (message: Fields, type: MessageType) => {
  if (type !== "template") refuse(134_100, "This call sends marketing templates only.")
  const sharing = message["message_activity_sharing"]
  if (sharing !== undefined && typeof sharing !== "boolean")
    refuse(100, "Param message_activity_sharing is no boolean.")
  const policy = message["product_policy"]
  if (policy !== undefined) oneOf(policy, "product_policy", ["CLOUD_API_FALLBACK", "STRICT"])
}

const checkContext = (value: unknown, type: MessageType, known: Known) => {
  const context = objectAt(value, "context", ["message_id"])
  if (type === "reaction") refuse(100, "A reaction cannot be a reply.")
  if (known.message(textAt(context["message_id"], "message_id", 300)) === undefined) {
    refuse(131_009, "The message to reply to does not exist.")
  }
}

/** Checks the form of a message as strictly as the provider does. */
export const checkMessage = (payload: unknown, known: Known): CheckedMessage => {
  const message = objectAt(payload, "request")
  if (message["messaging_product"] !== "whatsapp") refuse(100, "The parameter messaging_product is required.")
  const type = oneOf(message["type"] ?? "text", "type", messageTypes)
  objectAt(message, "request", [...envelope, type, ...(known.api === "marketing" ? marketingKeys : [])])
  if (known.api === "marketing") checkMarketing(message, type)
  const recipientType = oneOf(message["recipient_type"] ?? "individual", "recipient_type", ["individual", "group"])
  if (recipientType === "group" && !groupTypes.has(type)) {
    refuse(131_051, `Messages of the type ${type} cannot be sent to groups.`)
  }
  const to = recipientOf(message, known)
  if (message["context"] !== undefined) checkContext(message["context"], type, known)
  const reference = textIfAny(message["biz_opaque_callback_data"], "biz_opaque_callback_data", 512)
  const identityHash = textIfAny(message["recipient_identity_key_hash"], "recipient_identity_key_hash", 100)
  return {
    to,
    type,
    reference,
    identityHash,
    ...checkContent(type, message, { ...known, isForGroup: recipientType === "group" })
  }
}
