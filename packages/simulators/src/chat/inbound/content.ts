import { Struct } from "effect"
import { Buffer } from "node:buffer"
import { webhookError } from "../errorCodes.ts"
import type { Files } from "../files.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Customer, World } from "../World.ts"
import { forbidCalls, permitCalls } from "./callPermissions.ts"
import type { CustomerMessage } from "./CustomerMessage.ts"

type Content = Readonly<Record<string, unknown>>
type Of<Type extends CustomerMessage["type"]> = Extract<CustomerMessage, { readonly type: Type }>
type MediaMessage = Extract<CustomerMessage, { readonly data: string }>

/** An object without its undefined entries. */
const defined = (fields: Content): Content =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const interactive = (type: string, value: object): Content => ({
  type: "interactive",
  interactive: { type, [type]: value }
})

const orderContent = ({ catalogId, items, text }: Of<"order">): Content => ({
  type: "order",
  order: defined({
    catalog_id: catalogId,
    text,
    product_items: items.map(({ currency, price, productId, quantity }) => ({
      product_retailer_id: productId,
      quantity,
      item_price: price,
      currency
    }))
  })
})

const unsupportedTitles: Readonly<Record<number, string>> = {
  131_051: "Message type unknown",
  131_052: "Media download error",
  131_060: "This message is unavailable"
}

const unsupported = ({ code = 131_051, kind }: Of<"unsupported">): Content => ({
  type: "unsupported",
  errors: [Struct.omit(webhookError(code, "The message is not supported.", unsupportedTitles[code]), ["href"])],
  ...(kind === undefined ? {} : { unsupported: { type: kind } })
})

/** Content of messages in webhooks. `addressOf` gives the address of a file. */
export const makeContent = (files: Files, world: World, now: () => number, addressOf: (id: string) => string) => {
  const media = (number: SimulatedNumber, message: MediaMessage): Content => {
    const { animated, caption, data, filename, mimeType, type, voice } = message
    const file = files.keepReceived(number, Buffer.from(data, "base64"), mimeType, filename ?? null)
    return {
      type,
      [type]: defined({
        id: file.id,
        mime_type: mimeType,
        sha256: file.sha256,
        url: addressOf(file.id),
        caption,
        filename,
        ...(type === "audio" ? { voice: voice ?? false } : {}),
        ...(type === "sticker" ? { animated: animated ?? false } : {})
      })
    }
  }

  const permission = (
    number: SimulatedNumber,
    customer: Customer,
    { isPermanent = false, response }: Of<"call_permission">
  ): Content => {
    const isAccepted = response === "accept"
    const expiresAt = isAccepted ? permitCalls(customer, number, now(), isPermanent) : null
    if (!isAccepted) forbidCalls(customer, number)
    return interactive("call_permission_reply", {
      response,
      ...(expiresAt === null ? {} : { expiration_timestamp: Math.floor(expiresAt / 1_000) }),
      is_permanent: isPermanent,
      response_source: "user_action"
    })
  }

  const sharedPhone = (customer: Customer, phone: string): Content => {
    const digits = phone.replace(/^\+/u, "")
    if (customer.phone === null) world.changeCustomer(customer, digits, customer.userId)
    const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:${customer.name}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD`
    return { type: "contacts", origin: "contact_request", contacts: [{ vcard, phones: [{ phone: `+${digits}` }] }] }
  }

  const contentOf = (number: SimulatedNumber, customer: Customer, message: CustomerMessage): Content => {
    switch (message.type) {
      case "text":
        return { type: "text", text: { body: message.text } }
      case "button":
        return { type: "button", button: { payload: message.payload, text: message.text } }
      case "interactive":
        return interactive(
          message.reply,
          defined({ id: message.id, title: message.title, description: message.description })
        )
      case "form":
        return interactive("nfm_reply", {
          name: message.name,
          body: message.body ?? "Sent",
          response_json: JSON.stringify(message.response)
        })
      case "call_permission":
        return permission(number, customer, message)
      case "reaction":
        return {
          type: "reaction",
          reaction: { message_id: message.to, ...(message.emoji === "" ? {} : { emoji: message.emoji }) }
        }
      case "location": {
        const { type, ...location } = message
        return { type, location: defined(location) }
      }
      case "contacts":
        return { type: "contacts", contacts: message.contacts }
      case "shared_phone":
        return sharedPhone(customer, message.phone)
      case "order":
        return orderContent(message)
      case "edit": {
        const edited = message.message ?? { type: "text", text: { body: message.text ?? "" } }
        return {
          type: "edit",
          edit: { original_message_id: message.of, message: { context: { id: "M0" }, ...edited } }
        }
      }
      case "revoke":
        return { type: "revoke", revoke: { original_message_id: message.of } }
      case "unsupported":
        return unsupported(message)
      case "broken":
        return { type: message.kind }
      case "request_welcome":
        return { type: "request_welcome" }
      case "raw":
        return message.message
      default:
        return media(number, message)
    }
  }
  return contentOf
}
export type ContentOf = ReturnType<typeof makeContent>
