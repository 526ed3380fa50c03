import { CurrentOrganization, Lanes } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../events/Notifications.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"
import { openLanes } from "./openLanes.ts"

export const layer = Layer.effect(
  Lanes,
  Effect.gen(function* () {
    const open = openLanes(yield* SqlClient.SqlClient, yield* Notifications)
    return Lanes.of({
      open: Effect.fnUntraced(function* (lane) {
        yield* open([{ ...lane, organizationId: (yield* CurrentOrganization).id }])
      }, driverFailuresDie)
    })
  })
)
