import { Effect } from "effect"
import { type AskedOfWorkflow, WorkflowRefused, type WorkflowId } from "../../../automation/index.ts"
import { codeOf } from "../../../kernel/index.ts"
import { Workflows } from "../../Workflows.ts"
import { callWorkflow } from "./callWorkflow.ts"

const refused = (error: { readonly _tag: string; readonly message: string }) =>
  new WorkflowRefused({ code: codeOf(error._tag), detail: error.message })

/** How automations and workflows have a workflow begun. */
export const workflowStart = {
  exists: Effect.fnUntraced(function* (id: WorkflowId) {
    const found = yield* Effect.option((yield* Workflows).get(id))
    return found._tag === "Some"
  }),
  start: ({ contactId, input, key, workflowId }: AskedOfWorkflow) =>
    callWorkflow(workflowId, { contactId, input, name: key }).pipe(
      Effect.catchTag(["ContactInWorkflow", "ContactUnreachable", "WorkflowNotActive"], (error) =>
        Effect.fail(refused(error))
      )
    )
}
