import { assert } from "@effect/vitest"
import type { PlanName } from "@parley/domain/kernel"
import { setOrganizationPlan } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { givenAutomationRun } from "@parley/testkit"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomation,
  givenAutomationToken,
  givenSchedule,
  givenTenant,
  inside,
  type Tenant
} from "../harness/tenants.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const paid: ReadonlyArray<{ readonly plan: PlanName }> = [{ plan: "growth" }, { plan: "scale" }]

const definition = {
  when: { event: "order.refunded" },
  if: { field: "order.total", op: "gte", value: { amountMinor: 5000, currency: "EUR" } },
  then: [{ type: "set_priority", priority: "high", onError: "stop" }]
}

/** Refused definitions, with the locations of the errors. */
const refused = [
  [{ when: { event: "order.refunded", seconds: 60 } }, ["/when/seconds"]],
  [{ when: { event: "conversation.idle", seconds: 59 } }, ["/when/seconds"]],
  [{ when: { event: "cart.abandoned" } }, ["/when/seconds"]],
  [{ when: { event: "schedule.reached", cron: "0 9 * * *" } }, ["/when/audience"]],
  [{ when: { event: "schedule.reached", cron: "*/10 * * * *", audience: {} } }, ["/when/cron"]],
  [{ when: { event: "schedule.reached", cron: "0 9 * * *", timezone: "Mars/Base", audience: {} } }, ["/when/timezone"]],
  [
    { when: { event: "schedule.reached", cron: "0 9 * * *", audience: { field: "order.total", op: "is", value: 1 } } },
    ["/when/audience/field"]
  ],
  [{ when: { event: "contact.updated", fields: ["age", "attribute.", "name"] } }, ["/when/fields/0", "/when/fields/1"]],
  [{ when: { event: "contact.created" }, if: { field: "order.total", op: "is", value: 1 } }, ["/if/field"]],
  [{ ...definition, if: { field: "order.total", op: "gte", value: 50 } }, ["/if/value"]],
  [{ ...definition, if: { field: "order.total", op: "contains", value: "5" } }, ["/if/op"]],
  [{ ...definition, if: { field: "constructor", op: "is", value: "5" } }, ["/if/field"]],
  [{ ...definition, if: { field: "schedule", op: "is", value: "ajar" } }, ["/if/key", "/if/value"]],
  [
    {
      ...definition,
      if: {
        all: [
          { field: "order.skus", op: "any_of", value: [] },
          { not: { field: "order.isFirst", op: "is", value: "yes" } }
        ]
      },
      then: [{ type: "add_note", text: "{{ cart.total }}" }]
    },
    ["/if/all/0/value", "/if/all/1/not/value", "/then/0/text"]
  ]
] as const

/** Automations, and the gate of the plan before them. */
export const automationsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(paid)("on $plan an automation is saved, read, changed, switched and deleted", ({ plan }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant(plan)
        const created = yield* call("POST", "/api/v1/automations", {
          ...ours(tenant),
          body: { name: "Greet newcomers", ...definition }
        })
        assertStatus(created, 201)
        const path = `/api/v1/automations/${textAt(created, "id")}`
        assert.deepStrictEqual(created.body, {
          id: textAt(created, "id"),
          name: "Greet newcomers",
          enabled: false,
          disabledReason: null,
          position: 1,
          ...definition,
          faults: [],
          createdAt: textAt(created, "createdAt"),
          updatedAt: textAt(created, "createdAt"),
          version: 1
        })
        assert.deepStrictEqual((yield* call("GET", path, ours(tenant))).body, created.body)

        yield* TestClock.adjust("1 second")
        const renamed = yield* call("PATCH", path, { ...ours(tenant), body: { name: "Greet everybody" } })
        assert.deepStrictEqual(renamed.body, {
          ...created.body,
          name: "Greet everybody",
          updatedAt: textAt(renamed, "updatedAt"),
          version: 2
        })
        assert.isAbove(textAt(renamed, "updatedAt").localeCompare(textAt(created, "updatedAt")), 0)

        const enabled = yield* call("POST", `${path}/enable`, ours(tenant))
        assert.deepStrictEqual([enabled.status, enabled.body.enabled], [200, true])
        const disabled = yield* call("POST", `${path}/disable`, ours(tenant))
        assert.deepStrictEqual([disabled.status, disabled.body.enabled], [200, false])

        assertStatus(yield* call("DELETE", path, ours(tenant)), 204)
        assertProblem(yield* call("GET", path, ours(tenant)), 404, "not_found")
        assert.isEmpty(rowsOf(yield* call("GET", "/api/v1/automations", ours(tenant))))
      })
    )

    it.effect("lists automations by name, status and event, and refuses a cursor of another order", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const list = (query: string) => call("GET", `/api/v1/automations?${query}`, ours(tenant))
        const create = (name: string, body: object = {}) =>
          Effect.map(call("POST", "/api/v1/automations", { ...ours(tenant), body: { name, ...body } }), (made) =>
            textAt(made, "id")
          )
        const [b, a] = [yield* create("Réfunds", definition), yield* create("Greetings")]
        assertStatus(yield* call("POST", `/api/v1/automations/${b}/enable`, ours(tenant)), 200)
        assert.deepStrictEqual(idsOf(yield* list("sort=name")), [a, b])
        assert.deepStrictEqual(idsOf(yield* list("sort=-position")), [a, b])
        assert.deepStrictEqual(idsOf(yield* list("q=REFUND")), [b])
        assert.deepStrictEqual(idsOf(yield* list("status=disabled")), [a])
        assert.deepStrictEqual(idsOf(yield* list("event=order.refunded&status=enabled")), [b])
        assert.deepStrictEqual(idsOf(yield* list("event=order.paid")), [])
        const first = yield* list("sort=name&limit=1")
        const cursor = textAt(first, "nextCursor")
        assert.deepStrictEqual(idsOf(yield* list(`sort=name&limit=1&cursor=${cursor}`)), [b])
        assertProblem(yield* list(`sort=-name&cursor=${cursor}`), 400, "cursor_invalid")
        const wrong = yield* list("q=&sort=size&event=order&status=on")
        assertProblem(wrong, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(wrong), ["/query/event", "/query/q", "/query/sort", "/query/status"])
      })
    )

    it.effect("cancels a live run once, and only with the permission to manage", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const { id } = yield* givenAutomation(tenant.organization)
        const queued = { state: "queued", startedAt: null, finishedAt: null } as const
        const run = yield* givenAutomationRun(tenant.organization, id, queued)
        const path = `/api/v1/automations/${id}/runs/${run.id}`
        const reader = yield* givenAutomationToken(tenant, ["automations.read"])
        const refused = yield* call("POST", `${path}/cancel`, {
          token: reader.token,
          organization: tenant.organization.id
        })
        assertProblem(refused, 403, "permission_denied")
        assertProblem(yield* call("POST", `${path}/cancel`, ours(other)), 404, "not_found")
        const cancelled = yield* call("POST", `${path}/cancel`, ours(tenant))
        assertStatus(cancelled, 200)
        assert.strictEqual(cancelled.body.state, "cancelled")
        assert.deepStrictEqual((yield* call("GET", path, ours(tenant))).body, cancelled.body)
        assert.deepStrictEqual(
          idsOf(yield* call("GET", `/api/v1/automations/${id}/runs?state=cancelled`, ours(tenant))),
          [run.id]
        )
        assertProblem(yield* call("POST", `${path}/cancel`, ours(tenant)), 409, "run_ended")
      })
    )

    it.effect("re-runs failed runs in a job, and counts them before", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const created = yield* call("POST", "/api/v1/automations", {
          ...ours(tenant),
          body: { name: "Greetings", ...definition }
        })
        const path = `/api/v1/automations/${textAt(created, "id")}`
        const rerun = (body: object, by = tenant) => call("POST", `${path}/runs/rerun`, { ...ours(by), body })
        assertProblem(yield* rerun({ filter: {} }), 409, "automation_not_enabled")
        assertStatus(yield* call("POST", `${path}/enable`, ours(tenant)), 200)
        const run = { state: "failed" } as const
        yield* givenAutomationRun(tenant.organization, AutomationId.make(textAt(created, "id")), run)
        const counted = yield* rerun({ filter: {}, preview: true })
        assert.deepStrictEqual([counted.status, counted.body], [200, { count: 1 }])
        assert.deepStrictEqual((yield* rerun({ filter: { state: "skipped" }, preview: true })).body, { count: 0 })
        assert.deepStrictEqual(pointersOf(yield* rerun({ filter: { state: "succeeded" } })), ["/filter/state"])
        const reversed = { createdFrom: "2026-11-21T09:00:00Z", createdTo: "2026-11-20T09:00:00Z" }
        for (const wrong of [reversed, { createdFrom: reversed.createdTo, createdTo: reversed.createdTo }]) {
          assert.deepStrictEqual(pointersOf(yield* rerun({ filter: wrong, preview: true })), ["/filter/createdFrom"])
        }
        const started = yield* rerun({ filter: {} })
        assertStatus(started, 202)
        assert.strictEqual(started.body.kind, "automations.rerun_runs")
        assertProblem(yield* rerun({ filter: {} }, other), 404, "not_found")
      })
    )

    it.effect("keeps the runs of a deleted automation readable", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const automation = yield* givenAutomation(tenant.organization)
        const unused = yield* givenAutomation(tenant.organization)
        const run = yield* givenAutomationRun(tenant.organization, automation.id)
        const path = `/api/v1/automations/${automation.id}`
        for (const each of [path, `/api/v1/automations/${unused.id}`]) {
          assertStatus(yield* call("DELETE", each, ours(tenant)), 204)
          assertProblem(yield* call("GET", each, ours(tenant)), 404, "not_found")
        }
        assert.deepStrictEqual(idsOf(yield* call("GET", `${path}/runs`, ours(tenant))), [run.id])
        assert.deepStrictEqual(idsOf(yield* call("GET", `${path}/runs?state=failed`, ours(tenant))), [])
        assert.strictEqual((yield* call("GET", `${path}/runs/${run.id}`, ours(tenant))).body.id, run.id)
        assertProblem(yield* call("GET", `/api/v1/automations/${unused.id}/runs`, ours(tenant)), 404, "not_found")
        assertProblem(
          yield* call("GET", `/api/v1/automations/${unused.id}/runs/${run.id}`, ours(tenant)),
          404,
          "not_found"
        )
        const blind = yield* givenAutomationToken(tenant, ["contacts.read"])
        for (const read of [`${path}/runs`, `${path}/runs/${run.id}`]) {
          assertProblem(yield* call("GET", read, ours(other)), 404, "not_found")
          const refused = yield* call("GET", read, { token: blind.token, organization: tenant.organization.id })
          assertProblem(refused, 403, "permission_denied")
        }
      })
    )

    it.effect(
      "on free every write is refused with the missing feature and the plans that have it, without a change",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant("free")
          const automation = yield* givenAutomation(tenant.organization)
          const path = `/api/v1/automations/${automation.id}`
          const writes = [
            yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "New" } }),
            yield* call("PATCH", path, { ...ours(tenant), body: { name: "Other" } }),
            yield* call("POST", `${path}/enable`, ours(tenant)),
            yield* call("POST", `${path}/disable`, ours(tenant)),
            yield* call("DELETE", path, ours(tenant))
          ]
          for (const refused of writes) {
            assertProblem(refused, 403, "feature_not_in_plan")
            const { availableIn, feature, plan } = refused.body
            assert.deepStrictEqual(
              { availableIn, feature, plan },
              { availableIn: ["growth", "scale"], feature: "automations", plan: "free" }
            )
          }
          const listed = yield* call("GET", "/api/v1/automations", ours(tenant))
          assert.deepStrictEqual(idsOf(listed), [automation.id])
          const read = yield* call("GET", path, ours(tenant))
          assert.deepStrictEqual([read.body.name, read.body.version], [automation.name, 1])
        })
    )

    it.effect("all errors of a definition are reported together with their places", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const [given, pointers] of refused) {
          const answer = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "X", ...given } })
          assertProblem(answer, 400, "validation_failed")
          assert.sameMembers([...pointersOf(answer)], [...pointers], JSON.stringify(given))
        }
        assert.isEmpty(rowsOf(yield* call("GET", "/api/v1/automations", ours(tenant))))
      })
    )

    it.effect("an incomplete one is saved but not enabled, and an enabled one stays complete", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const path = `/api/v1/automations/${textAt(
          yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "Draft" } }),
          "id"
        )}`
        const early = yield* call("POST", `${path}/enable`, ours(tenant))
        assertProblem(early, 400, "validation_failed")
        assert.sameMembers([...pointersOf(early)], ["/when", "/then"])
        assertStatus(yield* call("PATCH", path, { ...ours(tenant), body: definition }), 200)
        assertStatus(yield* call("POST", `${path}/enable`, ours(tenant)), 200)
        const emptied = yield* call("PATCH", path, { ...ours(tenant), body: { when: null, then: [] } })
        assertProblem(emptied, 400, "validation_failed")
      })
    )

    it.effect("a schedule that one goes by is not deleted until it goes by it no more", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenSchedule(tenant.organization)
        const away = { type: "send_away", scheduleId: id, message: { kind: "text", text: "Later" } }
        const path = `/api/v1/automations/${textAt(
          yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "Away", then: [away] } }),
          "id"
        )}`
        const remove = call("DELETE", `/api/v1/schedules/${id}`, ours(tenant))
        assertProblem(yield* remove, 409, "schedule_in_use")
        assertStatus(yield* call("PATCH", path, { ...ours(tenant), body: { then: [] } }), 200)
        assertStatus(yield* remove, 204)
      })
    )

    it.effect("they are moved to a place among the others, which make room", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const made = yield* Effect.forEach(["a", "b", "c"], (name) =>
          call("POST", "/api/v1/automations", { ...ours(tenant), body: { name } })
        )
        const [first, second, third] = made.map((answer) => `/api/v1/automations/${textAt(answer, "id")}`)
        const places = Effect.forEach([first, second, third], (path) =>
          Effect.map(call("GET", String(path), ours(tenant)), ({ body }) => body.position)
        )
        assert.deepStrictEqual(yield* places, [1, 2, 3])
        yield* call("PATCH", String(third), { ...ours(tenant), body: { position: 1 } })
        assert.deepStrictEqual(yield* places, [2, 3, 1])
        yield* call("PATCH", String(third), { ...ours(tenant), body: { position: 99 } })
        assert.deepStrictEqual(yield* places, [1, 2, 3])
        assertStatus(yield* call("DELETE", String(first), ours(tenant)), 204)
        assert.strictEqual((yield* call("GET", String(third), ours(tenant))).body.position, 2)
      })
    )

    it.effect("resources of another tenant do not exist for it, in every place", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const { id } = yield* givenSchedule(other.organization)
        const body = { name: "X", if: { field: "schedule", key: id, op: "is", value: "open" } }
        const refused = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body })
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(refused), ["/if/key"])
        const named = [
          { when: { event: "contact.tagged", tagIds: [id] } },
          { when: { event: "contact.untagged", tagIds: [id] } },
          { when: { event: "contact.updated", fields: ["name", "attribute.points"] } },
          { when: { event: "conversation.assigned", assigneeIds: [other.owner.user.id] } },
          { when: { event: "message.received", chatAccountIds: [id] } },
          { when: { event: "order.paid", storeConnectionIds: [id] } },
          {
            when: {
              event: "schedule.reached",
              cron: "0 9 * * *",
              audience: { field: "tag", op: "any_of", value: [id] }
            }
          },
          { when: { event: "broadcast.replied", broadcastIds: [id] } },
          { if: { field: "conversation.assigneeId", op: "is", value: other.owner.user.id } },
          { if: { not: { field: "order.productIds", op: "none_of", value: [id] } } },
          { if: { any: [{ field: "tag", op: "any_of", value: [id] }] } }
        ]
        for (const each of named) {
          const answer = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "X", ...each } })
          assertProblem(answer, 400, "validation_failed")
        }
      })
    )

    it.effect("reports errors of the schema and of the rules together, for callers who can save the definition", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const unknown = yield* freshId
        const body = {
          name: "",
          when: { event: "contact.tagged", tagIds: [unknown] },
          if: { field: "order.total", op: "is", value: 1 },
          then: [
            { type: "set_priority", priority: "highest" },
            { type: "tag", tagIds: [unknown] }
          ]
        }
        const send = (caller: object) => call("POST", "/api/v1/automations", { ...ours(tenant), ...caller, body })
        const shape = ["/name", "/then/0/priority"]
        const rules = ["/if/field", "/then/1/tagIds/0", "/when/tagIds/0"]
        const refused = yield* send({})
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(refused), [...shape, ...rules].toSorted())
        const reader = yield* givenAutomationToken(tenant, ["automations.read"])
        assert.deepStrictEqual(pointersOf(yield* send({ token: reader.token })), shape)
        const { id } = yield* givenAutomation(tenant.organization)
        const tested = yield* call("POST", `/api/v1/automations/${id}/test`, {
          ...ours(tenant),
          body: { position: 0, draft: { then: [{ type: "tag", tagIds: [unknown] }] } }
        })
        assert.deepStrictEqual(pointersOf(tested), ["/draft/then/0/tagIds/0", "/position"])
      })
    )

    it.effect("the gate follows the plan directly", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const create = call("POST", "/api/v1/automations", { ...ours(tenant), body: { name: "New" } })
        assertProblem(yield* create, 403, "feature_not_in_plan")
        yield* setOrganizationPlan({ plan: "growth" }).pipe(inside(tenant.organization))
        assertStatus(yield* create, 201)
        yield* setOrganizationPlan({ plan: "free" }).pipe(inside(tenant.organization))
        assertProblem(yield* create, 403, "feature_not_in_plan")
      })
    )

    it.effect("the gate comes before the resource is looked for, and the permission before the gate", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const unknown = `/api/v1/automations/${yield* freshId}`
        assertProblem(yield* call("DELETE", unknown, ours(tenant)), 403, "feature_not_in_plan")
        assertProblem(yield* call("GET", unknown, ours(tenant)), 404, "not_found")
      })
    )

    it.effect.each(["", " ", " leading", "trailing ", "two\nlines", "nul\u0000", "\udfff", "x".repeat(121), 7, null])(
      "%j is no name",
      (name) =>
        Effect.gen(function* () {
          const answer = yield* call("POST", "/api/v1/automations", { ...ours(yield* givenTenant()), body: { name } })
          assertProblem(answer, 400, "validation_failed")
        })
    )

    it.effect.each([
      "x",
      "x".repeat(120),
      "'; DROP TABLE automations; --",
      '<img src=x onerror="alert(1)">',
      "100 % \\ _ 🥐 中文 עברית"
    ])("%j is one, and comes back as it was sent", (name) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const created = yield* call("POST", "/api/v1/automations", { ...ours(tenant), body: { name } })
        assertStatus(created, 201)
        const read = yield* call("GET", `/api/v1/automations/${textAt(created, "id")}`, ours(tenant))
        assert.strictEqual(read.body.name, name)
      })
    )
  })
