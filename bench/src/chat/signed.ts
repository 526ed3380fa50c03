import { createHmac } from "node:crypto"
import type { Line } from "./provider.ts"

const signatureOf = (secret: string, body: string) => createHmac("sha256", secret).update(body).digest("hex")

/** A delivery of the provider about one number: one change, as on the wire. */
export const deliveryOf = (
  { businessId, displayPhone, phoneId }: Pick<Line, "businessId" | "displayPhone" | "phoneId">,
  value: object
): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: businessId,
        changes: [
          {
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: displayPhone, phone_number_id: phoneId },
              ...value
            },
            field: "messages"
          }
        ]
      }
    ]
  })

/** A sender, by the digits of the phone number. */
export interface Person {
  readonly phone: string
  readonly name: string
}

/** An inbound text message. */
export const textIn = ({ name, phone }: Person, id: string, text: string, seconds: number) => ({
  contacts: [{ profile: { name }, wa_id: phone }],
  messages: [{ from: phone, id, timestamp: String(seconds), type: "text", text: { body: text } }]
})

/** State of an outgoing message. */
export const receiptOf = (
  phone: string,
  id: string,
  reference: string,
  status: "sent" | "delivered" | "read",
  seconds: number
) => ({
  statuses: [
    {
      id,
      status,
      timestamp: String(seconds),
      recipient_id: phone,
      biz_opaque_callback_data: reference,
      ...(status !== "read" && {
        pricing: { billable: true, pricing_model: "PMP", category: "service", type: "regular" }
      })
    }
  ]
})

/** The request that delivers this, signed with the secret of the number's app. It is ASCII, as the provider writes. */
export const signedRequest = ({ appSecret, path }: Pick<Line, "appSecret" | "path">, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Hub-Signature-256: sha256=${signatureOf(appSecret, body)}\r\n\r\n${body}`

/** A delivery with space for an id: all of its known parts. */
export interface Template {
  readonly line: Line
  readonly before: string
  readonly after: string
}

const room = "@".repeat(24)

/** A text message of this person to this number, with space for its id. */
export const templateOf = (line: Line, person: Person, seconds: number): Template => {
  const [before = "", after = ""] = deliveryOf(
    line,
    textIn(person, `wamid.${room}`, "Does it come in another color?", seconds)
  ).split(room)
  return { line, before, after }
}

/** The id with this number, with the same length as all others. */
export const idOf = (number: number) => String(number).padStart(room.length, "0")

/** The delivery of this template with an id. */
export const filled = ({ after, before }: Template, id: string) => `${before}${id}${after}`

/** The concatenated signatures of this number of deliveries, which cycle through the templates from this number on. */
export const signaturesFrom = (templates: ReadonlyArray<Template>, first: number, count: number): string => {
  const signatures: Array<string> = []
  for (let number = first; number < first + count; number++) {
    const template = templates[number % templates.length]
    if (template !== undefined) signatures.push(signatureOf(template.line.appSecret, filled(template, idOf(number))))
  }
  return signatures.join("")
}
