import { DateTime, Schema } from "effect"
import { Permission, type Role } from "../../kernel/index.ts"
import { AutomationToken } from "./AutomationToken.ts"
import { permissionsOfRole } from "./Roles.ts"
import type { UserStatus } from "./User.ts"

/** The status and role of the person responsible for an automation token. `role` is `null` when they are not in the organization. */
export interface Responsible {
  readonly status: UserStatus
  readonly role: Role | null
}

/** Why an automation token that is neither revoked nor expired does nothing at the moment. */
export const TokenSuspension = Schema.Literals(["responsible_left", "responsible_disabled", "permissions_lost"])
export type TokenSuspension = typeof TokenSuspension.Type

/** Whether an automation token works. A suspended one works again once its reason is gone, or an owner adopts it. */
export const TokenStatus = Schema.Literals(["active", "suspended", "expired", "revoked"])

/** What a token may do now: what it was issued with, as far as the responsible person may do it themselves. */
export const effectivePermissions = (
  permissions: ReadonlyArray<Permission>,
  { role, status }: Responsible
): ReadonlyArray<Permission> => {
  if (role === null || status !== "active") return []
  const theirs = permissionsOfRole(role)
  return permissions.filter((permission) => theirs.has(permission))
}

/** Why the token does nothing at the moment; `null` when it does something. */
export const suspensionOf = (
  permissions: ReadonlyArray<Permission>,
  responsible: Responsible
): TokenSuspension | null => {
  if (responsible.status !== "active") return "responsible_disabled"
  if (responsible.role === null) return "responsible_left"
  return effectivePermissions(permissions, responsible).length === 0 ? "permissions_lost" : null
}

/** An automation token, whether it works, and what it may do. */
export const ListedAutomationToken = Schema.Struct({
  ...AutomationToken.fields,
  status: TokenStatus,
  suspendedBecause: Schema.NullOr(TokenSuspension),
  effectivePermissions: Schema.Array(Permission)
}).annotate({ identifier: "ListedAutomationToken" })
export type ListedAutomationToken = typeof ListedAutomationToken.Type

const stateOf = (token: AutomationToken, responsible: Responsible, now: DateTime.Utc) => {
  const nothing = { suspendedBecause: null, effectivePermissions: [] }
  if (token.revokedAt !== null) return { status: "revoked", ...nothing } as const
  if (DateTime.isLessThanOrEqualTo(token.expiresAt, now)) return { status: "expired", ...nothing } as const
  const suspendedBecause = suspensionOf(token.permissions, responsible)
  return {
    status: suspendedBecause === null ? "active" : "suspended",
    suspendedBecause,
    effectivePermissions: effectivePermissions(token.permissions, responsible)
  } as const
}

/** The token as people see it in a list. */
export const listedToken = (
  token: AutomationToken,
  responsible: Responsible,
  now: DateTime.Utc
): ListedAutomationToken => ({ ...token, ...stateOf(token, responsible, now) })
