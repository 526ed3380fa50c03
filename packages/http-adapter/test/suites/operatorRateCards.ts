import { assert } from "@effect/vitest"
import { type MessageRate, RateCards } from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, messagesOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { type Call, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenOperatorToken } from "../harness/tenants.ts"

const root = "/api/v1/operator"

const rate = (currency: string, changes: Partial<MessageRate> = {}): MessageRate => ({
  country: "DE",
  category: "marketing",
  currency,
  amount: 113_100,
  validFrom: "2026-10-01",
  ...changes
})

const header = "country,category,currency,amount,valid_from"

const csv = (...lines: ReadonlyArray<string>) => ({
  text: `${[header, ...lines].join("\n")}\n`,
  headers: { "content-type": "text/csv" }
})

/** A caller with every scope. */
const operator = Effect.map(givenOperatorToken(), ({ operatorToken, token }) => ({
  operatorToken,
  send: (method: string, path: string, what: Call = {}) => call(method, `${root}${path}`, { ...what, token })
}))

const stored = (currency: string) => Effect.flatMap(RateCards, (cards) => cards.find(currency))

/** Rate cards over HTTP. Each test has its own currency, because rates belong to no organization. */
export const operatorRateCardsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("JSON and CSV import the same rates, which are read and removed as one card", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const json = yield* send("POST", "/rate_cards", {
          body: {
            rates: [
              rate("XAA"),
              rate("XAA", { country: "US", category: "utility", amount: 3_400 }),
              rate("XAA", { country: null, category: "service", amount: 0 })
            ]
          }
        })
        assertStatus(json, 200)
        assert.deepStrictEqual(json.body, { imported: 3 })
        const file = yield* send("POST", "/rate_cards/import", {
          ...csv("DE,marketing,XAB,11.31,2026-10-01", "US,utility,XAB,0.34,2026-10-01", "*,service,XAB,0,2026-10-01")
        })
        assertStatus(file, 200)
        assert.deepStrictEqual(file.body, { imported: 3 })

        const card = yield* send("GET", "/rate_cards/XAA/2026-10-01")
        assertStatus(card, 200)
        const other = yield* send("GET", "/rate_cards/XAB/2026-10-01")
        assert.strictEqual(other.text.replaceAll("XAB", "XAA"), card.text)
        assert.deepStrictEqual(card.body, {
          currency: "XAA",
          validFrom: "2026-10-01",
          rates: [
            rate("XAA"),
            rate("XAA", { country: null, category: "service", amount: 0 }),
            rate("XAA", { country: "US", category: "utility", amount: 3_400 })
          ]
        })

        assertStatus(yield* send("DELETE", "/rate_cards/XAA/2026-10-01"), 204)
        for (const method of ["GET", "DELETE"]) {
          const gone = yield* send(method, "/rate_cards/XAA/2026-10-01")
          assertProblem(gone, 404, "not_found")
          assert.strictEqual(gone.body.detail, "There is no rate card with this currency and day.")
        }
        assert.deepStrictEqual(yield* stored("XAA"), [])
      })
    )

    it.effect("a later import replaces equal rates and keeps all others", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        yield* send("POST", "/rate_cards", { body: { rates: [rate("XAC"), rate("XAC", { country: "FR" })] } })
        yield* send("POST", "/rate_cards", { body: { rates: [rate("XAC", { amount: 1 })] } })
        const amounts = (yield* stored("XAC")).map(({ amount, country }) => `${country} ${amount}`)
        assert.deepStrictEqual(amounts.toSorted(), ["DE 1", "FR 113100"])
      })
    )

    it.effect("a wrong rate is refused with its place, and nothing is stored", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const good = rate("XAD")
        const wrong: ReadonlyArray<readonly [unknown, string]> = [
          [{ ...good, country: "XX" }, "/rates/1/country"],
          [{ ...good, category: "ads" }, "/rates/1/category"],
          [{ ...good, currency: "eur" }, "/rates/1/currency"],
          [{ ...good, amount: 1.5 }, "/rates/1/amount"],
          [{ ...good, amount: -1 }, "/rates/1/amount"],
          [{ ...good, amount: 10_000_000_000 }, "/rates/1/amount"],
          [{ ...good, validFrom: "2026-02-30" }, "/rates/1/validFrom"],
          [{ ...good, price: 1 }, "/rates/1/price"],
          [good, "/rates/1"]
        ]
        for (const [other, pointer] of wrong) {
          const answer = yield* send("POST", "/rate_cards", { body: { rates: [good, other] } })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [pointer])
        }
        for (const body of [{}, { rates: [] }, { rates: null }]) {
          assertProblem(yield* send("POST", "/rate_cards", { body }), 400, "validation_failed")
        }
        assert.deepStrictEqual(yield* stored("XAD"), [])
      })
    )

    it.effect("a wrong line is refused with its line and column, and nothing is stored", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const answer = yield* send("POST", "/rate_cards/import", {
          ...csv("DE,marketing,XAE,11.31,2026-10-01", "XX,ads,XAE,1.23456,2026-10-01")
        })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), ["/lines/3/amount", "/lines/3/category", "/lines/3/country"])
        assert.include(messagesOf(answer)[2], "Line 3, column amount: Expected minor units")
        const empty = yield* send("POST", "/rate_cards/import", { text: "", headers: { "content-type": "text/csv" } })
        assertProblem(empty, 400, "validation_failed")
        const json = yield* send("POST", "/rate_cards/import", { body: { rates: [rate("XAE")] } })
        assertProblem(json, 415, "unsupported_media_type")
        assert.deepStrictEqual(yield* stored("XAE"), [])
      })
    )

    it.effect("an import of more than 100 cards is refused as a whole", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const dayOf = (index: number) =>
          DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe("2026-10-01"), { days: index }))
        const lines = Array.from({ length: 101 }, (_, index) => `DE,marketing,XAJ,11.31,${dayOf(index)}`)
        const refused = yield* send("POST", "/rate_cards/import", csv(...lines))
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(messagesOf(refused), [
          "Expected at most 100 pairs of currency and first day. Split the rates into several imports"
        ])
        assert.deepStrictEqual(yield* stored("XAJ"), [])
        assertStatus(yield* send("POST", "/rate_cards/import", csv(...lines.slice(1))), 200)
      })
    )

    it.effect("a file above 4 MiB is refused", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const answer = yield* send("POST", "/rate_cards/import", csv("#".repeat(4 * 1_024 * 1_024)))
        assertProblem(answer, 413, "payload_too_large")
        assert.strictEqual(answer.body.max, 4 * 1_024 * 1_024)
      })
    )

    it.effect("a file with the same key is imported once, and another file with it is refused", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const key = { "idempotency-key": yield* freshText("key") }
        const file = (line: string) => {
          const { headers, text } = csv(line)
          return send("POST", "/rate_cards/import", { text, headers: { ...headers, ...key } })
        }
        const first = yield* file("DE,marketing,XAF,11.31,2026-10-01")
        assertStatus(first, 200)
        yield* send("POST", "/rate_cards", { body: { rates: [rate("XAF", { amount: 7 })] } })
        const again = yield* file("DE,marketing,XAF,11.31,2026-10-01")
        assert.deepStrictEqual([again.text, again.headers.get("idempotency-replayed")], [first.text, "true"])
        assert.deepStrictEqual(
          (yield* stored("XAF")).map(({ amount }) => amount),
          [7]
        )
        assertProblem(yield* file("DE,marketing,XAF,12,2026-10-01"), 422, "idempotency_key_reused")
      })
    )

    it.effect("the answer to a repeated call is withdrawn with the scope", () =>
      Effect.gen(function* () {
        const key = { "idempotency-key": yield* freshText("key") }
        const what = { body: { rates: [rate("XAG")] }, headers: key }
        const { token } = yield* givenOperatorToken()
        assertStatus(yield* call("POST", `${root}/rate_cards`, { ...what, token }), 200)
        // Another token has other keys.
        const { token: narrow } = yield* givenOperatorToken({ scopes: ["rate_cards.read"] })
        assertProblem(yield* call("POST", `${root}/rate_cards`, { ...what, token: narrow }), 403, "scope_denied")
      })
    )

    it.effect("the list continues after each page, and refuses other cursors", () =>
      Effect.gen(function* () {
        const { send } = yield* operator
        const rates = ["AT", "BE", "CH", "DE", "FR"].map((country) => rate("AAA", { country }))
        yield* send("POST", "/rate_cards", { body: { rates } })
        const seen: Array<unknown> = []
        let cursor = ""
        for (let page = 0; page < 3; page++) {
          const answer = yield* send("GET", `/rate_cards?limit=2${cursor}`)
          seen.push(...rowsOf(answer).filter((row) => at(row, "currency") === "AAA"))
          if (typeof answer.body.nextCursor !== "string") break
          cursor = `&cursor=${textAt(answer, "nextCursor")}`
        }
        assert.deepStrictEqual(seen, rates)
        assertProblem(yield* send("GET", "/rate_cards?cursor=x"), 400, "cursor_invalid")
        assertProblem(yield* send("GET", `/audit_events?${cursor.slice(1)}`), 400, "cursor_invalid")
        assertStatus(yield* send("DELETE", "/rate_cards/AAA/2026-10-01"), 204)
      })
    )

    it.effect("each change is in the trail of the installation, with token and request, and filters select it", () =>
      Effect.gen(function* () {
        const { operatorToken, send } = yield* operator
        const requestId = yield* freshText("operator")
        yield* send("POST", "/rate_cards", {
          body: { rates: [rate("XAH"), rate("XAH", { country: "FR" })] },
          headers: { "x-request-id": requestId }
        })
        yield* send("DELETE", "/rate_cards/XAH/2026-10-01")
        const entries = (query: string) =>
          Effect.map(send("GET", `/audit_events?limit=100&actorId=${operatorToken.id}${query}`), rowsOf)
        const [removed, imported, ...others] = yield* entries("")
        assert.isEmpty(others)
        assert.deepStrictEqual(
          [removed, imported].map((row) => [at(row, "action"), at(row, "target", "id"), at(row, "actor")]),
          [
            ["rate_cards.removed", "XAH 2026-10-01", { kind: "operator_token", id: operatorToken.id }],
            ["rate_cards.imported", "XAH 2026-10-01", { kind: "operator_token", id: operatorToken.id }]
          ]
        )
        assert.deepStrictEqual([at(imported, "requestId"), at(imported, "after")], [requestId, { imported: 2 }])
        assert.deepStrictEqual(yield* entries("&action=rate_cards.removed"), [removed])
        assert.lengthOf(yield* entries("&targetKind=rate_cards&targetId=XAH%202026-10-01"), 2)
        assert.isEmpty(yield* entries("&targetKind=signing_key"))
        yield* send("POST", "/rate_cards", {
          body: { rates: [rate("XAI"), rate("XAI", { country: "FR" }), rate("XAI", { validFrom: "2027-01-01" })] }
        })
        const ofCard = yield* entries("&targetId=XAI%202027-01-01")
        assert.deepStrictEqual(
          ofCard.map((row) => at(row, "after")),
          [{ imported: 1 }]
        )
        assert.deepStrictEqual(
          (yield* entries("&targetId=XAI%202026-10-01")).map((row) => at(row, "after")),
          [{ imported: 2 }]
        )
        assert.isEmpty(yield* entries("&from=2027-01-01T00:00:00Z"))
        assert.isEmpty(yield* entries("&to=2020-01-01T00:00:00Z"))
      })
    )
  })
