import type { DomainEvent } from "../DomainEvent.ts"
import { type Actor, holds, type Permission } from "../kernel/index.ts"

/** Which permission an actor needs to see each type of event. */
export const eventPermissions: Readonly<Record<DomainEvent["type"], Permission>> = {
  "organization.created": "organization.read",
  "organization.updated": "organization.read",
  "organization.plan_changed": "organization.read",
  "organization.status_changed": "organization.read",
  "member.invited": "members.read",
  "member.joined": "members.read",
  "member.role_changed": "members.read",
  "member.removed": "members.read",
  "automation_token.issued": "tokens.manage",
  "automation_token.revoked": "tokens.manage",
  "automation.created": "automations.read",
  "automation.updated": "automations.read",
  "automation.enabled": "automations.read",
  "automation.disabled": "automations.read",
  "automation.deleted": "automations.read"
}

/** The types of events that the actor may see. */
export const visibleTypes = (actor: Actor): ReadonlyArray<string> =>
  Object.entries(eventPermissions)
    .filter(([, permission]) => holds(actor, permission))
    .map(([type]) => type)
