import type { Outbox } from "./Outbox.ts"
import type { SimulatedNumber } from "./Options.ts"
import type { Customer } from "./World.ts"

/** Values of the webhooks of a number. */
export const metadataOf = ({ displayPhone, phoneId }: SimulatedNumber) => ({
  display_phone_number: displayPhone,
  phone_number_id: phoneId
})

/** A customer in `contacts`. Receipts of `sent` have no username. */
export const contactOf = (customer: Customer, hasUsername = true) => ({
  profile: {
    name: customer.name,
    ...(hasUsername && customer.username !== null ? { username: `@${customer.username}` } : {})
  },
  ...(customer.phone === null ? {} : { wa_id: customer.phone }),
  user_id: customer.userId,
  ...(customer.parentUserId === null ? {} : { parent_user_id: customer.parentUserId })
})

/** Reports a value that starts with the metadata of its number, to all accounts that hold the number. */
export const tellOfNumber =
  (outbox: Outbox) =>
  (number: SimulatedNumber, field: string, value: object): void => {
    const { businessId, otherBusinessIds = [], phoneId } = number
    for (const account of new Set([businessId, ...otherBusinessIds])) {
      outbox.tell({
        businessId: account,
        phoneId,
        field,
        value: { messaging_product: "whatsapp", metadata: metadataOf(number), ...value }
      })
    }
  }
export type TellOfNumber = ReturnType<typeof tellOfNumber>
