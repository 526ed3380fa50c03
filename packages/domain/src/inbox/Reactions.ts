import { DateTime, Effect, Schema } from "effect"
import { CrmEvent } from "../crm/index.ts"
import { defineSubscriber } from "../events/index.ts"
import { IdentityEvent } from "../identity/index.ts"
import { CurrentOrganization } from "../kernel/index.ts"
import { Lanes } from "../work/index.ts"
import { AssignmentQueue, assignmentsLane } from "./assigning/AssignmentQueue.ts"
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
  handle: Effect.fnUntraced(function* () {
    if (yield* (yield* AssignmentQueue).isEmpty()) return
    const { id } = yield* CurrentOrganization
    yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: yield* DateTime.now })
  })
})

/** What this area does about events. */
export const inboxReactions = [handOutWaiting] as const
