import { CurrentOrganization, VersionConflict } from "@parley/domain/kernel"
import { Organization, Organizations } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { refuse, Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  Organizations,
  Effect.map(Store, (store) =>
    Organizations.of({
      current: () =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          store.read(({ organizations }) => HashMap.getUnsafe(organizations, id))
        ),
      save: (organization, expected) =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          store.write((state) => {
            const { createdAt, slug, version } = HashMap.getUnsafe(state.organizations, id)
            if (expected !== null && expected !== version) return refuse(new VersionConflict({ current: version }))
            const saved = new Organization({ ...organization, id, slug, createdAt, version: version + 1 })
            return [saved, { ...state, organizations: HashMap.set(state.organizations, id, saved) }]
          })
        )
    })
  )
)
