import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Job, JobId } from "@parley/domain/platform"
import {
  archiveWorkflow,
  cancelWorkflowRun,
  cancelWorkflowRuns,
  rerunWorkflowRuns,
  continueWorkflowRun,
  createWorkflow,
  deleteWorkflow,
  drawWorkflow,
  enrollContacts,
  ExplainedWorkflowRun,
  getWorkflow,
  getWorkflowRun,
  listWorkflowRuns,
  listWorkflows,
  listWorkflowVersions,
  migrateWorkflowRuns,
  pauseWorkflow,
  publishWorkflow,
  renderWorkflowDiagram,
  resumeWorkflow,
  type RunCount,
  startWorkflowRun,
  testWorkflow,
  updateWorkflow,
  validateWorkflow,
  Workflow,
  WorkflowVersion
} from "@parley/domain/automation"
import { pageOf, runsOf } from "../../../api/shapes.ts"
import { WorkflowsApi } from "../../../api/workflows.ts"
import { queuedJob } from "../../examples/queuedJob.ts"
import { ada, at, samplePage } from "../../examples/samples.ts"
import { contactId, explained, graph, node, published, run, tested, workflow } from "../../examples/workflows.ts"
import { bindWith } from "../bind.ts"

const name = "Carts that were left for an hour"

export const workflows = bindWith(
  WorkflowsApi,
  {
    list: { runs: listWorkflows, response: samplePage(workflow) },
    create: { runs: createWorkflow, request: { name: workflow.name, graph }, response: workflow },
    get: { runs: getWorkflow, response: workflow },
    update: {
      runs: updateWorkflow,
      request: { name },
      response: new Workflow({ ...workflow, name, updatedAt: at("10:00:00.000"), version: 2 })
    },
    delete: { runs: deleteWorkflow },
    validate: {
      runs: validateWorkflow,
      response: {
        faults: [{ pointer: "/graph/nodes/1/paths", message: "Expected percents that add up to 100, not to 90" }]
      }
    },
    test: {
      runs: testWorkflow,
      request: { contactId, answers: { answer: "event" } },
      response: {
        version: null,
        faults: [],
        wouldStart: true,
        conditions: null,
        state: "completed",
        reason: null,
        goals: [],
        steps: [
          {
            ...tested,
            node: node("wait"),
            kind: "wait",
            leftAt: at("09:00:00.000")
          },
          {
            ...tested,
            node: node("half"),
            kind: "split",
            enteredAt: at("09:00:00.000"),
            leftAt: at("09:00:00.000"),
            output: { path: 0 }
          },
          {
            ...tested,
            node: node("answer"),
            kind: "wait_for",
            enteredAt: at("09:00:00.000"),
            leftAt: at("09:00:00.000"),
            conditions: { held: true },
            output: { event: { position: null, type: "message.received" } }
          }
        ],
        startedAt: at("08:00:00.000"),
        endedAt: at("09:00:00.000")
      }
    },
    enroll: {
      runs: enrollContacts,
      request: { audience: { field: "phone", op: "starts_with", value: "+49" } },
      response: new Job({
        id: JobId.make("01934ba6-8293-7222-b678-66a7b8c9dbf1"),
        kind: "workflows.enroll",
        state: "queued",
        progress: { done: 0, total: null },
        counts: {},
        error: null,
        errorCode: null,
        resultUrl: null,
        cancelRequested: false,
        createdBy: { kind: "user", id: ada.id },
        createdAt: at("11:35:00.000"),
        startedAt: null,
        updatedAt: at("11:35:00.000"),
        finishedAt: null
      })
    },
    migrateRuns: {
      runs: migrateWorkflowRuns,
      request: { fromVersion: 1, map: { answer: node("reply") }, missing: "exit" },
      response: queuedJob("workflows.migrate_runs", null)
    },
    publish: { runs: publishWorkflow, response: published },
    pause: {
      runs: pauseWorkflow,
      response: new Workflow({ ...published, status: "paused", updatedAt: at("12:00:00.000"), version: 3 })
    },
    resume: {
      runs: resumeWorkflow,
      response: new Workflow({ ...published, updatedAt: at("13:00:00.000"), version: 4 })
    },
    archive: {
      runs: archiveWorkflow,
      request: { runs: "exit" },
      response: new Workflow({
        ...published,
        status: "archived",
        updatedAt: at("14:00:00.000"),
        version: 5
      })
    },
    draw: { uses: drawWorkflow, response: renderWorkflowDiagram(graph) },
    listVersions: {
      runs: listWorkflowVersions,
      response: samplePage(new WorkflowVersion({ number: 1, graph, publishedAt: at("11:00:00.000") }))
    },
    listRuns: { uses: listWorkflowRuns, response: samplePage(run) },
    getRun: { runs: getWorkflowRun, response: explained },
    startRun: { runs: startWorkflowRun, request: { contactId, input: { coupon: "COMEBACK" } }, response: explained },
    cancelRun: {
      runs: cancelWorkflowRun,
      response: new ExplainedWorkflowRun({
        ...explained,
        state: "cancelled",
        wakeAt: null,
        endedAt: at("12:10:00.000"),
        steps: explained.steps.map((step) => (step.state === "waiting" ? { ...step, state: "skipped" } : step))
      })
    },
    cancelRuns: {
      runs: cancelWorkflowRuns,
      request: { filter: { state: "waiting", createdTo: at("09:30:00.000") } },
      response: queuedJob("workflows.cancel_runs", 12),
      others: [{ count: 12 } satisfies RunCount]
    },
    rerunRuns: {
      runs: rerunWorkflowRuns,
      request: { filter: { state: "failed", createdFrom: at("09:00:00.000") } },
      response: queuedJob("workflows.rerun_runs", 12),
      others: [{ count: 12 } satisfies RunCount]
    },
    continueRun: {
      runs: continueWorkflowRun,
      request: { as: "timeout" },
      response: new ExplainedWorkflowRun({
        ...explained,
        state: "running",
        node: node("end"),
        wakeAt: null,
        steps: explained.steps.map((step) =>
          step.state === "waiting" ? { ...step, state: "done", output: { continued: "timeout" } } : step
        )
      })
    }
  },
  (handlers) =>
    handlers.handleAll({
      draw: ({ params, query }) =>
        Effect.map(drawWorkflow({ ...params, ...query }), (drawn) =>
          HttpServerResponse.text(drawn, { contentType: "text/vnd.mermaid; charset=utf-8" })
        ),
      listRuns: ({ params, query }) => listWorkflowRuns({ ...params, ...runsOf(query), page: pageOf(query) })
    })
)
