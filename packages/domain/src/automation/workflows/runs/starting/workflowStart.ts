import { Effect } from "effect"
import { type AskedOfWorkflow, WorkflowRefused, type WorkflowId } from "../../../automations/index.ts"
import { codeOf } from "../../../../kernel/index.ts"
import { needsOfWorkflows } from "../../needs.ts"
import { Workflows } from "../../Workflows.ts"
import { callWorkflow, enterable } from "./callWorkflow.ts"

const refused = (error: { readonly _tag: string; readonly message: string }) =>
  new WorkflowRefused({ code: codeOf(error._tag), detail: error.message })

/** How automations and workflows have a workflow begun. */
export const workflowStart = {
  exists: Effect.fnUntraced(function* (id: WorkflowId) {
    const found = yield* Effect.option((yield* Workflows).get(id))
    return found._tag === "Some"
  }),
  needs: needsOfWorkflows,
  start: ({ contactId, input, key, workflowId }: AskedOfWorkflow) =>
    Effect.flatMap(enterable(workflowId), (workflow) => callWorkflow(workflow, { contactId, input, name: key })).pipe(
      Effect.catchTag(["ContactInWorkflow", "ContactUnreachable", "WorkflowNotActive"], (error) =>
        Effect.fail(refused(error))
      )
    )
}
