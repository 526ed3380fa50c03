import { CurrentOrganization } from "@parley/domain/kernel"
import { Lanes } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"
import { openLanes } from "./laneRows.ts"

export const layer = Layer.effect(
  Lanes,
  Effect.map(Store, (store) =>
    Lanes.of({
      open: (lane) =>
        Effect.flatMap(CurrentOrganization, ({ id: organizationId }) => openLanes(store, [{ ...lane, organizationId }]))
    })
  )
)
