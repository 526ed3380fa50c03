import { Permission } from "../../kernel/index.ts"

/** What no plugin may hold, whoever installs it: it would reach people, other programs and what cannot be taken back. */
const withheldAreas = ["owners.", "members.", "organization.", "tokens.", "plugins."]

const withheld: ReadonlySet<Permission> = new Set<Permission>([
  "webhook_subscriptions.manage",
  "audit.read",
  "contacts.erase",
  "contacts.export"
])

/** Whether a plugin may be granted the permission at all. */
export const isGrantable = (permission: Permission): boolean =>
  !withheld.has(permission) && !withheldAreas.some((area) => permission.startsWith(area))

/** Every permission that a plugin may be granted. */
export const grantable: ReadonlyArray<Permission> = Permission.literals.filter(isGrantable)

/** Whether two lists name the same permissions. */
export const areSame = (one: ReadonlyArray<Permission>, other: ReadonlyArray<Permission>): boolean => {
  const [first, second] = [new Set(one), new Set(other)]
  return first.size === second.size && first.isSubsetOf(second)
}
