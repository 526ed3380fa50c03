import { adoptAutomationToken, issueAutomationToken, listAutomationTokens, revokeAutomationToken } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Automation tokens. */
export const layer = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listAutomationTokens(pageOf(query)),
    issue: ({ payload }) =>
      Effect.map(issueAutomationToken(payload), ({ automationToken, token }) => ({ ...automationToken, token })),
    adopt: ({ params }) => adoptAutomationToken(params.id),
    revoke: ({ params }) => revokeAutomationToken(params.id)
  })
)
