import { assert } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import { runDueJobs } from "@parley/domain/platform"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, textAt } from "../harness/answers.ts"
import { addedId, as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenTenant, type Tenant } from "../harness/tenants.ts"

const csv = (...lines: ReadonlyArray<string>) => lines.map((line) => `${line}\r\n`).join("")

const hiddenCounts = {
  created: null,
  updated: null,
  unchanged: null,
  bad: null,
  suppressed: null,
  unknownIds: null
}

/** Calls as a token with these permissions. */
const tokenWith = Effect.fnUntraced(function* (tenant: Tenant, ...permissions: ReadonlyArray<Permission>) {
  const what = {
    token: (yield* givenAutomationToken(tenant, permissions)).token,
    organization: tenant.organization.id
  }
  const get = (path: string) => call("GET", `/api/v1${path}`, what)
  const importAll = Effect.fnUntraced(function* (text: string, query = "") {
    const headers = { "content-type": "text/csv" }
    const asked = yield* call("POST", `/api/v1/contacts/imports${query}`, { ...what, text, headers })
    assertStatus(asked, 202)
    for (let second = 0; second < 3; second++) {
      yield* TestClock.adjust("1 second")
      yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
    }
    return yield* get(`/contacts/imports/${textAt(asked, "id")}`)
  })
  return { get, importAll }
})

type Caller = Effect.Success<ReturnType<typeof tokenWith>>

/** Everything that a caller can read about an import, without ids and times. */
const tracesOf = Effect.fnUntraced(function* ({ get, importAll }: Caller, row: string, query: string) {
  const done = yield* importAll(csv("name,phone,email", row), query)
  const job = yield* get(`/jobs/${textAt(done, "jobId")}`)
  const errors = yield* get(`/contacts/imports/${textAt(done, "id")}/errors`)
  assert.notInclude(["queued", "running"], done.body.state)
  return [done.text, job.text, errors.text].map((text) =>
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, "id")
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/gu, "time")
      .replaceAll(/\+49\d+/gu, "phone")
  )
})

const known = "+491701239876"
const unknown = "+491701239877"

/** An import by a caller who cannot read contacts does not tell which contacts exist. */
export const importSecrecySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each([
      { what: "a dry run", row: (phone: string) => `Hypatia,${phone},`, query: "?dryRun=true" },
      { what: "an import", row: (phone: string) => `Hypatia,${phone},`, query: "" },
      { what: "a row with a known e-mail address", row: (phone: string) => `,${phone},me@me.test`, query: "" },
      {
        what: "a dry run that skips stored contacts",
        row: (phone: string) => `Theon,${phone},`,
        query: "?dryRun=true&onExisting=skip"
      }
    ])("$what is the same for a stored and for another number", ({ query, row }) =>
      Effect.gen(function* () {
        const traces = yield* Effect.forEach([known, unknown], (phone) =>
          Effect.gen(function* () {
            const tenant = yield* givenTenant()
            yield* addedId(tenant, "/contacts", { name: "Hypatia", phone: known })
            const caller = yield* tokenWith(tenant, "contacts.import", "jobs.read")
            yield* caller.importAll(csv("email", "me@me.test"))
            return yield* tracesOf(caller, row(phone), query)
          })
        )
        assert.deepStrictEqual(traces[0], traces[1])
      })
    )

    it.effect("the counts and the outcome need contacts.read, and the bad rows of the file do not", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addedId(tenant, "/contacts", { name: "Hypatia", phone: known })
        yield* addedId(tenant, "/contacts", { name: "Theon", email: "theon@museion.test" })
        const text = csv("name,phone,email", `Hypatia,${known},`, "Synesius,,wrong", `Both,${known},theon@museion.test`)
        const narrow = yield* tokenWith(tenant, "contacts.import")
        const done = yield* narrow.importAll(text)
        assert.deepStrictEqual(done.body.counts, { rows: 3, ...hiddenCounts })
        assert.deepStrictEqual(
          [done.body.state, done.body.outcome, done.body.summary, done.body.errorsUrl],
          ["succeeded", null, null, null]
        )
        const path = `/contacts/imports/${textAt(done, "id")}`
        const own = yield* narrow.get(`${path}/errors`)
        assert.strictEqual(
          own.text,
          csv("line,column,reason,name,phone,email", "3,email,Expected an e-mail address,Synesius,,wrong")
        )
        const whole = yield* as(tenant)("GET", path)
        assert.deepStrictEqual(whole.body.counts, {
          rows: 3,
          created: 0,
          updated: 0,
          unchanged: 1,
          bad: 2,
          suppressed: 0,
          unknownIds: 0
        })
        assert.include((yield* as(tenant)("GET", `${path}/errors`)).text, "The row matches several contacts")
      })
    )

    it.effect("the import and the bad rows of another caller need contacts.read", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const narrow = yield* tokenWith(tenant, "contacts.import")
        const reader = yield* tokenWith(tenant, "contacts.import", "contacts.read")
        const done = yield* narrow.importAll(csv("name,email", "Hypatia,wrong"))
        assert.strictEqual(done.body.state, "failed")
        const other = yield* tokenWith(tenant, "contacts.import")
        const path = `/contacts/imports/${textAt(done, "id")}`
        for (const each of [path, `${path}/errors`]) {
          const refused = yield* other.get(each)
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, "contacts.read")
          assertStatus(yield* narrow.get(each), 200)
          assertStatus(yield* reader.get(each), 200)
        }
        assert.include((yield* narrow.get(`${path}/errors`)).text, "Hypatia")
      })
    )
  })
