import { Schema } from "effect"
import { CrmEvent } from "../../crm/index.ts"
import { defineSubscriber } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import { openAssignments } from "./assigning/openAssignments.ts"
import { InboxEvent } from "./Events.ts"

/** Has somebody look at the conversations that wait for a member, once somebody may be free. */
const handOutWaiting = defineSubscriber({
  name: "inbox.hand_out_waiting",
  schema: Schema.Union([...IdentityEvent.members, ...CrmEvent.members, ...InboxEvent.members]),
  events: [
    "organization.plan_changed",
    "organization.status_changed",
    "member.joined",
    "member.role_changed",
    "member.availability_changed",
    "contact.deleted",
    "conversation.assigned",
    "conversation.status_changed"
  ],
  beginsWith: "next_event",
  batch: 500,
  handle: () => openAssignments
})

/** What this area does about events. */
export const inboxReactions = [handOutWaiting] as const
