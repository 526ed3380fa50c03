import { assert } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import { WorkflowTestResult } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { givenConversation, givenReceived } from "@parley/testkit"
import { Effect, type Layer, Schema } from "effect"
import { assertProblem, assertStatus, pointersOf, textAt } from "../harness/answers.ts"
import { type Answer, call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenAutomationToken, givenTenant, type Tenant } from "../harness/tenants.ts"
import { everyAction } from "./automationTests.ts"
import type { Sight } from "./tenancy.ts"

const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

const decode = Schema.decodeUnknownSync(WorkflowTestResult)

const resultOf = (answer: Answer) => {
  assertStatus(answer, 200)
  return decode(answer.body)
}

/** Nodes in a row, and an end. */
const rowOf = (nodes: ReadonlyArray<object>) => [
  ...nodes.map((node, index) => {
    const isFork = "paths" in node || "branches" in node
    return { id: `n${index}`, ...(!isFork && { next: `n${index + 1}` }), ...node }
  }),
  { id: `n${nodes.length}`, kind: "end" }
]

const drafted = Effect.fnUntraced(function* (tenant: Tenant, nodes: ReadonlyArray<object>) {
  const graph = { entry: { event: null, next: "n0" }, nodes: rowOf(nodes) }
  const created = yield* call("POST", "/api/v1/workflows", { ...ours(tenant), body: { name: "Walk", graph } })
  assertStatus(created, 201)
  return `/api/v1/workflows/${textAt(created, "id")}`
})

const action = (each: object) => ({ kind: "action", action: each, onError: "continue" })

const waitFor = (index: number) => ({
  kind: "wait_for",
  event: { event: "message.received" },
  timeoutSeconds: 3_600,
  timeout: `n${index + 1}`
})

/** Under row level security, each statement runs several times. */
const slowStorage = { databaseMillis: 60_000 }

/** Tests of workflows, without effects. */
export const workflowTestsSuite = <Provides, E>(
  name: string,
  ports: Layer.Layer<Ports | Provides, E>,
  sight: Sight<NoInfer<Provides>>
) =>
  overHttp<Provides, E>(
    name,
    ports,
    (it) => {
      it.effect("every kind of node and action is tried, and nothing is written", () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const conversation = yield* givenConversation(tenant.organization)
          const { chatAccountId, contactId } = conversation
          // The message opens the service window.
          yield* givenReceived(tenant.organization, conversation, { text: "Hello" })
          const all = JSON.stringify(yield* everyAction(tenant, chatAccountId)).replaceAll("message.text", "contact.id")
          const actions = JSON.parse(all) as ReadonlyArray<object>
          const forks = [
            { kind: "split", paths: [{ percent: 100, next: "n1" }] },
            { kind: "branch", branches: [{ if: { field: "blocked", op: "is", value: true }, next: "n2" }], else: "n2" },
            waitFor(2)
          ]
          const wait = { kind: "wait", seconds: 86_400 }
          // Several requests, because each one has a limit for its time in the storage.
          const starts = Array.from({ length: Math.ceil(actions.length / 4) }, (_, index) => index * 4)
          const parts = [forks, ...starts.map((from) => actions.slice(from, from + 4).map(action))]
          const drafts = yield* Effect.forEach(parts, (part) => {
            const nodes = [...part, wait]
            return Effect.map(drafted(tenant, nodes), (path) => ({ nodes, path }))
          })
          const before = yield* sight(tenant)
          for (const [index, { nodes, path }] of drafts.entries()) {
            const body = { contactId, ...(index === 0 && { answers: { n2: "event" } }) }
            const tested = resultOf(yield* call("POST", `${path}/test`, { ...ours(tenant), body }))
            assert.deepStrictEqual([tested.state, tested.wouldStart, tested.version], ["completed", true, null])
            assert.deepStrictEqual(
              tested.steps.map(({ kind, refusal }) => [kind, refusal?.code ?? null]),
              nodes.map(({ kind }) => [kind, null])
            )
          }
          assert.deepStrictEqual(yield* sight(tenant), before)
        })
      )

      it.effect("reports unknown contacts, versions and nodes, and an unknown workflow", () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { contactId } = yield* givenConversation(tenant.organization)
          const path = yield* drafted(tenant, [waitFor(0)])
          const test = (body: object) => call("POST", `${path}/test`, { ...ours(tenant), body })
          const refused = yield* test({ contactId, answers: { n0: { position: 1_000_000 }, n9: "event" }, position: 1 })
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), ["/answers/n0/position", "/answers/n9", "/position"])
          assert.deepStrictEqual(pointersOf(yield* test({ contactId, version: 7 })), ["/version"])
          assert.deepStrictEqual(pointersOf(yield* test({ contactId, answers: { n0: "maybe" } })), ["/answers/n0"])
          const stranger = yield* test({ contactId: yield* freshId })
          assertProblem(stranger, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(stranger), ["/contactId"])
          const unknown = yield* call("POST", `/api/v1/workflows/${yield* freshId}/test`, {
            ...ours(tenant),
            body: { contactId }
          })
          assertProblem(unknown, 404, "not_found")
        })
      )

      it.effect("rejects a token without the permissions of the workflow, and hides values and times", () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { contactId } = yield* givenConversation(tenant.organization)
          const path = yield* drafted(tenant, [action({ type: "add_note", text: "x" })])
          const as = Effect.fnUntraced(function* (...permissions: ReadonlyArray<Permission>) {
            const { token } = yield* givenAutomationToken(tenant, permissions)
            const what = { token, organization: tenant.organization.id, body: { contactId } }
            return yield* call("POST", `${path}/test`, what)
          })
          const refused = yield* as("workflows.manage")
          assertProblem(refused, 403, "permission_denied")
          const [step] = resultOf(yield* as("workflows.manage", "conversations.manage")).steps
          assert.deepStrictEqual(
            [step?.state, step?.rendered, step?.enteredAt, step?.leftAt],
            ["done", null, null, null]
          )
        })
      )
    },
    slowStorage
  )
