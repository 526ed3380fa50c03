import { transact } from "@parley/domain/kernel"
import { type Graph, NodeId, Workflow, WorkflowId, Workflows, WorkflowVersion } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { freshId } from "../../given.ts"

export const nodeId = (id: string) => NodeId.make(id)

export const graph: Graph = {
  entry: {
    event: { event: "cart.abandoned", seconds: 3_600 },
    if: { field: "tag", op: "any_of", value: ["“vip” \\ 100 % _ 🎉"] },
    by: "cart",
    reentry: { afterSeconds: 604_800 },
    next: nodeId("n1")
  },
  goals: [{ id: nodeId("g"), event: { event: "order.created" }, exit: true }],
  exits: [],
  nodes: [
    { id: nodeId("n1"), kind: "wait", seconds: 60, next: nodeId("e") },
    { id: nodeId("e"), kind: "end" }
  ]
}

export const newWorkflow = (overrides: Partial<Workflow> = {}) =>
  new Workflow({
    id: freshId(WorkflowId),
    name: "Cart “left” \\ 100 % _ 🎉",
    status: "draft",
    publishedVersion: null,
    graph,
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1,
    ...overrides
  })

export const newVersion = (number: number) =>
  new WorkflowVersion({ number, graph, publishedAt: DateTime.makeUnsafe("2026-01-03T03:04:05.678Z") })

export const insert = Effect.fnUntraced(function* (workflow = newWorkflow()) {
  yield* transact((yield* Workflows).insert(workflow))
  return workflow
})

export const save = (workflow: Workflow, expected: number | null) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.save(workflow, expected)))

export const remove = (id: WorkflowId, expected: number | null) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.remove(id, expected)))

export const publish = (id: WorkflowId, number: number) =>
  Effect.flatMap(Workflows, (workflows) => transact(workflows.publish(id, newVersion(number))))
