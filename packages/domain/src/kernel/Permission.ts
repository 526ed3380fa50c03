import { Schema } from "effect"

/** Everything an actor can be allowed to do inside an organization. */
export const Permission = Schema.Literals([
  "organization.read",
  "organization.manage",
  "owners.manage",
  "members.read",
  "members.manage",
  "tokens.manage",
  "audit.read",
  "events.read",
  "docs.handoff",
  "automations.read",
  "automations.manage"
])
export type Permission = typeof Permission.Type
