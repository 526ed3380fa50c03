import { CurrentActor, CurrentCausation, CurrentOrganization, Outbox, toActorRef } from "@parley/domain/kernel"
import { DateTime, Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  Outbox,
  Effect.map(Store, (store) =>
    Outbox.of({
      append: Effect.fnUntraced(function* (event) {
        const { id: organizationId } = yield* CurrentOrganization
        const actor = toActorRef(yield* CurrentActor)
        const causation = yield* CurrentCausation
        const at = yield* DateTime.now
        yield* store.write((state) => [
          undefined,
          { ...state, pendingEvents: [...state.pendingEvents, { organizationId, at, actor, causation, event }] }
        ])
      })
    })
  )
)
