import { Predicate } from "effect"
import { type Refusal, refusal } from "../failures.ts"
import type { SimulatedNumber } from "../Options.ts"
import { isCallingEnabled, type NumberState } from "../world/NumberState.ts"
import type { CallUse } from "../world/records.ts"
import type { Customer, KeptTemplate } from "../World.ts"
import { callPermissionOf } from "./callPermissions.ts"

const day = 24 * 3_600_000
const week = 7 * day

/** Maximum numbers in 24 hours and 7 days, by action. */
const limits = {
  send_call_permission_request: [
    { time_period: "PT24H", millis: day, max_allowed: 1 },
    { time_period: "P7D", millis: week, max_allowed: 2 }
  ],
  start_call: [{ time_period: "PT24H", millis: day, max_allowed: 10 }]
} as const

const useOf = ({ calls }: Customer, { phoneId }: SimulatedNumber): CallUse => {
  const use = calls.get(phoneId) ?? { requests: [], connected: [] }
  calls.set(phoneId, use)
  return use
}

const timesOf = (use: CallUse, action: keyof typeof limits) => (action === "start_call" ? use.connected : use.requests)

const limitsOf = (use: CallUse, action: keyof typeof limits, now: number) =>
  limits[action].map(({ max_allowed, millis, time_period }) => {
    const recent = timesOf(use, action).filter((at) => at > now - millis)
    const oldest = recent.at(-max_allowed)
    return {
      time_period,
      max_allowed,
      current_usage: recent.length,
      ...(recent.length < max_allowed || oldest === undefined
        ? {}
        : { limit_expiration_time: Math.floor((oldest + millis) / 1_000) })
    }
  })

const isWithin = (reached: ReturnType<typeof limitsOf>) =>
  reached.every(({ current_usage, max_allowed }) => current_usage < max_allowed)

/** Actions of a number towards a customer, as a call reports them. */
export const callActions = (customer: Customer, number: SimulatedNumber, now: number) => {
  const { status } = callPermissionOf(customer, number, now)
  const use = useOf(customer, number)
  const requests = limitsOf(use, "send_call_permission_request", now)
  const calls = limitsOf(use, "start_call", now)
  return [
    {
      action_name: "send_call_permission_request",
      can_perform_action: status !== "permanent" && isWithin(requests),
      limits: requests
    },
    {
      action_name: "start_call",
      can_perform_action: status !== "no_permission" && isWithin(calls),
      limits: calls
    }
  ]
}

/** Whether a message asks for the permission to call, as a free-form message or a template. */
export const asksForCalls = (payload: unknown, template: KeptTemplate | null): boolean => {
  if (template !== null) return template.components.some(({ type }) => type === "CALL_PERMISSION_REQUEST")
  const interactive = Predicate.isObject(payload) ? Reflect.get(payload, "interactive") : undefined
  return Predicate.isObject(interactive) && Reflect.get(interactive, "type") === "call_permission_request"
}

/** Refusal of calls and call permission requests of a number that has not enabled calling. */
export const disabledRefusal = (state: NumberState): Refusal | null =>
  isCallingEnabled(state) ? null : refusal(138_000, "Calling APIs are not enabled for this phone number.")

/** Refusal of a call permission request. */
export const requestRefusal = (customer: Customer, number: SimulatedNumber, now: number): Refusal | null => {
  if (callPermissionOf(customer, number, now).status === "permanent") {
    return refusal(138_017, "The user has already approved a permanent call permission.")
  }
  return isWithin(limitsOf(useOf(customer, number), "send_call_permission_request", now))
    ? null
    : refusal(138_009, "Too many call permission requests to this user.")
}

/** Refusal of a call of the business. */
export const callRefusal = (customer: Customer | undefined, number: SimulatedNumber, now: number): Refusal | null => {
  if (customer === undefined || callPermissionOf(customer, number, now).status === "no_permission") {
    return refusal(138_006, "The user has not given permission for calls.")
  }
  return isWithin(limitsOf(useOf(customer, number), "start_call", now))
    ? null
    : refusal(138_012, "The limit of connected calls to this user in 24 hours has been reached.")
}

export const countRequest = (customer: Customer, number: SimulatedNumber, now: number): void => {
  const use = useOf(customer, number)
  use.requests = [...use.requests.filter((at) => at > now - week), now]
}

/** Counts a connected call. It resets the limits of requests. */
export const countConnectedCall = (
  customer: Customer,
  number: SimulatedNumber,
  now: number,
  isFromBusiness: boolean
): void => {
  const use = useOf(customer, number)
  use.requests = []
  if (isFromBusiness) use.connected = [...use.connected.filter((at) => at > now - day), now]
}
