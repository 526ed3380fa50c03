import { CurrentOrganization, NotFound } from "@parley/domain/kernel"
import { AutomationToken, AutomationTokens } from "@parley/domain/platform"
import { Effect, HashMap, Layer } from "effect"
import { responsibleFor } from "./responsibleFor.ts"
import { descending } from "../../store/slice.ts"
import { rowAt } from "../../store/State.ts"
import { refuse, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "automation token" })

export const layer = Layer.effect(
  AutomationTokens,
  Effect.map(Store, (store) =>
    AutomationTokens.of({
      list: (slice) =>
        Effect.flatMap(CurrentOrganization, (organization) =>
          store.readTenant(({ automationTokens }, state) =>
            descending(HashMap.values(automationTokens), ({ id }) => id, slice).map((token) => ({
              token,
              responsible: responsibleFor(state, organization.id, token)
            }))
          )
        ),
      find: (id) =>
        Effect.flatMap(CurrentOrganization, (organization) =>
          store.readTenant(({ automationTokens }, state) => {
            const token = rowAt(automationTokens, id)
            return token === null ? null : { token, responsible: responsibleFor(state, organization.id, token) }
          })
        ),
      insert: (token) =>
        store.writeTenant(({ automationTokens }) => [
          undefined,
          { automationTokens: HashMap.set(automationTokens, token.id, token) }
        ]),
      lock: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ automationTokens }) => rowAt(automationTokens, id)),
          (token) => token !== null,
          notFound
        ),
      adopt: (id, userId, now) =>
        store.writeTenant(({ automationTokens }) => {
          const token = rowAt(automationTokens, id)
          if (token === null) return refuse(notFound())
          const adopted = new AutomationToken({ ...token, responsibleUserId: userId, adoptedAt: now })
          return [adopted, { automationTokens: HashMap.set(automationTokens, id, adopted) }]
        }),
      revoke: (id, now) =>
        store.writeTenant(({ automationTokens }) => {
          const token = rowAt(automationTokens, id)
          if (token === null) return refuse(notFound())
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
