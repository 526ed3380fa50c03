import { exchangeDocsCode, getDocsSession, handOffToDocs } from "@parley/domain"
import { Redacted } from "effect"
import type { DocsApi } from "../../docs.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, entitlements, jwt, oneTimeToken, organization } from "./samples.ts"

export const docs: ExamplesOf<typeof DocsApi> = {
  handoff: {
    runs: handOffToDocs,
    answer: {
      code: oneTimeToken,
      url: `https://parley.example/docs#code=${Redacted.value(oneTimeToken)}`,
      expiresAt: at("09:31:00.000")
    }
  },
  exchange: {
    runs: exchangeDocsCode,
    request: { code: oneTimeToken },
    answer: { sessionToken: jwt, expiresAt: at("09:40:30.000"), user: ada, organization }
  },
  session: { runs: getDocsSession, answer: { user: ada, organization, entitlements } }
}
