import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { useCase } from "../../../kernel/index.ts"
import { diagramOf } from "../diagram/diagramOf.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { Workflows } from "../Workflows.ts"

/** Draws a workflow as Mermaid: its draft, or a published version, with how many live runs are in each node. */
export const drawWorkflow = useCase(
  "workflows.draw",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (id: WorkflowId, number: number | null) {
    const workflows = yield* Workflows
    const draft = yield* workflows.get(id)
    const { graph } = number === null ? draft : yield* workflows.version(id, number)
    return diagramOf(graph, yield* (yield* WorkflowRuns).countInNodes(id, number))
  })
)
