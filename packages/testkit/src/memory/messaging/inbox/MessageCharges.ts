import { toLocalDate } from "@parley/domain/kernel"
import {
  type ChargeSelection,
  type ChargeTally,
  combineCharges,
  type MessageCharge,
  MessageCharges,
  type ResourceChargeTally
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const keyOf = ({ chatAccountId, providerMessageId }: MessageCharge) => `${chatAccountId} ${providerMessageId}`

const isSelected =
  ({ messages }: Tenant, selection: ChargeSelection) =>
  ({ chatAccountId, deliveredAt, messageId }: MessageCharge): boolean => {
    switch (selection.kind) {
      case "period":
        return (
          DateTime.isGreaterThanOrEqualTo(deliveredAt, selection.from) &&
          DateTime.isLessThan(deliveredAt, selection.to) &&
          (selection.chatAccountId === null || selection.chatAccountId === chatAccountId)
        )
      case "messages":
        return messageId !== null && messageId >= selection.first && messageId <= selection.last
      case "conversation":
        return messageId !== null && rowAt(messages, messageId)?.message.conversationId === selection.conversationId
    }
  }

const utcZone = DateTime.zoneMakeNamedUnsafe("UTC")

/** Facts of a charge, without its period. */
export const toChargeFacts = (charge: MessageCharge): Omit<ChargeTally, "range"> => ({
  rateDay: toLocalDate(charge.deliveredAt, utcZone),
  chatAccountId: charge.chatAccountId,
  country: charge.country,
  category: charge.category,
  type: charge.type,
  billable: charge.billable,
  messages: 1
})

/** Adds up tallies with equal facts. */
export const sumTallies = <Tally extends Omit<ChargeTally, "range">>(tallies: ReadonlyArray<Tally>) =>
  Array.from(Map.groupBy(tallies, (tally) => JSON.stringify(tally)).values()).flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, messages: 1 + others.length }]
  )

const toTally = (charge: MessageCharge, starts: ReadonlyArray<DateTime.Utc>): ChargeTally => ({
  range: starts.filter((start) => DateTime.isLessThanOrEqualTo(start, charge.deliveredAt)).length - 1,
  ...toChargeFacts(charge)
})

export const layer = Layer.effect(
  MessageCharges,
  Effect.map(Store, (store) =>
    MessageCharges.of({
      record: (charges) =>
        store.writeTenant(({ messageCharges }) => [
          undefined,
          {
            messageCharges: charges.reduce((rows, charge) => {
              const known = rowAt(rows, keyOf(charge))
              return HashMap.set(rows, keyOf(charge), known === null ? charge : combineCharges(known, charge))
            }, messageCharges)
          }
        ]),
      tally: (selection, starts) =>
        store.readTenant((tenant) => {
          const found = HashMap.toValues(tenant.messageCharges).filter(isSelected(tenant, selection))
          return sumTallies(found.map((charge) => toTally(charge, starts)))
        }),
      tallyEach: ({ ids, kind }) =>
        store.readTenant(({ messageCharges, messages }) => {
          const wanted = new Set<string>(ids)
          const tallies = HashMap.toValues(messageCharges).flatMap((charge): ReadonlyArray<ResourceChargeTally> => {
            const { messageId } = charge
            if (messageId === null) return []
            const resourceId =
              kind === "messages" ? messageId : (rowAt(messages, messageId)?.message.conversationId ?? null)
            return resourceId !== null && wanted.has(resourceId) ? [{ resourceId, ...toChargeFacts(charge) }] : []
          })
          return sumTallies(tallies)
        })
    })
  )
)
