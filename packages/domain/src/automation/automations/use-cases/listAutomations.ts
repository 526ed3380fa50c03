import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Automations } from "../Automations.ts"
import { shownAutomations } from "../shownAutomations.ts"

/** Reads the automations, newest first. */
export const listAutomations = useCase(
  "automation.list",
  { access: { permission: "automations.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const automations = yield* Automations
    const { data, nextCursor } = yield* paged(
      "automations",
      page,
      (slice) => automations.list(slice),
      (automation) => [automation.id]
    )
    return { data: yield* shownAutomations(data), nextCursor }
  })
)
