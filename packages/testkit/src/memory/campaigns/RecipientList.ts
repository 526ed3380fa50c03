import {
  type BroadcastId,
  hasEnded,
  type PlacedRecipient,
  recipientIdAt,
  RecipientList,
  recipientPrefix,
  type RecipientQuery,
  type RecipientTally,
  type VariantChargeTally
} from "@parley/domain/campaigns"
import { Effect, HashMap, Layer } from "effect"
import { sumTallies, toChargeFacts } from "../messaging/inbox/MessageCharges.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

/** The recipients of a broadcast, as they are shown. */
export const shownRecipients = ({ broadcastRecipients, broadcasts, broadcastWindows }: Tenant, id: BroadcastId) => {
  const broadcast = rowAt(broadcasts, id)
  const untried = broadcast !== null && hasEnded(broadcast.status) ? "never_sent" : "pending"
  const inHand = new Set(
    broadcastWindows.flatMap(({ broadcastId, calls }) => (broadcastId === id ? calls.map(({ seq }) => seq) : []))
  )
  return (rowAt(broadcastRecipients, id) ?? []).map((row): PlacedRecipient => {
    const {
      address,
      calledAt: _called,
      drawnFor: _drawn,
      putOffUntil: _putOff,
      handedBy: _handed,
      providerMessageId: _provider,
      status,
      values: _values,
      ...rest
    } = row
    const isUntried = status === "pending" || status === "waiting"
    return {
      ...rest,
      id: recipientIdAt(recipientPrefix(id), row.seq),
      address: address?.value ?? null,
      status: inHand.has(row.seq) ? "in_flight" : isUntried ? untried : status
    }
  })
}

const isAmong = (each: PlacedRecipient, { contactId, reason, replied, status, variant }: RecipientQuery) =>
  (status === null || each.status === status) &&
  (reason === null || each.reason === reason) &&
  (variant === null || each.variant === variant) &&
  (contactId === null || each.contactId === contactId) &&
  (replied === null || (each.repliedAt !== null) === replied)

const talliesOf = (rows: ReadonlyArray<PlacedRecipient>): ReadonlyArray<RecipientTally> => {
  const groups = Map.groupBy(rows, ({ error, reason, status, variant }) =>
    JSON.stringify([variant, status, reason, status === "failed" ? error?.code : null])
  )
  return Array.from(groups.values()).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { error, reason, status, variant } = first
    const replied = group.filter(({ repliedAt }) => repliedAt !== null).length
    const optedOut = group.filter(({ optedOutAt }) => optedOutAt !== null).length
    return [
      {
        variant,
        status,
        reason,
        code: status === "failed" ? (error?.code ?? null) : null,
        count: group.length,
        replied,
        optedOut
      }
    ]
  })
}

export const layer = Layer.effect(
  RecipientList,
  Effect.map(Store, (store) =>
    RecipientList.of({
      list: (id, query, { after, limit }) =>
        store.readTenant((tenant) => {
          const rows = shownRecipients(tenant, id).filter(
            (each) => each.seq > Number(after?.[0] ?? 0) && isAmong(each, query)
          )
          return { rows: rows.slice(0, limit), resume: null }
        }),
      tally: (id) => store.readTenant((tenant) => talliesOf(shownRecipients(tenant, id))),
      tallyCharges: (id) =>
        store.readTenant((tenant) => {
          const variants = new Map(shownRecipients(tenant, id).map((each) => [String(each.id), each.variant]))
          const charges = HashMap.toValues(tenant.messageCharges)
          return sumTallies(
            charges.flatMap((charge): ReadonlyArray<VariantChargeTally> => {
              const variant = variants.get(charge.messageId ?? "")
              return variant === undefined ? [] : [{ variant, ...toChargeFacts(charge) }]
            })
          )
        })
    })
  )
)
