import { assert } from "@effect/vitest"
import { PluginId, transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { type StoredPluginCall, PluginCallId, PluginCalls } from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const newCall = (pluginId: PluginId, overrides: Partial<StoredPluginCall> = {}): StoredPluginCall => ({
  id: freshId(PluginCallId),
  pluginId,
  action: "add_points",
  key: "run:step:1",
  caller: "workflow",
  runId: "run",
  contactId: null,
  conversationId: null,
  input: { points: 3, words: "“north” 🎉" },
  state: "pending",
  output: null,
  error: null,
  tries: 0,
  dueAt: at("10:00:00.000"),
  at: at("09:00:00.000"),
  ...overrides
})

export const pluginCalls: StorageContract = {
  port: "PluginCalls",
  promises: (it) => {
    it.effect("stores a call once with its result, for its organization only", () =>
      Effect.gen(function* () {
        const calls = yield* PluginCalls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const call = newCall(freshId(PluginId), { contactId: freshId(ContactId) })
        yield* Effect.gen(function* () {
          assert.isTrue(yield* transact(calls.add(call)))
          assert.isFalse(yield* transact(calls.add({ ...call, input: null })))
          assert.deepStrictEqual(yield* calls.find(call.id), call)
          const settled: StoredPluginCall = {
            ...call,
            state: "failed",
            output: [1],
            error: { code: "plugin_refused", pluginCode: "poor", message: "No points left." },
            tries: 2,
            dueAt: null
          }
          yield* transact(calls.save(settled))
          assert.deepStrictEqual(yield* transact(calls.lock(call.id)), settled)
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isNull(yield* calls.find(call.id))
          assert.strictEqual((yield* Effect.flip(transact(calls.lock(call.id))))._tag, "NotFound")
          yield* transact(calls.save(call))
          yield* transact(calls.blank([call.contactId ?? ""]))
          assert.strictEqual(yield* calls.sweep(at("23:00:00.000"), 10), 0)
        }).pipe(inside(other))
        assert.strictEqual((yield* calls.find(call.id).pipe(inside(one)))?.state, "failed")
      })
    )

    it.effect("lists due calls of a plugin, earliest first", () =>
      Effect.gen(function* () {
        const calls = yield* PluginCalls
        const pluginId = freshId(PluginId)
        const late = newCall(pluginId, { dueAt: at("10:00:02.000") })
        const early = newCall(pluginId, { dueAt: at("10:00:01.000") })
        const ended = newCall(pluginId, { dueAt: null, state: "done" })
        for (const call of [late, early, ended, newCall(freshId(PluginId))]) yield* transact(calls.add(call))
        const due = (time: string, limit = 10) =>
          Effect.map(calls.due(pluginId, at(time), limit), (all) => all.map(({ id }) => id))
        assert.deepStrictEqual(yield* due("10:00:00.999"), [])
        assert.deepStrictEqual(yield* due("10:00:02.000"), [early.id, late.id])
        assert.deepStrictEqual(yield* due("10:00:02.000", 1), [early.id])
        assert.deepStrictEqual(yield* calls.nextDue(pluginId), at("10:00:01.000"))
        assert.isNull(yield* calls.nextDue(freshId(PluginId)))
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )

    it.effect("deletes ended calls, and blanks contact data: no call contains it any more", () =>
      Effect.gen(function* () {
        const calls = yield* PluginCalls
        const pluginId = freshId(PluginId)
        const contactId = freshId(ContactId)
        const error = { code: "plugin_refused", pluginCode: "who", message: "Ada is unknown." } as const
        const ended = newCall(pluginId, { dueAt: null, state: "failed", contactId, output: 1, error })
        const pending = newCall(pluginId, { contactId: freshId(ContactId) })
        const asked = newCall(pluginId, { contactId, at: at("11:00:00.000") })
        const awaited = newCall(pluginId, { contactId, state: "awaiting_completion", at: at("11:00:00.000") })
        for (const call of [ended, pending, asked, awaited]) yield* transact(calls.add(call))
        yield* transact(calls.blank([contactId]))
        const blank = { contactId: null, conversationId: null, input: null, output: null, dueAt: null }
        assert.deepStrictEqual(yield* calls.find(ended.id), {
          ...ended,
          ...blank,
          error: { code: "plugin_refused", pluginCode: null, message: "" }
        })
        for (const call of [asked, awaited]) {
          assert.deepStrictEqual(yield* calls.find(call.id), { ...call, ...blank, state: "failed" })
        }
        assert.deepStrictEqual(
          (yield* calls.due(pluginId, at("12:00:00.000"), 9)).map(({ id }) => id),
          [pending.id]
        )
        assert.deepStrictEqual(yield* calls.find(pending.id), pending)
        assert.strictEqual(yield* calls.sweep(at("09:00:00.000"), 10), 0)
        assert.strictEqual(yield* calls.sweep(at("09:00:00.001"), 10), 1)
        assert.isNull(yield* calls.find(ended.id))
        assert.isNotNull(yield* calls.find(pending.id))
      }).pipe((effect) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect)))
    )
  }
}
