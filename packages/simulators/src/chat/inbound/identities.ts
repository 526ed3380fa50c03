import { hash } from "node:crypto"
import type { SimulatedNumber } from "../Options.ts"
import type { Customer, World } from "../World.ts"
import type { WritingApi } from "./writing.ts"

/** Changes of phone numbers, user ids and identities of customers: system messages to a number. */
export const makeIdentities = (world: World, { senderOf, system }: WritingApi) => {
  /** A customer with a parent user id gets another one together with the user id. */
  const changeParent = (customer: Customer): object => {
    const { parentUserId: previous } = customer
    if (previous === null) return {}
    customer.parentUserId = `US.ENT.${String(30_000_000_000_000 + world.next())}`
    return { parent_user_id: customer.parentUserId, previous_parent_user_id: previous }
  }

  const newUserId = () => `US.${String(20_000_000_000_000 + world.next())}`

  return {
    changeNumber: (number: SimulatedNumber, customer: Customer, phone: string): string => {
      const sender = senderOf(customer)
      const { phone: previous, userId: previousUserId } = customer
      world.changeCustomer(customer, phone.replace(/^\+/u, ""), newUserId())
      return system(number, sender, {
        system: {
          body: `User ${customer.name} changed from ${previous ?? ""} to ${customer.phone ?? ""}`,
          wa_id: customer.phone,
          type: "user_changed_number",
          user_id: customer.userId,
          previous_user_id: previousUserId,
          ...changeParent(customer)
        }
      })
    },
    changeUserId: (number: SimulatedNumber, customer: Customer): string => {
      const { userId: previous } = customer
      world.changeCustomer(customer, customer.phone, newUserId())
      return system(
        number,
        { from_user_id: previous },
        {
          system: {
            body: `User ${customer.name} changed the user id`,
            type: "user_changed_user_id",
            user_id: customer.userId,
            previous_user_id: previous,
            ...changeParent(customer)
          }
        }
      )
    },
    changeIdentity: (number: SimulatedNumber, customer: Customer, createdAtSeconds: number): string => {
      customer.identityHash = hash("sha256", `${customer.identityHash}:${world.next()}`, "base64").slice(0, 12)
      return system(
        number,
        senderOf(customer),
        {
          identity: { acknowledged: true, created_timestamp: String(createdAtSeconds), hash: customer.identityHash },
          system: { body: `${customer.name}'s security code changed`, type: "customer_identity_changed" }
        },
        customer
      )
    }
  }
}
