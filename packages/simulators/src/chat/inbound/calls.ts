import { Struct } from "effect"
import type { Timeline } from "../../Timeline.ts"
import type { SimulatedNumber } from "../Options.ts"
import { contactOf, type TellOfNumber } from "../values.ts"
import type { Customer, World } from "../World.ts"
import { permitsCallbacks } from "../world/NumberState.ts"
import { countConnectedCall } from "./callLimits.ts"
import { callPermissionOf, permitCalls } from "./callPermissions.ts"

export interface CallReport {
  readonly id?: string
  readonly direction: "USER_INITIATED" | "BUSINESS_INITIATED"
  /** Seconds of a call that has ended; null for a call that starts. */
  readonly ended: { readonly status: "COMPLETED" | "FAILED"; readonly seconds: number } | null
  readonly payload?: string
}

const serviceWindow = 24 * 3_600_000

/** The customer in a call. A customer without a phone number has a user id only. */
const partyOf = ({ parentUserId, phone, userId }: Customer, side: "from" | "to") => ({
  ...(phone === null ? {} : { [side]: phone }),
  [`${side}_user_id`]: userId,
  ...(parentUserId === null ? {} : { [`${side}_parent_user_id`]: parentUserId })
})

/** Voice calls. A call of a customer opens the window. */
export const makeCalls = (world: World, timeline: Timeline, tell: TellOfNumber) => {
  const seconds = () => Math.floor(timeline.now() / 1_000)
  const newId = () => `wacid.${Buffer.from(`CALL${world.next()}`).toString("base64url")}`

  return {
    report: (number: SimulatedNumber, customer: Customer, { direction, ended, id = newId(), payload }: CallReport) => {
      const isFromUser = direction === "USER_INITIATED"
      const now = timeline.now()
      if (ended?.status === "COMPLETED") countConnectedCall(customer, number, now, !isFromUser)
      if (isFromUser) {
        customer.windows.set(number.phoneId, now + serviceWindow)
        const isPermitted = callPermissionOf(customer, number, now).status === "permanent"
        if (permitsCallbacks(world.stateOf(number)) && !isPermitted) permitCalls(customer, number, now, false)
      }
      tell(number, "calls", {
        contacts: [contactOf(customer)],
        calls: [
          {
            id,
            ...partyOf(customer, isFromUser ? "from" : "to"),
            [isFromUser ? "to" : "from"]: number.displayPhone,
            event: ended === null ? "connect" : "terminate",
            direction,
            timestamp: String(seconds()),
            ...(ended === null ? { session: { sdp_type: isFromUser ? "offer" : "answer", sdp: "v=0\r\n" } } : {}),
            ...(ended === null ? {} : { status: ended.status }),
            ...(ended === null || ended.status === "FAILED"
              ? {}
              : {
                  start_time: String(seconds() - ended.seconds),
                  end_time: String(seconds()),
                  duration: ended.seconds
                }),
            ...(payload === undefined ? {} : { cta_payload: payload })
          }
        ]
      })
      return id
    },
    status: (number: SimulatedNumber, customer: Customer, id: string, status: "RINGING" | "ACCEPTED" | "REJECTED") =>
      tell(number, "calls", {
        contacts: [Struct.omit(contactOf(customer), ["parent_user_id"])],
        statuses: [
          {
            id,
            type: "call",
            status,
            timestamp: String(seconds()),
            ...(customer.phone === null ? {} : { recipient_id: customer.phone }),
            recipient_user_id: customer.userId,
            ...(customer.parentUserId === null ? {} : { recipient_parent_user_id: customer.parentUserId })
          }
        ]
      })
  }
}
