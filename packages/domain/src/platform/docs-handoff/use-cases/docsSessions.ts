import { DateTime, Duration, Effect, type Redacted } from "effect"
import { CurrentActor, CurrentOrganization, Ids, transact, useCase, Vault } from "../../../kernel/index.ts"
import { currentUsage, toEntitlements, nextMonth } from "../../entitlements/index.ts"
import { authorizeDocsReader, currentUserActor, type DocsReader, TokenSigner } from "../../identity/index.ts"
import { DocsCodeInvalid, DocsCodeRedemption, DocsCodes } from "../DocsCodes.ts"

const codeLifetime = Duration.seconds(60)

/** Creates a one-time code for the signed-in user and the documentation site. */
export const handOffToDocs = useCase(
  { name: "docsHandoff.handOff", access: { permission: "docs.handoff" } },
  Effect.fnUntraced(function* () {
    const codes = yield* DocsCodes
    const actor = yield* currentUserActor
    const code = yield* (yield* Ids).secret(32)
    const expiresAt = DateTime.addDuration(yield* DateTime.now, codeLifetime)
    yield* codes.insert(yield* (yield* Vault).digest(code), actor, expiresAt)
    return { code, expiresAt }
  }, transact)
)

const docsSessionLifetime = Duration.minutes(10)

/** Exchanges a one-time code for a short session of the documentation site. A failed exchange does not spend the code. */
export const exchangeDocsCode = useCase(
  { name: "docsHandoff.exchange", access: "public" },
  Effect.fnUntraced(function* ({ code }: { readonly code: Redacted.Redacted }) {
    const redemption = yield* DocsCodeRedemption
    const signer = yield* TokenSigner
    const now = yield* DateTime.now
    const owner = yield* redemption.redeem(yield* (yield* Vault).digest(code), now)
    if (owner === null) return yield* new DocsCodeInvalid()
    const reader = yield* Effect.mapError(authorizeDocsReader(owner), () => new DocsCodeInvalid())
    const expiresAt = DateTime.addDuration(now, docsSessionLifetime)
    const sessionToken = yield* signer.sign({ use: "docs", ...owner }, expiresAt)
    return { sessionToken, expiresAt, user: reader.user, organization: reader.organization }
  }, transact)
)

/** Returns the reader of the documentation, the organization and its plan. The edge has verified the session. */
export const getDocsSession = useCase(
  { name: "docsHandoff.getSession", access: "public" },
  Effect.fnUntraced(function* (reader: DocsReader) {
    const { organization, user } = yield* authorizeDocsReader(reader)
    const usage = yield* currentUsage.pipe(
      Effect.provideService(CurrentOrganization, { id: organization.id }),
      Effect.provideService(CurrentActor, { kind: "system", name: "docs" })
    )
    return { user, organization, entitlements: toEntitlements(organization.plan, usage, yield* nextMonth) }
  })
)
