import { OrganizationDirectory, SlugTaken } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../../store/slice.ts"
import { rowAt, type State } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

const bySlug = (state: State, slug: string) => {
  const id = rowAt(state.organizationIds, slug)
  return id === null ? null : rowAt(state.organizations, id)
}

export const layer = Layer.effect(
  OrganizationDirectory,
  Effect.map(Store, (store) =>
    OrganizationDirectory.of({
      insert: (organization) =>
        store.write((state) => {
          const { id, slug } = organization
          if (bySlug(state, slug) !== null) return refuse(new SlugTaken({ slug }))
          const organizations = HashMap.set(state.organizations, id, organization)
          return [undefined, { ...state, organizations, organizationIds: HashMap.set(state.organizationIds, slug, id) }]
        }),
      find: (id) => store.read((state) => rowAt(state.organizations, id)),
      findBySlug: (slug) => store.read((state) => bySlug(state, slug)),
      list: (slice) => store.read((state) => ascending(HashMap.values(state.organizations), ({ id }) => id, slice))
    })
  )
)
