import { Effect } from "effect"
import {
  adoptAutomationToken,
  issueAutomationToken,
  listAutomationTokens,
  revokeAutomationToken
} from "@parley/domain/platform"
import { TokensApi } from "../../../api/auth.ts"
import { at, automationToken, jwt, lastSamplePage } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

export const tokens = bindWith(
  TokensApi,
  {
    list: { runs: listAutomationTokens, response: lastSamplePage(automationToken) },
    issue: {
      uses: issueAutomationToken,
      request: {
        name: automationToken.name,
        permissions: ["organization.read", "members.read"],
        expiresAt: automationToken.expiresAt
      },
      response: { ...automationToken, token: jwt }
    },
    adopt: { runs: adoptAutomationToken, response: { ...automationToken, adoptedAt: at("11:05:00.000") } },
    revoke: { runs: revokeAutomationToken }
  },
  (handlers) =>
    handlers.handleAll({
      issue: ({ payload }) =>
        Effect.map(issueAutomationToken(payload), ({ automationToken, token }) => ({ ...automationToken, token }))
    })
)
