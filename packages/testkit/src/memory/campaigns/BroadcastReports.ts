import { BroadcastReports } from "@parley/domain/campaigns"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  BroadcastReports,
  Effect.map(Store, (store) =>
    BroadcastReports.of({
      find: (id) => store.readTenant(({ broadcastReports }) => rowAt(broadcastReports, id)),
      keep: (report) =>
        store.writeTenant(({ broadcastReports }) => [
          undefined,
          rowAt(broadcastReports, report.broadcastId) === null
            ? { broadcastReports: HashMap.set(broadcastReports, report.broadcastId, report) }
            : {}
        ])
    })
  )
)
