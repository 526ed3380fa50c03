import { assert, layer } from "@effect/vitest"
import { type CurrentActor, type CurrentOrganization, Locks } from "@parley/domain/kernel"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import {
  type Automation,
  AutomationId,
  Automations,
  createAutomation,
  createSchedule,
  deleteAutomation,
  disableAutomation,
  enableAutomation,
  getAutomation,
  listAutomations,
  updateAutomation
} from "@parley/domain/automation"
import { listEvents, type Ports } from "@parley/domain/composition"
import { asOperatorOf, asOwnerOf, givenOrganization, newAutomations, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

type Inside = Ports | CurrentActor | CurrentOrganization

const onGrowth = givenOrganization({ plan: "growth" })

const put = (organization: Organization, plan: Organization["plan"]) =>
  setOrganizationPlan({ plan }).pipe(asOperatorOf(organization))

const eventTypes = Effect.map(listEvents({ page: { limit: 100, cursor: null } }), ({ data }) =>
  data.map(({ event }) => event.event.type).filter((type) => type.startsWith("automation."))
)

const complete = {
  when: { event: "message.received" },
  then: [{ type: "set_priority", priority: "high" }]
} as const

layer(TestKit.layer)("automations", (it) => {
  it.effect.prop("are saved switched off, and read as they were saved", { input: newAutomations }, ({ input }) =>
    Effect.gen(function* () {
      const organization = yield* onGrowth
      yield* Effect.gen(function* () {
        const created = yield* createAutomation(input)
        assert.deepStrictEqual([created.name, created.enabled, created.version], [input.name, false, 1])
        const read = yield* getAutomation({ id: created.id })
        assert.deepStrictEqual([read.id, read.name], [created.id, input.name])
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("are refused by a plan without them, which says where they are to be had", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const refusal = yield* Effect.flip(
        createAutomation({ name: "Welcome", ...complete }).pipe(asOwnerOf(organization))
      )
      if (refusal._tag !== "FeatureNotInPlan") return assert.fail(refusal._tag)
      assert.deepStrictEqual(
        [refusal.feature, refusal.plan, Array.from(refusal.availableIn)],
        ["automations", "free", ["growth", "scale"]]
      )
    })
  )

  it.effect("can be read and not changed on a plan that lost them, and changed again when it has them back", () =>
    Effect.gen(function* () {
      const organization = yield* onGrowth
      const asOwner = asOwnerOf(organization)
      const { id } = yield* createAutomation({ name: "Welcome", ...complete }).pipe(asOwner)
      yield* put(organization, "free")
      const writes: ReadonlyArray<Effect.Effect<void, { readonly _tag: string }, Inside>> = [
        createAutomation({ name: "Second", ...complete }).pipe(
          Effect.asVoid,
          Effect.catchTag("PlanLimitReached", Effect.die)
        ),
        Effect.asVoid(updateAutomation({ id, name: "After", ifVersion: null })),
        Effect.asVoid(enableAutomation({ id, ifVersion: null })),
        Effect.asVoid(disableAutomation({ id, ifVersion: null })),
        deleteAutomation({ id, ifVersion: null })
      ]
      for (const write of writes) assert.strictEqual(yield* tagOf(write).pipe(asOwner), "FeatureNotInPlan")
      assert.strictEqual((yield* getAutomation({ id }).pipe(asOwner)).name, "Welcome")
      assert.lengthOf((yield* listAutomations({ page: { limit: 10, cursor: null } }).pipe(asOwner)).data, 1)
      yield* put(organization, "scale")
      for (const write of writes) assert.strictEqual(yield* tagOf(write).pipe(asOwner), "ok")
    })
  )

  it.effect("change name and switch, and say when", () =>
    Effect.gen(function* () {
      const organization = yield* onGrowth
      yield* Effect.gen(function* () {
        const created = yield* createAutomation({ name: "Welcome", ...complete })
        yield* TestClock.adjust("1 minute")
        const renamed = yield* updateAutomation({ id: created.id, name: "Hello", ifVersion: 1 })
        yield* TestClock.adjust("1 minute")
        const enabled = yield* enableAutomation({ id: created.id, ifVersion: 2 })
        const disabled = yield* disableAutomation({ id: created.id, ifVersion: 3 })
        const minutes = ({ updatedAt }: Pick<Automation, "updatedAt">) =>
          (DateTime.toEpochMillis(updatedAt) - DateTime.toEpochMillis(created.createdAt)) / 60_000
        assert.deepStrictEqual(
          [renamed, enabled, disabled].map((each) => [each.name, each.enabled, each.version, minutes(each)]),
          [
            ["Hello", false, 2, 1],
            ["Hello", true, 3, 2],
            ["Hello", false, 4, 2]
          ]
        )
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("lock their dependencies against deletion while they are saved", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { id: key } = yield* createSchedule({ name: "Hours", weekly: {} }).pipe(asOwnerOf(organization))
      const taken: Array<string> = []
      const noting = Effect.updateService(Locks, (locks) =>
        Locks.of({
          ...locks,
          exclusive: (name) =>
            Effect.andThen(
              locks.exclusive(name),
              Effect.sync(() => taken.push(name))
            )
        })
      )
      const { id } = yield* createAutomation({ name: "Plain" }).pipe(asOwnerOf(organization), noting)
      assert.deepStrictEqual(new Set(taken), new Set(["automations"]))
      const named = { if: { field: "schedule", key, op: "is", value: "open" } }
      yield* updateAutomation({ id, ...named, ifVersion: null }).pipe(asOwnerOf(organization), noting)
      assert.deepStrictEqual(taken.slice(-2), ["automations", "schedules"])
      taken.length = 0
      yield* createAutomation({ name: "Named", ...named }).pipe(asOwnerOf(organization), noting)
      assert.deepStrictEqual([...new Set(taken)], ["automations", "schedules"])
    })
  )

  it.effect("change at the expected version only, when one is expected", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const { id } = yield* createAutomation({ name: "Welcome", ...complete })
        yield* updateAutomation({ id, name: "Hello", ifVersion: null })
        const stale = [
          yield* Effect.flip(updateAutomation({ id, name: "X", ifVersion: 1 })),
          yield* Effect.flip(enableAutomation({ id, ifVersion: 1 })),
          yield* Effect.flip(disableAutomation({ id, ifVersion: 1 })),
          yield* Effect.flip(deleteAutomation({ id, ifVersion: 1 }))
        ]
        for (const error of stale) {
          assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
        }
        assert.strictEqual(yield* tagOf(deleteAutomation({ id, ifVersion: 2 })), "ok")
        assert.strictEqual(yield* tagOf(getAutomation({ id })), "NotFound")
      }).pipe(asOwnerOf(yield* onGrowth))
    })
  )

  it.effect("keep all of several concurrent changes", () =>
    Effect.gen(function* () {
      const organization = yield* onGrowth
      const real = yield* Automations
      const slow = Automations.of({ ...real, get: (id) => Effect.tap(real.get(id), Effect.yieldNow) })
      const { id } = yield* createAutomation({ name: "Before", ...complete }).pipe(asOwnerOf(organization))
      yield* Effect.all(
        [updateAutomation({ id, name: "After", ifVersion: null }), enableAutomation({ id, ifVersion: null })],
        {
          concurrency: "unbounded"
        }
      ).pipe(Effect.provideService(Automations, slow), asOwnerOf(organization))
      const { enabled, name, version } = yield* getAutomation({ id }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual([name, enabled, version], ["After", true, 3])
    })
  )

  it.effect("publish one event per change, and none for a change without effect", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const { id } = yield* createAutomation({ name: "Welcome", ...complete })
        yield* disableAutomation({ id, ifVersion: null })
        yield* enableAutomation({ id, ifVersion: null })
        yield* enableAutomation({ id, ifVersion: null })
        yield* Effect.flip(updateAutomation({ id, name: "X", ifVersion: 999 }))
        yield* deleteAutomation({ id, ifVersion: null })
        assert.deepStrictEqual(yield* eventTypes, ["automation.created", "automation.enabled", "automation.deleted"])
      }).pipe(asOwnerOf(yield* onGrowth))
    })
  )

  it.effect("of another organization are out of reach", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* onGrowth, yield* onGrowth]
      const { id } = yield* createAutomation({ name: "Welcome", ...complete }).pipe(asOwnerOf(mine))
      for (const target of [id, AutomationId.make("01990000-0000-7000-8000-00000000dead")]) {
        const tags = Effect.all([
          tagOf(getAutomation({ id: target })),
          tagOf(updateAutomation({ id: target, name: "X", ifVersion: null })),
          tagOf(enableAutomation({ id: target, ifVersion: null })),
          tagOf(disableAutomation({ id: target, ifVersion: 1 })),
          tagOf(deleteAutomation({ id: target, ifVersion: null }))
        ])
        assert.deepStrictEqual(new Set(yield* tags.pipe(asOwnerOf(other))), new Set(["NotFound"]))
      }
      assert.strictEqual((yield* getAutomation({ id }).pipe(asOwnerOf(mine))).version, 1)
    })
  )

  it.effect("are listed newest first, page after page", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const created = yield* Effect.forEach(["a", "b", "c"], (name) => createAutomation({ name, ...complete }))
        const one = yield* listAutomations({ page: { limit: 2, cursor: null } })
        const two = yield* listAutomations({ page: { limit: 2, cursor: one.nextCursor } })
        assert.deepStrictEqual(
          [...one.data, ...two.data].map(({ id }) => id),
          created.map(({ id }) => id).toReversed()
        )
        assert.isNull(two.nextCursor)
      }).pipe(asOwnerOf(yield* onGrowth))
    })
  )
})
