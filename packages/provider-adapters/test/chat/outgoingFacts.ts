import type { OutgoingContent, OutgoingMessage } from "@parley/domain/messaging"
import { interactiveFacts } from "./interactiveFacts.ts"

const inbound = "wamid.HRgLMTY1MDU1NTEyMzQVAgASGBRGOEU4MjIxMkRFNjE1MDVDMjc1NwA="

const to = (content: OutgoingContent, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  to: { kind: "phone", value: "+16505551234" },
  content,
  replyTo: null,
  reference: "reference",
  ...more
})

const text = (value: string, more: Partial<OutgoingMessage> = {}) => to({ kind: "text", text: value }, more)

const file = (
  kind: "image" | "video" | "audio" | "document" | "sticker",
  mediaId: string,
  caption: string | null = null
) => ({ kind, mediaId, caption, filename: null }) as const

const brazil = { to: { kind: "phone", value: "+5511987654321" } } as const
const user = (value: string) => ({ to: { kind: "chat_user", value } }) as const

/** Domain values of the free-form messages in the corpus, by the name of their request. */
export const freeFormFacts: Readonly<Record<string, OutgoingMessage>> = {
  "send-text": text("As requested, here's the link to our latest product"),
  "send-text-preview": to({
    kind: "text",
    text: "Our latest product: https://www.luckyshrub.com/product",
    linkPreview: true
  }),
  "send-text-callback-data": text("Hello", { reference: "campaign-42/recipient-7" }),
  "send-text-messaging-account": text("Hello"),
  "send-text-longest": text("x".repeat(4_096)),
  "send-text-reply": text("You're welcome, Pablo!", { replyTo: inbound }),
  "send-text-to-user-id": text("Hello", user("US.13491208655302741918")),
  "send-text-to-parent-user-id": text("Hello", user("US.ENT.11815799212886844830")),
  "send-text-to-brazil": text("Olá", brazil),
  "send-image-id": to(file("image", "1479537139650973", "The best succulent ever?")),
  "send-video-id": to(file("video", "1166846181421424", "A succulent eclipse!")),
  "send-audio-id": to(file("audio", "1013859600285441")),
  "send-voice": to({ ...file("audio", "1013859600285442"), voice: true }),
  "send-document-id": to({
    ...file("document", "1376223850470843", "Lucky Shrub invoice"),
    filename: "lucky-shrub-invoice.pdf"
  }),
  "send-sticker-id": to(file("sticker", "798882015472548")),
  "send-location": to({
    kind: "location",
    latitude: 37.44216251868683,
    longitude: -122.16153582049394,
    name: "Philz Coffee",
    address: "101 Forest Ave, Palo Alto, CA 94301"
  }),
  "send-location-numbers": to({
    kind: "location",
    latitude: 37.44216251868683,
    longitude: -122.16153582049394,
    name: null,
    address: null
  }),
  "send-contacts": to({
    kind: "contacts",
    contacts: [
      {
        name: "Dr. Barbara J. Johnson Esq.",
        nameParts: { first: "Barbara", last: "Johnson", middle: "Joana", suffix: "Esq.", prefix: "Dr." },
        phones: [{ number: "+16505559999", type: "MOBILE", waId: "16505559999" }],
        emails: [{ email: "bjohnson@luckyshrub.com", type: "WORK" }],
        addresses: [
          {
            street: "1 Lucky Shrub Way",
            city: "Menlo Park",
            state: "CA",
            zip: "94025",
            country: "United States",
            countryCode: "US",
            type: "WORK"
          }
        ],
        organization: { company: "Lucky Shrub", department: "Legal", title: "Lead Counsel" },
        urls: [{ url: "https://www.luckyshrub.com", type: "WORK" }],
        birthday: "1999-01-23"
      }
    ]
  }),
  "send-contacts-formatted-name": to({
    kind: "contacts",
    contacts: [{ name: "Barbara Johnson", phones: ["+16505559999"] }]
  }),
  "send-reaction": to({ kind: "reaction", to: inbound, emoji: "😀" }),
  "send-reaction-removal": to({ kind: "reaction", to: inbound, emoji: "" }),
  ...interactiveFacts
}

/** Requests that Parley does not make, with the reason. */
export const omittedFacts: Readonly<Record<string, string>> = {
  "send-image-link": "Parley uploads files, so the provider never fetches them.",
  "send-document-link": "Parley uploads files, so the provider never fetches them.",
  "send-video-link": "Parley uploads files, so the provider never fetches them.",
  "send-text-to-formatted-number": "Numbers are stored in one form, with a plus and digits.",
  "send-text-to-national-number": "Numbers are stored in one form, with a plus and digits.",
  "send-text-to-both": "A message has one recipient.",
  "send-text-identity-hash": "Parley does not store identity hashes of recipients.",
  "send-text-group": "Parley does not send to groups.",
  "send-pin": "Parley does not send to groups.",
  "send-unpin": "Parley does not send to groups."
}
