import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflows.ts"

/** Reads the published versions of a workflow, newest first. */
export const listWorkflowVersions = useCase(
  "workflows.list_versions",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (id: WorkflowId, page: PageRequest) {
    const workflows = yield* Workflows
    yield* workflows.get(id)
    return yield* paged(
      `workflow_versions:${id}`,
      page,
      (slice) => workflows.versions(id, slice),
      ({ number }) => [String(number)]
    )
  })
)
