import { assert, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, type Permission, type PluginId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { completePluginCall, PluginCalls } from "@parley/domain/integrations"
import { asOperatorOf, givenOrganization, MemoryReceivers, putPlugin, ReceiverScript, TestKit } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { answers, ask, begun, saying, type Started, started } from "./actionCalls.ts"
import { disabled, saidTo } from "./given.ts"

const { accepted, refused } = MemoryReceivers

const outcomeOf = ({ organization }: Started, id: Effect.Success<ReturnType<typeof begun>>) =>
  Effect.map(Effect.flatMap(PluginCalls, (calls) => calls.find(id)).pipe(asOperatorOf(organization)), (call) => [
    call?.state,
    call?.error?.code ?? call?.output
  ])

const asPlugin =
  (organization: Organization, pluginId: PluginId, permissions: ReadonlyArray<Permission> = []) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: organization.id }),
      Effect.provideService(CurrentActor, {
        kind: "plugin",
        pluginId,
        tokenId: "01934b92-3e4f-7a51-8c6d-7e8f90123456" as never,
        permissions: new Set(permissions)
      })
    )

layer(TestKit.layer)("an action of a plugin", (it) => {
  it.effect("is asked for once, signed, with a key for repetition and no secret", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(200, { output: { total: 10 } }))
      const id = yield* begun(world)
      assert.strictEqual(yield* begun(world), id)
      yield* ask
      const script = yield* ReceiverScript
      const [request, ...others] = script.posted(world.url)
      assert.lengthOf(others, 0)
      assert.strictEqual(request?.id, "run:step:1")
      assert.strictEqual(Redacted.value(request?.headers["idempotency-key"] ?? Redacted.make("")), "run:step:1")
      assert.isNotEmpty(request?.secrets)
      const [body] = yield* saidTo(world.url, world.organization)
      assert.deepInclude(body, {
        type: "plugin.action",
        pluginId: world.plugin.id,
        callId: id,
        action: "add_points",
        runId: "run",
        contactId: null,
        conversationId: null,
        input: { points: 3 },
        settings: { points: 7 }
      })
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["done", { total: 10 }])
    })
  )

  it.effect("is not called with invalid input, for an inactive plugin, or by an unknown name", () =>
    Effect.gen(function* () {
      const world = yield* started
      const wrong = yield* Effect.flip(begun(world, "workflow", { input: { points: "3" } }))
      assert.deepInclude(wrong, { errors: [{ pointer: "/input/points", message: "Expected the type integer" }] })
      assert.deepInclude(yield* Effect.flip(begun(world, "workflow", { action: "other" })), {
        reason: "plugin_action_unknown"
      })
      yield* disabled(world.organization, world.plugin.id)
      assert.deepInclude(yield* Effect.flip(begun(world)), { reason: "plugin_disabled" })
    })
  )

  it.effect.each([
    ["plugin_output_invalid", saying(200, { output: { total: "ten" } })],
    ["plugin_output_invalid", saying(200, {})],
    ["plugin_output_invalid", { ...accepted, status: 200, text: "<html>" }],
    ["plugin_output_invalid", { ...accepted, status: 200, text: null }],
    ["plugin_output_invalid", { ...accepted, status: 200, text: '{"output":{"total":1},"output":{"total":2}}' }],
    ["plugin_output_invalid", saying(200, { output: { total: 1, words: "\0" } })],
    ["plugin_refused", saying(422, { error: { code: "poor", message: "No points left." } })],
    ["plugin_refused", saying(422, { error: { code: "\0", message: "\ud800" } })],
    ["plugin_answer_invalid", saying(422, { error: "poor" })],
    ["plugin_answer_invalid", saying(404, {})],
    ["plugin_answer_invalid", { ...refused, status: 302, error: "redirected", text: "" }]
  ] as const)("ends directly with %s", ([code, answer]) =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, answer)
      const id = yield* begun(world)
      yield* ask
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["failed", code])
    })
  )

  it.effect.each([
    ["automation", 3],
    ["workflow", 6]
  ] as const)("is tried again where the plugin is away: for an %s %i times in all", ([caller, tries]) =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(503, {}))
      const id = yield* begun(world, caller)
      yield* ask
      for (const gap of ["5 seconds", "30 seconds", "2 minutes", "10 minutes", "1 hour", "1 day"] as const) {
        yield* TestClock.adjust(gap)
        yield* ask
      }
      const input = yield* saidTo(world.url, world.organization)
      assert.lengthOf(input, tries)
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["failed", "plugin_unreachable"])
    })
  )

  it.effect("succeeds with a later try, under the same key", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, { ...refused, status: null, error: "timeout", text: null })
      const id = yield* begun(world)
      yield* ask
      yield* answers(world.url, saying(200, { output: { total: 1 } }))
      yield* TestClock.adjust("5 seconds")
      yield* ask
      const script = yield* ReceiverScript
      assert.deepStrictEqual(
        script.posted(world.url).map((request) => [request.id, request.attempt]),
        [
          ["run:step:1", 1],
          ["run:step:1", 2]
        ]
      )
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["done", { total: 1 }])
    })
  )

  it.effect("that is answered later can be completed, for an automation and for a workflow", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(202, {}))
      const automated = yield* begun(world, "automation", { key: "run:step:a" })
      const awaited = yield* begun(world, "workflow", { key: "run:step:w" })
      yield* ask
      assert.deepStrictEqual(yield* outcomeOf(world, automated), ["awaiting_completion", null])
      assert.deepStrictEqual(yield* outcomeOf(world, awaited), ["awaiting_completion", null])
      const inName = asPlugin(world.organization, world.plugin.id)
      const wrong = yield* Effect.flip(inName(completePluginCall({ id: awaited, output: { total: "1" } })))
      assert.strictEqual(wrong._tag, "ValidationFailed")
      assert.strictEqual((yield* Effect.flip(inName(completePluginCall({ id: awaited }))))._tag, "ValidationFailed")
      yield* inName(completePluginCall({ id: awaited, output: { total: 1 } }))
      yield* inName(completePluginCall({ id: automated, output: { total: 3 } }))
      assert.deepStrictEqual(yield* outcomeOf(world, automated), ["done", { total: 3 }])
      assert.deepStrictEqual(yield* outcomeOf(world, awaited), ["done", { total: 1 }])
      const again = yield* Effect.flip(inName(completePluginCall({ id: awaited, output: { total: 2 } })))
      assert.strictEqual(again._tag, "PluginCallEnded")
    })
  )

  it.effect("that is never answered ends after a day", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(202, {}))
      const id = yield* begun(world)
      yield* ask
      yield* TestClock.adjust("24 hours")
      yield* ask
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["failed", "plugin_timeout"])
    })
  )

  it.effect("is completed by its own plugin or by callers with plugins.manage only", () =>
    Effect.gen(function* () {
      const world = yield* started
      yield* answers(world.url, saying(202, {}))
      const id = yield* begun(world)
      yield* ask
      const other = yield* putPlugin(world.organization)
      const input = { error: { code: "poor", message: "No points left." } }
      const byOther = yield* Effect.flip(asPlugin(world.organization, other.id)(completePluginCall({ id, ...input })))
      assert.strictEqual(byOther._tag, "NotFound")
      const elsewhere = yield* givenOrganization({ plan: "scale" })
      const outside = yield* Effect.flip(asPlugin(elsewhere, world.plugin.id)(completePluginCall({ id, ...input })))
      assert.strictEqual(outside._tag, "NotFound")
      yield* completePluginCall({ id, ...input }).pipe(asOperatorOf(world.organization))
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["failed", "plugin_refused"])
    })
  )

  it.effect("of a disabled plugin is not called any more", () =>
    Effect.gen(function* () {
      const world = yield* started
      const id = yield* begun(world)
      yield* disabled(world.organization, world.plugin.id)
      yield* ask
      assert.lengthOf(yield* saidTo(world.url, world.organization), 0)
      assert.deepStrictEqual(yield* outcomeOf(world, id), ["failed", "plugin_disabled"])
    })
  )
})
