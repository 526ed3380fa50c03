import { Effect, Schema } from "effect"
import { defineFilterField, type Filter, negated, someOf, valueReader } from "../crm/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { BroadcastId } from "./Ids.ts"

const isBroadcastId = Schema.is(BroadcastId)

const someBroadcasts = valueReader(someOf(BroadcastId), "Expected 1 to 50 ids of broadcasts")

const known =
  (condition: string) =>
  (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

const received = known("broadcast_received")

/** What a contact did with broadcasts: with one of those that are named. */
export const broadcastField = defineFilterField({
  name: "broadcast",
  permission: "broadcasts.read",
  conditions: ["broadcast_received", "broadcast_read", "broadcast_replied", "broadcast_retried"],
  operators: () => ({
    received: (value, fail) => someBroadcasts(value, fail, received),
    not_received: (value, fail) => someBroadcasts(value, fail, (ids) => negated(received(ids))),
    read: (value, fail) => someBroadcasts(value, fail, known("broadcast_read")),
    replied: (value, fail) => someBroadcasts(value, fail, known("broadcast_replied"))
  }),
  names: "broadcast",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    return yield* (yield* Broadcasts).known(ids.filter((id) => isBroadcastId(id)))
  })
})
