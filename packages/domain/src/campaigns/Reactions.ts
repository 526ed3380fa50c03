import { Effect } from "effect"
import { ChatEvent } from "../messaging/chat/index.ts"
import { defineSubscriber } from "../platform/events/index.ts"
import { openLane } from "./openLane.ts"
import { RecipientLedger } from "./RecipientLedger.ts"
import { endOfRemoved } from "./sending/endOfRemoved.ts"

/** Has the broadcasts of an account looked at once it has changed: its provider may let it send more than they wait for. */
const lookAgain = defineSubscriber({
  name: "campaigns.look_at_changed_accounts",
  schema: ChatEvent,
  events: ["chat_account.updated"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const ledger = yield* RecipientLedger
    for (const id of new Set(events.map(({ event }) => event.chatAccountId))) {
      if ((yield* ledger.active(id)).length > 0) yield* openLane(id)
    }
  })
})

/** Ends the broadcasts of an account that is removed, unless it is connected again by then. */
const endWithAccount = defineSubscriber({
  name: "campaigns.end_with_removed_accounts",
  schema: ChatEvent,
  events: ["chat_account.removed"],
  beginsWith: "next_event",
  batch: 10,
  handle: Effect.fnUntraced(function* (events) {
    for (const { event } of events) yield* endOfRemoved(event.chatAccountId)
  })
})

/** What this area does about events. */
export const campaignsReactions = [endWithAccount, lookAgain] as const
