import { CurrentOrganization } from "@parley/domain/kernel"
import { DocsCodes } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  DocsCodes,
  Effect.map(Store, (store) =>
    DocsCodes.of({
      insert: (digest, { sessionId, userId }, expiresAt) =>
        Effect.flatMap(CurrentOrganization, ({ id: organizationId }) =>
          store.write((state) => {
            const row = { owner: { organizationId, sessionId, userId }, expiresAt }
            return [undefined, { ...state, docsCodes: HashMap.set(state.docsCodes, digest, row) }]
          })
        ),
      sweep: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* store.write((state) => {
          const docsCodes = HashMap.filter(
            state.docsCodes,
            ({ expiresAt, owner }) =>
              owner.organizationId !== organization.id || DateTime.isGreaterThan(expiresAt, before)
          )
          return [HashMap.size(state.docsCodes) - HashMap.size(docsCodes), { ...state, docsCodes }]
        })
      })
    })
  )
)
