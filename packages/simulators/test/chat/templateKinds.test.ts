import { assert, describe, it } from "@effect/vitest"
import { defaultNumbers } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, businessId, call, exampleOf, kept, pass, phoneId, sendPath, simulator } from "./harness.ts"

const hour = 3_600_000
const day = 24 * hour
const path = `/${businessId}/message_templates`

const catalogs = defaultNumbers.map((each) => ({ ...each, hasCatalog: true }))

const provided = (hasCatalog = true) => simulator({ ...kept, ...(hasCatalog ? { numbers: catalogs } : {}) })

const template = (components: ReadonlyArray<object>, more: object = {}) => ({
  name: "news",
  language: "en_US",
  category: "MARKETING",
  components,
  ...more
})

const body = { type: "BODY", text: "Our new succulents have arrived." }
const header = { type: "HEADER", format: "PRODUCT" }
const buttons = (...all: ReadonlyArray<object>) => ({ type: "BUTTONS", buttons: all })
const spm = buttons({ type: "SPM", text: "View" })
const order = buttons({ type: "ORDER_DETAILS", text: "Pay now" })
const format = { display_format: "ORDER_DETAILS" }

const refused: ReadonlyArray<readonly [fault: string, sent: object]> = [
  ["a product header without its button", template([header, body])],
  ["a product button without its header", template([body, spm])],
  ["a long body with one product", template([header, { ...body, text: "x".repeat(161) }, spm])],
  ["an order without its format", template([body, order])],
  ["the format of orders without the button", template([body], format)],
  [
    "an order with another button",
    template([body, buttons({ type: "ORDER_DETAILS", text: "Pay" }, { type: "QUICK_REPLY", text: "No" })], format)
  ],
  ["an order with a location", template([{ type: "HEADER", format: "LOCATION" }, body, order], format)]
]

describe("Kinds of templates", () => {
  it.live.each(refused)("are refused with %s", ([, sent]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call(yield* provided(), path, sent)).code, 100)
    })
  )

  it.live("with products need a connected catalog, also to be sent", () =>
    Effect.gen(function* () {
      const single = template([header, body, spm])
      assert.include((yield* call(yield* provided(false), path, single)).body, "No Catalog Connected")
      const provider = yield* provided()
      assert.isNull((yield* call(provider, path, single)).code)
      yield* pass(provider, 1_000)
      const product = { type: "product", product: { catalog_id: "1", product_retailer_id: "a" } }
      const send = call(provider, sendPath, {
        messaging_product: "whatsapp",
        to: `+${ada}`,
        type: "template",
        template: {
          name: "news",
          language: { code: "en_US" },
          components: [{ type: "header", parameters: [product] }]
        }
      })
      assert.isNull((yield* send).code)
      provider.act({ act: "set_account", businessId, hasCatalog: false })
      assert.strictEqual((yield* send).code, 131_009)
    })
  )

  it.live("with a GIF are for marketing, and for its own call", () =>
    Effect.gen(function* () {
      const provider = yield* provided()
      const gif = { type: "HEADER", format: "GIF", example: yield* exampleOf(provider, "video/mp4") }
      assert.strictEqual((yield* call(provider, path, template([gif, body], { category: "UTILITY" }))).code, 100)
      assert.isNull((yield* call(provider, path, template([gif, body]))).code)
      yield* pass(provider, 11 * 60_000)
      provider.act({ act: "set_account", businessId, marketingOnboarding: "ONBOARDED" })
      const parameter = { type: "gif", gif: { link: "https://x.test/a.mp4" } }
      const sent = {
        messaging_product: "whatsapp",
        to: `+${ada}`,
        type: "template",
        template: {
          name: "news",
          language: { code: "en_US" },
          components: [{ type: "header", parameters: [parameter] }]
        }
      }
      assert.strictEqual((yield* call(provider, sendPath, sent)).code, 100)
      assert.isNull((yield* call(provider, `/${phoneId}/marketing_messages`, sent)).code)
    })
  )
})

describe("Templates of an account", () => {
  it.live("are more for a verified portfolio with an approved name", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ ...kept, templatesPerHour: 1_000 })
      const set = (values: object) => provider.act({ act: "set_account", businessId, ...values })
      const create = (index: number) =>
        Effect.map(
          call(provider, path, template([{ type: "BODY", text: `News ${index}` }], { name: `news_${index}` })),
          ({ code }) => code
        )
      for (let index = 0; index < 250; index += 1) yield* create(index)
      set({ businessVerification: "NOT_VERIFIED" })
      assert.strictEqual(yield* create(250), 100)
      set({ businessVerification: "VERIFIED" })
      provider.act({ act: "set_number", phoneId, nameStatus: "PENDING_REVIEW" })
      assert.strictEqual(yield* create(250), 100)
      provider.act({ act: "set_number", phoneId, nameStatus: "APPROVED" })
      assert.isNull(yield* create(250))
    })
  )

  it.live("have analytics of 90 days after they are enabled", () =>
    Effect.gen(function* () {
      const provider = yield* provided()
      const id = String(JSON.parse((yield* call(provider, path, template([body]))).body).id)
      const seconds = Math.floor(provider.now() / 1_000)
      const ask = (more: Readonly<Record<string, string>> = {}) => {
        const usual = {
          start: String(seconds - 86_400),
          end: String(seconds),
          granularity: "daily",
          template_ids: `[${id}]`
        }
        const query = new URLSearchParams({ ...usual, ...more })
        return Effect.map(call(provider, `/${businessId}/template_analytics?${query}`), ({ code }) => code)
      }
      assert.strictEqual(yield* ask(), 100)
      yield* call(provider, `/${businessId}?is_enabled_for_insights=true`, {})
      assert.isNull(yield* ask())
      assert.isNull(yield* ask({ start: "2026-05-01", end: "2026-05-02", metric_types: "SENT,COST" }))
      for (const wrong of [
        { start: String(seconds - 91 * 86_400) },
        { end: String(seconds - 86_400) },
        { start: "yesterday" },
        { granularity: "MONTHLY" },
        { template_ids: "" },
        { template_ids: "[1]" },
        { template_ids: Array.from({ length: 11 }, () => id).join(",") },
        { metric_types: "OPENED" }
      ]) {
        assert.strictEqual(yield* ask(wrong), 100, JSON.stringify(wrong))
      }
    })
  )

  it.live("migrate in pages between accounts of one business", () =>
    Effect.gen(function* () {
      const provider = yield* provided()
      const target = "100000000000002"
      provider.addNumber({
        phoneId: "2",
        businessId: target,
        displayPhone: "15550100002",
        accessToken: "simulator-token"
      })
      for (const name of ["one", "two", "three"]) {
        yield* call(provider, path, template([{ type: "BODY", text: name }], { name }))
      }
      yield* pass(provider, 1_000)
      const migrate = (more: object = {}) =>
        call(provider, `/${target}/migrate_message_templates`, { source_waba_id: businessId, count: 2, ...more })
      assert.strictEqual((yield* migrate()).code, 100)
      for (const each of [businessId, target]) {
        provider.act({ act: "set_account", businessId: each, ownerId: "700000000000001" })
      }
      const counts = (answer: { readonly body: string }) => {
        const { failed_templates: failed, migrated_templates: migrated } = JSON.parse(answer.body)
        return [migrated.length, Object.values(failed)]
      }
      assert.deepStrictEqual(counts(yield* migrate({ page_number: 1 })), [1, []])
      const exists = "Content in this language already exists"
      assert.deepStrictEqual(counts(yield* migrate({ page_number: 0 })), [2, []])
      assert.deepStrictEqual(counts(yield* migrate({ page_number: 0 })), [0, [exists, exists]])
      assert.strictEqual((yield* migrate({ page_number: -1 })).code, 100)
    })
  )

  it.live("of a utility can be created after a restriction has ended", () =>
    Effect.gen(function* () {
      const provider = yield* provided()
      const expiration = Math.floor((provider.now() + day) / 1_000)
      provider.act({
        act: "restrict",
        businessId,
        restrictions: [{ type: "RESTRICTED_UTILITY_TEMPLATES", expiration }]
      })
      const create = Effect.map(call(provider, path, template([body], { category: "UTILITY" })), ({ code }) => code)
      assert.strictEqual(yield* create, 368)
      yield* pass(provider, day)
      assert.isNull(yield* create)
    })
  )
})
