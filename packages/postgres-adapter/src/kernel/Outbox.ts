import { CurrentActor, CurrentCausation, CurrentOrganization, Outbox, toActorRef } from "@parley/domain/kernel"
import { DateTime, Effect, Layer } from "effect"
import { currentLevel } from "./UnitOfWorkLevel.ts"

export const layer = Layer.succeed(
  Outbox,
  Outbox.of({
    append: Effect.fnUntraced(function* (event) {
      const work = yield* currentLevel
      const organization = yield* CurrentOrganization
      const actor = toActorRef(yield* CurrentActor)
      const causation = yield* CurrentCausation
      yield* work.append({ organizationId: organization.id, event, actor, causation, at: yield* DateTime.now })
    })
  })
)
