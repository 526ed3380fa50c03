import { assert } from "@effect/vitest"
import { type Permission, transact } from "@parley/domain/kernel"
import { Broadcast, Broadcasts, RecipientLedger } from "@parley/domain/campaigns"
import type { Ports } from "@parley/domain/composition"
import { givenActiveWorkflow, givenAutomationRun, givenWorkflowRun } from "@parley/testkit"
import { DateTime, Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, rowsOf } from "../harness/answers.ts"
import { givenBroadcast, givenReadyBroadcast } from "../harness/campaigns.ts"
import { as } from "../harness/crm.ts"
import { type Answer, call } from "../harness/Http.ts"
import { givenNumber, givenTemplate } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import {
  givenAutomation,
  givenAutomationToken,
  givenContact,
  givenTenant,
  inside,
  type Tenant
} from "../harness/tenants.ts"

const until = DateTime.makeUnsafe("2026-03-02T06:00:00Z")
const shown = DateTime.formatIso(until)

/** A list with the end of a wait for the clock of a contact. */
interface ClockList {
  readonly held: Permission
  readonly path: string
  readonly timeOf: (answer: Answer) => unknown
}

const givenSending = Effect.fnUntraced(function* ({ organization }: Tenant, waiting: Broadcast["waiting"]) {
  const { id } = yield* givenBroadcast(organization)
  const { id: contactId } = yield* givenContact(organization)
  const broadcasts = yield* Broadcasts
  const ledger = yield* RecipientLedger
  yield* Effect.gen(function* () {
    const before = yield* broadcasts.lock(id)
    yield* broadcasts.save(new Broadcast({ ...before, status: "sending", waiting }), null)
    const address = { kind: "phone", value: "+491701234567" } as const
    yield* ledger.list(id, [{ contactId, address, variant: null, dueAt: until, left: null }])
  }).pipe(transact, inside(organization), Effect.orDie)
  return id
})

const end = { id: "end", kind: "end" }

const lists: Readonly<Record<string, (tenant: Tenant) => Effect.Effect<ClockList, never, Ports>>> = {
  "a recipient": (tenant) =>
    Effect.map(givenSending(tenant, null), (id) => ({
      held: "broadcasts.read",
      path: `/broadcasts/${id}/recipients`,
      timeOf: (answer) => at(rowsOf(answer)[0], "dueAt")
    })),
  "a broadcast": (tenant) =>
    Effect.map(givenSending(tenant, { reason: "quiet_hours", until }), (id) => ({
      held: "broadcasts.read",
      path: `/broadcasts/${id}`,
      timeOf: ({ body }) => at(body, "waiting", "until")
    })),
  "a workflow run": ({ organization }) =>
    Effect.gen(function* () {
      const graph = { entry: { event: null, next: end.id }, nodes: [end] }
      const { id } = yield* givenActiveWorkflow(organization, graph as never)
      yield* givenWorkflowRun(organization, id)
      return {
        held: "workflows.read",
        path: `/workflows/${id}/runs`,
        timeOf: (answer) => at(rowsOf(answer)[0], "wakeAt")
      }
    }),
  "an automation run": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(organization)
      const waiting = { index: 0, type: "send_template", error: null, effect: null, attempts: 0, until } as const
      yield* givenAutomationRun(organization, id, {
        state: "running",
        reason: "quiet_hours",
        actions: [{ ...waiting, state: "waiting" }],
        finishedAt: null
      })
      return {
        held: "automations.read",
        path: `/automations/${id}/runs`,
        timeOf: (answer) => at(rowsOf(answer)[0], "actions", "0", "until")
      }
    })
}

const callWith = Effect.fnUntraced(function* (tenant: Tenant, ...permissions: ReadonlyArray<Permission>) {
  const { token } = yield* givenAutomationToken(tenant, permissions)
  return (method: string, path: string, body?: unknown) =>
    call(method, `/api/v1${path}`, { token, organization: tenant.organization.id, ...(body !== undefined && { body }) })
})

/** The end of quiet hours tells the time zone of a contact. */
export const contactClocksSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(Object.entries(lists))("the end of the wait of %s needs contacts.read", ([, given]) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { held, path, timeOf } = yield* given(tenant)
        const narrow = yield* callWith(tenant, held)
        const reader = yield* callWith(tenant, held, "contacts.read")
        const hidden = yield* narrow("GET", path)
        assertStatus(hidden, 200)
        assert.isNull(timeOf(hidden), hidden.text)
        assert.isString(timeOf(yield* reader("GET", path)))
      })
    )

    it.effect("the end of a wait for the daily limit is no clock of a contact", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const id = yield* givenSending(tenant, { reason: "daily_limit", until })
        const narrow = yield* callWith(tenant, "broadcasts.read")
        const answer = yield* narrow("GET", `/broadcasts/${id}`)
        assert.deepStrictEqual(answer.body.waiting, { reason: "daily_limit", until: shown })
      })
    )

    it.effect("a simulation with quiet hours needs contacts.read", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization } = tenant
        const { id: chatAccountId } = yield* givenNumber(organization)
        const marketing = { chatAccountId, status: "approved", category: "marketing" } as const
        const { id: templateId } = yield* givenTemplate(organization, marketing)
        const { id } = yield* givenReadyBroadcast(organization, { chatAccountId, templateId })
        const narrow = yield* callWith(tenant, "broadcasts.manage")
        assertStatus(yield* narrow("POST", `/broadcasts/${id}/simulate`, {}), 200)
        const quietHours = { from: "21:00", to: "08:00" }
        assertStatus(yield* as(tenant)("PATCH", "/broadcast_settings", { quietHours }), 200)
        const refused = yield* narrow("POST", `/broadcasts/${id}/simulate`, {})
        assertProblem(refused, 403, "permission_denied")
        assert.strictEqual(refused.body.permission, "contacts.read")
        const reader = yield* callWith(tenant, "broadcasts.manage", "contacts.read")
        assertStatus(yield* reader("POST", `/broadcasts/${id}/simulate`, {}), 200)
      })
    )
  })
