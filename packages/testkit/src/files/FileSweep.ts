import { FileSweep } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  FileSweep,
  Effect.map(Store, (store) =>
    FileSweep.of({
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const before = DateTime.subtract(now, { days: 1 })
          let swept = 0
          const tenants = HashMap.map(state.tenants, (tenant) => {
            const files = HashMap.filter(
              tenant.files,
              ({ begunAt, bytes }) => bytes !== null || DateTime.isGreaterThan(begunAt, before)
            )
            swept += HashMap.size(tenant.files) - HashMap.size(files)
            return { ...tenant, files }
          })
          return [swept, { ...state, tenants }]
        })
      )
    })
  )
)
