import { assert } from "@effect/vitest"
import { setOrganizationPlan } from "@parley/domain/platform"
import { eventPermissions, type Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, pointersOf, rowsOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomationToken,
  givenPerson,
  givenTenant,
  inside,
  type Person,
  type Tenant
} from "../harness/tenants.ts"

const feed = ({ organization }: Tenant, { token }: Pick<Person, "token">, query = "") =>
  call("GET", `/api/v1/events${query}`, { token, organization: organization.id })

const typesOf = (rows: ReadonlyArray<unknown>) => rows.map((row) => at(row, "event", "type"))

/** The organization's feed of what happened. */
export const eventsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("lists event types with the schema and an example of the webhook body", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const answer = yield* call("GET", "/api/v1/event_types", { token: owner.token, organization: organization.id })
        assertStatus(answer, 200)
        const rows = rowsOf(answer)
        const inFeed = rows.filter((row) => at(row, "inFeed") === true)
        assert.deepStrictEqual(
          inFeed.map((row) => [at(row, "type"), at(row, "permission")]),
          Object.entries(eventPermissions).toSorted(([one], [other]) => (one < other ? -1 : 1))
        )
        assert.deepStrictEqual(
          rows.filter((row) => !inFeed.includes(row)).map((row) => at(row, "type")),
          ["automation.call", "webhook.test"]
        )
        for (const row of rows) assert.strictEqual(at(row, "example", "type"), at(row, "type"))
      })
    )

    it.effect("begins before what happened at a time, and takes a cursor or a time, not both", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        yield* call("PATCH", "/api/v1/organization", {
          token: owner.token,
          organization: organization.id,
          body: { name: "New" }
        })
        const all = yield* feed(tenant, owner)
        const since = yield* feed(tenant, owner, "?since=2020-01-01T00:00:00Z")
        assert.deepStrictEqual(
          rowsOf(since).map((row) => at(row, "position")),
          rowsOf(all).map((row) => at(row, "position"))
        )
        const later = yield* feed(tenant, owner, "?since=9000-01-01T00:00:00Z")
        assert.deepStrictEqual([later.status, rowsOf(later)], [200, []])
        const cursor = encodeURIComponent(textAt(all, "nextCursor"))
        const both = yield* feed(tenant, owner, `?since=2020-01-01T00:00:00Z&after=${cursor}`)
        assertProblem(both, 400, "validation_failed")
        assert.deepStrictEqual(both.body.errors, [
          { pointer: "/query/since", message: "Expected since or after, not both" }
        ])
      })
    )

    it.effect("every change is an event, in its order and without a gap, with who made it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const what = { token: owner.token, organization: organization.id }
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "New" } })
        yield* setOrganizationPlan({ plan: "growth" }).pipe(inside(organization))
        const invited = yield* call("POST", "/api/v1/members", {
          ...what,
          body: { email: `${yield* freshId}@new.test`, role: "agent" }
        })
        const member = textAt(invited, "member", "id")
        yield* call("PATCH", `/api/v1/members/${member}`, { ...what, body: { role: "viewer" } })
        yield* call("DELETE", `/api/v1/members/${member}`, what)
        const body = {
          name: "Greet",
          when: { event: "contact.created" },
          then: [{ type: "set_priority", priority: "high" }]
        }
        const automation = yield* call("POST", "/api/v1/automations", { ...what, body })
        const automationId = textAt(automation, "id")
        yield* call("POST", `/api/v1/automations/${automationId}/enable`, what)
        yield* call("POST", `/api/v1/automations/${automationId}/enable`, what)
        yield* call("DELETE", `/api/v1/automations/${automationId}`, what)

        const rows = rowsOf(yield* feed(tenant, owner))
        assert.deepStrictEqual(
          rows.map((row) => at(row, "position")),
          rows.map((_, index) => index + 1)
        )
        assert.deepStrictEqual(
          rows.map((row) => at(row, "event")),
          [
            { type: "organization.updated", organizationId: organization.id },
            { type: "organization.plan_changed", organizationId: organization.id, from: "scale", to: "growth" },
            { type: "member.invited", memberId: member, role: "agent" },
            { type: "member.role_changed", memberId: member, from: "agent", to: "viewer" },
            { type: "member.removed", memberId: member },
            { type: "automation.created", automationId },
            { type: "automation.enabled", automationId },
            { type: "automation.deleted", automationId, cancelledRuns: 0 }
          ]
        )
        assert.deepStrictEqual(at(rows[0], "actor"), { kind: "user", id: owner.user.id })
        assert.deepStrictEqual(at(rows[1], "actor"), { kind: "operator", id: "test" })
      })
    )

    it.effect("refused and rolled back changes publish no event", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        yield* call("POST", "/api/v1/automations", { ...what, body: { name: "Greet" } })
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "New" }, headers: { "if-match": "9" } })
        yield* call("DELETE", `/api/v1/members/${tenant.owner.member.id}`, what)
        yield* call("POST", "/api/v1/members", { ...what, body: { email: tenant.owner.user.email, role: "agent" } })
        assert.isEmpty(rowsOf(yield* feed(tenant, tenant.owner)))
      })
    )

    it.effect("a reader goes on where it stopped, now or later, and misses nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { owner } = tenant
        const what = { token: owner.token, organization: tenant.organization.id }
        const rename = (name: string) => call("PATCH", "/api/v1/organization", { ...what, body: { name } })
        const empty = yield* feed(tenant, owner)
        assert.isEmpty(rowsOf(empty))
        const begin = textAt(empty, "nextCursor")
        assert.isEmpty(rowsOf(yield* feed(tenant, owner, `?after=${begin}`)))

        yield* rename("One")
        yield* rename("Two")
        const first = yield* feed(tenant, owner, `?after=${begin}&limit=1`)
        const rest = yield* feed(tenant, owner, `?after=${textAt(first, "nextCursor")}`)
        assert.deepStrictEqual(
          [rowsOf(first), rowsOf(rest)].map((rows) => rows.map((row) => at(row, "position"))),
          [[1], [2]]
        )
        assert.strictEqual(textAt(first, "data", 0, "cursor"), textAt(first, "nextCursor"))

        yield* rename("Three")
        const later = yield* feed(tenant, owner, `?after=${textAt(rest, "nextCursor")}`)
        assert.deepStrictEqual(
          rowsOf(later).map((row) => at(row, "position")),
          [3]
        )
        assert.isEmpty(rowsOf(yield* feed(tenant, owner, `?after=${textAt(later, "nextCursor")}`)))
      })
    )

    it.effect("a reader of some types gets those, and a cursor past all others", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { owner } = tenant
        const what = { token: owner.token, organization: tenant.organization.id }
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "One" } })
        yield* call("POST", "/api/v1/automations", { ...what, body: { name: "Greet" } })
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "Two" } })
        const read = (query: string) => feed(tenant, owner, query)
        const both = yield* read("?type=automation.*&type=organization.updated&limit=2")
        assert.deepStrictEqual(typesOf(rowsOf(both)), ["organization.updated", "automation.created"])
        assert.deepStrictEqual(typesOf(rowsOf(yield* read("?type=automation.created"))), ["automation.created"])
        const none = yield* read("?type=contact.*")
        assert.isEmpty(rowsOf(none))
        assert.isEmpty(rowsOf(yield* read(`?after=${textAt(none, "nextCursor")}`)))
        const rest = yield* read(`?after=${textAt(both, "nextCursor")}`)
        assert.deepStrictEqual(typesOf(rowsOf(rest)), ["organization.updated"])
        for (const [types, pointers] of [
          ["type=automation.*&type=automation.eaten", ["/query/type/1"]],
          ["type=", ["/query/type/0"]],
          ["type=*", ["/query/type/0"]],
          ["type=auto*", ["/query/type/0"]],
          ["type=tag.*&type=tag.*", ["/query/type"]]
        ] as const) {
          for (const headers of [{}, { accept: "text/event-stream" }]) {
            const answer = yield* call("GET", `/api/v1/events?${types}`, { ...what, headers })
            assertProblem(answer, 400, "validation_failed")
            assert.deepStrictEqual<ReadonlyArray<string>>(pointersOf(answer), pointers)
          }
        }
      })
    )

    it.effect("concurrent writers get unique positions without a gap", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => `Routine ${index}`),
          (name) => whenNotBusy(call("POST", "/api/v1/automations", { ...what, body: { name } })),
          { concurrency: "unbounded", discard: true }
        )
        const rows = rowsOf(yield* feed(tenant, tenant.owner))
        assert.deepStrictEqual(
          rows.map((row) => at(row, "position")),
          Array.from({ length: 20 }, (_, index) => index + 1)
        )
      })
    )

    it.effect("each caller sees what it may see of", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const what = { token: owner.token, organization: organization.id }
        yield* call("PATCH", "/api/v1/organization", { ...what, body: { name: "New" } })
        const issued = yield* call("POST", "/api/v1/auth/tokens", {
          ...what,
          body: { name: "Export", permissions: ["events.read"], expiresAt: "2026-04-01T00:00:00Z" }
        })
        assertStatus(issued, 201)
        yield* call("POST", "/api/v1/automations", { ...what, body: { name: "Greet" } })
        yield* call("POST", "/api/v1/members", {
          ...what,
          body: { email: `${yield* freshId}@new.test`, role: "agent" }
        })

        const all = ["organization.updated", "automation_token.issued", "automation.created", "member.invited"]
        const agent = yield* givenPerson(organization, "agent")
        const seen = (by: Pick<Person, "token">) => Effect.map(feed(tenant, by), (answer) => typesOf(rowsOf(answer)))
        assert.deepStrictEqual(yield* seen(owner), all)
        assert.deepStrictEqual(
          yield* seen(agent),
          all.filter((type) => type !== "automation_token.issued")
        )
        const blind = yield* givenAutomationToken(tenant, ["events.read"])
        assert.deepStrictEqual(yield* seen(blind), [])
        const narrow = yield* givenAutomationToken(tenant, ["events.read", "automations.read"])
        assert.deepStrictEqual(yield* seen(narrow), ["automation.created"])
        const first = yield* feed(tenant, narrow, "?limit=1")
        assert.isEmpty(rowsOf(yield* feed(tenant, narrow, `?after=${textAt(first, "nextCursor")}`)))
      })
    )
  })
