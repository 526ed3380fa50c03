import { assert } from "@effect/vitest"
import { PluginId, type Slice, transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  type PluginCallFilter,
  PluginCallId,
  PluginCallLog,
  PluginCalls,
  type StoredPluginCall
} from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { anAttempt } from "../../../fixtures/plugins.ts"
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
  log: [],
  ...overrides
})

const anyCall: PluginCallFilter = { state: null, action: null, runId: null, from: null, to: null }

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

    it.effect("lists calls of a plugin with their requests, latest first, and deletes old requests", () =>
      Effect.gen(function* () {
        const calls = yield* PluginCalls
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const pluginId = freshId(PluginId)
        const early = newCall(pluginId, { contactId: freshId(ContactId), runId: "first" })
        const late = newCall(pluginId, { at: at("09:00:01.000"), action: "look", state: "done", dueAt: null })
        const idsOf = (filter: Partial<PluginCallFilter>, slice: Slice = { limit: 9, after: null }) =>
          Effect.map(calls.list(pluginId, { ...anyCall, ...filter }, slice), (all) => all.map(({ id }) => id))
        yield* Effect.gen(function* () {
          for (const call of [early, late, newCall(freshId(PluginId))]) yield* transact(calls.add(call))
          assert.deepStrictEqual(yield* idsOf({}), [late.id, early.id])
          assert.deepStrictEqual(yield* idsOf({}, { limit: 1, after: null }), [late.id])
          const after = [DateTime.formatIso(late.at), late.id]
          assert.deepStrictEqual(yield* idsOf({}, { limit: 9, after }), [early.id])
          assert.deepStrictEqual(yield* idsOf({ state: ["done", "failed"] }), [late.id])
          assert.deepStrictEqual(yield* idsOf({ action: "look" }), [late.id])
          assert.deepStrictEqual(yield* idsOf({ runId: "first" }), [early.id])
          assert.deepStrictEqual(yield* idsOf({ from: late.at }), [late.id])
          assert.deepStrictEqual(yield* idsOf({ to: late.at }), [early.id])

          const log = [anAttempt(at("10:00:00.000")), anAttempt(at("10:00:05.000"))]
          yield* transact(calls.save({ ...early, log }))
          assert.deepStrictEqual((yield* calls.find(early.id))?.log, log)
          const [listed] = yield* calls.list(pluginId, { ...anyCall, to: late.at }, { limit: 1, after: null })
          const { action, caller, contactId, error, id, runId, state } = early
          const shown = { id, action, state, error, caller, runId, contactId, at: early.at, log: log.toReversed() }
          assert.deepStrictEqual(listed, new PluginCallLog(shown))
          assert.strictEqual(yield* calls.sweepLogs(at("10:00:05.000"), 10), 0)
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* idsOf({}), [])
          assert.strictEqual(yield* calls.sweepLogs(at("23:00:00.000"), 10), 0)
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* calls.sweepLogs(at("10:00:05.001"), 10), 1)
          assert.strictEqual(yield* calls.sweepLogs(at("10:00:05.001"), 10), 0)
          assert.deepStrictEqual(yield* calls.find(early.id), early)
        }).pipe(inside(one))
      })
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
        const awaiting = { state: "awaiting_completion", log: [anAttempt(at("11:00:00.000"))] } as const
        const awaited = newCall(pluginId, { contactId, ...awaiting, at: at("11:00:00.000") })
        for (const call of [ended, pending, asked, awaited]) yield* transact(calls.add(call))
        yield* transact(calls.blank([contactId]))
        const blank = { contactId: null, conversationId: null, input: null, output: null, dueAt: null, log: [] }
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
