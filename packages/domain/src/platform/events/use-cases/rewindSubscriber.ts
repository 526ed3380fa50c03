import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { invalid, NotFound, transact, useCase } from "../../../kernel/index.ts"
import { requireKnown } from "../requireKnown.ts"
import type { DeclaredSubscriber } from "../Subscriber.ts"
import { Subscriptions } from "../Subscriptions.ts"

/** Only back: whoever went forward would have events handled by nobody, and see them parked nowhere. */
const forward = (position: number) =>
  invalid("/position", `The subscriber has come to ${position}: it can be set back, not forward.`)

/** Sets a subscriber back in the organization's log, so that it handles every event after that position again. */
export const rewindSubscriberOf = (declared: ReadonlyArray<DeclaredSubscriber>) =>
  useCase(
    "subscribers.rewind",
    { access: "operator" },
    Effect.fnUntraced(function* (name: DeclaredSubscriber["name"], to: number) {
      yield* requireKnown(name)
      const subscriptions = yield* Subscriptions
      const types = declared.find((each) => each.name === name)?.types ?? []
      const subscription = Effect.map(subscriptions.list([{ name, types }]), ([found]) => found)
      const before = yield* subscription
      if (before === undefined || before.position === null) return yield* new NotFound({ resource: "subscriber" })
      if (to > before.position) return yield* forward(before.position)
      yield* subscriptions.rewind(name, to)
      const after = yield* subscription
      if (after === undefined) return yield* new NotFound({ resource: "subscriber" })
      yield* record(
        "subscriber.rewound",
        { kind: "subscriber", id: name },
        {
          before: { position: before.position, parked: before.parked },
          after: { position: after.position, parked: after.parked }
        }
      )
      return after
    }, transact)
  )
