import { DateTime, Duration, Effect, type Redacted } from "effect"
import { admitToDocs, TokenSigner } from "../../identity/index.ts"
import { transact, useCase, Vault } from "../../../kernel/index.ts"
import { DocsCodeRedemption } from "../DocsCodes.ts"
import { DocsCodeInvalid } from "../Errors.ts"

const docsSessionLife = Duration.minutes(10)

/** Exchanges a one-time code for a short session at the documentation site. Whoever gets none has not spent the code. */
export const exchangeDocsCode = useCase(
  "docsHandoff.exchange",
  { access: "public" },
  Effect.fnUntraced(function* (code: Redacted.Redacted) {
    const redemption = yield* DocsCodeRedemption
    const signer = yield* TokenSigner
    const now = yield* DateTime.now
    const owner = yield* redemption.redeem(yield* (yield* Vault).digest(code), now)
    if (owner === null) return yield* new DocsCodeInvalid()
    const reader = yield* Effect.mapError(admitToDocs(owner), () => new DocsCodeInvalid())
    const expiresAt = DateTime.addDuration(now, docsSessionLife)
    const sessionToken = yield* signer.sign({ use: "docs", ...owner }, expiresAt)
    return { sessionToken, expiresAt, user: reader.user, organization: reader.organization }
  }, transact)
)
