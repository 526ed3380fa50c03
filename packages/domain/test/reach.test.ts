import { assert, describe, it } from "@effect/vitest"
import { type Actor, Permission, UserId } from "@parley/domain/kernel"
import { createBroadcast } from "@parley/domain/campaigns"
import { createWorkflow, NodeId } from "@parley/domain/automation"
import { actingIn, TestKit } from "@parley/testkit"
import { givenWorld } from "@parley/testkit/fixtures"
import { Effect } from "effect"
import { reaching } from "./reaching.ts"
import { useCases } from "./useCases.ts"

/** Areas with acting definitions, by the first part of their use case names. */
const areas = new Set([
  "automation",
  "automationSettings",
  "broadcasts",
  "broadcastSettings",
  "jobs",
  "plugins",
  "webhookSubscriptions",
  "workflows"
])

const isRead = (permission: Permission) => permission.endsWith(".read")

/** Use cases of these areas that change something for members. */
const changing = useCases.filter(({ declaration: { access, name } }) => {
  const [area = ""] = name.split(".")
  return areas.has(area) && typeof access === "object" && !isRead(access.permission)
})

const acting = useCases.filter(({ declaration: { actsThrough = "nothing" } }) => actsThrough !== "nothing")

const person = (permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "delegate",
  for: { kind: "user", id: UserId.make("01990000-0000-7000-8000-000000000001") },
  permissions: new Set(permissions)
})

/** The permission of the use case. */
const ownOf = (name: string): ReadonlyArray<Permission> => {
  const access = useCases.find(({ declaration }) => declaration.name === name)?.declaration.access
  return typeof access === "object" ? [access.permission] : []
}

const outcome = Effect.fnUntraced(function* (name: string, lacking: Permission | null, everything: boolean) {
  const world = yield* givenWorld
  const prepare = reaching[name]
  if (prepare === undefined) return yield* Effect.die(new Error(`Nothing reaches through ${name}.`))
  const { call, needs } = yield* prepare(world)
  const held = everything ? Permission.literals : [...needs, ...ownOf(name)]
  const permissions = held.filter((permission) => permission !== lacking)
  return yield* Effect.match(call.pipe(actingIn(world.organization, person(permissions))), {
    onSuccess: () => "ok",
    onFailure: (error) => ("permission" in error ? `denied ${String(error.permission)}` : error._tag)
  })
})

const needsOf = Effect.fnUntraced(function* (name: string) {
  const made = yield* reaching[name]?.(yield* givenWorld) ?? Effect.die(new Error(`Nothing reaches through ${name}.`))
  return made.needs
})

const test = (name: string, body: () => Effect.Effect<void, never, Effect.Services<ReturnType<typeof outcome>>>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

describe("acting through definitions", () => {
  it("is declared by every changing use case of an acting area", () => {
    const silent = changing.filter(({ declaration }) => declaration.actsThrough === undefined)
    assert.deepStrictEqual(
      silent.map(({ declaration }) => declaration.name),
      []
    )
  })

  // These use cases stop, remove or rename, or reach only data that their caller can see.
  it("is declared as nothing by these use cases only", () => {
    const nothing = changing.filter(({ declaration }) => declaration.actsThrough === "nothing")
    assert.deepStrictEqual(
      nothing.map(({ declaration }) => declaration.name),
      [
        "automation.cancelRun",
        "automation.cancelRuns",
        "automation.delete",
        "automation.deleteTriggerUrl",
        "automation.disable",
        "broadcastSettings.update",
        "broadcasts.cancel",
        "broadcasts.delete",
        "broadcasts.exportRecipients",
        "broadcasts.pause",
        "broadcasts.unschedule",
        "jobs.cancel",
        "plugins.completeCall",
        "plugins.disable",
        "plugins.uninstall",
        "webhookSubscriptions.create",
        "webhookSubscriptions.delete",
        "webhookSubscriptions.disable",
        "workflows.cancelRun",
        "workflows.cancelRuns",
        "workflows.delete",
        "workflows.pause"
      ]
    )
  })

  it("has a test definition for every declaring use case", () => {
    assert.deepStrictEqual(
      Object.keys(reaching).toSorted(),
      acting.map(({ declaration }) => declaration.name)
    )
  })

  test("needs contacts.read for the time zone of contacts, because it shows the country of a number", () =>
    Effect.gen(function* () {
      const world = yield* givenWorld
      const nodeId = (name: string) => NodeId.make(name)
      const graph = (zone: "contact" | "organization") => ({
        entry: { next: nodeId("wait") },
        nodes: [
          { id: nodeId("wait"), kind: "wait" as const, until: { localTime: "09:00", zone }, next: nodeId("end") },
          { id: nodeId("end"), kind: "end" as const }
        ]
      })
      const draftWorkflow = (zone: "contact" | "organization") =>
        createWorkflow({ name: "Wait", graph: graph(zone) }).pipe(
          actingIn(world.organization, person(["workflows.manage"])),
          Effect.match({
            onSuccess: () => "ok",
            onFailure: (error) => ("permission" in error ? error.permission : error._tag)
          })
        )
      assert.strictEqual(yield* draftWorkflow("organization"), "ok")
      assert.strictEqual(yield* draftWorkflow("contact"), "contacts.read")
      const draftBroadcast = createBroadcast({ name: "Zone", schedule: { zone: "contact" } }).pipe(
        actingIn(world.organization, person(["broadcasts.manage"]))
      )
      assert.strictEqual((yield* Effect.flip(draftBroadcast))._tag, "PermissionDenied")
    }).pipe(Effect.orDie))

  for (const name of Object.keys(reaching).toSorted()) {
    test(`${name} is refused without any one permission that the definition reaches, and allowed with them alone`, () =>
      Effect.gen(function* () {
        for (const permission of yield* needsOf(name)) {
          assert.strictEqual(yield* outcome(name, permission, true), `denied ${permission}`)
        }
        assert.strictEqual(yield* outcome(name, null, false), "ok")
      }))
  }
})
