import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import {
  type Actor,
  AutomationTokenId,
  checkAccess,
  CurrentActor,
  CurrentOrganization,
  FeatureGate,
  FeatureNotInPlan,
  Ids,
  isUseCase,
  OrganizationId,
  type Permission,
  type PermissionDenied,
  type Reach,
  requireReach,
  SessionId,
  useCase,
  UserId
} from "@parley/domain/kernel"
import { Effect, Exit, Layer, Redacted } from "effect"

const id = "01990000-0000-7000-8000-000000000001"

class OwnError {
  readonly _tag = "OwnError"
}

const run = (ran: Array<number>) =>
  Effect.fnUntraced(function* ({ number }: { readonly number: number }) {
    ran.push(number)
    const made = yield* (yield* Ids).next
    if (number < 0) return yield* Effect.fail(new OwnError())
    return `${made} ${number}`
  })

const ids = Layer.succeed(
  Ids,
  Ids.of({
    next: Effect.succeed("made"),
    secret: () => Effect.succeed(Redacted.make("secret")),
    derived: () => Effect.succeed("derived")
  })
)

const gateThat = (lets: boolean) =>
  Layer.succeed(
    FeatureGate,
    FeatureGate.of({
      require: (feature) =>
        lets ? Effect.void : Effect.fail(new FeatureNotInPlan({ feature, plan: "free", availableIn: ["growth"] }))
    })
  )

const user = (...permissions: ReadonlyArray<"members.read" | "automations.manage">): Actor => ({
  kind: "user",
  userId: UserId.make(id),
  sessionId: SessionId.make(id),
  role: "agent",
  permissions: new Set(permissions)
})

const token = (...permissions: ReadonlyArray<"members.read" | "automations.manage">): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

const operator: Actor = { kind: "operator", name: "root" }
const system: Actor = { kind: "system", name: "jobs" }

const inside = Effect.provideService(CurrentOrganization, { id: OrganizationId.make(id) })

const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ran", onFailure: ({ _tag }) => _tag })

describe("useCase", () => {
  it("exposes its declaration", () => {
    const made = useCase({ name: "area.verb", access: { permission: "members.read" }, feature: "plugins" }, run([]))
    assert.isTrue(isUseCase(made))
    assert.deepStrictEqual(made.declaration, {
      name: "area.verb",
      access: { permission: "members.read" },
      feature: "plugins"
    })
    for (const other of [run, {}, null, undefined, "useCase", { declaration: {} }]) assert.isFalse(isUseCase(other))
  })

  it.effect("with public access runs for every caller without an actor", () =>
    Effect.gen(function* () {
      const made = useCase({ name: "area.verb", access: "public" }, run([]))
      expectTypeOf(made).returns.toEqualTypeOf<Effect.Effect<string, OwnError, Ids>>()
      assert.strictEqual(yield* made({ number: 7 }).pipe(Effect.provide(ids)), "made 7")
      assert.strictEqual((yield* made({ number: -1 }).pipe(Effect.provide(ids), Effect.flip))._tag, "OwnError")
    })
  )

  it.effect("with public access and a feature checks the plan alone", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const made = useCase({ name: "area.verb", access: "public", feature: "automations" }, run(ran))
      expectTypeOf(made).returns.toEqualTypeOf<
        Effect.Effect<string, OwnError | FeatureNotInPlan, Ids | FeatureGate | CurrentOrganization | CurrentActor>
      >()
      const call = (lets: boolean) =>
        outcome(made({ number: 1 })).pipe(
          inside,
          Effect.provideService(CurrentActor, user()),
          Effect.provide(Layer.merge(ids, gateThat(lets)))
        )
      assert.strictEqual(yield* call(false), "FeatureNotInPlan")
      assert.deepStrictEqual(ran, [])
      assert.strictEqual(yield* call(true), "ran")
    })
  )

  it.effect("for signed-in users runs for users only", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const made = useCase({ name: "area.verb", access: "user" }, run(ran))
      expectTypeOf(made).returns.toEqualTypeOf<Effect.Effect<string, OwnError | PermissionDenied, Ids | CurrentActor>>()
      const as = (actor: Actor) =>
        outcome(made({ number: 1 })).pipe(Effect.provideService(CurrentActor, actor), Effect.provide(ids))
      for (const actor of [token("members.read"), operator, system]) {
        assert.strictEqual(yield* as(actor), "PermissionDenied")
      }
      assert.deepStrictEqual(ran, [], "who is refused sets nothing going")
      assert.strictEqual(yield* as(user()), "ran")
    })
  )

  it.effect("for operators runs for operators and the service only", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const made = useCase({ name: "area.verb", access: "operator" }, run(ran))
      expectTypeOf(made).returns.toEqualTypeOf<Effect.Effect<string, OwnError | PermissionDenied, Ids | CurrentActor>>()
      const as = (actor: Actor) =>
        outcome(made({ number: 1 })).pipe(Effect.provideService(CurrentActor, actor), Effect.provide(ids))
      for (const actor of [user("members.read", "automations.manage"), token("members.read")]) {
        assert.strictEqual(yield* as(actor), "PermissionDenied")
      }
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual([yield* as(operator), yield* as(system)], ["ran", "ran"])
    })
  )

  it.effect("behind a permission runs for callers with it, and names it to others", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const made = useCase({ name: "area.verb", access: { permission: "members.read" } }, run(ran))
      expectTypeOf(made).returns.toEqualTypeOf<Effect.Effect<string, OwnError | PermissionDenied, Ids | CurrentActor>>()
      const call = (actor: Actor) =>
        made({ number: 1 }).pipe(Effect.provideService(CurrentActor, actor), Effect.provide(ids))
      for (const actor of [user(), user("automations.manage"), token(), token("automations.manage")]) {
        const error = yield* Effect.flip(call(actor))
        assert.strictEqual(error._tag === "PermissionDenied" ? error.permission : error._tag, "members.read")
      }
      assert.deepStrictEqual(ran, [])
      for (const actor of [user("members.read"), token("members.read"), operator, system]) {
        assert.strictEqual(yield* outcome(call(actor)), "ran")
      }
    })
  )

  it.effect("checks the access of the first use case of an effect without its body", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const made = useCase({ name: "area.verb", access: { permission: "members.read" } }, run(ran))
      const check = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>, actor: Actor) =>
        outcome(checkAccess(effect)).pipe(Effect.provideService(CurrentActor, actor), Effect.provide(ids))
      const twice = Effect.andThen(made({ number: 1 }), made({ number: 2 }))
      assert.strictEqual(yield* check(twice, user()), "PermissionDenied")
      assert.strictEqual(yield* check(twice, user("members.read")), "ran")
      assert.strictEqual(
        yield* check(useCase({ name: "area.verb", access: "public" }, run(ran))({ number: 1 }), user()),
        "ran"
      )
      assert.deepStrictEqual(ran, [])
      const without = yield* Effect.exit(check(Effect.void, user()))
      assert.isTrue(Exit.isFailure(without))
    })
  )

  it.effect("behind a permission and a plan reveals the plan to callers with the permission only", () =>
    Effect.gen(function* () {
      const ran: Array<number> = []
      const declaration = { access: { permission: "automations.manage" }, feature: "automations" } as const
      const made = useCase({ name: "area.verb", ...declaration }, run(ran))
      expectTypeOf(made).returns.toEqualTypeOf<
        Effect.Effect<
          string,
          OwnError | PermissionDenied | FeatureNotInPlan,
          Ids | FeatureGate | CurrentOrganization | CurrentActor
        >
      >()
      const call = (actor: Actor, lets: boolean) =>
        outcome(made({ number: 1 })).pipe(
          inside,
          Effect.provideService(CurrentActor, actor),
          Effect.provide(Layer.merge(ids, gateThat(lets)))
        )
      const manager = user("automations.manage")
      assert.strictEqual(yield* call(user(), false), "PermissionDenied")
      assert.strictEqual(yield* call(user(), true), "PermissionDenied")
      assert.strictEqual(yield* call(manager, false), "FeatureNotInPlan")
      assert.strictEqual(yield* call(operator, false), "FeatureNotInPlan")
      assert.deepStrictEqual(ran, [])
      assert.strictEqual(yield* call(manager, true), "ran")
    })
  )

  it.effect("refuses the first missing permission that a definition reaches", () =>
    Effect.gen(function* () {
      const made = useCase(
        { name: "area.verb", access: { permission: "members.read" }, actsThrough: "workflow" },
        ({ needs }: { readonly needs: ReadonlyArray<Permission> }) => Effect.as(requireReach(needs), "ran")
      )
      expectTypeOf(made).returns.toEqualTypeOf<Effect.Effect<string, PermissionDenied, CurrentActor>>()
      const call = (actor: Actor, ...needs: ReadonlyArray<Permission>) =>
        made({ needs }).pipe(
          Effect.provideService(CurrentActor, actor),
          Effect.catch(({ permission }) => Effect.succeed<string>(permission))
        )
      const reader = user("members.read")
      assert.strictEqual(yield* call(reader), "ran")
      assert.strictEqual(yield* call(reader, "members.read"), "ran")
      assert.strictEqual(yield* call(reader, "workflows.manage", "contacts.read"), "contacts.read")
      assert.strictEqual(yield* call(token("members.read", "automations.manage"), "automations.manage"), "ran")
      for (const actor of [operator, system]) assert.strictEqual(yield* call(actor, "workflows.manage"), "ran")
    })
  )

  it("does not compile with actsThrough alone, or with requireReach alone", () => {
    const silent = useCase({ name: "area.verb", access: "user", actsThrough: "plugin" }, () => Effect.void)
    expectTypeOf(silent).not.toBeFunction()
    const undeclared = useCase({ name: "area.verb", access: "user" }, () => requireReach(["contacts.read"]))
    expectTypeOf<Effect.Services<ReturnType<typeof undeclared>>>().toEqualTypeOf<CurrentActor | Reach>()
  })

  it("takes no argument or one input object", () => {
    const declaration = { name: "area.verb", access: "public" } as const
    const one = useCase(declaration, (_input: { readonly one: number }) => Effect.void)
    expectTypeOf(one).parameters.toEqualTypeOf<[{ readonly one: number }]>()
    const optional = useCase(declaration, (_input: { readonly one?: number } = {}) => Effect.void)
    expectTypeOf(optional).toBeCallableWith()
    expectTypeOf(optional).toBeCallableWith({ one: 1 })
    const none = useCase(declaration, () => Effect.void)
    expectTypeOf(none).parameters.toEqualTypeOf<[]>()
    // @ts-expect-error A use case takes an object, not a single value.
    useCase(declaration, (_one: string) => Effect.void)
    // @ts-expect-error A use case takes one argument.
    useCase(declaration, (_one: { readonly one: number }, _two: { readonly two: number }) => Effect.void)
  })

  it.effect("passes the input object on without a copy", () =>
    Effect.gen(function* () {
      const made = useCase({ name: "area.verb", access: "public" }, (input: object) => Effect.succeed(input))
      const input = { one: 1 }
      assert.strictEqual(yield* made(input), input)
    })
  )
})
