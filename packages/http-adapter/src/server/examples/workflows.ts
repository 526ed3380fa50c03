import { ContactId } from "@parley/domain/crm"
import {
  ExplainedWorkflowRun,
  type Graph,
  NodeId,
  Workflow,
  WorkflowId,
  WorkflowRun,
  WorkflowRunId
} from "@parley/domain/automation"
import { at } from "./samples.ts"

export const node = (id: string) => NodeId.make(id)

export const graph: Graph = {
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

export const workflow = new Workflow({
  id: WorkflowId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6"),
  name: "Carts that were left",
  status: "draft",
  publishedVersion: null,
  graph,
  createdAt: at("09:37:00.000"),
  updatedAt: at("09:37:00.000"),
  version: 1
})

export const published = new Workflow({
  ...workflow,
  status: "active",
  publishedVersion: 1,
  updatedAt: at("11:00:00.000"),
  version: 2
})

export const contactId = ContactId.make("01934b78-1a2b-7c3d-8e4f-5a6b7c8d9e0f")

export const run = new WorkflowRun({
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
  conditions: null,
  rerunOf: null,
  startedAt: at("12:00:00.000"),
  endedAt: null
})

export const explained = new ExplainedWorkflowRun({
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

export const tested = {
  visit: 1,
  state: "done",
  enteredAt: at("08:00:00.000"),
  conditions: null,
  output: null,
  rendered: null,
  effect: null,
  refusal: null
} as const
