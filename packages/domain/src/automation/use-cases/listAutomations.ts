import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { Automations } from "../Automations.ts"
import { shownAutomation } from "../shownAutomation.ts"

/** What is wrong with so many is found side by side. */
const shownAtOnce = 10

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
    return { data: yield* Effect.forEach(data, shownAutomation, { concurrency: shownAtOnce }), nextCursor }
  })
)
