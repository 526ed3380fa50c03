import type { UserId } from "@parley/domain/kernel"
import {
  AnalyticsLoad,
  type Colleague,
  type LiveCount,
  type MemberLoad,
  secondsBetween,
  waitSteps
} from "@parley/domain/analytics"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const stepAfter = (seconds: number) => waitSteps.findIndex((upTo) => upTo === null || seconds <= upTo)

export const layer = Layer.effect(
  AnalyticsLoad,
  Effect.map(Store, (store) =>
    AnalyticsLoad.of({
      byAssignee: () =>
        store.readTenant(({ conversations }) => {
          const loads = new Map<UserId | null, MemberLoad>()
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
      live: (chatAccountId, now) =>
        store.readTenant(({ conversations }) => {
          const counts = new Map<string, LiveCount>()
          for (const { conversation } of HashMap.toValues(conversations)) {
            const { assigneeId, status, waitingSince } = conversation
            if (status === "resolved") continue
            if (chatAccountId !== null && conversation.chatAccountId !== chatAccountId) continue
            const step = waitingSince === null ? null : stepAfter(secondsBetween(waitingSince, now))
            const key = `${status} ${assigneeId === null} ${step}`
            const before = counts.get(key) ?? { count: 0, oldest: null }
            const oldest =
              before.oldest === null ? waitingSince : waitingSince && DateTime.min(before.oldest, waitingSince)
            counts.set(key, { status, isAssigned: assigneeId !== null, step, count: before.count + 1, oldest })
          }
          return [...counts.values()]
        }),
      colleagues: (ids) =>
        store.readTenant(({ members }, state) => {
          const current = new Set(HashMap.toValues(members).map(({ member }) => member.userId))
          return [...new Set(ids)].flatMap((id): ReadonlyArray<Colleague> => {
            const row = rowAt(state.users, id)
            if (row === null) return []
            const { name, status } = row.user
            return [{ id, name, status: current.has(id) ? status : "former" }]
          })
        })
    })
  )
)
