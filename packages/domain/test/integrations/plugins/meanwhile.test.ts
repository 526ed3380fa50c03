import { assert, layer } from "@effect/vitest"
import { NotFound, type PluginId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  disablePlugin,
  enablePlugin,
  PluginCatalogue,
  type PluginManifest,
  Plugins,
  uninstallPlugin,
  upgradePlugin
} from "@parley/domain/integrations"
import { aManifest, asOperatorOf, givenOrganization, MemoryReceivers, ReceiverScript, TestKit } from "@parley/testkit"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { installed, lifecycleUrl, pluginNow, saidTo, tellPlugins } from "./given.ts"

const { accepted, refused } = MemoryReceivers

const started = givenOrganization({ plan: "scale" })

/** Disables a plugin and enables it again before it has answered to the next call; that it answers so, and all after it otherwise. */
const restartedWithin = Effect.fnUntraced(function* (
  organization: Organization,
  id: PluginId,
  first: MemoryReceivers.ScriptedOutcome,
  then: MemoryReceivers.ScriptedOutcome
) {
  const restart = Effect.andThen(disablePlugin({ id, ifVersion: null }), enablePlugin({ id, ifVersion: null })).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  const context = yield* Effect.context<Effect.Services<typeof restart>>()
  let isFirst = true
  ;(yield* ReceiverScript).answer(lifecycleUrl, () => {
    const outcome = isFirst ? Effect.as(Effect.provide(restart, context), first) : Effect.succeed(then)
    isFirst = false
    return outcome
  })
})

layer(TestKit.layer)("a plugin that is disabled and enabled during a lifecycle call", (it) => {
  it.effect("does not fail by the response to the earlier call", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const script = yield* ReceiverScript
      script.answer(lifecycleUrl, () => Effect.succeed(refused))
      const { id } = yield* installed(organization)
      yield* tellPlugins
      yield* TestClock.adjust("5 seconds")
      yield* tellPlugins
      yield* TestClock.adjust("30 seconds")
      yield* restartedWithin(organization, id, refused, accepted)
      yield* tellPlugins
      yield* tellPlugins
      const now = yield* pluginNow(organization, id)
      assert.deepStrictEqual([now.status, now.lastError], ["enabled", null])
    })
  )

  it.effect("is not enabled by the response to the earlier call", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* restartedWithin(organization, id, accepted, refused)
      yield* tellPlugins
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 2)
      assert.strictEqual((yield* pluginNow(organization, id)).status, "installing")
    })
  )
})

layer(TestKit.layer)("a plugin that is uninstalled during a lifecycle call", (it) => {
  it.effect("logs no error, even when it is deleted between two reads", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      const plugins = yield* Plugins
      const faults: Array<unknown> = []
      const logger = Logger.make(({ cause, logLevel, message }) => {
        if (logLevel === "Error" || logLevel === "Warn") faults.push([message, cause])
      })
      // An uninstallation in another process holds the row. The row is visible first, and deleted after the lock.
      const leaving = Plugins.of({ ...plugins, lock: () => Effect.fail(new NotFound({ resource: "plugin" })) })
      yield* tellPlugins.pipe(Effect.provideService(Plugins, leaving), Effect.provide(Logger.layer([logger])))
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 1)
      yield* uninstallPlugin({ id, force: true, ifVersion: null }).pipe(asOperatorOf(organization), Effect.orDie)
      yield* Effect.provide(tellPlugins, Logger.layer([logger]))
      assert.deepStrictEqual(faults, [])
    })
  )
})

layer(TestKit.layer)("an upgrade to a version that does not call a setting secret any more", (it) => {
  it.effect("does not return the submitted secret: it must be entered again", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-unsealing"
      const { id } = yield* installed(organization, { key }, { apiKey: "s3cret", points: 3 })
      const offer = (version: string, settings: PluginManifest["settings"]) =>
        Effect.flatMap(PluginCatalogue, (catalogue) =>
          catalogue.put({
            manifest: { ...aManifest, key, version, ...(settings !== undefined && { settings }) },
            url: "https://acme.example/plugin.json"
          })
        )
      const upgrade = (input: Omit<Parameters<typeof upgradePlugin>[0], "id" | "ifVersion">) =>
        upgradePlugin({ id, ...input, ifVersion: null }).pipe(asOperatorOf(organization))
      const properties = { apiKey: { type: "string" }, points: { type: "integer" } }
      yield* offer("1.5.0", { type: "object", required: ["apiKey"], properties })
      const refusal = yield* Effect.flip(upgrade({ version: "1.5.0" }))
      assert.deepStrictEqual(
        refusal._tag === "ValidationFailed" ? refusal.errors.map(({ pointer }) => pointer) : refusal._tag,
        ["/settings/apiKey"]
      )
      yield* offer("1.6.0", { type: "object", properties })
      assert.deepStrictEqual((yield* upgrade({ version: "1.6.0" })).settings, { points: 3 })
      const hidden = { type: "object", properties: { apiKey: { type: "string", "x-parley-secret": true } } }
      yield* offer("1.7.0", { ...hidden })
      const sealed = yield* upgrade({ version: "1.7.0", settings: { apiKey: "n3w" } })
      assert.deepStrictEqual(sealed.settings, { apiKey: true, points: 3 })
      yield* offer("1.8.0", hidden)
      assert.deepStrictEqual((yield* upgrade({ version: "1.8.0" })).settings, { apiKey: true, points: 3 })
    })
  )
})
