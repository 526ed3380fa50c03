import { Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"

/** What automations post about contacts goes with the contacts. */
export const callsHolding = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* WebhookDeliveries).blank(contactIds)
  })
}
