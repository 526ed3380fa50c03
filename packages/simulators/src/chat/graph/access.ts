import { refusal, type Refusal } from "../failures.ts"
import { type Fields, Refused, refusePlainly } from "../checks.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Timeline } from "../../Timeline.ts"
import type { KeptFile, World } from "../World.ts"
import type { AccountState } from "../world/AccountState.ts"
import type { NumberState } from "../world/NumberState.ts"
import type { Token } from "../world/tokens.ts"
import type { Call, Request } from "./Call.ts"
import { countCall } from "./usage.ts"

export const tokenOf = ({ headers }: Request): string =>
  /^(?:Bearer|OAuth) (\S+)$/u.exec(headers["authorization"] ?? "")?.[1] ?? ""

const unauthorized = (message: string): Refusal => ({
  ...refusal(190, "Authentication Error"),
  message,
  details: null
})

export const unknownObject = (id: string, method = "get"): never =>
  refusePlainly(
    100,
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    33
  )

/** Objects that the token of a call can use. */
export const makeAccess = (world: World, timeline: Timeline) => {
  const isAppToken = (value: string) => value === `${world.app.appId}|${world.app.appSecret}`

  const tokenFor = ({ query, request }: Call): Token => {
    const value = tokenOf(request) || (query.get("access_token") ?? "")
    const token = world.tokens.get(value)
    if (token === undefined) throw new Refused(unauthorized("Invalid OAuth access token - Cannot parse access token"))
    if (world.tokens.isValid(token)) return token
    throw new Refused(unauthorized("Error validating access token: The session is invalid or has expired."))
  }

  const requireScope = (token: Token, scope: string) => {
    if (token.scopes.includes(scope)) return
    const code = scope === "whatsapp_business_messaging" ? 10 : 200
    refusePlainly(code, `(#${code}) You do not have the necessary permission ${scope} to access this object.`)
  }

  const requireAccount = (call: Call, businessId = call.id): AccountState => {
    const token = tokenFor(call)
    if (!token.businesses.has(businessId)) return unknownObject(businessId, call.request.method)
    requireScope(token, "whatsapp_business_management")
    const account = world.accountOf(businessId, false)
    countCall(world, account, timeline.now())
    return account
  }

  const canUse = ({ businesses }: Token, { businessId, otherBusinessIds = [] }: SimulatedNumber) =>
    [businessId, ...otherBusinessIds].some((id) => businesses.has(id))

  /** A number for messages, files and calls. */
  const requireNumber = (call: Call, phoneId = call.id): SimulatedNumber => {
    const token = tokenFor(call)
    const number = world.numbers.get(phoneId)
    return number !== undefined && canUse(token, number) ? number : unknownObject(phoneId, call.request.method)
  }

  /** A number for management calls. */
  const requireManagedNumber = (call: Call): { readonly number: SimulatedNumber; readonly state: NumberState } => {
    const number = requireNumber(call)
    requireScope(tokenFor(call), "whatsapp_business_management")
    return { number, state: world.stateOf(number) }
  }

  const requireFile = (call: Call, id: string): KeptFile => {
    const token = tokenFor(call)
    const file = world.files.get(id)
    const number = file === undefined ? undefined : world.numbers.get(file.phoneId)
    return file !== undefined && file.expiresAt > timeline.now() && number !== undefined && canUse(token, number)
      ? file
      : unknownObject(id, call.request.method)
  }

  /** A number whose fields are read, which counts as a call of its account. */
  const requireReadNumber = (call: Call): SimulatedNumber => {
    const number = requireNumber(call)
    requireScope(tokenFor(call), "whatsapp_business_management")
    countCall(world, world.accountOf(number.businessId, false), timeline.now())
    return number
  }

  return {
    requireReadNumber,
    isAppToken,
    tokenFor,
    requireScope,
    requireAccount,
    requireNumber,
    requireManagedNumber,
    requireFile
  }
}
export type Access = ReturnType<typeof makeAccess>

/** A flag in the parameters, as JSON or as text. */
export const flagAt = (fields: Fields, name: string): boolean | undefined => {
  const value = fields[name]
  if (value === undefined) return undefined
  return value === true || value === "true" || value === "1"
}
