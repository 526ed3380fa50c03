import { type Media, MediaSweep } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  MediaSweep,
  Effect.map(Store, (store) =>
    MediaSweep.of({
      sweep: () =>
        Effect.flatMap(DateTime.now, (now) =>
          store.writeTenant((tenant) => {
            const before = DateTime.subtract(now, { days: 7 })
            const isNobodys = ({ createdAt, isUsed }: Media) =>
              !isUsed && DateTime.isLessThanOrEqualTo(createdAt, before)
            const gone = [...HashMap.values(tenant.media)].filter(isNobodys)
            const ids = gone.map(({ id }) => id)
            const fileIds = gone.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]))
            return [
              gone.length,
              { media: HashMap.removeMany(tenant.media, ids), files: HashMap.removeMany(tenant.files, fileIds) }
            ]
          })
        )
    })
  )
)
