import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, at, bob, businessId, call, kept, phoneId, sendPath, simulator, text, valuesOf } from "./harness.ts"

const post = (provider: RunningChatSimulator, edge: string, body: object, method = "POST") =>
  Effect.map(
    call(provider, `/${phoneId}/${edge}`, { messaging_product: "whatsapp", ...body }, undefined, method),
    ({ body, code, status }) => ({ status, code, body: JSON.parse(body) })
  )

describe("The settings of a number", () => {
  it.live("block users who wrote, and report the others", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      const { body, status } = yield* post(provider, "block_users", {
        block_users: [{ user: `+${ada}` }, { user: bob }]
      })
      assert.deepStrictEqual([status, body.error.code], [400, 139_100])
      assert.deepStrictEqual([body.block_users.added_users.length, body.block_users.failed_users.length], [1, 1])
      const [unknown] = body.block_users.failed_users
      assert.strictEqual(unknown.wa_id ?? unknown.user_id, bob.replace(/^\+/u, ""))
      const before = valuesOf(provider, "messages").length
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      assert.lengthOf(valuesOf(provider, "messages"), before)
      const removed = yield* post(provider, "block_users", { block_users: [{ user: `+${ada}` }] }, "DELETE")
      assert.lengthOf(removed.body.block_users.removed_users, 1)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      assert.lengthOf(valuesOf(provider, "messages"), before + 1)
    })
  )

  it.live("have limits", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const cases: ReadonlyArray<readonly [edge: string, body: object, code: number | null]> = [
        ["whatsapp_business_profile", { about: "x".repeat(139) }, null],
        ["whatsapp_business_profile", { about: "x".repeat(140) }, 131_009],
        ["whatsapp_business_profile", { websites: ["a", "b", "c"] }, 131_009],
        ["whatsapp_business_profile", { vertical: "BAKERY" }, 100],
        ["whatsapp_business_profile", { profile_picture_handle: "4::x" }, 100],
        ["username", { username: "a" }, 131_009],
        ["username", { username: "Acme" }, 131_009],
        ["username", { username: "acme.shop" }, null],
        ["message_qrdls", { prefilled_message: "x".repeat(141) }, 131_009],
        ["conversational_automation", { prompts: ["Hello 🥐"] }, 131_009],
        ["smb_app_data", { sync_type: "history" }, 100],
        ["groups", { subject: "Regulars" }, 131_215]
      ]
      for (const [edge, body, code] of cases) {
        assert.strictEqual((yield* post(provider, edge, body)).code, code, JSON.stringify([edge, body]).slice(0, 80))
      }
    })
  )

  it.live("migrate at most 500 templates with one call", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const migrate = (count: number) =>
        Effect.map(
          call(provider, `/${businessId}/migrate_message_templates`, {
            source_waba_id: businessId,
            page_number: 0,
            count
          }),
          ({ code }) => code
        )
      assert.deepStrictEqual([yield* migrate(500), yield* migrate(501), yield* migrate(0)], [null, 100, 100])
    })
  )

  it.live("require a title in each section of a list", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      const send = (section: object) => {
        const action = { button: "Sizes", sections: [{ rows: [{ id: "1", title: "S" }], ...section }] }
        const interactive = { type: "list", body: { text: "Choose" }, action }
        return Effect.map(
          post(provider, "messages", { to: `+${ada}`, type: "interactive", interactive }),
          ({ code }) => code
        )
      }
      assert.deepStrictEqual([yield* send({ title: "Shirts" }), yield* send({})], [null, 131_008])
    })
  )

  it.live("synchronize a number of the app once, within a day", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.addNumber(
        { phoneId, businessId, displayPhone: "15550100001", accessToken: "simulator-token" },
        "coexistence"
      )
      const sync = (kind: string) => Effect.map(post(provider, "smb_app_data", { sync_type: kind }), ({ code }) => code)
      assert.deepStrictEqual([yield* sync("history"), yield* sync("history")], [null, 2_593_107])
      provider.advance(24 * 3_600_000 + 1)
      assert.strictEqual(yield* sync("smb_app_state_sync"), 2_593_108)
    })
  )

  it.live("add identity hashes, which a message can require", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ ...kept, refusals: "answer", pairMillis: 0 })
      yield* call(provider, `/${phoneId}/settings`, { user_identity_change: { enable_identity_key_check: true } })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      const hash = at(valuesOf(provider, "messages")[0], "contacts", 0, "identity_key_hash")
      const send = (recipient_identity_key_hash: unknown) =>
        Effect.map(call(provider, sendPath, text(ada, { recipient_identity_key_hash })), ({ code }) => code)
      assert.isNull(yield* send(hash))
      provider.act({ act: "change_identity", phoneId, customer: ada })
      assert.strictEqual(yield* send(hash), 137_000)
    })
  )

  it.live("let a message select an account of its number", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const number = { phoneId: "203", businessId, otherBusinessIds: ["103"], displayPhone: "15550100003" }
      provider.addNumber({ ...number, accessToken: "simulator-token" })
      const send = (account: string) =>
        Effect.map(call(provider, "/203/messages", text(ada, { messaging_account_id: account })), ({ code }) => code)
      assert.deepStrictEqual([yield* send("103"), yield* send("104")], [null, 100])
    })
  )
})
