import { Lanes } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../events/Notifications.ts"
import { openLanes } from "./openLanes.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  Lanes,
  Effect.gen(function* () {
    const open = openLanes(yield* SqlClient.SqlClient, yield* Notifications)
    return tenantPort(Lanes, {
      open: Effect.fnUntraced(function* (organization, lane) {
        yield* open([{ ...lane, organizationId: organization.id }])
      })
    })
  })
)
