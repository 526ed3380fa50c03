import type { Ports } from "@parley/domain/composition"
import { givenStore, givenSubscription, putPlugin } from "@parley/testkit"
import { Effect } from "effect"
import { givenBroadcast } from "./campaigns.ts"
import { givenFile, givenNumber, givenTemplate } from "./inbox.ts"
import { givenPerson, givenSchedule, givenTag, type Tenant } from "./tenants.ts"

/** Creation of a resource that automations reference, and a definition with the reference. */
interface Naming {
  readonly make: (tenant: Tenant) => Effect.Effect<string, never, Ports>
  readonly definition: unknown
}

const idOf = <E, R>(made: Effect.Effect<{ readonly id: string }, E, R>) => Effect.map(made, ({ id }) => id)

const acting = (action: object) => ({ then: [action] })

/** Resources that definitions of automations reference by id, by the referencing fields. */
export const namedByAutomations: Readonly<Record<string, Naming>> = {
  tagIds: {
    make: ({ organization }) => idOf(givenTag(organization)),
    definition: acting({ type: "tag", tagIds: [""] })
  },
  id: {
    make: ({ organization }) => idOf(givenTemplate(organization)),
    definition: acting({ type: "send_template", template: { id: "", values: {} } })
  },
  mediaId: {
    make: ({ organization }) => idOf(givenFile(organization)),
    definition: acting({ type: "send_message", message: { kind: "document", mediaId: "" } })
  },
  chatAccountIds: {
    make: ({ organization }) => idOf(givenNumber(organization)),
    definition: { when: { event: "message.received", chatAccountIds: [""] } }
  },
  chatAccountId: {
    make: ({ organization }) => idOf(givenNumber(organization)),
    definition: acting({ type: "send_message", message: { kind: "text", text: "Hello" }, chatAccountId: "" })
  },
  scheduleId: {
    make: ({ organization }) => idOf(givenSchedule(organization)),
    definition: acting({ type: "send_away", scheduleId: "", message: { kind: "text", text: "Later" } })
  },
  memberIds: {
    make: ({ organization }) => Effect.map(givenPerson(organization), ({ member }) => member.id),
    definition: acting({ type: "auto_assign", memberIds: [""], sticky: false, whenNone: "leave" })
  },
  assigneeId: {
    make: ({ owner }) => Effect.succeed(owner.user.id),
    definition: acting({ type: "assign", assigneeId: "" })
  },
  mentions: {
    make: ({ owner }) => Effect.succeed(owner.user.id),
    definition: acting({ type: "add_note", text: "Look", mentions: [""] })
  },
  pluginId: {
    make: ({ organization }) => idOf(putPlugin(organization)),
    definition: acting({ type: "plugin_action", pluginId: "", action: "look", input: {} })
  },
  webhookSubscriptionId: {
    make: ({ organization }) => idOf(givenSubscription(organization)),
    definition: acting({ type: "call_webhook", webhookSubscriptionId: "", body: {} })
  },
  assigneeIds: {
    make: ({ owner }) => Effect.succeed(owner.user.id),
    definition: { when: { event: "conversation.assigned", assigneeIds: [""] } }
  },
  broadcastIds: {
    make: ({ organization }) => idOf(givenBroadcast(organization)),
    definition: { when: { event: "broadcast.replied", broadcastIds: [""] } }
  },
  storeConnectionIds: {
    make: ({ organization }) => idOf(givenStore(organization)),
    definition: { when: { event: "order.created", storeConnectionIds: [""] } }
  }
}
