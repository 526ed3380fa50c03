import { assert, layer } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import { eraseContact } from "@parley/domain/crm"
import { listPluginCalls, type PluginCallLog } from "@parley/domain/integrations"
import { actingIn, asOperatorOf, givenContact, MemoryReceivers, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, ask, begun, saying, type Started, started } from "./actionCalls.ts"
import { disabled } from "./given.ts"

const { refused } = MemoryReceivers

const page = { limit: 10, cursor: null }

const callsOf = ({ organization, plugin }: Started, filter: Partial<Parameters<typeof listPluginCalls>[0]> = {}) =>
  listPluginCalls({ id: plugin.id, page, ...filter }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data)
  )

const callsFor = ({ organization, plugin }: Started, permissions: ReadonlyArray<Permission>) =>
  listPluginCalls({ id: plugin.id, page }).pipe(
    actingIn(organization, {
      kind: "plugin",
      pluginId: plugin.id,
      tokenId: "01934b92-3e4f-7a51-8c6d-7e8f90123456" as never,
      permissions: new Set<Permission>(["plugins.read", ...permissions])
    }),
    Effect.map(({ data }) => data)
  )

const resultsOf = ({ log }: PluginCallLog) => log.map(({ error, number, status }) => ({ number, status, error }))

layer(TestKit.layer)("the calls of a plugin", (it) => {
  it.effect("show each request with its time, its headers, its digest and its answer", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, { ...refused, status: null, error: "timeout", text: null })
      const id = yield* begun(world)
      yield* ask
      const requestedAt = yield* DateTime.now
      yield* TestClock.adjust("5 seconds")
      yield* answers(world.url, saying(200, { output: { total: 1 }, token: "secret" }))
      yield* ask
      const [call] = yield* callsOf(world)
      assert.deepInclude(call, {
        id,
        action: "add_points",
        caller: "workflow",
        runId: "run",
        state: "done",
        error: null
      })
      const [second, first] = call?.log ?? []
      assert.deepInclude(first, { number: 1, at: requestedAt, status: null, error: "timeout", response: null })
      assert.deepInclude(second, { number: 2, at: DateTime.add(requestedAt, { seconds: 5 }), status: 200, error: null })
      assert.deepStrictEqual(second?.request?.headers, {
        "webhook-id": "run:step:1",
        "webhook-signature": "[redacted]"
      })
      assert.strictEqual(second?.response?.body, '{"output":{"total":1},"token":[redacted]}')
    })
  )

  it.effect("hide requests and answers from callers without the permissions of their content", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(200, { output: { total: 1 } }))
      yield* begun(world)
      yield* ask
      const [hidden] = yield* callsFor(world, ["contacts.read", "conversations.read"])
      assert.deepInclude(hidden?.log[0], { status: 200, request: null, response: null })
      const [shown] = yield* callsFor(world, ["contacts.read", "conversations.read", "commerce.read"])
      assert.isNotNull(shown?.log[0]?.request)
      assert.isNotNull(shown?.log[0]?.response)
    })
  )

  it.effect("hide the message of the plugin, which can repeat the request, from the same callers", () =>
    Effect.gen(function* () {
      const world = yield* started
      const error = { code: "no_points", message: "3 points of order 1042" }
      yield* answers(world.url, saying(422, { error }))
      yield* begun(world)
      yield* ask
      const [hidden] = yield* callsFor(world, ["contacts.read", "conversations.read"])
      assert.deepInclude(hidden, { state: "failed", error: null })
      const [shown] = yield* callsFor(world, ["contacts.read", "conversations.read", "commerce.read"])
      assert.deepStrictEqual(shown?.error, {
        code: "plugin_refused",
        pluginCode: error.code,
        message: error.message
      })
    })
  )

  it.effect("contain no request that was not sent, and none about an erased contact", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { id: contactId } = yield* givenContact(world.organization)
      yield* answers(world.url, saying(202, {}))
      yield* begun(world, "workflow", { contactId })
      yield* ask
      assert.deepStrictEqual((yield* callsOf(world)).map(resultsOf), [[{ number: 1, status: 202, error: null }]])
      yield* eraseContact({ id: contactId, ifVersion: null }).pipe(asOperatorOf(world.organization))
      const [erased] = yield* callsOf(world)
      assert.deepInclude(erased, { state: "failed", contactId: null, log: [] })
      yield* begun(world, "workflow", { key: "run:step:2" })
      yield* disabled(world.organization, world.plugin.id)
      yield* ask
      const unsent = yield* callsOf(world, { state: ["failed"] })
      assert.deepStrictEqual(unsent.map(resultsOf), [[], []])
    })
  )
})
