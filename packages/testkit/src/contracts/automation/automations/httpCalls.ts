import { assert } from "@effect/vitest"
import { AutomationRunId, HttpCallId, HttpCalls, type StoredHttpCall } from "@parley/domain/automation"
import { ContactId } from "@parley/domain/crm"
import { transact } from "@parley/domain/kernel"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const origin = "https://api.example.com"

const newCall = (overrides: Partial<StoredHttpCall> = {}): StoredHttpCall => ({
  id: freshId(HttpCallId),
  origin,
  key: "run:step:1",
  caller: "automation",
  runId: freshId(AutomationRunId),
  contactId: null,
  request: {
    method: "PUT",
    url: `${origin}/customers/1`,
    headers: { "X-Team": "orders" },
    body: { json: { words: "“north” 🎉", none: null } },
    timeoutSeconds: 10,
    webhookSubscriptionId: null
  },
  state: "pending",
  output: null,
  error: null,
  tries: 0,
  dueAt: at("10:00:00.000"),
  at: at("09:00:00.000"),
  ...overrides
})

const inOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const httpCalls: StorageContract = {
  port: "HttpCalls",
  promises: (it) => {
    it.effect("stores a call once with its answer, for its organization only", () =>
      Effect.gen(function* () {
        const calls = yield* HttpCalls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const call = newCall({ contactId: freshId(ContactId) })
        const settled: StoredHttpCall = {
          ...call,
          state: "failed",
          output: { status: 404, body: { list: [1, null] } },
          error: { code: "http_status", message: "The server answered 404." },
          tries: 2,
          dueAt: null
        }
        yield* Effect.gen(function* () {
          assert.isTrue(yield* transact(calls.add(call)))
          assert.isFalse(yield* transact(calls.add({ ...call, request: null })))
          assert.deepStrictEqual(yield* calls.find([call.id, freshId(HttpCallId)]), [call])
          yield* transact(calls.save(settled))
          assert.deepStrictEqual(yield* transact(calls.lock(call.id)), settled)
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* calls.find([call.id]), [])
          assert.strictEqual((yield* Effect.flip(transact(calls.lock(call.id))))._tag, "NotFound")
          yield* transact(calls.save(call))
          yield* transact(calls.blank([call.contactId ?? ""]))
          assert.strictEqual(yield* calls.sweep(at("23:00:00.000"), 10), 0)
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* calls.find([call.id]).pipe(inside(one)), [settled])
      })
    )

    it.effect("lists due calls to an origin, earliest first", () =>
      Effect.gen(function* () {
        const calls = yield* HttpCalls
        const late = newCall({ dueAt: at("10:00:02.000") })
        const early = newCall({ dueAt: at("10:00:01.000") })
        const ended = newCall({ dueAt: null, state: "done" })
        for (const call of [late, early, ended, newCall({ origin: "https://other.example" })]) {
          yield* transact(calls.add(call))
        }
        const due = (time: string, limit = 10) =>
          Effect.map(calls.due(origin, at(time), limit), (all) => all.map(({ id }) => id))
        assert.deepStrictEqual(yield* due("10:00:00.999"), [])
        assert.deepStrictEqual(yield* due("10:00:02.000"), [early.id, late.id])
        assert.deepStrictEqual(yield* due("10:00:02.000", 1), [early.id])
        assert.deepStrictEqual(yield* calls.nextDue(origin), at("10:00:01.000"))
        assert.isNull(yield* calls.nextDue("https://third.example"))
      }).pipe(inOrganization)
    )

    it.effect("deletes ended calls, and blanks contact data", () =>
      Effect.gen(function* () {
        const calls = yield* HttpCalls
        const contactId = freshId(ContactId)
        const output = { status: 200, body: { name: "Ada" } }
        const ended = newCall({ dueAt: null, state: "done", contactId, output })
        const pending = newCall({ contactId, at: at("11:00:00.000") })
        const other = newCall({ contactId: freshId(ContactId) })
        for (const call of [ended, pending, other]) yield* transact(calls.add(call))
        yield* transact(calls.blank([contactId]))
        const blank = { contactId: null, request: null, output: null, dueAt: null }
        assert.deepStrictEqual(yield* calls.find([ended.id]), [{ ...ended, ...blank }])
        assert.deepStrictEqual(yield* calls.find([pending.id]), [{ ...pending, ...blank, state: "failed" }])
        assert.deepStrictEqual(yield* calls.find([other.id]), [other])
        assert.strictEqual(yield* calls.sweep(at("09:00:00.000"), 10), 0)
        assert.strictEqual(yield* calls.sweep(at("09:00:00.001"), 10), 1)
        assert.deepStrictEqual(yield* calls.find([ended.id]), [])
        assert.lengthOf(yield* calls.find([pending.id, other.id]), 2)
      }).pipe(inOrganization)
    )
  }
}
