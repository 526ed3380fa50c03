import { Permission, type Role } from "../../kernel/index.ts"

const viewer: ReadonlyArray<Permission> = [
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

const agent: ReadonlyArray<Permission> = [
  ...viewer,
  "jobs.manage",
  "contacts.manage",
  "conversations.manage",
  "broadcasts.manage"
]

const admin: ReadonlyArray<Permission> = Permission.literals.filter((permission) => permission !== "owners.manage")

const table: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(Permission.literals),
  admin: new Set(admin),
  agent: new Set(agent),
  viewer: new Set(viewer)
}

/** Which permissions each role holds. */
export const permissionsOfRole = (role: Role): ReadonlySet<Permission> => table[role]
