import { assert, describe, it } from "@effect/vitest"
import {
  type Actor,
  authorize,
  issueAutomationToken,
  Permission,
  type PlanName,
  type Role,
  TokenSigner,
  userActor
} from "@parley/domain"
import { actingIn, actorOf, asPerson, givenMember, givenUser, operator, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { newWorld, type World } from "./attempting.ts"
import { attempts, putOnPlan } from "./attempts.ts"
import { rowsOf } from "./promises.ts"
import { asTable, useCases } from "./useCases.ts"

const member = (role: Role) => (world: World) =>
  Effect.flatMap(givenMember(world.organization, role), (person) => actorOf(person, world.organization))

const stranger = () =>
  Effect.flatMap(givenUser(), (person) =>
    Effect.map(actorOf(person), (actor) => (actor.kind === "user" ? userActor(actor.userId, actor.sessionId) : actor))
  )

/** A token with every permission there is. */
const token = ({ organization, owner }: World) =>
  Effect.gen(function* () {
    const { token } = yield* issueAutomationToken({
      name: "All",
      permissions: ["organization.read", ...Permission.literals],
      expiresAt: DateTime.add(yield* DateTime.now, { days: 1 })
    }).pipe(asPerson(organization, owner))
    const claims = yield* (yield* TokenSigner).verify(token, ["automation"])
    if (claims.use !== "automation") return yield* Effect.die(new Error("This is no automation token."))
    return (yield* authorize(claims, organization.id)).actor
  }).pipe(Effect.orDie)

const actors = {
  stranger,
  viewer: member("viewer"),
  agent: member("agent"),
  admin: member("admin"),
  owner: member("owner"),
  token,
  operator: () => Effect.succeed<Actor>(operator)
}

/** What the tables say in short: refused, not in the plan, only of what is one's own. */
const shorthands: Readonly<Record<string, string>> = {
  PermissionDenied: "-",
  FeatureNotInPlan: "plan",
  NoteOfAnother: "own"
}

const outcome = Effect.fnUntraced(function* (name: string, who: keyof typeof actors, plan: PlanName) {
  const world = yield* newWorld
  const actor = yield* actors[who](world)
  const prepare = attempts[name]
  if (prepare === undefined) return "nobody has tried"
  const { call } = yield* prepare(world)
  yield* putOnPlan(world, plan)
  return yield* Effect.match(call.pipe(actingIn(world.organization, actor)), {
    onSuccess: () => "yes",
    onFailure: ({ _tag }) => shorthands[_tag] ?? _tag
  })
})

const columns = ["stranger", "viewer", "agent", "admin", "owner", "token", "operator"] as const

/** On the plan between the two others who may do most shows what it lacks. */
const askedOn = (plan: PlanName): ReadonlyArray<(typeof columns)[number]> => (plan === "growth" ? ["owner"] : columns)

const tableOn = (plan: PlanName) =>
  Effect.map(
    Effect.forEach(useCases, ({ useCase: { name } }) =>
      Effect.forEach(askedOn(plan), (who) => outcome(name, who, plan)).pipe(
        Effect.map((cells) => [name, ...cells]),
        Effect.provide(TestKit.layer)
      )
    ),
    (rows) => asTable([["use case", ...askedOn(plan)], ...rows])
  )

const promised = (plan: PlanName) =>
  rowsOf(({ access, accessOnFree, accessOnGrowth }) => {
    if (plan === "free") return [access, accessOnFree]
    return plan === "growth" ? [access, accessOnGrowth] : [access]
  })

const expectedOn = (plan: PlanName) =>
  asTable([
    ["use case", ...askedOn(plan)],
    ...promised(plan).map(([name = "", ...cells]) => [
      name,
      ...cells.filter((_, place) => askedOn(plan).some((who) => who === columns[place]))
    ])
  ])

describe("who may do what, on which plan", () => {
  it("is tried for every use case", () => {
    assert.deepStrictEqual(
      Object.keys(attempts).toSorted(),
      useCases.map(({ useCase }) => useCase.name)
    )
  })

  it.effect.each(["free", "growth", "scale"] as const)("is as the table says on the plan %s", (plan) =>
    Effect.map(tableOn(plan), (table) => assert.strictEqual(table, expectedOn(plan), `\n${table}\n`))
  )
})
