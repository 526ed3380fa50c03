import {
  Broadcast,
  type BroadcastId,
  type CalledRecipient,
  counterOf,
  type RecipientChange,
  parseRecipientId,
  type RecipientId,
  recipientPrefix,
  RecipientReceipts
} from "@parley/domain/campaigns"
import { Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "./state.ts"
import { Store } from "../store/Store.ts"

const windowOf = ({ broadcastWindows }: Tenant, id: BroadcastId, place: number) =>
  broadcastWindows.find(({ broadcastId, calls }) => broadcastId === id && calls.some(({ seq }) => seq === place))

const calledOf = (
  tenant: Tenant,
  broadcastId: BroadcastId,
  id: RecipientId,
  row: BroadcastRecipientRow
): CalledRecipient => {
  const { deliveredAt, error, failedAt, providerMessageId, readAt, sentAt, seq } = row
  const window = windowOf(tenant, broadcastId, seq)
  return {
    id,
    broadcastId,
    seq,
    status: window === undefined ? (row.status === "waiting" ? "pending" : row.status) : "in_flight",
    calledAt: window?.claimedAt ?? row.calledAt,
    providerMessageId,
    error,
    sentAt,
    deliveredAt,
    readAt,
    failedAt
  }
}

const moved = (
  tenant: Tenant,
  { after: { broadcastId: id, seq, ...after }, before }: RecipientChange
): Partial<Tenant> => {
  const broadcast = rowAt(tenant.broadcasts, id)
  const { status } = after
  if (broadcast === null || status === "in_flight") return {}
  const stats = { ...broadcast.stats }
  stats[counterOf[before.status]] -= 1
  stats[counterOf[status]] += 1
  const window = windowOf(tenant, id, seq)
  const { deliveredAt, error, failedAt, providerMessageId, readAt, sentAt } = after
  const reported = { status, providerMessageId, error, sentAt, deliveredAt, readAt, failedAt }
  return {
    broadcasts: HashMap.set(tenant.broadcasts, id, new Broadcast({ ...broadcast, stats })),
    broadcastWindows: tenant.broadcastWindows.flatMap((each) => {
      if (each !== window) return [each]
      const calls = each.calls.filter((call) => call.seq !== seq)
      return calls.length === 0 ? [] : [{ ...each, calls }]
    }),
    broadcastRecipients: HashMap.modify(tenant.broadcastRecipients, id, (rows) =>
      rows.map((row) => {
        if (row.seq !== seq) return row
        if (window === undefined) return { ...row, ...reported }
        const values = window.calls.find((call) => call.seq === seq)?.values ?? null
        return { ...row, ...reported, attempts: row.attempts + 1, calledAt: window.claimedAt, values }
      })
    )
  }
}

export const layer = Layer.effect(
  RecipientReceipts,
  Effect.map(Store, (store) =>
    RecipientReceipts.of({
      lock: (account, ids) =>
        store.readTenant((tenant) => {
          const broadcasts = new Map(
            HashMap.toValues(tenant.broadcasts)
              .filter(({ chatAccountId }) => chatAccountId === account)
              .map(({ id }) => [recipientPrefix(id), id])
          )
          return ids.flatMap((id) => {
            const { place, prefix } = parseRecipientId(id)
            const broadcastId = broadcasts.get(prefix)
            if (broadcastId === undefined) return []
            const row = rowAt(tenant.broadcastRecipients, broadcastId)?.find(({ seq }) => seq === place)
            return row === undefined ? [] : [calledOf(tenant, broadcastId, id, row)]
          })
        }),
      save: (all) =>
        store.writeTenant((before) => {
          const tenant = all.reduce<Tenant>(
            (current, each) => Object.assign(current, moved(current, each)),
            Object.assign({}, before)
          )
          const ids = Array.from(new Set(all.map(({ after }) => after.broadcastId))).toSorted()
          const progressed = ids.flatMap((broadcastId) => {
            const broadcast = rowAt(tenant.broadcasts, broadcastId)
            const toldAt = rowAt(tenant.broadcastProgress, broadcastId)?.toldAt ?? null
            return broadcast === null ? [] : [{ broadcastId, stats: broadcast.stats, toldAt }]
          })
          return [progressed, tenant]
        })
    })
  )
)
