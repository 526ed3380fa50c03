import { Schema } from "effect"
import { AutomationEvent } from "./automation/Events.ts"
import { ChatEvent } from "./chat/Events.ts"
import { CrmEvent } from "./crm/Events.ts"
import { IdentityEvent } from "./identity/Events.ts"
import { InboxEvent } from "./inbox/Events.ts"
import { JobEvent } from "./jobs/Events.ts"

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
