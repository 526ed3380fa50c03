import type { WorkflowStatus } from "@parley/domain/automation"
import { givenActiveWorkflow, givenContact, givenNextVersion, givenWorkflowRun } from "@parley/testkit"
import { Effect } from "effect"
import { nothing, type Recipe } from "../../Recipe.ts"
import { givenWorkflow } from "../../tenants.ts"

const inStatus =
  (status: WorkflowStatus, body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenWorkflow(tenant.organization, status), ({ id }) => ({ id, body }))

const onWorkflow = (body?: unknown): Recipe => inStatus("draft", body)

const onRun: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id } = yield* givenActiveWorkflow(tenant.organization)
    const { id: runId } = yield* givenWorkflowRun(tenant.organization, id)
    return { id, params: { runId } }
  })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "workflows.list": nothing,
  "workflows.create": () =>
    Effect.succeed({
      body: {
        name: "Cart",
        graph: { entry: { event: null, next: "e" }, nodes: [{ id: "e", kind: "end" }] }
      }
    }),
  "workflows.get": onWorkflow(),
  "workflows.update": onWorkflow({ name: "Cart in winter" }),
  "workflows.delete": onWorkflow(),
  "workflows.validate": onWorkflow(),
  "workflows.test": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenActiveWorkflow(tenant.organization)
      const { id: contactId } = yield* givenContact(tenant.organization)
      return { id, body: { contactId } }
    }),
  "workflows.enroll": inStatus("active", { audience: {} }),
  "workflows.publish": inStatus("draft"),
  "workflows.pause": inStatus("active"),
  "workflows.resume": inStatus("paused"),
  "workflows.archive": inStatus("active", { runs: "exit" }),
  "workflows.draw": onWorkflow(),
  "workflows.listVersions": onWorkflow(),
  "workflows.listRuns": onWorkflow(),
  "workflows.getRun": onRun,
  "workflows.startRun": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenActiveWorkflow(tenant.organization)
      const { id: contactId } = yield* givenContact(tenant.organization)
      return { id, body: { contactId, input: { coupon: "COMEBACK" } } }
    }),
  "workflows.migrateRuns": ({ tenant }) =>
    Effect.gen(function* () {
      const workflow = yield* givenActiveWorkflow(tenant.organization)
      yield* givenNextVersion(tenant.organization, workflow)
      return { id: workflow.id, body: { fromVersion: 1, map: { w: "w" }, missing: "exit" } }
    }),
  "workflows.cancelRun": onRun,
  "workflows.continueRun": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenActiveWorkflow(tenant.organization)
      const { id: runId } = yield* givenWorkflowRun(tenant.organization, id)
      return { id, params: { runId }, body: { as: "timeout" } }
    })
}
