import { CurrentOrganization } from "@parley/domain/kernel"
import { Plans } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  Plans,
  Effect.map(Store, (store) =>
    Plans.of({
      current: () =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          store.read(({ organizations }) => HashMap.getUnsafe(organizations, id).plan)
        )
    })
  )
)
