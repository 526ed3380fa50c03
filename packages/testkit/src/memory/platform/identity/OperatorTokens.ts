import { NotFound } from "@parley/domain/kernel"
import { OperatorToken, OperatorTokens } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  OperatorTokens,
  Effect.map(Store, (store) =>
    OperatorTokens.of({
      list: (slice) =>
        store.read(({ operatorTokens }) => descending(HashMap.values(operatorTokens), ({ id }) => id, slice)),
      find: (id) => store.read(({ operatorTokens }) => rowAt(operatorTokens, id)),
      insert: (token) =>
        store.write((state) => [
          undefined,
          { ...state, operatorTokens: HashMap.set(state.operatorTokens, token.id, token) }
        ]),
      revoke: (id, now) =>
        store.write((state) => {
          const token = rowAt(state.operatorTokens, id)
          if (token === null) return refuse(new NotFound({ resource: "operator token" }))
          const revoked = new OperatorToken({ ...token, revokedAt: token.revokedAt ?? now })
          return [revoked, { ...state, operatorTokens: HashMap.set(state.operatorTokens, id, revoked) }]
        }),
      touch: (id, now) =>
        store.write((state) => {
          const token = rowAt(state.operatorTokens, id)
          if (token === null) return [undefined, state]
          const touched = new OperatorToken({ ...token, lastUsedAt: now })
          return [undefined, { ...state, operatorTokens: HashMap.set(state.operatorTokens, id, touched) }]
        })
    })
  )
)
