import { assert, describe, expect, it } from "@effect/vitest"
import {
  type Actor,
  type Feature,
  OperatorScope,
  OperatorTokenId,
  Permission,
  type PlanName,
  Role,
  type UseCaseDeclaration
} from "@parley/domain/kernel"
import {
  authorize,
  issueAutomationToken,
  permissionsOfRole,
  setOrganizationPlan,
  TokenSigner,
  userActor
} from "@parley/domain/platform"
import { actingIn, actorOf, asOperatorOf, asPerson, givenMember, givenUser, operator, TestKit } from "@parley/testkit"
import { allFixtures, type FixtureCaller, fixtures, givenWorld, type World } from "@parley/testkit/fixtures"
import { DateTime, Effect } from "effect"
import { useCases } from "./useCases.ts"

const member = (role: Role) => (world: World) =>
  Effect.flatMap(givenMember(world.organization, role), (person) => actorOf(person, world.organization))

const stranger = () =>
  Effect.flatMap(givenUser(), (person) =>
    Effect.map(actorOf(person), (actor) => (actor.kind === "user" ? userActor(actor.userId, actor.sessionId) : actor))
  )

/** An automation token with every permission. */
const token = ({ organization, owner }: World) =>
  Effect.gen(function* () {
    const { token } = yield* issueAutomationToken({
      name: "All",
      permissions: ["organization.read", ...Permission.literals],
      expiresAt: DateTime.add(yield* DateTime.now, { days: 1 })
    }).pipe(asPerson(organization, owner))
    const claims = yield* (yield* TokenSigner).verify(token, ["automation"])
    if (claims.use !== "automation") return yield* Effect.die(new Error("The token is not an automation token."))
    return (yield* authorize(claims, organization.id)).actor
  }).pipe(Effect.orDie)

const operatorProgram = (scopes: ReadonlyArray<OperatorScope>): Actor => ({
  kind: "operator_token",
  tokenId: OperatorTokenId.make("0195b1a0-0000-7000-8000-00000000000f"),
  scopes: new Set(scopes)
})

const actors = {
  stranger,
  viewer: member("viewer"),
  agent: member("agent"),
  admin: member("admin"),
  owner: member("owner"),
  token,
  operator: () => Effect.succeed<Actor>(operator),
  operatorToken: () => Effect.succeed(operatorProgram(OperatorScope.literals))
} satisfies Record<FixtureCaller, unknown>

type Caller = FixtureCaller

const columns = ["stranger", "viewer", "agent", "admin", "owner", "token", "operator", "operatorToken"] as const

const isRole = (caller: Caller): caller is Role => Role.literals.some((role) => role === caller)

type Outcome = "yes" | "-" | "plan" | "own" | "limit"

/** Features of each plan, written manually: a mistake in the plan table fails this test. */
const features: Readonly<Record<PlanName, ReadonlyArray<Feature>>> = {
  free: [],
  growth: ["automations"],
  scale: ["automations", "workflows", "plugins"]
}

const isPermitted = ({ access, operatorScope }: UseCaseDeclaration, caller: Caller): boolean => {
  if (access === "public") return true
  if (caller === "operatorToken") return operatorScope !== undefined
  if (access === "user") return caller === "stranger" || isRole(caller)
  if (access === "plugin") return false
  if (access === "operator" || caller === "operator") return caller === "operator"
  if (caller === "token") return true
  return isRole(caller) && permissionsOfRole(caller).has(access.permission)
}

const expectedOutcome = (declaration: UseCaseDeclaration, caller: Caller, plan: PlanName): Outcome => {
  const { feature, name, ungatedFor } = declaration
  if (!isPermitted(declaration, caller)) return "-"
  const isExempt = ungatedFor === "operators" && caller === "operator"
  if (feature !== undefined && !features[plan].includes(feature) && !isExempt) return "plan"
  const fixture = fixtures.get(name)
  if (fixture?.overLimitOn.includes(plan) === true) return "limit"
  return fixture?.exceptions[caller] ?? "yes"
}

/** Error tags as the tables show them: refused, not in the plan, only for own resources, over a limit of the plan. */
const shorthands: Readonly<Record<string, string>> = {
  PermissionDenied: "-",
  FeatureNotInPlan: "plan",
  NotNoteAuthor: "own",
  PlanLimitReached: "limit"
}

const observedOutcome = Effect.fnUntraced(function* (name: string, caller: Caller, plan: PlanName) {
  const world = yield* givenWorld
  const actor = yield* actors[caller](world)
  const fixture = fixtures.get(name)
  if (fixture === undefined) return "no fixture"
  const { run } = yield* fixture.prepare({ ...world, caller: actor })
  yield* Effect.orDie(setOrganizationPlan({ plan }).pipe(asOperatorOf(world.organization)))
  return yield* Effect.match(run.pipe(actingIn(world.organization, actor)), {
    onSuccess: () => "yes",
    onFailure: ({ _tag }) => shorthands[_tag] ?? _tag
  })
})

/** The owner alone shows what the plan between the smallest and the largest lacks. */
const callersOn = (plan: PlanName): ReadonlyArray<Caller> => (plan === "growth" ? ["owner"] : columns)

interface Row {
  readonly name: string
  readonly caller: Caller
  readonly expected: Outcome
  readonly observed: string
}

const rowsOn = (plan: PlanName): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(
    Effect.forEach(useCases, ({ declaration }) =>
      Effect.forEach(callersOn(plan), (caller) =>
        Effect.map(observedOutcome(declaration.name, caller, plan), (observed) => ({
          name: declaration.name,
          caller,
          expected: expectedOutcome(declaration, caller, plan),
          observed
        }))
      ).pipe(Effect.provide(TestKit.layer))
    ),
    (rows) => rows.flat()
  )

/** Rows written manually, one cell for each column. They detect errors that declarations, tables and this test share. */
const oracle: ReadonlyArray<{ readonly name: string; readonly plan: PlanName; readonly cells: string }> = [
  { name: "identity.login", plan: "free", cells: "yes yes yes yes yes yes yes yes" },
  { name: "identity.updateMe", plan: "free", cells: "yes yes yes yes yes - - -" },
  { name: "identity.createOrganization", plan: "free", cells: "- - - - - - yes -" },
  { name: "identity.issueOperatorToken", plan: "free", cells: "- - - - - - yes -" },
  { name: "rateCards.import", plan: "free", cells: "- - - - - - yes yes" },
  { name: "identity.updateOrganization", plan: "free", cells: "- - - yes yes yes yes -" },
  { name: "contacts.list", plan: "free", cells: "- yes yes yes yes yes yes -" },
  { name: "contacts.create", plan: "free", cells: "- - yes yes yes yes yes -" },
  { name: "contacts.erase", plan: "free", cells: "- - - yes yes yes yes -" },
  { name: "conversations.list", plan: "free", cells: "- yes yes yes yes yes yes -" },
  { name: "messages.send", plan: "free", cells: "- - yes yes yes yes yes -" },
  { name: "notes.delete", plan: "free", cells: "- - own yes yes yes yes -" },
  { name: "notes.update", plan: "free", cells: "- - own own own own own -" },
  { name: "chatAccounts.connect", plan: "free", cells: "- - - yes yes yes yes -" },
  { name: "broadcasts.create", plan: "free", cells: "- - yes yes yes yes yes -" },
  { name: "orders.list", plan: "free", cells: "- yes yes yes yes yes yes -" },
  { name: "automation.create", plan: "free", cells: "- - - plan plan plan plan -" },
  { name: "automation.delete", plan: "free", cells: "- - - plan plan plan yes -" },
  { name: "automation.create", plan: "scale", cells: "- - - yes yes yes yes -" },
  { name: "workflows.publish", plan: "free", cells: "- - - plan plan plan plan -" },
  { name: "plugins.install", plan: "free", cells: "- - - plan plan plan plan -" },
  { name: "audit.list", plan: "free", cells: "- - - yes yes yes yes -" }
]

const accessOf = (access: UseCaseDeclaration["access"]) => (typeof access === "string" ? access : access.permission)

const columnsOfReference = [
  "Use case",
  "Access",
  "Operator scope",
  "Plan feature",
  ...Role.literals,
  "Audit action",
  "Events"
]

/** Reference page for readers. A change of a policy shows in its diff. */
const reference = () => {
  const rows = useCases.map(({ declaration }) => [
    declaration.name,
    accessOf(declaration.access),
    declaration.operatorScope ?? "",
    declaration.feature ?? "",
    ...Role.literals.map((role) => expectedOutcome(declaration, role, "scale").replace("-", "")),
    declaration.audit ?? "",
    declaration.emits?.join(", ") ?? ""
  ])
  const widths = columnsOfReference.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  return [
    "# Access to use cases",
    "",
    "`packages/domain/test/access.test.ts` writes this page from the declarations and checks each row with real calls.",
    "",
    "- **Access**: `public`, any signed-in `user`, a `plugin` about itself, `operator` of the installation, or the permission that the caller needs.",
    "- **Operator scope**: an operator token with this scope may use it. Without a scope, no operator token may.",
    "- **Roles**: `yes` is allowed, `own` is allowed for resources that the caller made, empty is refused.",
    "- `identity.getAvailability` and `identity.setAvailability`: members may use them for themselves.",
    "- `contacts.listRuns`: the caller also needs `automations.read` or `workflows.read`. The list contains only runs of this kind.",
    "- **Events**: one call appends these events. Later work, such as a delivery, can append more.",
    "",
    line(columnsOfReference),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map(line),
    ""
  ].join("\n")
}

describe("access", () => {
  it("has a fixture for every use case", () => {
    assert.deepStrictEqual(
      allFixtures.map(({ declaration }) => declaration.name).toSorted(),
      useCases.map(({ declaration }) => declaration.name),
      "Add the missing use cases to a file in packages/testkit/src/fixtures/<folder>/."
    )
  })

  it("names each use case once", () => {
    const names = useCases.map(({ declaration }) => declaration.name)
    assert.deepStrictEqual(names, Array.from(new Set(names)))
  })

  it.effect.each(["free", "growth", "scale"] as const)("follows declaration, role and plan on the plan %s", (plan) =>
    Effect.map(rowsOn(plan), (rows) => {
      assert.strictEqual(rows.length, useCases.length * callersOn(plan).length)
      assert.deepStrictEqual(
        rows.filter(({ expected, observed }) => expected !== observed),
        []
      )
    })
  )

  it.effect.each(oracle)("of $name on the plan $plan is as written by hand", ({ cells, name, plan }) =>
    Effect.map(
      Effect.forEach(columns, (caller) =>
        observedOutcome(name, caller, plan).pipe(Effect.provide(TestKit.layer, { local: true }))
      ),
      (observed) => assert.strictEqual(observed.join(" "), cells)
    )
  )

  it.effect("of an operator token needs the declared scope, and all other scopes do not replace it", () =>
    Effect.gen(function* () {
      const scoped = useCases.filter(({ declaration }) => declaration.operatorScope !== undefined)
      assert.isNotEmpty(scoped)
      for (const { declaration } of scoped) {
        const { name, operatorScope } = declaration
        const world = yield* givenWorld
        const fixture = fixtures.get(name)
        if (fixture === undefined) return assert.fail(`${name} has no fixture.`)
        const { run } = yield* fixture.prepare(world)
        const others = OperatorScope.literals.filter((scope) => scope !== operatorScope)
        const refused = yield* Effect.flip(run.pipe(actingIn(world.organization, operatorProgram(others))))
        assert.deepStrictEqual([name, refused._tag], [name, "ScopeDenied"])
        if (operatorScope !== undefined) yield* run.pipe(actingIn(world.organization, operatorProgram([operatorScope])))
      }
    }).pipe(Effect.provide(TestKit.layer))
  )

  it("is listed in the reference", () =>
    expect(reference()).toMatchFileSnapshot(new URL("../../../docs/reference/access.md", import.meta.url).pathname))
})
