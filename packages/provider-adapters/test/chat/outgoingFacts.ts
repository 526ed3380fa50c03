import type { OutgoingContent, OutgoingMessage } from "@parley/domain"

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

type Interactive = Extract<OutgoingContent, { readonly kind: "interactive" }>["interactive"]

const interactive = (value: Interactive, more: Partial<OutgoingMessage> = {}) =>
  to({ kind: "interactive", interactive: value }, more)

const india = { to: { kind: "phone", value: "+919000090000" } } as const
const brazil = { to: { kind: "phone", value: "+5511987654321" } } as const
const user = (value: string) => ({ to: { kind: "chat_user", value } }) as const

const workshop = "Hi Pablo! Your gardening workshop is scheduled for 9am tomorrow."

const choices = [
  { id: "change-button", title: "Change" },
  { id: "cancel-button", title: "Cancel" }
] as const

const flow = {
  type: "flow",
  header: { type: "text", text: "Reservation" },
  body: "Book a table",
  footer: "Lucky Shrub",
  flow: { id: "1116511926234958" },
  token: "AQAAAAACS5FpgQ_cAAAAAD0QI3s.",
  label: "Book!",
  mode: "published"
} as const

const address = { type: "address", body: "Where should we deliver the order?", country: "IN" } as const

const amount = (value: number) => ({ value, offset: 100 }) as const

const pix = {
  type: "pix_dynamic_code",
  pix_dynamic_code: {
    code: "00020101021226700014br.gov.bcb.pix2548pix.example.com5204000053039865802BR",
    merchant_name: "Lucky Shrub",
    key: "39580525000189",
    key_type: "CNPJ"
  }
}

/** Domain values of the free-form messages in the corpus, by the name of their request. */
export const freeFormFacts: Readonly<Record<string, OutgoingMessage>> = {
  "send-text": text("As requested, here's the link to our latest product"),
  "send-text-preview": to({
    kind: "text",
    text: "Our latest product: https://www.luckyshrub.com/product",
    linkPreview: true
  }),
  "send-text-callback-data": text("Hello", { reference: "campaign-42/recipient-7" }),
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
  "send-buttons": interactive({
    type: "buttons",
    header: { type: "image", mediaId: "2762702990552401" },
    body: workshop,
    footer: "Lucky Shrub: Your gateway to succulents!",
    buttons: choices
  }),
  "send-buttons-text-header": interactive({
    type: "buttons",
    header: { type: "text", text: "Workshop" },
    body: workshop,
    buttons: choices
  }),
  "send-buttons-video-header": interactive({
    type: "buttons",
    header: { type: "video", mediaId: "https://www.luckyshrub.com/assets/w.mp4" },
    body: workshop,
    buttons: choices
  }),
  "send-buttons-document-header": interactive({
    type: "buttons",
    header: { type: "document", mediaId: "1376223850470843", filename: "workshop.pdf" },
    body: workshop,
    buttons: choices
  }),
  "send-list": interactive({
    type: "list",
    header: { type: "text", text: "Choose Shipping Option" },
    body: "Which shipping option do you prefer?",
    footer: "Lucky Shrub: Your gateway to succulents",
    button: "Shipping Options",
    sections: [
      {
        title: "I want it ASAP!",
        rows: [
          { id: "priority_express", title: "Priority Mail Express", description: "Next Day to 2 Days" },
          { id: "priority_mail", title: "Priority Mail", description: "1-3 Days" }
        ]
      },
      {
        title: "I can wait a bit",
        rows: [
          { id: "ground", title: "Ground", description: "2-5 Days" },
          { id: "media_mail", title: "Media Mail" }
        ]
      }
    ]
  }),
  "send-list-longest-body": interactive({
    type: "list",
    body: "x".repeat(4_096),
    button: "Options",
    sections: [
      {
        title: "Options",
        rows: [{ id: "i".repeat(200), title: "t".repeat(24), description: "d".repeat(72) }]
      }
    ]
  }),
  "send-cta-url": interactive({
    type: "cta_url",
    header: { type: "text", text: "Available Dates" },
    body: workshop,
    footer: "Dates subject to change.",
    label: "See Dates",
    url: "https://www.luckyshrub.com?clickID=kqDGWd24Q5TRwoEQTICY7W1JKoXvaZOXWAS7h1P76s0R7Paec4"
  }),
  "send-location-request": interactive({
    type: "location_request",
    body: "Let's start with your pickup. You can enter an address or share your current location."
  }),
  "send-request-contact-info": interactive({
    type: "contact_request",
    body: "Please share your phone number to continue."
  }),
  "send-call-permission-request": interactive({
    type: "call_permission_request",
    body: "May we call you about your order?"
  }),
  "send-voice-call": interactive({
    type: "voice_call",
    body: "You can call us on WhatsApp now",
    label: "Call on WhatsApp",
    ttlMinutes: 100,
    payload: "order-0042"
  }),
  "send-flow-navigate": interactive({
    ...flow,
    action: "navigate",
    screen: "FIRST_SCREEN",
    data: { product_name: "Aloe" }
  }),
  "send-flow-data-exchange": interactive({ ...flow, action: "data_exchange" }),
  "send-flow-draft-by-name": interactive({
    type: "flow",
    body: workshop,
    flow: { name: "booking" },
    token: "token",
    label: "Book!",
    mode: "draft",
    action: "navigate",
    screen: "FIRST_SCREEN"
  }),
  "send-address": interactive({ ...address, values: { name: "Aditya", phone_number: "+919000090000" } }, india),
  "send-address-saved": interactive(
    {
      ...address,
      savedAddresses: [
        {
          id: "address1",
          value: {
            name: "Aditya",
            phone_number: "+919000090000",
            in_pin_code: "400063",
            floor_number: "8",
            building_name: "Emerald",
            address: "Wing A, Main Road",
            landmark_area: "Goregaon",
            city: "Mumbai"
          }
        }
      ]
    },
    india
  ),
  "send-address-validation-errors": interactive(
    {
      ...address,
      values: { name: "Aditya", in_pin_code: "000000" },
      validationErrors: { in_pin_code: "We do not deliver to this pin code." }
    },
    india
  ),
  "send-product": interactive({
    type: "product",
    body: "Our best seller",
    footer: "Lucky Shrub",
    catalogId: "194836987003835",
    productId: "di9ozbzfi4"
  }),
  "send-product-without-body": interactive({
    type: "product",
    catalogId: "194836987003835",
    productId: "di9ozbzfi4"
  }),
  "send-product-list": interactive({
    type: "product_list",
    header: { type: "text", text: "This week" },
    body: "Our favourites",
    footer: "Lucky Shrub",
    catalogId: "194836987003835",
    sections: [
      { title: "Aloes", productIds: ["di9ozbzfi4", "nqryix03ez"] },
      { title: "Cacti", productIds: ["6vrf2x2fwn"] }
    ]
  }),
  "send-catalog": interactive({
    type: "catalog",
    body: "Browse our whole catalog",
    footer: "Best grocery deals on WhatsApp!",
    thumbnailProductId: "2lc20305pt"
  }),
  "send-catalog-without-thumbnail": interactive({ type: "catalog", body: "Browse our whole catalog" }),
  "send-carousel-products": interactive({
    type: "product_carousel",
    body: "Fresh from the greenhouse",
    catalogId: "194836987003835",
    productIds: ["di9ozbzfi4", "nqryix03ez"]
  }),
  "send-carousel-url": interactive({
    type: "carousel",
    body: "The offers of this week",
    cards: [0, 1].map((index) => ({
      header: { type: "image", mediaId: `https://www.luckyshrub.com/assets/${index}.png` } as const,
      body: `Offer ${index + 1}`,
      button: { label: "Buy now", url: `https://www.luckyshrub.com/offers/${index}` }
    }))
  }),
  "send-carousel-quick-reply": interactive({
    type: "carousel",
    body: "The offers of this week",
    cards: [0, 1].map((index) => ({
      header: { type: "video", mediaId: `https://www.luckyshrub.com/assets/${index}.mp4` } as const,
      body: `Offer ${index + 1}`,
      replies: [{ id: `offer-${index}`, title: "Interested" }]
    }))
  }),
  "send-order-details": interactive(
    {
      type: "order_details",
      body: "Your order is ready for payment",
      footer: "Lucky Shrub",
      referenceId: "order-0042",
      goods: "physical-goods",
      paymentType: "br",
      paymentSettings: [pix],
      currency: "BRL",
      totalAmount: amount(21_000),
      items: [{ retailerId: "1234567", name: "Aloe", amount: amount(10_000), quantity: 2 }],
      subtotal: amount(20_000),
      tax: { ...amount(1_000), description: "tax" },
      shipping: amount(500),
      discount: { ...amount(500), discountProgramName: "welcome" }
    },
    brazil
  ),
  "send-order-status": interactive(
    {
      type: "order_status",
      body: "Your order is on its way",
      referenceId: "order-0042",
      status: "shipped",
      payment: { status: "captured", timestamp: 1_722_445_231 }
    },
    brazil
  )
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
  "send-text-messaging-account": "The field is optional until 2027 and its account is unknown.",
  "send-text-group": "Parley does not send to groups.",
  "send-pin": "Parley does not send to groups.",
  "send-unpin": "Parley does not send to groups."
}
