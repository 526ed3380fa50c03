import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { requireKnown } from "../requireKnown.ts"
import type { SubscriberName } from "../Subscriber.ts"
import { Subscriptions } from "../Subscriptions.ts"

/** Has what the subscriber could not handle handled once more: one event, or all of the organization. Says how many. */
export const replayParkedEvents = useCase(
  "subscribers.replayParked",
  { access: "operator" },
  Effect.fnUntraced(function* (name: SubscriberName, position: number | null) {
    yield* requireKnown(name)
    const events = yield* (yield* Subscriptions).replayParked(name, position)
    if (events > 0) {
      yield* record("subscriber.parked_replayed", { kind: "subscriber", id: name }, { after: { position, events } })
    }
    return events
  }, transact)
)
