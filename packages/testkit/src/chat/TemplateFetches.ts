import { TemplateFetches } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, tenantOf, withTenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  TemplateFetches,
  Effect.map(Store, (store) =>
    TemplateFetches.of({
      claim: ({ fetcher, now, until }) =>
        store.write((state) => {
          const [next] = HashMap.toEntries(state.tenants)
            .flatMap(([organizationId, { chatAccounts }]) =>
              HashMap.toValues(chatAccounts).flatMap((row) =>
                row.wanted !== null && DateTime.isLessThanOrEqualTo(row.wanted.from, now)
                  ? [{ organizationId, row, from: row.wanted.from }]
                  : []
              )
            )
            .toSorted((one, other) => DateTime.Order(one.from, other.from))
          if (next === undefined) return [null, state]
          const { organizationId, row } = next
          const chatAccounts = HashMap.set(tenantOf(state, organizationId).chatAccounts, row.account.id, {
            ...row,
            wanted: { from: until, fetcher }
          })
          return [
            { organizationId, chatAccountId: row.account.id, fetcher },
            withTenant(state, organizationId, { chatAccounts })
          ]
        }),
      settle: ({ chatAccountId, fetcher, organizationId }) =>
        store.write((state) => {
          const { chatAccounts } = tenantOf(state, organizationId)
          const row = rowAt(chatAccounts, chatAccountId)
          return row?.wanted?.fetcher !== fetcher
            ? [undefined, state]
            : [
                undefined,
                withTenant(state, organizationId, {
                  chatAccounts: HashMap.set(chatAccounts, chatAccountId, { ...row, wanted: null })
                })
              ]
        })
    })
  )
)
