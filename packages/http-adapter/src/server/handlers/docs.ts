import { exchangeDocsCode, getDocsSession, handOffToDocs } from "@parley/domain"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { DocsReader } from "../../api/middleware.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { ServerConfig } from "../ServerConfig.ts"

/** The hand-off to the documentation site. */
export const layer = HttpApiBuilder.group(
  Api,
  "docs",
  Effect.fnUntraced(function* (handlers) {
    const { docsUrl } = yield* ServerConfig
    return withAnswerWriters(handlers).handleAll({
      handoff: () =>
        Effect.map(handOffToDocs(), ({ code, expiresAt }) => ({
          code,
          url: `${docsUrl}#code=${Redacted.value(code)}`,
          expiresAt
        })),
      exchange: ({ payload }) => exchangeDocsCode(payload.code),
      session: () => Effect.flatMap(DocsReader, getDocsSession)
    })
  })
)
