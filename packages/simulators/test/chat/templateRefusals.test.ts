import { assert, describe, it } from "@effect/vitest"
import { defaultNumbers } from "@parley/simulators/chat"
import { Effect } from "effect"
import { businessId, call, exampleOf, kept, simulator } from "./harness.ts"

const path = `/${businessId}/message_templates`

const provided = simulator({ ...kept, numbers: defaultNumbers.map((each) => ({ ...each, hasCatalog: true })) })

const body = { type: "BODY", text: "Our new succulents have arrived." }
const template = (...components: ReadonlyArray<object>) => ({
  name: "news",
  language: "en_US",
  category: "MARKETING",
  components: [body, ...components]
})

const carousel = (count: number, ...components: ReadonlyArray<object>) =>
  template({ type: "CAROUSEL", cards: Array.from({ length: count }, () => ({ components })) })

const product = { type: "HEADER", format: "PRODUCT" }
const view = { type: "BUTTONS", buttons: [{ type: "SPM", text: "View" }] }

describe("A carousel", () => {
  it.live("has buttons on each card", () =>
    Effect.gen(function* () {
      const provider = yield* provided
      const image = { type: "HEADER", format: "IMAGE", example: yield* exampleOf(provider, "image/png") }
      const reply = { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "More" }] }
      const refused = yield* call(provider, path, carousel(2, image))
      assert.include(refused.body, "Each card of a carousel has buttons.")
      assert.isNull((yield* call(provider, path, carousel(2, image, reply))).code)
    })
  )

  it.live("of products is created with two cards", () =>
    Effect.gen(function* () {
      const provider = yield* provided
      const refused = yield* call(provider, path, carousel(3, product, view))
      assert.include(refused.body, "A carousel of products is created with 2 cards.")
      assert.isNull((yield* call(provider, path, carousel(2, product, view))).code)
    })
  )
})

describe("The sample of a GIF", () => {
  it.live("has at most 3.5 MB", () =>
    Effect.gen(function* () {
      const provider = yield* provided
      const create = (bytes: number) =>
        Effect.gen(function* () {
          const example = yield* exampleOf(provider, "video/mp4", Buffer.alloc(bytes))
          return yield* call(provider, path, template({ type: "HEADER", format: "GIF", example }))
        })
      const most = 3_670_016
      assert.include((yield* create(most + 1)).body, "Invalid Header Handle")
      assert.isNull((yield* create(most)).code)
    })
  )
})

describe("An upsert of authentication templates", () => {
  it.live("refuses a single language, and texts of its button", () =>
    Effect.gen(function* () {
      const provider = yield* provided
      const upsert = (more: object, button: object) =>
        call(provider, `/${businessId}/upsert_message_templates`, {
          name: "login",
          languages: ["en_US", "de"],
          category: "AUTHENTICATION",
          components: [
            { type: "BODY" },
            { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", ...button }] }
          ],
          ...more
        })
      for (const [key, answer] of [
        ["language", upsert({ language: "en_US" }, {})],
        ["text", upsert({}, { text: "Copy" })],
        ["autofill_text", upsert({}, { autofill_text: "Fill" })]
      ] as const) {
        const { body, code } = yield* answer
        assert.strictEqual(code, 100, key)
        assert.include(JSON.parse(body).error.message, `Unexpected key "${key}"`)
      }
      assert.isNull((yield* upsert({}, {})).code)
    })
  )
})
