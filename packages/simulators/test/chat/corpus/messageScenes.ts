import type { CustomerMessage, Writing } from "@parley/simulators/chat"
import { Effect } from "effect"
import { fact } from "./grounds.ts"
import { fileData, parentId, type Scene } from "./scene.ts"

const { customer, phoneId } = fact

const replies: ReadonlyArray<CustomerMessage> = [
  { type: "text", text: "Yes, please" },
  { type: "button", text: "Unsubscribe", payload: "Unsubscribe" },
  { type: "interactive", reply: "button_reply", id: "cancel-button", title: "Cancel" },
  { type: "interactive", reply: "list_reply", id: "priority_mail", title: "Priority Mail" },
  { type: "interactive", reply: "list_reply", id: "express", title: "Express", description: "Next Day to 2 Days" },
  { type: "form", name: "flow", response: { flow_token: "token", rating: "4" } },
  { type: "form", name: "address_message", body: "Aditya", response: { values: { name: "Aditya" } } },
  { type: "call_permission", response: "reject" },
  { type: "call_permission", response: "accept" },
  { type: "location", latitude: 37.44, longitude: -122.16 }
]

const first: ReadonlyArray<CustomerMessage> = [
  { type: "image", data: fileData, mimeType: "image/jpeg", caption: "Taj Mahal" },
  { type: "video", data: fileData, mimeType: "video/mp4", caption: "Watch this" },
  { type: "audio", data: fileData, mimeType: "audio/mpeg" },
  { type: "audio", data: fileData, mimeType: "audio/ogg; codecs=opus", voice: true },
  { type: "document", data: fileData, mimeType: "application/pdf", caption: "The receipt", filename: "receipt.pdf" },
  { type: "sticker", data: fileData, mimeType: "image/webp", animated: true },
  { type: "location", latitude: 37.44, longitude: -122.16 },
  {
    type: "location",
    latitude: 37.44,
    longitude: -122.16,
    name: "Philz",
    address: "101 Forest Ave",
    url: "https://p.com"
  },
  {
    type: "contacts",
    contacts: [
      {
        name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara", last_name: "Johnson" },
        org: { company: "Social Tsunami" },
        phones: [{ phone: "+1 (415) 555-0829", wa_id: "14125550829", type: "MOBILE" }],
        emails: [{ email: "bjohnson@example.com", type: "WORK" }],
        addresses: [
          {
            street: "1 Lucky Shrub Way",
            city: "Menlo Park",
            state: "CA",
            zip: "94025",
            country: "United States",
            country_code: "US",
            type: "HOME"
          }
        ],
        urls: [{ url: "https://www.luckyshrub.com", type: "WORK" }],
        birthday: "1999-01-23"
      }
    ]
  },
  {
    type: "order",
    catalogId: "1",
    text: "Love these!",
    items: [{ productId: "a", quantity: 2, price: 30, currency: "USD" }]
  },
  { type: "request_welcome" },
  { type: "unsupported" },
  { type: "unsupported", kind: "poll" },
  { type: "unsupported", code: 131_052 },
  { type: "unsupported", code: 131_060 },
  { type: "broken", kind: "text" }
]

const videoReferral = {
  source_type: "post",
  media_type: "video",
  image_url: null,
  welcome_message: null,
  video_url: "https://video.xx.fbcdn.net/1.mp4",
  thumbnail_url: "https://scontent.xx.fbcdn.net/1.jpg"
}

const writings: ReadonlyArray<Writing> = [
  { fromAdvertisement: true },
  { fromAdvertisement: true, referral: { ctwa_clid: null } },
  { fromAdvertisement: true, referral: videoReferral },
  { forwarded: "once" },
  { forwarded: "often" }
]

export const messages: Scene = (provider) =>
  Effect.sync(() => {
    const write = (message: CustomerMessage, more?: Writing) => provider.write(phoneId, customer, message, more)
    const hi = { type: "text", text: "hi" } as const
    const id = write(hi)
    for (const message of first) write(message)
    for (const message of replies) write(message, { replyTo: id })
    for (const writing of writings) write(hi, writing)
    write(hi, { replyTo: id, product: { catalogId: "1", productId: "a" } })
    for (const emoji of ["👍", ""]) write({ type: "reaction", to: id, emoji })
    write({ type: "edit", of: id, text: "Does it come in green?" })
    const caption = {
      caption: "Agra",
      mime_type: "image/jpeg",
      sha256: "S",
      id: "1",
      url: "https://lookaside.fbsbx.com/1"
    }
    write({ type: "edit", of: id, message: { type: "image", image: caption } })
    write({ type: "revoke", of: id })
  })

export const people: Scene = (provider) =>
  Effect.sync(() => {
    const nobody = provider.addCustomer(null, "Sheena Nelson")
    const hi = { type: "text", text: "hi" } as const
    provider.act({ act: "set_customer", customer: nobody, username: "sheena" })
    provider.write(phoneId, nobody, { type: "shared_phone", phone: "+16505550001" })
    const other = provider.addCustomer(null, "Sheena Nelson")
    provider.act({ act: "set_customer", customer: other, username: "sheena2", parentUserId: parentId })
    provider.write(phoneId, other, hi)
    provider.act({ act: "change_user_id", phoneId, customer: other })
    provider.act({ act: "set_customer", customer: "16505550004", username: "third", parentUserId: parentId })
    provider.write(phoneId, "16505550004", hi)
    provider.act({ act: "set_customer", customer: "16505550002", parentUserId: parentId })
    for (const marketing of ["stop", "resume"] as const) provider.prefer(phoneId, "16505550002", marketing)
    provider.act({ act: "call_status", phoneId, customer: "16505550002", id: "wacid.1", status: "RINGING" })
    provider.write(phoneId, "16505550003", hi)
    provider.act({ act: "change_number", phoneId, customer: "16505550003", phone: "12195555358" })
    provider.act({ act: "change_identity", phoneId, customer })
    provider.act({ act: "value_error", phoneId, code: 130_429, details: "Too many messages." })
    provider.act({
      act: "payment",
      phoneId,
      customer,
      messageId: "wamid.1",
      reference: "o",
      status: "captured",
      value: 21_000
    })
  })

export const calls: Scene = (provider) =>
  Effect.sync(() => {
    const call = { act: "call", phoneId, customer } as const
    provider.act({ ...call, direction: "USER_INITIATED", ended: null, payload: "order-0042" })
    for (const direction of ["USER_INITIATED", "BUSINESS_INITIATED"] as const) {
      provider.act({ ...call, direction, ended: null })
    }
    const caller = provider.addCustomer(null, "Sheena Nelson")
    provider.act({ act: "set_customer", customer: caller, username: "sheena" })
    provider.act({ act: "call_status", phoneId, customer: caller, id: "wacid.1", status: "RINGING" })
    provider.act({ act: "set_customer", customer: caller, parentUserId: parentId })
    provider.act({ ...call, customer: caller, direction: "USER_INITIATED", ended: null })
    provider.act({ ...call, direction: "USER_INITIATED", ended: { status: "COMPLETED", seconds: 120 } })
    provider.act({ ...call, direction: "USER_INITIATED", ended: { status: "FAILED", seconds: 0 } })
    for (const status of ["RINGING", "ACCEPTED", "REJECTED"] as const) {
      provider.act({ act: "call_status", phoneId, customer, id: "wacid.1", status })
    }
  })

export const agents: Scene = (provider) =>
  Effect.sync(() => {
    provider.act({ act: "agent_holds", phoneId, customer })
    provider.write(phoneId, customer, { type: "text", text: "hi" })
    provider.act({ act: "agent_writes", phoneId, customer, text: "We open at nine." })
    provider.act({ act: "agent_passes", phoneId, customer })
  })
