import { assert, describe, it } from "@effect/vitest"
import { defaultNumbers, type RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, call, kept, phoneId, sendPath, simulator } from "./harness.ts"

const send = (provider: RunningChatSimulator, interactive: object) =>
  Effect.map(
    call(provider, sendPath, { messaging_product: "whatsapp", to: `+${ada}`, type: "interactive", interactive }),
    ({ code }) => code
  )

/** A provider with an open window. */
const open = (hasCatalog: boolean) =>
  Effect.gen(function* () {
    const provider = yield* simulator({ ...kept, numbers: defaultNumbers.map((each) => ({ ...each, hasCatalog })) })
    provider.write(phoneId, ada, { type: "text", text: "hi" })
    return provider
  })

const product = { catalog_id: "1", product_retailer_id: "a" }
const body = { text: "Choose" }

const withProducts: ReadonlyArray<object> = [
  { type: "product", action: product },
  {
    type: "product_list",
    header: { type: "text", text: "New" },
    body,
    action: { catalog_id: "1", sections: [{ title: "All", product_items: [{ product_retailer_id: "a" }] }] }
  },
  { type: "catalog_message", body, action: { name: "catalog_message" } },
  {
    type: "carousel",
    body,
    action: { cards: [0, 1].map((place) => ({ card_index: place, type: "product", action: product })) }
  }
]

const money = (value: number) => ({ value, offset: 100 })

const payment = {
  reference_id: "order-1",
  type: "physical-goods",
  payment_type: "br",
  currency: "BRL",
  total_amount: money(2_100),
  order: {
    status: "pending",
    items: [{ retailer_id: "a", name: "Aloe", amount: money(1_000), quantity: 2 }],
    subtotal: money(2_000),
    tax: money(100)
  }
}

const settings = [{ type: "payment_gateway", payment_gateway: { type: "razorpay", configuration_name: "main" } }]

const details = (more: object = {}, order: object = {}) => ({
  type: "order_details",
  body,
  action: { name: "review_and_pay", parameters: { ...payment, ...more, order: { ...payment.order, ...order } } }
})

const item = payment.order.items[0]

const refused: ReadonlyArray<readonly [fault: string, message: object, code: number]> = [
  ["another currency", details({ currency: "USD" }), 100],
  ["no payment type in Brazil", details({ payment_type: undefined }), 100],
  ["no payment settings in India", details({ currency: "INR" }), 131_008],
  ["a setting without its object", details({ payment_settings: [{ type: "boleto" }] }), 100],
  ["a reference with a space", details({ reference_id: "order 1" }), 131_009],
  ["a long reference in India", details({ currency: "INR", reference_id: "x".repeat(36) }), 131_009],
  ["no tax", details({}, { tax: undefined }), 100],
  ["a subtotal that is not the sum", details({}, { subtotal: money(1_900), tax: money(200) }), 131_009],
  ["an item without an id", details({}, { items: [{ ...item, retailer_id: undefined }] }), 131_008],
  ["a part of an item", details({}, { items: [{ ...item, quantity: 1.5 }] }), 131_009],
  ["a video header", { ...details(), header: { type: "video", video: { link: "https://x.test/a.mp4" } } }, 131_009]
]

describe("Messages with products", () => {
  it.live("need a connected catalog", () =>
    Effect.gen(function* () {
      const [without, provider] = [yield* open(false), yield* open(true)]
      for (const message of withProducts) {
        assert.strictEqual(yield* send(without, message), 131_009, JSON.stringify(message))
        assert.isNull(yield* send(provider, message), JSON.stringify(message))
      }
    })
  )
})

describe("Orders to pay", () => {
  it.live("are taken in Brazil, and with payment settings in India", () =>
    Effect.gen(function* () {
      const provider = yield* open(false)
      assert.isNull(yield* send(provider, details()))
      assert.isNull(yield* send(provider, details({ currency: "INR", payment_settings: settings })))
      const sale = { ...item, sale_amount: money(900) }
      const cheaper = details({ total_amount: money(1_900) }, { items: [sale], subtotal: money(1_800) })
      assert.isNull(yield* send(provider, cheaper))
    })
  )

  it.live.each(refused)("are refused with %s", ([, message, code]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* send(yield* open(false), message), code)
    })
  )
})
