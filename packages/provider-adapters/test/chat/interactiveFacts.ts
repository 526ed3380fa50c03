import type { OutgoingContent, OutgoingMessage } from "@parley/domain/messaging"

type Interactive = Extract<OutgoingContent, { readonly kind: "interactive" }>["interactive"]

const interactive = (value: Interactive, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  to: { kind: "phone", value: "+16505551234" },
  content: { kind: "interactive", interactive: value },
  replyTo: null,
  reference: "reference",
  ...more
})

const india = { to: { kind: "phone", value: "+919000090000" } } as const
const brazil = { to: { kind: "phone", value: "+5511987654321" } } as const

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

/** Domain values of the interactive messages in the corpus, by the name of their request. */
const order = {
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
} as const

export const interactiveFacts: Readonly<Record<string, OutgoingMessage>> = {
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
  "send-order-details": interactive(order, brazil),
  "send-order-details-image-header": interactive(
    { ...order, header: { type: "image", mediaId: "1003383421387256" } },
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
