import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { useCase } from "../../../kernel/index.ts"
import { faultsOfWorkflow } from "../checks/faultsOfWorkflow.ts"
import { Workflows } from "../Workflows.ts"

/** Finds everything that is wrong with the draft of a workflow as things are today. It changes nothing. */
export const validateWorkflow = useCase(
  "workflows.validate",
  { access: { permission: "workflows.read" }, gatedBy: "workflows" },
  Effect.fnUntraced(function* (id: WorkflowId) {
    const { graph } = yield* (yield* Workflows).get(id)
    return { faults: yield* faultsOfWorkflow(graph) }
  })
)
