import { Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import { ContactRecipients } from "./ContactRecipients.ts"

/**
 * What broadcasts hold of contacts: where they were sent to, and with which values. Only forgetting is done: recipients stay those of the
 * contact that a merge takes away, and are in no timeline and no export.
 */
export const recipientHolding = {
  permission: "broadcasts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* ContactRecipients).forget(contactIds)
  })
}
