import { Effect } from "effect"
import type { WorkflowId } from "../../automation/index.ts"
import { useCase } from "../../kernel/index.ts"
import { faultsOfGraph } from "../graph/faultsOfGraph.ts"
import { faultsOfSchedules } from "../graph/faultsOfSchedules.ts"
import { Workflows } from "../Workflows.ts"

/** Finds what is wrong with how the draft of a workflow hangs together. It changes nothing. */
export const validateWorkflow = useCase(
  "workflows.validate",
  { access: { permission: "workflows.read" }, gatedBy: "workflows" },
  Effect.fnUntraced(function* (id: WorkflowId) {
    const { graph } = yield* (yield* Workflows).get(id)
    return { faults: [...faultsOfGraph(graph), ...(yield* faultsOfSchedules(graph))] }
  })
)
