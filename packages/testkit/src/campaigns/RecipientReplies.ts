import { recipientIdAt, recipientPrefix, RecipientReplies } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  RecipientReplies,
  Effect.map(Store, (store) =>
    RecipientReplies.of({
      lock: (account, contactIds) =>
        store.readTenant(({ broadcastRecipients, broadcasts }) =>
          HashMap.toEntries(broadcastRecipients).flatMap(([broadcastId, rows]) => {
            if (rowAt(broadcasts, broadcastId)?.chatAccountId !== account) return []
            return rows.flatMap(
              ({ attempts: _attempts, dueAt: _dueAt, handedBy: _handed, reason: _reason, sentAt, status, ...row }) => {
                if (sentAt === null || status === "waiting" || !contactIds.includes(row.contactId)) return []
                return [
                  { ...row, id: recipientIdAt(recipientPrefix(broadcastId), row.seq), broadcastId, sentAt, status }
                ]
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
        ])
    })
  )
)
