import {
  cancelWorkflowRun,
  continueWorkflowRun,
  archiveWorkflow,
  createWorkflow,
  deleteWorkflow,
  drawWorkflow,
  enrollContacts,
  getWorkflow,
  getWorkflowRun,
  type Graph,
  listWorkflowRuns,
  listWorkflows,
  listWorkflowVersions,
  migrateWorkflowRuns,
  NodeId,
  startWorkflowRun,
  testWorkflow,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  updateWorkflow,
  validateWorkflow
} from "@parley/domain/automation"
import { givenActiveWorkflow, givenContact, givenNextVersion, givenWorkflowRun } from "@parley/testkit"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type World } from "../../attempting.ts"

const end = NodeId.make("end")

const graph: Graph = { entry: { event: null, next: end }, nodes: [{ id: end, kind: "end" }] }

const written = { entry: { event: null, next: "end" }, nodes: [{ id: "end", kind: "end" }] }

const saved = { name: "Before", status: "draft", publishedVersion: null, graph: written }

const given = (world: World) => asOwner(world, createWorkflow({ name: "Before", graph }))

const givenActive = (world: World) =>
  Effect.flatMap(given(world), ({ id, version }) => asOwner(world, publishWorkflow({ id, ifVersion: version })))

const givenPaused = (world: World) =>
  Effect.flatMap(givenActive(world), ({ id, version }) => asOwner(world, pauseWorkflow({ id, ifVersion: version })))

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "workflows.create": () =>
    Effect.succeed(
      attempt(createWorkflow({ name: "Before", graph }), ({ id }) => ({
        action: "workflow.created",
        target: { kind: "workflow", id },
        before: null,
        after: saved,
        event: { type: "workflow.created", workflowId: id }
      }))
    ),
  "workflows.delete": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(deleteWorkflow({ id, ifVersion: 1 }), () => ({
        action: "workflow.deleted",
        target: { kind: "workflow", id },
        before: saved,
        after: null,
        event: { type: "workflow.deleted", workflowId: id }
      }))
    ),
  "workflows.publish": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(publishWorkflow({ id, ifVersion: 1 }), () => ({
        action: "workflow.published",
        target: { kind: "workflow", id },
        before: { status: "draft", publishedVersion: null },
        after: { status: "active", publishedVersion: 1 },
        event: { type: "workflow.published", workflowId: id, publishedVersion: 1 }
      }))
    ),
  "workflows.enroll": (world) =>
    Effect.map(givenActive(world), ({ id }) =>
      attempt(enrollContacts({ id, audience: {} }), (job) => ({
        action: "workflow.enrolled",
        target: { kind: "workflow", id },
        before: null,
        after: { jobId: job.id },
        event: { type: "job.started", jobId: job.id, kind: "workflows.enroll" }
      }))
    ),
  "workflows.migrate_runs": (world) =>
    Effect.gen(function* () {
      const workflow = yield* givenActiveWorkflow(world.organization)
      yield* givenNextVersion(world.organization, workflow)
      return attempt(migrateWorkflowRuns({ id: workflow.id, fromVersion: 1 }), (job) => ({
        action: "workflow.runs_moved",
        target: { kind: "workflow", id: workflow.id },
        before: null,
        after: { jobId: job.id, fromVersion: 1, toVersion: 2, map: {}, missing: "stay" },
        event: { type: "job.started", jobId: job.id, kind: "workflows.migrate_runs" }
      }))
    }),
  "workflows.pause": (world) =>
    Effect.map(givenActive(world), ({ id }) =>
      attempt(pauseWorkflow({ id, ifVersion: 2 }), () => ({
        action: "workflow.paused",
        target: { kind: "workflow", id },
        before: { status: "active" },
        after: { status: "paused" },
        event: { type: "workflow.paused", workflowId: id }
      }))
    ),
  "workflows.resume": (world) =>
    Effect.map(givenPaused(world), ({ id }) =>
      attempt(resumeWorkflow({ id, ifVersion: 3 }), () => ({
        action: "workflow.resumed",
        target: { kind: "workflow", id },
        before: { status: "paused" },
        after: { status: "active" },
        event: { type: "workflow.resumed", workflowId: id }
      }))
    ),
  "workflows.archive": (world) =>
    Effect.map(givenActive(world), ({ id }) =>
      attempt(archiveWorkflow({ id, runs: "exit", ifVersion: 2 }), () => ({
        action: "workflow.archived",
        target: { kind: "workflow", id },
        before: { status: "active" },
        after: { status: "archived", runs: "exit" },
        event: { type: "workflow.archived", workflowId: id, runs: "exit" }
      }))
    ),
  "workflows.get": (world) => Effect.map(given(world), ({ id }) => attempt(getWorkflow({ id }))),
  "workflows.draw": (world) => Effect.map(given(world), ({ id }) => attempt(drawWorkflow({ id }))),
  "workflows.validate": (world) => Effect.map(given(world), ({ id }) => attempt(validateWorkflow({ id }))),
  "workflows.list_runs": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listWorkflowRuns({ id, page: firstPage }))),
  "workflows.get_run": (world) =>
    Effect.gen(function* () {
      const { id } = yield* givenActiveWorkflow(world.organization)
      const run = yield* givenWorkflowRun(world.organization, id)
      return attempt(getWorkflowRun({ id, runId: run.id }))
    }),
  "workflows.test": (world) =>
    Effect.gen(function* () {
      const { id } = yield* given(world)
      const { id: contactId } = yield* givenContact(world.organization)
      return attempt(testWorkflow({ id, contactId }))
    }),
  "workflows.start_run": (world) =>
    Effect.gen(function* () {
      const { id: workflowId } = yield* givenActiveWorkflow(world.organization)
      const { id: contactId } = yield* givenContact(world.organization)
      return attempt(startWorkflowRun({ id: workflowId, contactId }), ({ id }) => ({
        action: "workflow.run_started",
        target: { kind: "workflow_run", id },
        before: null,
        after: { workflowId, contactId },
        event: { type: "workflow.run_started", workflowId, runId: id, contactId, workflowVersion: 1 }
      }))
    }),
  "workflows.cancel_run": (world) =>
    Effect.gen(function* () {
      const { id: workflowId } = yield* givenActiveWorkflow(world.organization)
      const { contactId, id } = yield* givenWorkflowRun(world.organization, workflowId)
      return attempt(cancelWorkflowRun({ id: workflowId, runId: id }), () => ({
        action: "workflow.run_cancelled",
        target: { kind: "workflow_run", id },
        before: { state: "waiting" },
        after: { state: "cancelled" },
        event: { type: "workflow.run_ended", workflowId, runId: id, contactId, state: "cancelled", reason: null }
      }))
    }),
  "workflows.continue_run": (world) =>
    Effect.gen(function* () {
      const { id: workflowId } = yield* givenActiveWorkflow(world.organization)
      const { contactId, id } = yield* givenWorkflowRun(world.organization, workflowId)
      return attempt(continueWorkflowRun({ id: workflowId, runId: id }), ({ node }) => ({
        action: "workflow.run_continued",
        target: { kind: "workflow_run", id },
        before: { node: "w" },
        after: { node },
        event: { type: "workflow.run_continued", workflowId, runId: id, contactId, nodeId: NodeId.make("w") }
      }))
    }),
  "workflows.list": reads(() => listWorkflows({ page: firstPage })),
  "workflows.list_versions": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listWorkflowVersions({ id, page: firstPage }))),
  "workflows.update": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(updateWorkflow({ id, name: "After", ifVersion: 1 }), () => ({
        action: "workflow.updated",
        target: { kind: "workflow", id },
        before: { name: "Before" },
        after: { name: "After" },
        event: { type: "workflow.updated", workflowId: id }
      }))
    )
}
