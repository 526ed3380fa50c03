import { Context, DateTime, Duration, type Effect, Result, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import {
  type NotFound,
  OperatorScope,
  OperatorTokenId,
  type Slice,
  Timestamp,
  type Transaction
} from "../../kernel/index.ts"
import { SingleLineText } from "./Text.ts"

/** Lifetime limits of an operator token. */
export const operatorTokenLifetime = { min: Duration.days(1), max: Duration.days(366) } as const

const isNetwork = (text: string) => Result.isSuccess(IpNetwork.fromString(text))

/** Network in CIDR notation without host bits. A single address has the prefix length 32 or 128. */
export const AllowedNetwork = Schema.String.check(
  Schema.makeFilter(
    (text: string) => isNetwork(text) || "Expected a network in CIDR notation without host bits, such as 203.0.113.0/24"
  )
)

/** Allowed networks of a token; empty for all addresses. */
export const AllowedAddresses = Schema.Array(AllowedNetwork).check(
  Schema.isMaxLength(50, { message: "Expected at most 50 networks" })
)

const OperatorScopes = Schema.NonEmptyArray(OperatorScope).check(
  Schema.isUnique({ message: "Expected each scope once" })
)

/** Token for a program of the operator. It is bound to no organization. The token itself is never stored. */
export class OperatorToken extends Schema.Class<OperatorToken>("OperatorToken")({
  id: OperatorTokenId,
  name: SingleLineText,
  scopes: OperatorScopes,
  allowedAddresses: AllowedAddresses,
  /** Name of the operator at the command line. */
  createdBy: Schema.String,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp)
}) {}

/** Name, scopes, networks and expiry of a new operator token. */
export const NewOperatorToken = Schema.Struct({
  name: SingleLineText,
  scopes: OperatorScopes,
  allowedAddresses: AllowedAddresses,
  expiresAt: Timestamp
})
export type NewOperatorToken = typeof NewOperatorToken.Type

/** Whether a call of the token from this address is accepted. An unknown address is accepted only without a list of networks. */
export const isAddressAllowed = (
  { allowedAddresses }: Pick<OperatorToken, "allowedAddresses">,
  address: string | null
): boolean => {
  if (allowedAddresses.length === 0) return true
  const parsed = address === null ? null : NetAddress.ipFromString(address)
  if (parsed === null || Result.isFailure(parsed)) return false
  // A proxy can write an IPv4 address as a mapped IPv6 address.
  const caller = NetAddress.toCanonical(parsed.success)
  return allowedAddresses.some((text) => IpNetwork.contains(IpNetwork.fromStringUnsafe(text), caller))
}

/** Whether the token is neither revoked nor expired. */
export const isOperatorTokenLive = ({ expiresAt, revokedAt }: OperatorToken, now: DateTime.Utc): boolean =>
  revokedAt === null && DateTime.isGreaterThan(expiresAt, now)

/** Whether the last use was recorded more than a minute ago. */
export const isUseUnrecorded = ({ lastUsedAt }: OperatorToken, now: DateTime.Utc): boolean =>
  lastUsedAt === null || DateTime.isLessThan(lastUsedAt, DateTime.subtract(now, { minutes: 1 }))

/** Operator tokens. They belong to the installation, so the port is not tenant-scoped. */
export class OperatorTokens extends Context.Service<
  OperatorTokens,
  {
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<OperatorToken>>
    /** Stored token now; `null` if it does not exist. No node caches it. */
    readonly find: (id: OperatorTokenId) => Effect.Effect<OperatorToken | null>
    readonly insert: (token: OperatorToken) => Effect.Effect<void, never, Transaction>
    /** Revokes the token. A repetition is no error. */
    readonly revoke: (id: OperatorTokenId, now: DateTime.Utc) => Effect.Effect<OperatorToken, NotFound, Transaction>
    /** Records a use of the token. */
    readonly touch: (id: OperatorTokenId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@parley/domain/platform/identity/OperatorTokens") {}
