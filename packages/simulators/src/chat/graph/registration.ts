import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, oneOf, refuse, refusePlainly, textAt } from "../checks.ts"
import type { Events } from "../events.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { World } from "../World.ts"
import { isRegistered, type NumberState } from "../world/NumberState.ts"
import type { Access } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"

const minute = 60_000
const hour = 60 * minute
const registrationWindow = 72 * hour
const maxRegistrations = 10
const maxWrongPins = 8
const maxQuickWrongPins = 4

const regions = ["AU", "ID", "IN", "JP", "SG", "KR", "DE", "CH", "GB", "BR", "BH", "ZA", "AE", "CA"] as const

/** A PIN of six digits. */
export const pinAt = (value: unknown): string => {
  const pin = textAt(value, "pin", 20)
  return /^\d{6}$/u.test(pin) ? pin : refuse(131_009, "Param pin must be 6 digits.")
}

export const requireProduct = (fields: Fields) => {
  if (fields["messaging_product"] !== "whatsapp") refuse(100, "The parameter messaging_product is required.")
}

/** Registers numbers for the Cloud API. */
export const makeRegistration = (
  world: World,
  timeline: Timeline,
  events: Events,
  access: Access,
  scripted: Scripted
) => {
  const recent = (times: ReadonlyArray<number>, window: number) => times.filter((at) => at > timeline.now() - window)

  const countRegistration = (state: NumberState) => {
    const calls = recent(state.registrationCalls, registrationWindow)
    if (calls.length >= maxRegistrations) {
      refuse(133_016, "The number was registered and deregistered too often. Wait 72 hours.")
    }
    state.registrationCalls = [...calls, timeline.now()]
  }

  const checkPin = (state: NumberState, pin: string) => {
    if (state.pin === null) return
    const wrong = recent(state.wrongPins, 24 * hour)
    if (wrong.length >= maxWrongPins) refuse(133_008, "Too many PIN guesses. Try again in 24 hours.")
    if (recent(wrong, 5 * minute).length >= maxQuickWrongPins) {
      refuse(133_009, "The PIN was entered too quickly. Try again in 300 seconds.")
    }
    if (state.pin === pin) return
    state.wrongPins = [...wrong, timeline.now()]
    refuse(133_005, "The two-step verification PIN does not match.")
  }

  const checkRegistrable = (number: SimulatedNumber, state: NumberState) => {
    const account = world.accountOf(number.businessId, false)
    if (account.banState === "DISABLE" || state.status === "BANNED") refuse(131_031, "The account is locked.")
    if (state.isOnBizApp) refuse(100, "A number of the WhatsApp Business app cannot be registered or deregistered.")
    if (state.deletedAt !== null && timeline.now() - state.deletedAt < 5 * minute) {
      refuse(133_015, "The number was deleted a moment ago. Wait 5 minutes.")
    }
  }

  const register = (number: SimulatedNumber, fields: Fields): object => {
    const state = world.stateOf(number)
    requireProduct(fields)
    const pin = pinAt(fields["pin"])
    if (fields["data_localization_region"] !== undefined) {
      oneOf(fields["data_localization_region"], "data_localization_region", regions)
    }
    countRegistration(state)
    checkRegistrable(number, state)
    if (state.codeVerification !== "VERIFIED")
      refuse(133_006, "The phone number must be verified before it is registered.")
    if (state.nameStatus === "EXPIRED" || state.nameStatus === "NONE")
      refuse(100, "The number has no valid display name.")
    checkPin(state, pin)
    const isFirst = !isRegistered(state)
    state.pin = pin
    state.wrongPins = []
    state.deletedAt = null
    state.platformType = "CLOUD_API"
    state.status = "CONNECTED"
    state.throughput = state.throughput === "HIGH" ? "HIGH" : "STANDARD"
    state.onboardedAt = timeline.now()
    if (state.newNameStatus === "APPROVED" && state.newName !== null) {
      state.verifiedName = state.newName
      state.newName = null
      state.newNameStatus = null
    }
    if (isFirst) events.qualityUpdate(number, "ONBOARDING")
    return success
  }

  const deregister = (number: SimulatedNumber): object => {
    const state = world.stateOf(number)
    countRegistration(state)
    checkRegistrable(number, state)
    if (!isRegistered(state)) refuse(133_010, "The phone number is not registered.")
    state.platformType = "NOT_APPLICABLE"
    state.status = "DISCONNECTED"
    state.throughput = "NOT_APPLICABLE"
    return success
  }

  const requestCode = (state: NumberState, fields: Fields): object => {
    oneOf(fields["code_method"], "code_method", ["SMS", "VOICE"])
    textAt(fields["language"], "language", 20)
    if (state.codeVerification === "VERIFIED") refusePlainly(100, "(#100) The phone number is already verified.")
    state.verificationCode = String(100_000 + ((world.next() * 7_919) % 900_000))
    return success
  }

  const verifyCode = (state: NumberState, fields: Fields): object => {
    const code = textAt(fields["code"], "code", 10).replaceAll("-", "")
    if (state.verificationCode === null || state.verificationCode !== code) {
      refusePlainly(100, "(#100) The verification code is not correct.")
    }
    state.verificationCode = null
    state.codeVerification = "VERIFIED"
    if (state.status === "UNVERIFIED") state.status = "PENDING"
    if (state.nameStatus === "NONE") state.nameStatus = "AVAILABLE_WITHOUT_REVIEW"
    state.quality = "UNKNOWN"
    return success
  }

  const onNumber =
    (perform: (number: SimulatedNumber, fields: Fields) => object): Handler =>
    (call: Call) =>
      Effect.gen(function* () {
        const { number } = access.requireManagedNumber(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("numbers", call, () => perform(number, fields))
      })

  return {
    register: onNumber(register),
    deregister: onNumber(deregister),
    requestCode: onNumber((number, fields) => requestCode(world.stateOf(number), fields)),
    verifyCode: onNumber((number, fields) => verifyCode(world.stateOf(number), fields)),
    changePin: (number: SimulatedNumber, pin: unknown): object => {
      const state = world.stateOf(number)
      if (!isRegistered(state)) refuse(133_010, "The phone number is not registered.")
      state.pin = pinAt(pin)
      events.security(number, "PIN_CHANGED")
      return success
    }
  }
}
export type Registration = ReturnType<typeof makeRegistration>
