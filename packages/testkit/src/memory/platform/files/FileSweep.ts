import { FileSweep } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  FileSweep,
  Effect.map(Store, (store) =>
    FileSweep.of({
      sweep: () =>
        Effect.flatMap(DateTime.now, (now) =>
          store.writeTenant((tenant) => {
            const before = DateTime.subtract(now, { days: 1 })
            const files = HashMap.filter(
              tenant.files,
              ({ begunAt, bytes }) => bytes !== null || DateTime.isGreaterThan(begunAt, before)
            )
            return [HashMap.size(tenant.files) - HashMap.size(files), { files }]
          })
        )
    })
  )
)
