import { assert, describe, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { AuditLog, getJob, type JobId, startJob } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { assertProblem, assertStatus, idsOf, textAt, whenNotBusy } from "./harness/answers.ts"
import { layerPorts } from "./harness/postgres.ts"
import { deadly, startNode } from "./harness/processes.ts"
import { rowsJob } from "./harness/rowsJob.ts"
import { callPort } from "./harness/sockets.ts"
import { freshText, givenDocsCode, givenPerson, givenTenant, inside, password, type Tenant } from "./harness/tenants.ts"

class Installation extends Context.Service<
  Installation,
  { readonly database: Redacted.Redacted; readonly masterKeys: Redacted.Redacted }
>()("@parley/http-adapter/test/Installation") {}

const layerInstallation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    return Installation.of({ database: yield* freshDatabase, masterKeys: yield* generateMasterKey("k1") })
  })
)

const layerWorld = Layer.unwrap(
  Effect.map(Installation, ({ database, masterKeys }) =>
    layerPorts(Database.layer({ url: database, maxConnections: 4 }), { masterKeys })
  )
).pipe(Layer.provideMerge(layerInstallation)) satisfies Layer.Layer<Ports | Installation, unknown>

const start = Effect.flatMap(Installation, ({ database, masterKeys }) => startNode(database, masterKeys))

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const jobDone = (id: JobId, { organization }: Tenant, rows: number) =>
  Effect.repeat(Effect.delay(getJob({ id }), "20 millis"), { until: ({ progress }) => progress.done >= rows }).pipe(
    inside(organization)
  )

const rowsWritten = ({ organization }: Tenant) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list(
      { actorId: null, targetKind: "row", targetId: null, action: null, from: null, to: null },
      { limit: 100, after: null }
    )
  ).pipe(
    inside(organization),
    Effect.map((events) => events.toReversed().map(({ target }) => Number(target.id)))
  )

describe("processes on one PostgreSQL", () => {
  layer(layerWorld, { excludeTestServices: true })((it) => {
    it.effect(
      "a process that is killed between commit and answer leaves the answer to the next, and the effect is there once",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const doomed = yield* start
          const key = yield* freshText("key")
          const body = { name: "Export", permissions: ["members.read"], expiresAt: "2099-01-01T00:00:00Z" }
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const request = {
            ...ours(tenant),
            body: { ...body, expiresAt: new Date(now + 86_400_000).toISOString() }
          }
          const lost = yield* callPort(doomed.port, "POST", "/api/v1/auth/tokens", {
            ...request,
            headers: { "idempotency-key": key, "x-request-id": yield* freshText(deadly) }
          }).pipe(Effect.exit)
          assert.isTrue(Exit.isFailure(lost), "The answer came after all.")
          assert.strictEqual(yield* doomed.ended, "SIGKILL")

          const { port } = yield* start
          const again = yield* callPort(port, "POST", "/api/v1/auth/tokens", {
            ...request,
            headers: { "idempotency-key": key }
          })
          assertStatus(again, 201)
          assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
          assert.deepStrictEqual(idsOf(yield* callPort(port, "GET", "/api/v1/auth/tokens", ours(tenant))), [
            textAt(again, "id")
          ])
          const used = yield* callPort(port, "GET", "/api/v1/members", {
            token: textAt(again, "token"),
            organization: tenant.organization.id
          })
          assertStatus(used, 200)
        }),
      120_000
    )

    it.effect(
      "a login at one process is good at the other, a logout there ends it here, and one code is exchanged once",
      () =>
        Effect.gen(function* () {
          const [one, other] = yield* Effect.all([start, start], { concurrency: 2 })
          const tenant = yield* givenTenant()
          const person = yield* givenPerson(tenant.organization)
          const login = yield* callPort(one.port, "POST", "/api/v1/auth/login", {
            body: { email: person.user.email, password }
          })
          const what = { token: textAt(login, "accessToken"), organization: tenant.organization.id }
          const there = callPort(other.port, "GET", "/api/v1/organization", what)
          assertStatus(yield* there, 200)
          assertStatus(yield* callPort(one.port, "POST", "/api/v1/auth/logout", what), 204)
          const refused = yield* Effect.repeat(Effect.delay(there, "10 millis"), {
            until: ({ status }) => status !== 200
          })
          assertProblem(refused, 401, "token_revoked")

          const code = Redacted.value(yield* givenDocsCode(tenant.organization, tenant.owner))
          const answers = yield* Effect.forEach(
            Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? one.port : other.port)),
            (port) => whenNotBusy(callPort(port, "POST", "/api/v1/docs/exchange", { body: { code } })),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(
            answers.filter(({ status }) => status === 200),
            1
          )
          for (const answer of answers.filter(({ status }) => status !== 200)) {
            assertProblem(answer, 400, "docs_code_invalid")
          }
        }),
      120_000
    )

    it.effect(
      "a process that is killed in the middle of a job is replaced, and each step is done once",
      () =>
        Effect.gen(function* () {
          // Enough for the second process to start long before the last one is done, on a machine with any load.
          const rows = 90
          const tenant = yield* givenTenant()
          const life = yield* Scope.make()
          yield* start.pipe(Scope.provide(life))
          const { id } = yield* transact(startJob(rowsJob, { rows })).pipe(inside(tenant.organization))
          yield* jobDone(id, tenant, 3)
          yield* start
          const before = yield* jobDone(id, tenant, 4)
          yield* Scope.close(life, Exit.void)
          const killedAt = yield* getJob({ id }).pipe(inside(tenant.organization))
          assert.isBelow(killedAt.progress.done, rows, "The job was done before the process could be killed.")
          assert.isAtLeast(killedAt.progress.done, before.progress.done)
          yield* jobDone(id, tenant, killedAt.progress.done + 1)
          const done = yield* jobDone(id, tenant, rows)
          assert.strictEqual(done.state, "succeeded")
          assert.deepStrictEqual(
            yield* rowsWritten(tenant),
            Array.from({ length: rows }, (_, index) => index + 1)
          )
        }),
      120_000
    )
  })
})
