import { OrganizationDirectory, SlugTaken } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../store/slice.ts"
import { rowAt, type State } from "../store/State.ts"
import { refuse, Store } from "../store/Store.ts"

const bySlug = (state: State, slug: string) =>
  HashMap.toValues(state.organizations).find((organization) => organization.slug === slug) ?? null

export const layer = Layer.effect(
  OrganizationDirectory,
  Effect.map(Store, (store) =>
    OrganizationDirectory.of({
      insert: (organization) =>
        store.write((state) => {
          const { id, slug } = organization
          if (bySlug(state, slug) !== null) return refuse(new SlugTaken({ slug }))
          return [undefined, { ...state, organizations: HashMap.set(state.organizations, id, organization) }]
        }),
      find: (id) => store.read((state) => rowAt(state.organizations, id)),
      findBySlug: (slug) => store.read((state) => bySlug(state, slug)),
      list: (slice) => store.read((state) => ascending(HashMap.values(state.organizations), ({ id }) => id, slice))
    })
  )
)
