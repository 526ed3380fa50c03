import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Workflows } from "../Workflows.ts"

/** Reads the workflows, newest first. */
export const listWorkflows = useCase(
  "workflows.list",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const workflows = yield* Workflows
    return yield* paged(
      "workflows",
      page,
      (slice) => workflows.list(slice),
      (workflow) => [workflow.id]
    )
  })
)
