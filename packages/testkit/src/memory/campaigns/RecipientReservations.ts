import { RecipientReservations } from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  RecipientReservations,
  Effect.map(Store, (store) =>
    RecipientReservations.of({
      takenIn: (month) =>
        store.readTenant(({ recipientReservations }) =>
          HashMap.toValues(recipientReservations)
            .filter((row) => DateTime.Equivalence(row.month, month))
            .reduce((sum, { amount }) => sum + amount, 0)
        ),
      takenBy: (id) => store.readTenant(({ recipientReservations }) => rowAt(recipientReservations, id)?.amount ?? 0),
      insert: (id, month, amount) =>
        store.writeTenant(({ recipientReservations }) => [
          undefined,
          { recipientReservations: HashMap.set(recipientReservations, id, { month, amount }) }
        ]),
      giveBack: (id, amount) =>
        store.writeTenant(({ recipientReservations }) => {
          const row = rowAt(recipientReservations, id)
          if (row === null) return [undefined, {}]
          const left = { ...row, amount: Math.max(0, row.amount - amount) }
          return [undefined, { recipientReservations: HashMap.set(recipientReservations, id, left) }]
        }),
      takeBack: (id, amount) =>
        store.writeTenant(({ recipientReservations }) => {
          const row = rowAt(recipientReservations, id)
          if (row === null) return [undefined, {}]
          const more = { ...row, amount: row.amount + amount }
          return [undefined, { recipientReservations: HashMap.set(recipientReservations, id, more) }]
        })
    })
  )
)
