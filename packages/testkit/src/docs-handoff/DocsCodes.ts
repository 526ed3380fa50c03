import { CurrentOrganization, DocsCodes } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  DocsCodes,
  Effect.map(Store, (store) =>
    DocsCodes.of({
      insert: (digest, userId, expiresAt) =>
        Effect.flatMap(CurrentOrganization, ({ id: organizationId }) =>
          store.write((state) => {
            const row = { owner: { organizationId, userId }, expiresAt }
            return [undefined, { ...state, docsCodes: HashMap.set(state.docsCodes, digest, row) }]
          })
        )
    })
  )
)
