import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { requireKnown } from "../requireKnown.ts"
import type { SubscriberName } from "../Subscriber.ts"
import { Subscriptions } from "../Subscriptions.ts"

/** Gives up on a parked event: the subscriber never handles it. It stays in the log. */
export const skipParkedEvent = useCase(
  "subscribers.skipParked",
  { access: "operator" },
  Effect.fnUntraced(function* (name: SubscriberName, position: number) {
    yield* requireKnown(name)
    yield* (yield* Subscriptions).unpark(name, position)
    yield* record("subscriber.parked_skipped", { kind: "subscriber", id: name }, { before: { position } })
  }, transact)
)
