import { DateTime, Effect, Schema } from "effect"
import { AutomationTokenId, type Permission, UserId } from "../../kernel/index.ts"
import { AutomationTokens } from "./AutomationTokens.ts"
import { Members } from "./Members.ts"
import { permissionsOfRole } from "./Roles.ts"
import { effectivePermissions } from "./tokenRights.ts"
import { Users } from "./Users.ts"

const isUserId = Schema.is(UserId)
const isTokenId = Schema.is(AutomationTokenId)

const nothing: ReadonlySet<Permission> | null = null

/** Current permissions of a member; `null` after removal or disabling. Sessions do not matter: jobs continue after a logout. */
export const userRequesters = {
  kind: "user",
  permissions: Effect.fnUntraced(function* (id: string) {
    if (!isUserId(id)) return nothing
    const member = yield* (yield* Members).findByUser(id)
    const user = member === null ? null : yield* (yield* Users).find(id)
    return member === null || user?.status !== "active" ? nothing : permissionsOfRole(member.role)
  })
} as const

/** Current permissions of an automation token; `null` when it is revoked or expired, or its responsible person left or is disabled. */
export const tokenRequesters = {
  kind: "token",
  permissions: Effect.fnUntraced(function* (id: string) {
    if (!isTokenId(id)) return nothing
    const found = yield* (yield* AutomationTokens).find(id)
    if (found === null || found.token.revokedAt !== null) return nothing
    const { responsible, token } = found
    if (DateTime.isLessThanOrEqualTo(token.expiresAt, yield* DateTime.now)) return nothing
    if (responsible.role === null || responsible.status !== "active") return nothing
    return new Set(effectivePermissions(token.permissions, responsible))
  })
} as const
