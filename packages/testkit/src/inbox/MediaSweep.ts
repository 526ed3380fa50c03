import { type Media, MediaSweep } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  MediaSweep,
  Effect.map(Store, (store) =>
    MediaSweep.of({
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const before = DateTime.subtract(now, { days: 7 })
          const isNobodys = ({ createdAt, isUsed }: Media) => !isUsed && DateTime.isLessThanOrEqualTo(createdAt, before)
          let swept = 0
          const tenants = HashMap.map(state.tenants, (tenant) => {
            const gone = [...HashMap.values(tenant.media)].filter(isNobodys)
            swept += gone.length
            return {
              ...tenant,
              media: HashMap.removeMany(
                tenant.media,
                gone.map(({ id }) => id)
              ),
              files: HashMap.removeMany(
                tenant.files,
                gone.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]))
              )
            }
          })
          return [swept, { ...state, tenants }]
        })
      )
    })
  )
)
