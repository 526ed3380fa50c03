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
  "jobs.read",
  "jobs.manage",
  "contacts.read",
  "contacts.manage",
  "contacts.import",
  "contacts.export",
  "contacts.erase",
  "contact_fields.manage",
  "chat_accounts.read",
  "chat_accounts.manage",
  "message_templates.read",
  "message_templates.manage",
  "conversations.read",
  "conversations.manage",
  "broadcasts.read",
  "broadcasts.manage",
  "broadcasts.send",
  "store_connections.read",
  "store_connections.manage",
  "commerce.read",
  "webhook_subscriptions.read",
  "webhook_subscriptions.manage",
  "automations.read",
  "automations.manage"
])
export type Permission = typeof Permission.Type
