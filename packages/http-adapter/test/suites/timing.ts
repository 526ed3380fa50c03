import { assert } from "@effect/vitest"
import { PasswordHasher } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { layerPasswordHasher } from "@parley/provider-adapters/security"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assertProblem, assertStatus, withoutRequest } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { atBest, compareTimes } from "../harness/statistics.ts"
import { freshId, givenAutomation, givenTenant, givenUser, password } from "../harness/tenants.ts"

/** At this probability two samples count as equal: the response time reveals nothing. */
const same = 0.01

/** The time of an answer reveals nothing that the answer hides. Uses argon2id as in production. */
export const timingSuite = <E>(name: string, ports: Layer.Layer<Ports | SqlClient.SqlClient, E>) =>
  overHttp<SqlClient.SqlClient, E>(name, ports, (it) => {
    it.effect(
      "an id of another tenant takes as long as a missing one",
      () =>
        Effect.gen(function* () {
          const ours = yield* givenTenant()
          const theirs = yield* givenTenant()
          const rounds = 300
          const foreign = yield* Effect.forEach(Array.from({ length: 20 }), () => givenAutomation(theirs.organization))
          const missing = yield* Effect.forEach(Array.from({ length: 20 }), () => freshId)
          const get = (id: string | undefined) =>
            call("GET", `/api/v1/automations/${id}`, { token: ours.owner.token, organization: ours.organization.id })
          assertProblem(yield* get(foreign[0]?.id), 404, "not_found")
          const likelihood = yield* atBest(
            () =>
              compareTimes(
                rounds,
                (round) => get(foreign[round % 20]?.id),
                (round) => get(missing[round % 20])
              ),
            same
          )
          assert.isAbove(likelihood, same)
        }),
      30_000
    )

    it.effect(
      "an unknown address takes as long to refuse as a wrong password, and looks the same",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const rounds = 20
          const first = yield* givenUser({})
          const [row] = yield* sql<{
            readonly hash: string
          }>`SELECT password_hash AS hash FROM users WHERE id = ${first.id}`
          const hash = row?.hash ?? ""
          const known = yield* Effect.forEach(Array.from({ length: rounds + 2 }), () => givenUser({}, hash))
          const unknown = yield* Effect.forEach(known, () => freshId)
          const tryIt = (email: string, address: string) =>
            call("POST", "/api/v1/auth/login", {
              body: { email, password: "wrong horse battery staple" },
              headers: { "x-forwarded-for": address }
            })
          const ofKnown = yield* tryIt(first.email, "192.0.2.1")
          assertProblem(ofKnown, 401, "invalid_credentials")
          const ofUnknown = yield* tryIt(`${unknown[0]}@people.test`, "192.0.2.1")
          assert.deepStrictEqual(withoutRequest(ofKnown), withoutRequest(ofUnknown))

          const likelihood = yield* atBest(
            (attempt) =>
              compareTimes(
                rounds,
                (round) => tryIt(known[round]?.email ?? "", `198.51.100.${attempt}`),
                (round) => tryIt(`${unknown[round]}@people.test`, `198.51.100.${attempt}`)
              ),
            same
          )
          assert.isAbove(likelihood, same)
        }),
      60_000
    )

    it.effect("a password is stored as argon2id with OWASP's minimum, and a weaker hash is renewed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const stored = (id: string) =>
          Effect.map(
            sql<{ readonly hash: string }>`SELECT password_hash AS hash FROM users WHERE id = ${id}`,
            ([row]) => row?.hash ?? ""
          )
        const assertStrong = (hash: string) => {
          const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? []
          assert.isAtLeast(Number(memory), 19_456)
          assert.isAtLeast(Number(passes), 2)
          assert.isAtLeast(Number(lanes), 1)
        }
        const user = yield* givenUser({})
        assertStrong(yield* stored(user.id))
        const weak = yield* Effect.flatMap(PasswordHasher, (hasher) => hasher.rehash(Redacted.make(password))).pipe(
          Effect.provide(layerPasswordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 } }))
        )
        const old = yield* givenUser({}, weak)
        const login = call("POST", "/api/v1/auth/login", { body: { email: old.email, password } })
        assertStatus(yield* login, 200)
        const renewed = yield* stored(old.id)
        assert.notStrictEqual(renewed, weak)
        assertStrong(renewed)
        assertStatus(yield* login, 200)
      })
    )
  })
