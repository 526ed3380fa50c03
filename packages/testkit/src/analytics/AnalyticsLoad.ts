import { AnalyticsLoad, type Colleague, type Load, type UserId } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  AnalyticsLoad,
  Effect.map(Store, (store) =>
    AnalyticsLoad.of({
      byAssignee: () =>
        store.readTenant(({ conversations }) => {
          const loads = new Map<UserId | null, Load>()
          for (const { conversation } of HashMap.toValues(conversations)) {
            const { assigneeId, status, waitingSince } = conversation
            if (status === "resolved") continue
            const { open, waiting } = loads.get(assigneeId) ?? { open: 0, waiting: 0 }
            loads.set(assigneeId, {
              userId: assigneeId,
              open: open + (status === "open" ? 1 : 0),
              waiting: waiting + (waitingSince === null ? 0 : 1)
            })
          }
          return [...loads.values()]
        }),
      colleagues: (ids) =>
        store.readTenant(({ members }, state) => {
          const present = new Set(HashMap.toValues(members).map(({ member }) => member.userId))
          return [...new Set(ids)].flatMap((id): ReadonlyArray<Colleague> => {
            const row = rowAt(state.users, id)
            if (row === null) return []
            const { name, status } = row.user
            return [{ id, name, status: present.has(id) ? status : "former" }]
          })
        })
    })
  )
)
