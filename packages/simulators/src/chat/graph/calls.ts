import type { Timeline } from "../../Timeline.ts"
import { type Fields, objectAt, oneOf, refuse, Refused, textAt, textIfAny } from "../checks.ts"
import { callActions, callRefusal, disabledRefusal } from "../inbound/callLimits.ts"
import { callPermissionOf } from "../inbound/callPermissions.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Customer, World } from "../World.ts"
import { hasRestriction } from "../world/AccountState.ts"
import { isRegistered } from "../world/NumberState.ts"
import { success } from "./Call.ts"
import { requireProduct } from "./registration.ts"

const actions = ["connect", "pre_accept", "accept", "reject", "terminate"] as const

/** Restrictions that prevent calls of the business. */
const restrictions = ["RESTRICTED_BUSINESS_INITIATED_CALLING", "RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING"]

const keys = ["messaging_product", "to", "recipient", "action", "call_id", "session", "biz_opaque_callback_data"]

const checkSession = (value: unknown, type: "offer" | "answer") => {
  const session = objectAt(value, "session", ["sdp_type", "sdp"])
  oneOf(session["sdp_type"], "session.sdp_type", [type])
  textAt(session["sdp"], "session.sdp", 100_000)
}

/** Voice calls of a number, and the permissions of customers. */
export const makeVoiceCalls = (world: World, timeline: Timeline) => {
  /** The customer of a call, by phone number or user id. With both, the number counts. */
  const calledBy = (fields: Fields): Customer | undefined =>
    world.findCustomer(
      fields["to"] === undefined ? textAt(fields["recipient"], "recipient", 140) : textAt(fields["to"], "to", 30)
    )

  const checkRestrictions = ({ businessId }: SimulatedNumber) => {
    const account = world.accountOf(businessId, false)
    if (restrictions.some((type) => hasRestriction(account, type, timeline.now()))) {
      refuse(138_014, "Calls of the business are disabled at present.")
    }
  }

  return {
    call: (number: SimulatedNumber, fields: Fields): object => {
      requireProduct(fields)
      objectAt(fields, "request", keys)
      const state = world.stateOf(number)
      if (!isRegistered(state)) refuse(133_010, "The phone number is not registered.")
      const disabled = disabledRefusal(state)
      if (disabled !== null) throw new Refused(disabled)
      const action = oneOf(fields["action"], "action", actions)
      textIfAny(fields["biz_opaque_callback_data"], "biz_opaque_callback_data", 512)
      if (action !== "connect") {
        textAt(fields["call_id"], "call_id", 300)
        if (action === "accept" || action === "pre_accept") checkSession(fields["session"], "answer")
        return success
      }
      checkSession(fields["session"], "offer")
      checkRestrictions(number)
      const refused = callRefusal(calledBy(fields), number, timeline.now())
      if (refused !== null) throw new Refused(refused)
      return {
        messaging_product: "whatsapp",
        calls: [{ id: `wacid.${Buffer.from(`SIM${world.next()}`).toString("base64url")}` }]
      }
    },
    permissions: (number: SimulatedNumber, query: URLSearchParams): object => {
      const now = timeline.now()
      const key = query.get("user_wa_id") ?? query.get("recipient") ?? ""
      if (key === "") return refuse(131_008, "The parameter user_wa_id is required.")
      const customer = world.findCustomer(key)
      const permission =
        customer === undefined ? ({ status: "no_permission" } as const) : callPermissionOf(customer, number, now)
      return {
        messaging_product: "whatsapp",
        permission: {
          status: permission.status,
          ...(permission.status === "temporary" ? { expiration_time: Math.floor(permission.expiresAt / 1_000) } : {})
        },
        actions: customer === undefined ? [] : callActions(customer, number, now)
      }
    }
  }
}
