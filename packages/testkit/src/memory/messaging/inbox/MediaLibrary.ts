import { NotFound } from "@parley/domain/kernel"
import { Media, MediaLibrary } from "@parley/domain/messaging"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  MediaLibrary,
  Effect.map(Store, (store) =>
    MediaLibrary.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ media }) => rowAt(media, id)),
          (media) => media !== null,
          () => new NotFound({ resource: "media" })
        ),
      insert: (added) =>
        store.writeTenant(({ media }) => [
          undefined,
          { media: added.reduce((rows, each) => HashMap.set(rows, each.id, each), media) }
        ]),
      save: ({ fileId, id, mimeType, refusedSince, size, state }) =>
        store.writeTenant(({ media }) => {
          const before = rowAt(media, id)
          if (before === null || before.state === "stored") return [false, {}]
          const after = new Media({ ...before, fileId, mimeType, refusedSince, size, state })
          return [true, { media: HashMap.set(media, id, after) }]
        }),
      use: (id) =>
        store.writeTenant(({ media }) => {
          const before = rowAt(media, id)
          if (before === null) return refuse(new NotFound({ resource: "media" }))
          return [undefined, { media: HashMap.set(media, id, new Media({ ...before, isUsed: true })) }]
        })
    })
  )
)
