import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflows.ts"

/** Reads one workflow. Reads stay open on every plan. */
export const getWorkflow = useCase(
  "workflows.get",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (id: WorkflowId) {
    return yield* (yield* Workflows).get(id)
  })
)
