import {
  archiveWorkflow,
  cancelWorkflowRun,
  continueWorkflowRun,
  ContactId,
  createWorkflow,
  deleteWorkflow,
  renderWorkflowDiagram,
  drawWorkflow,
  enrollContacts,
  ExplainedWorkflowRun,
  getWorkflow,
  getWorkflowRun,
  type Graph,
  Job,
  JobId,
  listWorkflowRuns,
  listWorkflows,
  listWorkflowVersions,
  migrateWorkflowRuns,
  NodeId,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  startWorkflowRun,
  testWorkflow,
  updateWorkflow,
  validateWorkflow,
  Workflow,
  WorkflowId,
  WorkflowRun,
  WorkflowRunId,
  WorkflowVersion
} from "@parley/domain"
import type { WorkflowsApi } from "../../workflows.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, pageOf } from "./samples.ts"

const node = (id: string) => NodeId.make(id)

const graph: Graph = {
  entry: {
    event: { event: "cart.abandoned", seconds: 3_600 },
    by: "cart",
    reentry: { afterSeconds: 604_800 },
    next: node("wait")
  },
  goals: [{ id: node("bought"), event: { event: "order.created" }, exit: true }],
  nodes: [
    { id: node("wait"), kind: "wait", until: { localTime: "09:00", zone: "contact" }, next: node("half") },
    {
      id: node("half"),
      kind: "split",
      paths: [
        { percent: 50, next: node("answer") },
        { percent: 50, next: node("end") }
      ]
    },
    {
      id: node("answer"),
      kind: "wait_for",
      event: { event: "message.received" },
      timeoutSeconds: 86_400,
      next: node("end"),
      timeout: node("end")
    },
    { id: node("end"), kind: "end" }
  ]
}

const workflow = new Workflow({
  id: WorkflowId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6"),
  name: "Carts that were left",
  status: "draft",
  publishedVersion: null,
  graph,
  createdAt: at("09:37:00.000"),
  updatedAt: at("09:37:00.000"),
  version: 1
})

const published = new Workflow({
  ...workflow,
  status: "active",
  publishedVersion: 1,
  updatedAt: at("11:00:00.000"),
  version: 2
})

const contactId = ContactId.make("01934b78-1a2b-7c3d-8e4f-5a6b7c8d9e0f")

const run = new WorkflowRun({
  id: WorkflowRunId.make("9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6083"),
  workflowId: workflow.id,
  workflowVersion: 2,
  state: "waiting",
  reason: null,
  contactId,
  key: contactId,
  node: node("answer"),
  wakeAt: at("12:30:00.000"),
  goals: [],
  endedBy: null,
  startedBy: { position: 47, type: "cart.abandoned" },
  input: {},
  event: { position: 47, type: "cart.abandoned" },
  causation: null,
  startedAt: at("12:00:00.000"),
  endedAt: null
})

const explained = new ExplainedWorkflowRun({
  ...run,
  steps: [
    {
      node: node("half"),
      visit: 1,
      state: "done",
      effect: null,
      output: { path: 0 },
      error: null,
      conditions: null,
      at: at("12:00:00.000")
    },
    {
      node: node("answer"),
      visit: 1,
      state: "waiting",
      effect: null,
      output: null,
      error: null,
      conditions: null,
      at: at("12:00:00.000")
    }
  ]
})

const tested = {
  visit: 1,
  state: "done",
  enteredAt: at("08:00:00.000"),
  conditions: null,
  output: null,
  rendered: null,
  effect: null,
  refusal: null
} as const

const name = "Carts that were left for an hour"

export const workflows: ExamplesOf<typeof WorkflowsApi> = {
  list: { runs: listWorkflows, answer: pageOf(workflow) },
  create: { runs: createWorkflow, request: { name: workflow.name, graph }, answer: workflow },
  get: { runs: getWorkflow, answer: workflow },
  update: {
    runs: updateWorkflow,
    request: { name },
    answer: new Workflow({ ...workflow, name, updatedAt: at("10:00:00.000"), version: 2 })
  },
  delete: { runs: deleteWorkflow },
  validate: {
    runs: validateWorkflow,
    answer: {
      faults: [{ pointer: "/graph/nodes/1/paths", message: "Expected percents that add up to 100, not to 90" }]
    }
  },
  test: {
    runs: testWorkflow,
    request: { contactId, answers: { answer: "event" } },
    answer: {
      version: null,
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
          output: { event: { position: 0, type: "message.received" } }
        }
      ],
      startedAt: at("08:00:00.000"),
      endedAt: at("09:00:00.000")
    }
  },
  enroll: {
    runs: enrollContacts,
    request: { audience: { field: "phone", op: "starts_with", value: "+49" } },
    answer: new Job({
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
    answer: new Job({
      id: JobId.make("01934ba6-8293-7222-b678-66a7b8c9dbf2"),
      kind: "workflows.migrate_runs",
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
  publish: { runs: publishWorkflow, answer: published },
  pause: {
    runs: pauseWorkflow,
    answer: new Workflow({ ...published, status: "paused", updatedAt: at("12:00:00.000"), version: 3 })
  },
  resume: {
    runs: resumeWorkflow,
    answer: new Workflow({ ...published, updatedAt: at("13:00:00.000"), version: 4 })
  },
  archive: {
    runs: archiveWorkflow,
    request: { runs: "exit" },
    answer: new Workflow({
      ...published,
      status: "archived",
      updatedAt: at("14:00:00.000"),
      version: 5
    })
  },
  draw: { runs: drawWorkflow, answer: renderWorkflowDiagram(graph) },
  listVersions: {
    runs: listWorkflowVersions,
    answer: pageOf(new WorkflowVersion({ number: 1, graph, publishedAt: at("11:00:00.000") }))
  },
  listRuns: { runs: listWorkflowRuns, answer: pageOf(run) },
  getRun: { runs: getWorkflowRun, answer: explained },
  startRun: { runs: startWorkflowRun, request: { contactId, input: { coupon: "COMEBACK" } }, answer: explained },
  cancelRun: {
    runs: cancelWorkflowRun,
    answer: new ExplainedWorkflowRun({
      ...explained,
      state: "cancelled",
      wakeAt: null,
      endedAt: at("12:10:00.000"),
      steps: explained.steps.map((step) => (step.state === "waiting" ? { ...step, state: "skipped" } : step))
    })
  },
  continueRun: {
    runs: continueWorkflowRun,
    request: { as: "timeout" },
    answer: new ExplainedWorkflowRun({
      ...explained,
      state: "running",
      node: node("end"),
      wakeAt: null,
      steps: explained.steps.map((step) =>
        step.state === "waiting" ? { ...step, state: "done", output: { continued: "timeout" } } : step
      )
    })
  }
}
