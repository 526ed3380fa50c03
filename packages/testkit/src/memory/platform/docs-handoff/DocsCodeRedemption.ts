import { DocsCodeRedemption } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  DocsCodeRedemption,
  Effect.map(Store, (store) =>
    DocsCodeRedemption.of({
      redeem: (digest, now) =>
        store.write((state) => {
          const row = rowAt(state.docsCodes, digest)
          if (row === null || DateTime.isLessThanOrEqualTo(row.expiresAt, now)) return [null, state]
          return [row.owner, { ...state, docsCodes: HashMap.remove(state.docsCodes, digest) }]
        })
    })
  )
)
