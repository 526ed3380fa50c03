import { Effect, Redacted } from "effect"
import { exchangeDocsCode, getDocsSession, handOffToDocs } from "@parley/domain/platform"
import { DocsReader } from "../../../api/middleware.ts"
import { DocsApi } from "../../../api/operations.ts"
import { ServerConfig } from "../../ServerConfig.ts"
import { ada, at, entitlements, jwt, oneTimeToken, organization } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

export const docs = bindWith(
  DocsApi,
  {
    handoff: {
      uses: handOffToDocs,
      response: {
        code: oneTimeToken,
        url: `https://parley.example/docs#code=${Redacted.value(oneTimeToken)}`,
        expiresAt: at("09:31:00.000")
      }
    },
    exchange: {
      runs: exchangeDocsCode,
      request: { code: oneTimeToken },
      response: { sessionToken: jwt, expiresAt: at("09:40:30.000"), user: ada, organization }
    },
    session: { uses: getDocsSession, response: { user: ada, organization, entitlements } }
  },
  Effect.fnUntraced(function* (handlers) {
    const { docsUrl } = yield* ServerConfig
    return handlers.handleAll({
      handoff: () =>
        Effect.map(handOffToDocs(), ({ code, expiresAt }) => ({
          code,
          url: `${docsUrl}#code=${Redacted.value(code)}`,
          expiresAt
        })),
      session: () => Effect.flatMap(DocsReader, getDocsSession)
    })
  })
)
