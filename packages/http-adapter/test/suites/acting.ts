import { assert } from "@effect/vitest"
import { Permission } from "@parley/domain/kernel"
import { removeMember, revokeAutomationToken, runDueJobs } from "@parley/domain/platform"
import { FilterInput } from "@parley/domain/crm"
import { ConditionInput, type Graph, NodeId } from "@parley/domain/automation"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { givenActiveWorkflow } from "@parley/testkit"
import { assertProblem, assertStatus, at, rowsOf, textAt } from "../harness/answers.ts"
import { givenBroadcast, givenReadyBroadcast } from "../harness/campaigns.ts"
import { type Endpoint, endpoints, reachable } from "../harness/contract.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import {
  givenAutomation,
  givenAutomationToken,
  givenContact,
  givenPerson,
  givenSegment,
  givenTag,
  givenTenant,
  inside,
  type Tenant
} from "../harness/tenants.ts"

const end = { id: NodeId.make("end"), kind: "end" } as const
const first = NodeId.make("first")

/** Tags each contact that enters. */
const tagging = (tagId: string): Graph => ({
  entry: { event: null, next: first },
  nodes: [{ id: first, kind: "action", action: { type: "tag", tagIds: [tagId as never] }, next: end.id }, end]
})

const plain: Graph = { entry: { event: null, next: end.id }, nodes: [end] }

/** Calls as a token with these permissions. */
const tokenWith = Effect.fnUntraced(function* (tenant: Tenant, permissions: ReadonlyArray<Permission>) {
  const { automationToken, token } = yield* givenAutomationToken(tenant, permissions)
  const send = (method: string, path: string, body?: unknown) =>
    call(method, `/api/v1${path}`, {
      token,
      organization: tenant.organization.id,
      ...(body === undefined ? {} : { body })
    })
  return { id: automationToken.id, send }
})

const phoneStarts = (digits: string) => ({ field: "phone", op: "starts_with", value: digits })

/** A condition of commerce: no endpoint with a filter needs commerce.read itself. */
const bought = { field: "orderCount", op: "gte", value: 1 }

const inQuery = encodeURIComponent(JSON.stringify(bought))

/** A request with a filter of another permission, and the only permission of its use case. */
interface FilterRequest {
  readonly permission: Permission
  readonly path: string
  readonly body?: unknown
}

const readingGraph = {
  entry: { event: null, if: bought, next: "end" },
  nodes: [end]
}

/** For each endpoint with a filter, a request that needs more than the permission of the endpoint. */
const requests: Readonly<Record<string, (tenant: Tenant) => Effect.Effect<FilterRequest, never, Ports>>> = {
  "contacts.list": () => Effect.succeed({ permission: "contacts.read", path: `/contacts?filter=${inQuery}` }),
  "contacts.count": () => Effect.succeed({ permission: "contacts.read", path: `/contacts/count?filter=${inQuery}` }),
  "contactTransfer.export": () =>
    Effect.succeed({ permission: "contacts.export", path: `/contacts/export?format=ndjson&filter=${inQuery}` }),
  "contacts.bulk": ({ organization }) =>
    Effect.map(givenTag(organization), ({ id }) => ({
      permission: "contacts.manage",
      path: "/contacts/bulk",
      body: { change: { action: "tag", tags: [id] }, target: { filter: bought } }
    })),
  "segments.create": () =>
    Effect.succeed({ permission: "contacts.manage", path: "/segments", body: { name: "Buyers", filter: bought } }),
  "segments.update": ({ organization }) =>
    Effect.map(givenSegment(organization), ({ id }) => ({
      permission: "contacts.manage",
      path: `/segments/${id}`,
      body: { filter: bought }
    })),
  "broadcasts.create": () =>
    Effect.succeed({ permission: "broadcasts.manage", path: "/broadcasts", body: { name: "B", audience: bought } }),
  "broadcasts.update": ({ organization }) =>
    Effect.map(givenBroadcast(organization), ({ id }) => ({
      permission: "broadcasts.manage",
      path: `/broadcasts/${id}`,
      body: { exclude: bought }
    })),
  "broadcasts.preview": ({ organization }) =>
    Effect.map(givenReadyBroadcast(organization), ({ chatAccountId }) => ({
      permission: "broadcasts.manage",
      path: "/broadcasts/audience_preview",
      body: { chatAccountId, audience: bought }
    })),
  "automations.create": () =>
    Effect.succeed({ permission: "automations.manage", path: "/automations", body: { name: "A", if: bought } }),
  "automations.update": ({ organization }) =>
    Effect.map(givenAutomation(organization), ({ id }) => ({
      permission: "automations.manage",
      path: `/automations/${id}`,
      body: { if: bought }
    })),
  "automations.test": ({ organization }) =>
    Effect.map(givenAutomation(organization), ({ id }) => ({
      permission: "automations.manage",
      path: `/automations/${id}/test`,
      body: { position: 1, draft: { if: bought } }
    })),
  "workflows.create": () =>
    Effect.succeed({ permission: "workflows.manage", path: "/workflows", body: { name: "W", graph: readingGraph } }),
  "workflows.update": ({ organization }) =>
    Effect.map(givenActiveWorkflow(organization, plain), ({ id }) => ({
      permission: "workflows.manage",
      path: `/workflows/${id}`,
      body: { graph: readingGraph }
    })),
  "workflows.enroll": ({ organization }) =>
    Effect.map(givenActiveWorkflow(organization, plain), ({ id }) => ({
      permission: "workflows.manage",
      path: `/workflows/${id}/enrollments`,
      body: { audience: bought }
    }))
}

const filters = new Set<unknown>(
  [FilterInput, ConditionInput].map(({ ast }) => (ast.annotations as Readonly<Record<string, unknown>>)["identifier"])
)

/** Whether a request of the endpoint can contain a contact filter or a condition. */
const takesFilter = ({ contract }: Endpoint): boolean =>
  [
    ...(contract.query === undefined ? [] : [contract.query.ast]),
    ...Array.from(contract.payload.values()).flatMap(({ schemas }) => schemas.map(({ ast }) => ast))
  ].some((root) =>
    Array.from(reachable(root)).some((node) => "annotations" in node && filters.has(at(node.annotations, "identifier")))
  )

/** Definitions and filters require every permission that they reach. */
export const actingSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("has a request for every endpoint with a filter", () =>
      Effect.sync(() => {
        assert.deepStrictEqual(
          endpoints
            .filter(takesFilter)
            .map(({ id }) => id)
            .toSorted(),
          Object.keys(requests).toSorted()
        )
      })
    )

    it.effect("requires the permission of filter fields and the permission of the endpoint", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const all: ReadonlyArray<Permission> = Permission.literals
        for (const { id, method } of endpoints.filter(takesFilter)) {
          const request = yield* requests[id]?.(tenant) ?? Effect.die(new Error(`There is no request to ${id}.`))
          const alone = yield* tokenWith(tenant, [request.permission])
          assertProblem(yield* alone.send(method, request.path, request.body), 403, "permission_denied")
          const others = yield* tokenWith(
            tenant,
            all.filter((permission) => permission !== "commerce.read")
          )
          const answer = yield* others.send(method, request.path, request.body)
          assertProblem(answer, 403, "permission_denied")
          assert.strictEqual(at(answer.body, "permission"), "commerce.read", id)
        }
      })
    )

    it.effect("refuses a run and an enrollment that tag to a token with workflows.manage alone", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const tag = yield* givenTag(tenant.organization)
        const contact = yield* givenContact(tenant.organization, { phone: "+491701234567" as never })
        const workflow = yield* givenActiveWorkflow(tenant.organization, tagging(tag.id))
        const { send } = yield* tokenWith(tenant, ["workflows.manage", "workflows.read"])
        const refused = (answer: Parameters<typeof assertProblem>[0]) => {
          assertProblem(answer, 403, "permission_denied")
          assert.strictEqual(at(answer.body, "permission"), "contacts.manage")
        }
        refused(yield* send("POST", `/workflows/${workflow.id}/runs`, { contactId: contact.id }))
        refused(yield* send("POST", `/workflows/${workflow.id}/enrollments`, { audience: {} }))
        assert.lengthOf(rowsOf(yield* send("GET", `/workflows/${workflow.id}/runs`)), 0)
      })
    )

    it.effect("refuses a run that starts a tagging workflow to a token with workflows.manage alone", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const tag = yield* givenTag(tenant.organization)
        const contact = yield* givenContact(tenant.organization)
        const inner = yield* givenActiveWorkflow(tenant.organization, tagging(tag.id))
        const outer = yield* givenActiveWorkflow(tenant.organization, {
          entry: { event: null, next: first },
          nodes: [
            { id: first, kind: "action", action: { type: "start_workflow", workflowId: inner.id }, next: end.id },
            end
          ]
        })
        const { send } = yield* tokenWith(tenant, ["workflows.manage"])
        const answer = yield* send("POST", `/workflows/${outer.id}/runs`, { contactId: contact.id })
        assertProblem(answer, 403, "permission_denied")
        assert.strictEqual(at(answer.body, "permission"), "contacts.manage")
      })
    )

    it.effect("reveals no digit of a phone number by enrollments and audience previews", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        yield* givenContact(tenant.organization, { phone: "+491701234567" as never })
        const workflow = yield* givenActiveWorkflow(tenant.organization, plain)
        const { chatAccountId } = yield* givenReadyBroadcast(tenant.organization)
        const segment = yield* as(tenant)("POST", "/segments", { name: "Guess", filter: phoneStarts("+491") })
        const enrolling = yield* tokenWith(tenant, ["workflows.manage", "workflows.read"])
        const previewing = yield* tokenWith(tenant, ["broadcasts.manage"])
        const guesses = [
          ...Array.from({ length: 10 }, (_, digit) => phoneStarts(`+49${digit}`)),
          { not: { all: [phoneStarts("+491")] } },
          { field: "segment", op: "in", value: textAt(segment, "id") }
        ]
        for (const guess of guesses) {
          const asked = [
            yield* enrolling.send("POST", `/workflows/${workflow.id}/enrollments`, { audience: guess }),
            yield* previewing.send("POST", "/broadcasts/audience_preview", { chatAccountId, audience: guess }),
            yield* previewing.send("POST", "/broadcasts/audience_preview", {
              chatAccountId,
              audience: {},
              exclude: guess
            })
          ]
          for (const answer of asked) {
            assertProblem(answer, 403, "permission_denied")
            assert.strictEqual(at(answer.body, "permission"), "contacts.read")
          }
        }
        assert.lengthOf(rowsOf(yield* enrolling.send("GET", `/workflows/${workflow.id}/runs`)), 0)
      })
    )

    it.effect("fails a job with a code when its token is revoked or its member is removed", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        yield* givenContact(tenant.organization)
        const workflow = yield* givenActiveWorkflow(tenant.organization, plain)
        const { id, send } = yield* tokenWith(tenant, ["workflows.manage", "contacts.read"])
        const ofToken = yield* send("POST", `/workflows/${workflow.id}/enrollments`, { audience: {} })
        assertStatus(ofToken, 202)
        const leaver = yield* givenPerson(tenant.organization, "admin")
        const ofMember = yield* call("POST", `/api/v1/workflows/${workflow.id}/enrollments`, {
          token: leaver.token,
          organization: tenant.organization.id,
          body: { audience: {} }
        })
        assertStatus(ofMember, 202)
        yield* revokeAutomationToken({ id }).pipe(inside(tenant.organization))
        yield* removeMember({ id: leaver.member.id }).pipe(inside(tenant.organization))
        yield* TestClock.adjust("1 second")
        yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
        for (const started of [ofToken, ofMember]) {
          const job = yield* as(tenant)("GET", `/jobs/${textAt(started, "id")}`)
          assert.deepStrictEqual([job.body.state, job.body.errorCode], ["failed", "requester_inactive"], job.text)
        }
        assert.lengthOf(rowsOf(yield* as(tenant)("GET", `/workflows/${workflow.id}/runs`)), 0)
      })
    )
  })
