import { Context, DateTime, Duration, type Effect, Schema } from "effect"
import {
  AutomationTokenId,
  type NotFound,
  Permission,
  type Role,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  UserId
} from "../../kernel/index.ts"
import { SingleLineText } from "./Text.ts"
import type { UserStatus } from "./User.ts"
import { permissionsOfRole } from "./memberRoles.ts"

/** Maximum lifetime of an automation token. */
export const maxTokenLifetime = Duration.days(366)

/** Token for a program: bound to one organization, some permissions and an expiry. The token itself is never stored. */
export class AutomationToken extends Schema.Class<AutomationToken>("AutomationToken")({
  id: AutomationTokenId,
  name: SingleLineText,
  permissions: Schema.Array(Permission),
  createdBy: UserId,
  /** The responsible person: the issuer, until an owner adopts the token. */
  responsibleUserId: UserId,
  createdAt: Timestamp,
  adoptedAt: Schema.NullOr(Timestamp),
  expiresAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp)
}) {}

/** Permissions and expiry of a new automation token. */
export const NewAutomationToken = Schema.Struct({
  name: SingleLineText,
  permissions: Schema.NonEmptyArray(Permission).check(
    Schema.isMaxLength(64, { message: "Expected at most 64 permissions" })
  ),
  expiresAt: Timestamp
}).annotate({ identifier: "NewAutomationToken" })
export type NewAutomationToken = typeof NewAutomationToken.Type

/** The status and role of the person responsible for an automation token. `role` is `null` when they are not in the organization. */
export interface ResponsibleMember {
  readonly status: UserStatus
  readonly role: Role | null
}

/** Reason why an automation token is suspended although it is neither revoked nor expired. */
export const TokenSuspension = Schema.Literals(["responsible_left", "responsible_disabled", "permissions_lost"])
export type TokenSuspension = typeof TokenSuspension.Type

/** Status of an automation token. A suspended one works again after its reason ends, or after an owner adopts it. */
export const TokenStatus = Schema.Literals(["active", "suspended", "expired", "revoked"])

/**
 * Returns the effective permissions of a token: its permissions at issue, limited to the permissions of the
 * responsible person.
 */
export const effectivePermissions = (
  permissions: ReadonlyArray<Permission>,
  { role, status }: ResponsibleMember
): ReadonlyArray<Permission> => {
  if (role === null || status !== "active") return []
  const theirs = permissionsOfRole(role)
  return permissions.filter((permission) => theirs.has(permission))
}

/** Returns the reason of the suspension; `null` for a token that works. */
export const findTokenSuspension = (
  permissions: ReadonlyArray<Permission>,
  responsible: ResponsibleMember
): TokenSuspension | null => {
  if (responsible.status !== "active") return "responsible_disabled"
  if (responsible.role === null) return "responsible_left"
  return effectivePermissions(permissions, responsible).length === 0 ? "permissions_lost" : null
}

/** Automation token with its status and its effective permissions. */
export const ListedAutomationToken = Schema.Struct({
  ...AutomationToken.fields,
  status: TokenStatus,
  suspendedBecause: Schema.NullOr(TokenSuspension),
  effectivePermissions: Schema.Array(Permission)
}).annotate({ identifier: "ListedAutomationToken" })
export type ListedAutomationToken = typeof ListedAutomationToken.Type

const tokenState = (token: AutomationToken, responsible: ResponsibleMember, now: DateTime.Utc) => {
  const nothing = { suspendedBecause: null, effectivePermissions: [] }
  if (token.revokedAt !== null) return { status: "revoked", ...nothing } as const
  if (DateTime.isLessThanOrEqualTo(token.expiresAt, now)) return { status: "expired", ...nothing } as const
  const suspendedBecause = findTokenSuspension(token.permissions, responsible)
  return {
    status: suspendedBecause === null ? "active" : "suspended",
    suspendedBecause,
    effectivePermissions: effectivePermissions(token.permissions, responsible)
  } as const
}

export const toListedToken = (
  token: AutomationToken,
  responsible: ResponsibleMember,
  now: DateTime.Utc
): ListedAutomationToken => ({ ...token, ...tokenState(token, responsible, now) })

/** An automation token, and the current status and role of the person responsible for it. */
export interface TokenWithResponsible {
  readonly token: AutomationToken
  readonly responsible: ResponsibleMember
}

export class AutomationTokens extends Context.Service<
  AutomationTokens,
  TenantScoped<{
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<TokenWithResponsible>>
    /** `null` if it does not exist. */
    readonly find: (id: AutomationTokenId) => Effect.Effect<TokenWithResponsible | null>
    readonly insert: (token: AutomationToken) => Effect.Effect<void, never, Transaction>
    /** Locks the token until this unit of work ends. */
    readonly lock: (id: AutomationTokenId) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Makes the person responsible for the token. */
    readonly adopt: (
      id: AutomationTokenId,
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Revokes the token. A repetition is no error. */
    readonly revoke: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<AutomationToken, NotFound, Transaction>
    /** Records a use of the token. Records of one token within a minute may be merged. */
    readonly touch: (id: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<void>
  }>
>()("@parley/domain/platform/identity/AutomationTokens") {}
