import { Schema } from "effect"
import { AutomationEvent } from "./automation/Events.ts"
import { IdentityEvent } from "./identity/Events.ts"

/** Everything that can happen: the union of every area's events. */
export const DomainEvent = Schema.Union([...IdentityEvent.members, ...AutomationEvent.members])
export type DomainEvent = typeof DomainEvent.Type
