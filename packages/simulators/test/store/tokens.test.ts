import { assert, describe, it } from "@effect/vitest"
import { callbackSignature } from "@parley/simulators/store"
import { Effect } from "effect"
import { authorizeUrl, connect, query, simulator, token } from "./harness.ts"

const minute = 60_000
const day = 24 * 60 * minute

describe("The tokens of the simulated provider", () => {
  it.live("come from a page with consent or refusal", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const page = yield* Effect.promise(async () => (await fetch(authorizeUrl(running))).text())
      const links = Array.from(page.matchAll(/href="([^"]+)"/gu), ([, link = ""]) =>
        link.replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)))
      )
      const locations = yield* Effect.forEach(links, (link) =>
        Effect.promise(async () => {
          const response = await fetch(new URL(link, authorizeUrl(running)), { redirect: "manual" })
          return new URL(response.headers.get("location") ?? "").searchParams
        })
      )
      const [agreed, denied] = locations
      assert.match(agreed?.get("code") ?? "", /^code-/u)
      assert.strictEqual(denied?.get("error"), "access_denied")
      for (const parameters of locations) {
        const query = Object.fromEntries(parameters)
        assert.strictEqual(query["hmac"], callbackSignature("simulator-client-secret", query))
      }
    })
  )

  it.live("end after an hour, and each refresh token is used up by the next one", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const statusOf = (access: string) =>
        Effect.map(query(running, access, "{ shop { name } }"), ({ status }) => status)
      const refreshed = (refresh: string) =>
        Effect.map(token(running, { grant_type: "refresh_token", refresh_token: refresh }), ({ body, status }) => ({
          status,
          access: String(body["access_token"]),
          refresh: String(body["refresh_token"])
        }))
      const first = yield* connect(running)
      assert.strictEqual(yield* statusOf(first.access), 200)
      running.advance(60 * minute)
      assert.strictEqual(yield* statusOf(first.access), 401)

      const lost = yield* refreshed(first.refresh)
      const second = yield* refreshed(first.refresh)
      assert.strictEqual(yield* statusOf(lost.access), 401)
      assert.strictEqual(yield* statusOf(second.access), 200)
      const third = yield* refreshed(second.refresh)
      assert.strictEqual((yield* refreshed(first.refresh)).status, 400)
      assert.strictEqual(yield* statusOf(third.access), 200)

      running.advance(90 * day)
      assert.strictEqual((yield* refreshed(third.refresh)).status, 400)
    })
  )

  it.live("are issued for a code once, with the secret only", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const code = new URL(running.decide(authorizeUrl(running), true)).searchParams.get("code")
      assert.strictEqual((yield* token(running, { code, client_secret: "another" })).status, 400)
      const { body } = yield* token(running, { code })
      assert.notProperty(body, "refresh_token")
      assert.strictEqual((yield* token(running, { code })).status, 400)
    })
  )
})
