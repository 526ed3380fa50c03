import { Schema } from "effect"
import { AutomationEvent } from "./automation/Events.ts"
import { ChatEvent } from "./chat/Events.ts"
import { CrmEvent } from "./crm/Events.ts"
import { IdentityEvent } from "./identity/Events.ts"
import {
  type EventCatalogue,
  type FeedAdvanceOf,
  followEventsOf,
  listEventsOf,
  visibleTypesOf
} from "./events/index.ts"
import { InboxEvent } from "./inbox/Events.ts"
import { JobEvent } from "./jobs/Events.ts"
import type { Actor, Permission } from "./kernel/index.ts"

/** Everything that can happen: the union of every area's events. */
export const DomainEvent = Schema.Union([
  ...IdentityEvent.members,
  ...JobEvent.members,
  ...AutomationEvent.members,
  ...CrmEvent.members,
  ...ChatEvent.members,
  ...InboxEvent.members
])
export type DomainEvent = typeof DomainEvent.Type

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
  "automation_token.adopted": "tokens.manage",
  "automation_token.revoked": "tokens.manage",
  "job.started": "jobs.read",
  "job.finished": "jobs.read",
  "contact.created": "contacts.read",
  "contact.updated": "contacts.read",
  "contact.consent_changed": "contacts.read",
  "contact.tagged": "contacts.read",
  "contact.untagged": "contacts.read",
  "contact.merged": "contacts.read",
  "contact.unmerged": "contacts.read",
  "contact.duplicate_found": "contacts.read",
  "contact.duplicate_dismissed": "contacts.read",
  "contact.deleted": "contacts.read",
  "contacts.changed": "contacts.read",
  "contacts.imported": "contacts.read",
  "tag.created": "contacts.read",
  "tag.updated": "contacts.read",
  "tag.deleted": "contacts.read",
  "tag.merged": "contacts.read",
  "contact_field.created": "contacts.read",
  "contact_field.updated": "contacts.read",
  "contact_field.deleted": "contacts.read",
  "segment.created": "contacts.read",
  "segment.updated": "contacts.read",
  "segment.deleted": "contacts.read",
  "chat_account.connected": "chat_accounts.read",
  "chat_account.updated": "chat_accounts.read",
  "chat_account.status_changed": "chat_accounts.read",
  "chat_account.removed": "chat_accounts.read",
  "message_template.created": "message_templates.read",
  "message_template.updated": "message_templates.read",
  "message_template.status_changed": "message_templates.read",
  "message_template.deleted": "message_templates.read",
  "conversation.opened": "conversations.read",
  "conversation.status_changed": "conversations.read",
  "conversation.assigned": "conversations.read",
  "conversation.updated": "conversations.read",
  "conversation.read": "conversations.read",
  "message.received": "conversations.read",
  "message.echoed": "conversations.read",
  "message.queued": "conversations.read",
  "message.status_changed": "conversations.read",
  "note.created": "conversations.read",
  "note.updated": "conversations.read",
  "note.deleted": "conversations.read",
  "canned_reply.created": "conversations.read",
  "canned_reply.updated": "conversations.read",
  "canned_reply.deleted": "conversations.read",
  "automation.created": "automations.read",
  "automation.updated": "automations.read",
  "automation.enabled": "automations.read",
  "automation.disabled": "automations.read",
  "automation.deleted": "automations.read"
}

const catalogue: EventCatalogue<DomainEvent> = { schema: DomainEvent, permissions: eventPermissions }

/** The types of events that the actor may see. */
export const visibleTypes = (actor: Actor): ReadonlyArray<string> => visibleTypesOf(catalogue, actor)

/** Reads the feed of events. */
export const listEvents = listEventsOf(catalogue)

/** Follows the feed of events. */
export const followEvents = followEventsOf(catalogue)

/** The next events of the feed. */
export type FeedAdvance = FeedAdvanceOf<DomainEvent>
