import { AutomationToken, AutomationTokens, NotFound } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt } from "../store/State.ts"
import { refuse, Store } from "../store/Store.ts"

export const layer = Layer.effect(
  AutomationTokens,
  Effect.map(Store, (store) =>
    AutomationTokens.of({
      list: (slice) =>
        store.readTenant(({ automationTokens }) => descending(HashMap.values(automationTokens), ({ id }) => id, slice)),
      insert: (token) =>
        store.writeTenant(({ automationTokens }) => [
          undefined,
          { automationTokens: HashMap.set(automationTokens, token.id, token) }
        ]),
      revoke: (id, now) =>
        store.writeTenant(({ automationTokens }) => {
          const token = rowAt(automationTokens, id)
          if (token === null) return refuse(new NotFound({ resource: "automation token" }))
          const revoked = new AutomationToken({ ...token, revokedAt: token.revokedAt ?? now })
          return [revoked, { automationTokens: HashMap.set(automationTokens, id, revoked) }]
        }),
      touch: (id, now) =>
        store.writeTenant(({ automationTokens }) => {
          const token = rowAt(automationTokens, id)
          if (token === null) return [undefined, {}]
          const touched = new AutomationToken({ ...token, lastUsedAt: now })
          return [undefined, { automationTokens: HashMap.set(automationTokens, id, touched) }]
        })
    })
  )
)
