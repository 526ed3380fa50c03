import { DateTime, Duration, Effect, Equal } from "effect"
import {
  CurrentActor,
  invalid,
  nextId,
  OperatorTokenId,
  type Slice,
  toActorRef,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordPlatformAudit } from "../authorization.ts"
import { type NewOperatorToken, OperatorToken, operatorTokenLifetime, OperatorTokens } from "../OperatorToken.ts"
import { TokenSigner } from "../TokenSigner.ts"

/** The caller adds the lifetime to its own time, before this call. */
const tolerance = Duration.seconds(30)

const requireValidExpiry = Effect.fnUntraced(function* (expiresAt: DateTime.Utc, now: DateTime.Utc) {
  const { max, min } = operatorTokenLifetime
  const isValid = DateTime.between(expiresAt, {
    minimum: DateTime.addDuration(now, Duration.subtract(min, tolerance)),
    maximum: DateTime.addDuration(now, max)
  })
  if (!isValid) return yield* invalid("/expiresAt", "Expected a time 1 to 366 days from now")
})

/** Issues an operator token. The token is shown once. No operator token can call it, so a stolen token issues no others. */
export const issueOperatorToken = useCase(
  { name: "identity.issueOperatorToken", access: "operator", audit: "operator_token.issued" },
  Effect.fnUntraced(function* ({ allowedAddresses, expiresAt, name, scopes }: NewOperatorToken) {
    const now = yield* DateTime.now
    yield* requireValidExpiry(expiresAt, now)
    const operatorToken = new OperatorToken({
      id: yield* nextId(OperatorTokenId),
      name,
      scopes,
      allowedAddresses,
      createdBy: toActorRef(yield* CurrentActor).id,
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null
    })
    const token = yield* (yield* TokenSigner).sign({ use: "operator", tokenId: operatorToken.id }, expiresAt)
    yield* (yield* OperatorTokens).insert(operatorToken)
    yield* recordPlatformAudit(
      "operator_token.issued",
      { kind: "operator_token", id: operatorToken.id },
      { after: { name, scopes, allowedAddresses, expiresAt: DateTime.formatIso(expiresAt) } }
    )
    return { operatorToken, token }
  }, transact)
)

/** Lists the operator tokens, newest first. */
export const listOperatorTokens = useCase(
  { name: "identity.listOperatorTokens", access: "operator" },
  Effect.fnUntraced(function* ({ after, limit }: Slice) {
    return yield* (yield* OperatorTokens).list({ after, limit })
  })
)

/** Revokes an operator token. Every process refuses its next request. */
export const revokeOperatorToken = useCase(
  { name: "identity.revokeOperatorToken", access: "operator", audit: "operator_token.revoked" },
  Effect.fnUntraced(function* ({ id }: { readonly id: OperatorTokenId }) {
    const now = yield* DateTime.now
    const token = yield* (yield* OperatorTokens).revoke(id, now)
    if (!Equal.equals(token.revokedAt, now)) return
    yield* recordPlatformAudit(
      "operator_token.revoked",
      { kind: "operator_token", id },
      { before: { name: token.name } }
    )
  }, transact)
)
