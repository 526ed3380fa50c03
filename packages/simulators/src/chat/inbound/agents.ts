import type { Timeline } from "../../Timeline.ts"
import type { Outbox } from "../Outbox.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Sending } from "../sending/sending.ts"
import { metadataOf, type TellOfNumber } from "../values.ts"
import type { Customer } from "../World.ts"

/**
 * Agent of the provider that holds conversations of a number. The app observes them as `standby`. A message of the app takes the control back without a
 * webhook, because only the previous owner gets one.
 */
export const makeAgents = (timeline: Timeline, tell: TellOfNumber, outbox: Outbox, sending: Sending) => {
  const seconds = () => String(Math.floor(timeline.now() / 1_000))
  const personOf = ({ phone, userId }: Customer) => phone ?? userId

  return {
    hold: ({ phoneId }: SimulatedNumber, customer: Customer) => customer.heldBy.add(phoneId),
    /** Sends a message of the agent, which the phone receives at once. */
    write: (number: SimulatedNumber, customer: Customer, text: string): string => {
      const id = sending.newMessageId(false)
      const to = personOf(customer)
      tell(number, "standby", {
        standby: {
          message_echoes: [
            {
              id,
              timestamp: seconds(),
              message: { to, recipient: to, recipient_type: "individual", type: "text", text: { body: text } }
            }
          ]
        }
      })
      tell(number, "standby", {
        standby: {
          statuses: [
            {
              id,
              status: "delivered",
              timestamp: seconds(),
              ...(customer.phone === null ? {} : { recipient_id: customer.phone }),
              recipient_user_id: customer.userId
            }
          ]
        }
      })
      return id
    },
    /** Passes the control to the app. The value names the number as the recipient, and has no metadata. */
    pass: (number: SimulatedNumber, customer: Customer) => {
      customer.heldBy.delete(number.phoneId)
      const { businessId, otherBusinessIds = [], phoneId } = number
      for (const account of new Set([businessId, ...otherBusinessIds])) {
        outbox.tell({
          businessId: account,
          phoneId,
          field: "messaging_handovers",
          value: {
            messaging_product: "whatsapp",
            recipient: metadataOf(number),
            sender: { phone_number: personOf(customer) },
            timestamp: seconds(),
            type: "control_passed",
            control_passed: {
              metadata: "handover",
              previous_owner_app_id: "100000000000001",
              previous_owner_app_role: "meta_business_agent",
              previous_owner_role: "ai_agent",
              new_owner_role: "escalation"
            }
          }
        })
      }
    }
  }
}
