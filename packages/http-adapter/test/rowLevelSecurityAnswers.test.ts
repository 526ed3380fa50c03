import { assert, describe, it } from "@effect/vitest"
import { Role } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { layerLockedServer, layerServer, makeVerdicts, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { Effect, type Layer, Random } from "effect"
import { endpoints } from "./harness/contract.ts"
import { call } from "./harness/Http.ts"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { validRequest } from "./harness/requests.ts"
import { layerService } from "./harness/service.ts"
import { givenPerson, givenTenant } from "./harness/tenants.ts"

/** One request: the endpoint, the role, and whether its target belongs to the caller's organization. */
interface Step {
  readonly endpoint: (typeof endpoints)[number]
  readonly role: Role
  readonly isAtHome: boolean
}

const first = endpoints.map((endpoint): Step => ({ endpoint, role: "owner", isAtHome: true }))

const drawn = Effect.replicateEffect(
  Effect.all({
    endpoint: Random.choice(endpoints),
    role: Random.choice(Role.literals),
    isAtHome: Random.choice([true, true, false])
  }),
  250
).pipe(Random.withSeed("tenants"), Effect.orDie)

/** Each service generates its own ids, tokens, cursors, keys, PINs and phone numbers; the instants come from the test clock. */
const madeAnew =
  /whsec_[\w+/=]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{20,}(?:\.[\w-]+)*|"(?:kid|x|y|n|registrationPin)":"[^"]*"|\+491(?:51|70)\d{8}|\+1555\d{7}/g

/** Each step adds members, and an organization has 250 seats. */
const stepsPerTenant = 60

/** Answers of a separate service to these requests, in sequence. */
const answersOn = <E>(ports: Layer.Layer<Ports, E>, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    let [ours, theirs] = [yield* givenTenant(), yield* givenTenant()]
    return yield* Effect.forEach(steps, ({ endpoint, isAtHome, role }, place) =>
      Effect.gen(function* () {
        if (place % stepsPerTenant === 0) [ours, theirs] = [yield* givenTenant(), yield* givenTenant()]
        const home = yield* givenPerson(ours.organization, role)
        const tenant = isAtHome ? ours : theirs
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: home })
        // Sent from the caller's organization for data of another organization, unless the request is about the
        // membership itself.
        const organization = what.organization === undefined ? undefined : ours.organization.id
        const { status, text } = yield* call(endpoint.method, path, { ...what, organization })
        return { id: endpoint.id, role, isAtHome, status, text: text.replaceAll(madeAnew, "…") }
      })
    )
  }).pipe(Effect.provide(layerService(ports)))

const remembering = underRowLevelSecurity(layerLockedServer, { verdicts: makeVerdicts() })

describe("the same requests", () => {
  it.effect(
    "are equal with and without row level security",
    () =>
      Effect.gen(function* () {
        const steps = [...first, ...(yield* drawn)]
        const plain = yield* answersOn(layerPorts(inRealTime(layerServer)), steps)
        const locked = yield* answersOn(layerPorts(inRealTime(remembering)), steps)
        assert.deepStrictEqual(locked, plain)
        for (const [index, { id, success }] of endpoints.entries())
          assert.strictEqual(plain[index]?.status, success, id)
        assert.isAbove(plain.filter(({ status }) => status === 404).length, 5)
        assert.isAtMost(Math.max(...plain.map(({ status }) => status)), 499)
      }),
    { timeout: 180_000 }
  )
})
