import { ContactRecipients } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  ContactRecipients,
  Effect.map(Store, (store) =>
    ContactRecipients.of({
      forget: (contactIds) =>
        store.writeTenant(({ audienceSnapshots, broadcastRecipients }) => [
          undefined,
          {
            audienceSnapshots: HashMap.map(audienceSnapshots, (row) => ({
              ...row,
              contacts: row.contacts.map((each) =>
                contactIds.includes(each.contactId) ? { ...each, address: null } : each
              )
            })),
            broadcastRecipients: HashMap.map(broadcastRecipients, (rows) =>
              rows.map((row) => (contactIds.includes(row.contactId) ? { ...row, address: null, values: null } : row))
            )
          }
        ])
    })
  )
)
