import { type AcceptedRecipient, recipientIdAt, recipientPrefix, RecipientReplies } from "@parley/domain/campaigns"
import { DateTime, HashMap, Layer, Effect } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  RecipientReplies,
  Effect.map(Store, (store) =>
    RecipientReplies.of({
      lock: (account, contactIds) =>
        store.readTenant(({ broadcastRecipients, broadcasts, broadcastWindows }) =>
          HashMap.toEntries(broadcastRecipients).flatMap(([broadcastId, rows]) => {
            if (rowAt(broadcasts, broadcastId)?.chatAccountId !== account) return []
            return rows.flatMap(
              ({
                attempts: _attempts,
                drawnFor: _drawn,
                dueAt: _dueAt,
                handedBy: _handed,
                putOffUntil: _putOff,
                reason: _reason,
                sentAt,
                status,
                ...row
              }) => {
                if (!contactIds.includes(row.contactId)) return []
                const isUntold = status === "pending" || status === "waiting"
                const window = broadcastWindows.find(
                  ({ broadcastId: of, calls }) => of === broadcastId && calls.some(({ seq }) => seq === row.seq)
                )
                const heldAt = isUntold ? (window?.claimedAt ?? null) : status === "in_doubt" ? row.calledAt : null
                const at = sentAt ?? heldAt
                if (at === null) return []
                const id = recipientIdAt(recipientPrefix(broadcastId), row.seq)
                return [{ ...row, id, broadcastId, sentAt: at, status: isUntold ? ("in_flight" as const) : status }]
              }
            )
          })
        ),
      save: (recipients) =>
        store.writeTenant((tenant) => [
          undefined,
          {
            broadcastRecipients: recipients.reduce(
              (all, { broadcastId, conversationId, optedOutAt, repliedAt, seq }) =>
                HashMap.modify(all, broadcastId, (rows) =>
                  rows.map((row) => (row.seq === seq ? { ...row, conversationId, optedOutAt, repliedAt } : row))
                ),
              tenant.broadcastRecipients
            )
          }
        ]),
      optOut: (recipients) =>
        store.writeTenant(({ broadcastRecipients }) => {
          const known: Array<Pick<AcceptedRecipient, "broadcastId" | "seq" | "contactId">> = []
          const inOrder = recipients.toSorted((one, other) => DateTime.Order(one.at, other.at))
          const changed = inOrder.reduce(
            (all, { at, broadcastId, seq }) =>
              HashMap.modify(all, broadcastId, (rows) =>
                rows.map((row) => {
                  if (row.seq !== seq || row.optedOutAt !== null) return row
                  known.push({ broadcastId, seq, contactId: row.contactId })
                  return { ...row, optedOutAt: at }
                })
              ),
            broadcastRecipients
          )
          return [known, { broadcastRecipients: changed }]
        })
    })
  )
)
