import { assert, describe, it } from "@effect/vitest"
import { consumeLog, type Organization, EventConsumers, runDueLanes } from "@parley/domain/platform"
import { createTag, tagContact } from "@parley/domain/crm"
import { pluginCallLaneWorker, PluginCallId, PluginCalls } from "@parley/domain/integrations"
import { createAutomation, enableAutomation, listAutomationRuns, performRuns } from "@parley/domain/automation"
import { layerEventConsumers } from "@parley/domain/composition"
import { aManifest, asOperatorOf, asOwnerOf, givenContact, givenOrganization, putPlugin } from "@parley/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { givenNodes } from "./support/nodes.ts"
import { somebodyWaits } from "./support/somebodyWaits.ts"

const slow = 60_000

/** Starts automations from logged events. */
const follow = (organization: Organization) =>
  Effect.gen(function* () {
    for (const consumer of (yield* EventConsumers).values()) {
      if (consumer.name === "automation.start_runs") yield* consumeLog(consumer)
    }
  }).pipe(asOperatorOf(organization), Effect.provide(layerEventConsumers))

/** A run of an automation with a pending plugin call, and its state. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: pluginId } = yield* putPlugin(organization, {
    manifest: { ...aManifest, baseUrl: `https://p${organization.id}.example` }
  })
  const { id: tagId } = yield* createTag({ name: "begin" }).pipe(asOwnerOf(organization))
  const { id: automationId } = yield* createAutomation({
    name: "Routine",
    when: { event: "contact.tagged", tagIds: [tagId] },
    then: [{ type: "plugin_action", pluginId, action: "add_points", input: { points: 3 } }]
  }).pipe(asOwnerOf(organization))
  yield* enableAutomation({ id: automationId, ifVersion: null }).pipe(asOwnerOf(organization))
  yield* follow(organization)
  const { id: contactId } = yield* givenContact(organization)
  yield* tagContact({ id: contactId, tags: [tagId] }).pipe(asOwnerOf(organization))
  yield* follow(organization)
  yield* performRuns
  const runs = listAutomationRuns({ id: automationId, state: null, page: { limit: 9, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data)
  )
  return { organization, runs }
})

/** Changes all runs, and keeps them locked until the signal. */
const holdRuns = (held: Deferred.Deferred<void>, go: Deferred.Deferred<void>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`UPDATE automation_runs SET revision = revision + 1`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(go)
      })
    )
  )

describe("the answer of a plugin", () => {
  it.effect(
    "counts also if the run changes at the same time: the plugin is not called again",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { organization, runs } = yield* Effect.provide(given, one)
        const [before] = yield* Effect.provide(runs, one)
        assert.strictEqual(before?.actions[0]?.state, "calling")
        const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holding = yield* holdRuns(held, go).pipe(Effect.provide(other), Effect.forkChild)
        yield* Deferred.await(held)
        const asking = yield* runDueLanes(pluginCallLaneWorker).pipe(Effect.provide(one), Effect.forkChild)
        yield* Effect.raceFirst(Fiber.await(asking), Effect.provide(somebodyWaits, other))
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(holding)
        yield* Fiber.join(asking)
        const [run] = yield* Effect.provide(runs, one)
        const [action] = run?.actions ?? []
        assert.strictEqual(action?.error?.code, "plugin_answer_invalid")
        const call = yield* Effect.flatMap(PluginCalls, (calls) =>
          calls.find(PluginCallId.make(before?.actions[0]?.effect?.id ?? ""))
        ).pipe(asOperatorOf(organization), Effect.provide(one))
        assert.deepStrictEqual([call?.state, call?.tries], ["failed", 1])
      }),
    slow
  )
})
