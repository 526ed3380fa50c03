import { Effect } from "effect"
import {
  CurrentActor,
  hasPermission,
  Permission,
  PermissionDenied,
  requirePermissions,
  type Role
} from "../../kernel/index.ts"
import { type Member, Members } from "./Member.ts"
import { LastOwner } from "./errors.ts"

const viewerPermissions: ReadonlyArray<Permission> = [
  "organization.read",
  "members.read",
  "docs.handoff",
  "jobs.read",
  "contacts.read",
  "chat_accounts.read",
  "message_templates.read",
  "conversations.read",
  "broadcasts.read",
  "store_connections.read",
  "commerce.read",
  "analytics.read",
  "automations.read",
  "workflows.read",
  "events.read"
]

const agentPermissions: ReadonlyArray<Permission> = [
  ...viewerPermissions,
  "jobs.manage",
  "contacts.manage",
  "conversations.manage",
  "broadcasts.manage"
]

const adminPermissions: ReadonlyArray<Permission> = Permission.literals.filter(
  (permission) => permission !== "owners.manage"
)

const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(Permission.literals),
  admin: new Set(adminPermissions),
  agent: new Set(agentPermissions),
  viewer: new Set(viewerPermissions)
}

export const permissionsOfRole = (role: Role): ReadonlySet<Permission> => rolePermissions[role]

/** Only an owner can add, change or remove an owner. */
export const requireOwnerFor = Effect.fnUntraced(function* (...roles: ReadonlyArray<Role>) {
  if (!roles.includes("owner")) return
  if (!hasPermission(yield* CurrentActor, "owners.manage")) {
    return yield* new PermissionDenied({ permission: "owners.manage" })
  }
})

/** Requires each permission of a role before it is granted, because the new member keeps them when the grantor loses them. */
export const requireGrantOf = (role: Role) => requirePermissions(permissionsOfRole(role))

/** An organization keeps at least one active owner. Call it under the members lock. */
export const requireAnotherOwner = Effect.fnUntraced(function* (member: Member) {
  if (member.role !== "owner" || member.status !== "active") return
  if ((yield* (yield* Members).countOwners()) <= 1) return yield* new LastOwner()
})
