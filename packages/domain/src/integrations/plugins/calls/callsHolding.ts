import { Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { PluginCalls } from "./PluginCalls.ts"

/** What was said to plugins about contacts, and by them, goes with the contacts. */
export const callsHolding = {
  permission: "contacts.read" as const,
  timeline: () => Effect.succeed([]),
  export: () => Effect.succeed({}),
  nothing: {},
  move: () => Effect.void,
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* PluginCalls).blank(contactIds)
  })
}
