import { refusePlainly } from "../checks.ts"
import type { Timeline } from "../../Timeline.ts"
import type { SimulatedNumber } from "../Options.ts"
import { timeText } from "../time.ts"
import type { World } from "../World.ts"
import { isRegistered } from "../world/NumberState.ts"
import type { Health } from "./health.ts"
import { selectFields } from "./fields.ts"

/** Fields of a number that an answer has when the call asks for none. */
const defaultFields = ["verified_name", "code_verification_status", "display_phone_number", "quality_rating"]

const codeLife = 14 * 24 * 3_600_000

/** A number as text: `+1 555-010-0001`. */
const displayed = (digits: string) =>
  digits.startsWith("1") && digits.length === 11
    ? `+1 ${digits.slice(1, 4)}-${digits.slice(4, 7)}-${digits.slice(7)}`
    : `+${digits}`

/** Reads the fields of numbers. */
export const makeNumbers = (world: World, timeline: Timeline, health: Health) => {
  const webhookConfiguration = (number: SimulatedNumber) => {
    const application = world.webhooks.get(number.businessId)?.url ?? world.defaultWebhook?.url
    const account = world.accountOf(number.businessId, false).subscription?.override?.url
    const own = world.stateOf(number).override?.url
    return {
      ...(own === undefined ? {} : { phone_number: own }),
      ...(account === undefined ? {} : { whatsapp_business_account: account }),
      ...(application === undefined ? {} : { application })
    }
  }

  const fieldsOf = (number: SimulatedNumber): Readonly<Record<string, () => unknown>> => {
    const state = world.stateOf(number)
    const limit = isRegistered(state) ? world.accountOf(number.businessId, false).messagingLimit : "TIER_NOT_SET"
    return {
      id: () => number.phoneId,
      display_phone_number: () => displayed(number.displayPhone),
      verified_name: () => state.verifiedName,
      status: () => state.status,
      code_verification_status: () => state.codeVerification,
      name_status: () => state.nameStatus,
      new_display_name: () => state.newName ?? undefined,
      new_name_status: () => state.newNameStatus ?? "NONE",
      platform_type: () => state.platformType,
      quality_rating: () => state.quality,
      quality_score: () => ({ score: state.quality }),
      throughput: () => ({ level: state.throughput }),
      account_mode: () => state.accountMode,
      whatsapp_business_manager_messaging_limit: () => limit,
      messaging_limit_tier: () => limit,
      is_pin_enabled: () => state.pin !== null,
      is_on_biz_app: () => state.isOnBizApp,
      is_official_business_account: () => state.isOfficial,
      is_preverified_number: () => false,
      last_onboarded_time: () => timeText(state.onboardedAt),
      country_dial_code: () => number.displayPhone.slice(0, number.displayPhone.startsWith("1") ? 1 : 2),
      host_platform: () => (state.platformType === "CLOUD_API" ? "CLOUD_API" : "NOT_APPLICABLE"),
      certificate: () => undefined,
      eligibility_for_api_business_global_search: () => "NON_ELIGIBLE_UNDEFINED_COUNTRY",
      search_visibility: () => "NON_VISIBLE",
      username: () => state.username ?? undefined,
      webhook_configuration: () => webhookConfiguration(number),
      conversational_automation: () =>
        state.automation === null ? undefined : { ...state.automation, id: `8${number.phoneId.slice(1)}` },
      health_status: () => health.ofNumber(number)
    }
  }

  return {
    read: (number: SimulatedNumber, fields: string | null) => {
      const state = world.stateOf(number)
      if (state.deletedAt !== null && timeline.now() - state.deletedAt > codeLife) {
        return refusePlainly(33, "(#33) The phone number is deleted.")
      }
      return selectFields("WhatsAppBusinessPhoneNumber", fieldsOf(number), fields, defaultFields)
    },
    ofAccount: (businessId: string): ReadonlyArray<SimulatedNumber> =>
      [...world.numbers.values()].filter(
        (number) => number.businessId === businessId || number.otherBusinessIds?.includes(businessId) === true
      )
  }
}
export type Numbers = ReturnType<typeof makeNumbers>
