import { Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import { ContactRecipients } from "./ContactRecipients.ts"

/** What broadcasts hold of contacts: where they were sent to, and with which values. */
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
