import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { AutomationTokens } from "../AutomationTokens.ts"

/** Reads the automation tokens, newest first, without the tokens themselves. */
export const listAutomationTokens = useCase(
  "identity.listAutomationTokens",
  { access: { permission: "tokens.manage" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const tokens = yield* AutomationTokens
    return yield* paged(
      "automation_tokens",
      page,
      (slice) => tokens.list(slice),
      (token) => [token.id]
    )
  })
)
