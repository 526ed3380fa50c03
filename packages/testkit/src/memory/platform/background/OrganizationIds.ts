import { OrganizationIds } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  OrganizationIds,
  Effect.map(Store, (store) =>
    OrganizationIds.of({
      after: (id, limit) =>
        store.read(({ organizations }) =>
          Array.from(HashMap.keys(organizations))
            .filter((each) => id === null || each > id)
            .toSorted()
            .slice(0, limit)
        )
    })
  )
)
