import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { AutomationTokens } from "../AutomationTokens.ts"
import { listedToken } from "../tokenRights.ts"

/** Reads the automation tokens, newest first, without the tokens themselves: who answers for each, and whether it works. */
export const listAutomationTokens = useCase(
  "identity.listAutomationTokens",
  { access: { permission: "tokens.manage" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const tokens = yield* AutomationTokens
    const now = yield* DateTime.now
    return yield* paged(
      "automation_tokens",
      page,
      (slice) =>
        Effect.map(tokens.list(slice), (rows) =>
          rows.map(({ responsible, token }) => listedToken(token, responsible, now))
        ),
      (token) => [token.id]
    )
  })
)
