import {
  createWorkflow,
  deleteWorkflow,
  drawWorkflow,
  getWorkflow,
  type Graph,
  listWorkflows,
  listWorkflowVersions,
  NodeId,
  updateWorkflow,
  validateWorkflow
} from "@parley/domain"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type World } from "../attempting.ts"

const end = NodeId.make("end")

const graph: Graph = { entry: { event: null, next: end }, nodes: [{ id: end, kind: "end" }] }

const written = { entry: { event: null, next: "end" }, nodes: [{ id: "end", kind: "end" }] }

const saved = { name: "Before", status: "draft", publishedVersion: null, graph: written }

const given = (world: World) => asOwner(world, createWorkflow({ name: "Before", graph }))

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
      attempt(deleteWorkflow(id, 1), () => ({
        action: "workflow.deleted",
        target: { kind: "workflow", id },
        before: saved,
        after: null,
        event: { type: "workflow.deleted", workflowId: id }
      }))
    ),
  "workflows.get": (world) => Effect.map(given(world), ({ id }) => attempt(getWorkflow(id))),
  "workflows.draw": (world) => Effect.map(given(world), ({ id }) => attempt(drawWorkflow(id, null))),
  "workflows.validate": (world) => Effect.map(given(world), ({ id }) => attempt(validateWorkflow(id))),
  "workflows.list": reads(() => listWorkflows(firstPage)),
  "workflows.list_versions": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listWorkflowVersions(id, firstPage))),
  "workflows.update": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(updateWorkflow(id, { name: "After" }, 1), () => ({
        action: "workflow.updated",
        target: { kind: "workflow", id },
        before: { name: "Before" },
        after: { name: "After" },
        event: { type: "workflow.updated", workflowId: id }
      }))
    )
}
