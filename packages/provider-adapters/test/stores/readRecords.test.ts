import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { readers } from "../../src/stores/shopify/readRecords.ts"

const shop = { currency: "EUR", shopDomain: "ada.myshopify.com" }
const at = "2026-11-01T10:00:00Z"
const set = { shopMoney: { amount: "9.00", currencyCode: "EUR" } }

const raw = (node: object, inside: ReadonlyArray<unknown> = []) => ({ node, inside, hasMore: false })

const smsConsentOf = (defaultPhoneNumber: object | null) => {
  const result = readers.customers(raw({ id: "gid://shopify/Customer/1", updatedAt: at, defaultPhoneNumber }), shop)
  return "record" in result ? result.record.smsConsent : result
}

const orderOf = (input: object, inside: ReadonlyArray<unknown> = []) => {
  const order = { id: "gid://shopify/Order/7", updatedAt: at, processedAt: at, totalPriceSet: set, ...input }
  const result = readers.orders(raw(order, inside), shop)
  return "record" in result ? result.record : assert.fail(result.faults.join())
}

describe("A customer that Shopify returns", () => {
  it("has the SMS consent of its object from version 2026-10 on", () => {
    for (const [state, read] of [
      ["SUBSCRIBED", "subscribed"],
      ["UNSUBSCRIBED", "unsubscribed"],
      ["NEVER_SUBSCRIBED", "unknown"],
      ["PENDING", "unknown"],
      ["REDACTED", "unknown"]
    ] as const) {
      const consent = smsConsentOf({ phoneNumber: "+1", smsMarketingConsent: { state, updatedAt: at } })
      assert.deepStrictEqual(consent, { state: read, at: DateTime.makeUnsafe(at) })
    }
  })

  it("has the consent for WhatsApp apart from the one for SMS", () => {
    const chatConsentOf = (defaultPhoneNumber: object | null) => {
      const result = readers.customers(raw({ id: "gid://shopify/Customer/1", updatedAt: at, defaultPhoneNumber }), shop)
      return "record" in result ? [result.record.chatConsent.state, result.record.smsConsent.state] : result
    }
    const smsMarketingConsent = { state: "UNSUBSCRIBED", updatedAt: at }
    for (const [state, read] of [
      ["SUBSCRIBED", "subscribed"],
      ["UNSUBSCRIBED", "unsubscribed"],
      ["NEVER_SUBSCRIBED", "unknown"]
    ] as const) {
      const whatsAppMarketingConsent = { state, updatedAt: at }
      const number = { phoneNumber: "+1", smsMarketingConsent, whatsAppMarketingConsent }
      assert.deepStrictEqual(chatConsentOf(number), [read, "unsubscribed"])
    }
    assert.deepStrictEqual(chatConsentOf({ phoneNumber: "+1", smsMarketingConsent }), ["unknown", "unsubscribed"])
    assert.deepStrictEqual(chatConsentOf(null), ["unknown", "unknown"])
  })

  it("has the SMS consent of the phone number in version 2026-07", () => {
    assert.deepStrictEqual(smsConsentOf({ marketingState: "SUBSCRIBED", marketingUpdatedAt: at }), {
      state: "subscribed",
      at: DateTime.makeUnsafe(at)
    })
    assert.deepStrictEqual(smsConsentOf({ marketingState: "NOT_SUBSCRIBED", marketingUpdatedAt: null }), {
      state: "unknown",
      at: null
    })
    assert.deepStrictEqual(smsConsentOf(null), { state: "unknown", at: null })
  })
})

describe("An order that Shopify returns", () => {
  it("has a link to the admin of the shop", () => {
    assert.strictEqual(orderOf({}).adminUrl, "https://ada.myshopify.com/admin/orders/7")
  })

  it("has the images of its lines", () => {
    const line = { title: "Cup", quantity: 1, originalUnitPriceSet: set }
    const url = "https://cdn.shopify.com/cup.png"
    const { lines } = orderOf({}, [{ ...line, image: { url } }, { ...line, image: null }, line])
    assert.deepStrictEqual(
      lines.map(({ imageUrl }) => imageUrl),
      [url, null, null]
    )
  })

  it("has another fulfilment status when nothing is to be sent, or the status is unknown", () => {
    for (const displayFulfillmentStatus of ["FULFILLMENT_NOT_REQUIRED", "ON_HOLD", "SOMETHING_NEW"]) {
      assert.strictEqual(orderOf({ displayFulfillmentStatus }).fulfilmentStatus, "other")
    }
  })
})
