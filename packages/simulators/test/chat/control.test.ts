import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import {
  ada,
  appSecret,
  call,
  eventually,
  kept,
  phoneId,
  sendPath,
  simulator,
  sink,
  text,
  valuesOf
} from "./harness.ts"

const entry = new URL("../../src/chat/main.ts", import.meta.url).pathname

describe("The simulated provider's control", () => {
  it.live("scripts everything over HTTP", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator()
      const control = (action: string, body?: unknown, method?: string) =>
        Effect.map(call(provider, `/simulator/${action}`, body, "", method), ({ body, status }) => ({
          status,
          body: JSON.parse(body)
        }))
      yield* control("webhook", { url, appSecret })
      assert.deepStrictEqual((yield* control("verify", { url, verifyToken: "verify me" })).body, { verified: true })
      assert.deepStrictEqual((yield* control("verify", { url, verifyToken: "wrong" })).body, { verified: false })
      const customer = yield* control("customers", { name: "No Phone" })
      assert.isNull(customer.body.phone)
      yield* control("write", { phoneId, from: customer.body.userId, message: { type: "text", text: "Hi" } })
      yield* control("write", { phoneId, from: ada, message: { type: "location", latitude: 1, longitude: 2 } })
      yield* control("preference", { phoneId, from: ada, marketing: "stop" })
      yield* eventually(() => arrivals.length === 3)
      const items = [{ productId: "rye", quantity: 1, price: 4.5, currency: "EUR" }]
      const referral = { headline: "Bread" }
      const order = { type: "order", catalogId: "1", items }
      const { body: written } = yield* control("write", {
        phoneId,
        from: ada,
        message: order,
        fromAdvertisement: true,
        referral
      })
      yield* control("write", { phoneId, from: ada, message: { type: "edit", of: written.id, text: "Hello" } })
      yield* control("write", { phoneId, from: ada, message: { type: "revoke", of: written.id } })
      yield* control("echo", { phoneId, to: ada, message: { type: "text", text: "By phone" } })
      yield* eventually(() => arrivals.length === 7)
      for (const word of ['"item_price":4.5', '"headline":"Bread"', '"type":"revoke"', '"message_echoes"', "Hello"]) {
        assert.isTrue(
          arrivals.some(({ body }) => body.includes(word)),
          word
        )
      }

      yield* control("misbehave", { on: "messages", times: 2, what: { kind: "error", code: 131_000 } })
      const codes = yield* Effect.replicateEffect(call(provider, sendPath, text(ada)), 3)
      assert.deepStrictEqual(
        codes.map(({ code }) => code),
        [131_000, 131_000, null]
      )
      const { body: log } = yield* control("log")
      assert.deepStrictEqual(
        [log.acceptedCount, log.accepted[0].to, log.accepted[0].payload.text.body],
        [1, ada, "Hello"]
      )
      const before = (yield* control("clock")).body.now
      assert.strictEqual((yield* control("clock", { advanceMillis: 1_000 })).body.now, before + 1_000)
      yield* control("log", undefined, "DELETE")
      assert.strictEqual((yield* control("log")).body.acceptedCount, 0)
      assert.strictEqual((yield* control("write", { phoneId })).status, 400)
      assert.strictEqual(
        (yield* control("write", { phoneId: "1", from: ada, message: { type: "text", text: "" } })).status,
        404
      )
      assert.strictEqual((yield* control("nothing")).status, 404)
    })
  )

  it.live("signs up numbers and triggers events over HTTP", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const control = (action: string, body?: unknown) =>
        Effect.map(call(provider, `/simulator/${action}`, body, ""), ({ body, status }) => ({
          status,
          body: JSON.parse(body)
        }))
      const signup = { businessId: "102", phoneId: "202", accessToken: "EAA", code: "code", stage: "unverified" }
      assert.strictEqual((yield* control("signups", signup)).body.event, "FINISH")
      yield* call(provider, "/202/request_code?code_method=SMS&language=en_US", {}, "EAA")
      const { body: codes } = yield* control("codes")
      assert.match(codes.find(({ phoneId }: { phoneId: string }) => phoneId === "202").verificationCode, /^\d{6}$/u)
      const group = yield* control("act", { act: "create_group", phoneId, subject: "News" })
      assert.isString(group.body.id)
      assert.strictEqual((yield* control("act", { act: "create_group", phoneId: "999", subject: "News" })).status, 404)
      assert.strictEqual((yield* control("act", { act: "nothing" })).status, 400)
      assert.lengthOf(valuesOf(provider, "group_lifecycle_update"), 1)
    })
  )

  it.live(
    "can run as a separate process",
    () =>
      Effect.gen(function* () {
        const child = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(process.execPath, [entry], {
              env: { PATH: "", SIMULATOR_PORT: "0" },
              stdio: ["ignore", "pipe", "inherit"]
            })
          ),
          (child) =>
            Effect.callback<void>((resume) => {
              if (child.exitCode !== null) return resume(Effect.void)
              child.once("exit", () => resume(Effect.void))
              child.kill("SIGTERM")
            })
        )
        const url = yield* Effect.callback<string>((resume) => {
          child.stdout.on("data", (chunk: Buffer) => {
            const found = /http:\/\/[\d.:]+/u.exec(chunk.toString())
            if (found !== null) resume(Effect.succeed(found[0]))
          })
        })
        const response = yield* Effect.promise(() => fetch(`${url}/simulator/numbers`).then((answer) => answer.json()))
        assert.deepStrictEqual(response, [
          { phoneId, businessId: "100000000000001", displayPhone: "15550100001", verifiedName: "Parley Demo" }
        ])
      }),
    20_000
  )
})
