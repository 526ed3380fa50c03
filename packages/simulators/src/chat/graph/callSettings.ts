import { type Fields, objectAt, oneOf, refuse } from "../checks.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { World } from "../World.ts"

const settingKeys = ["calling", "user_identity_change", "payload_encryption", "storage_configuration"]

const states = ["ENABLED", "DISABLED"] as const

const callingKeys = ["status", "call_icon_visibility", "call_icons", "call_hours", "callback_permission_status", "sip"]

/** Messaging limits below 2,000. Calling needs a higher limit. */
const lowLimits: ReadonlySet<string> = new Set(["TIER_50", "TIER_250", "TIER_1K", "TIER_NOT_SET"])

const checkEnabling = (world: World, { businessId }: SimulatedNumber) => {
  const account = world.accountOf(businessId, false)
  if (lowLimits.has(account.messagingLimit)) {
    refuse(138_015, "Calling APIs need a messaging limit of at least 2,000 conversations in 24 hours.")
  }
  const fields = (world.webhooks.get(businessId) ?? world.defaultWebhook)?.fields
  if (account.subscription === null || fields?.includes("calls") === false) {
    refuse(138_018, "No app that is subscribed to the account receives the webhook field calls.")
  }
}

const checkCalling = (world: World, number: SimulatedNumber, value: unknown): Fields => {
  const calling = objectAt(value, "calling", callingKeys)
  for (const key of ["status", "callback_permission_status"]) {
    if (calling[key] !== undefined) oneOf(calling[key], `calling.${key}`, states)
  }
  if (calling["call_icon_visibility"] !== undefined) {
    oneOf(calling["call_icon_visibility"], "calling.call_icon_visibility", ["DEFAULT", "DISABLE_ALL"])
  }
  if (calling["status"] === "ENABLED") checkEnabling(world, number)
  return calling
}

/** Changes the settings of a number. Within `calling`, absent fields stay. */
export const updateSettings = (world: World, number: SimulatedNumber, fields: Fields): void => {
  objectAt(fields, "settings", settingKeys)
  const state = world.stateOf(number)
  if (fields["calling"] === undefined) {
    state.settings = { ...state.settings, ...fields }
    return
  }
  const calling = checkCalling(world, number, fields["calling"])
  const former = objectAt(state.settings["calling"], "calling")
  state.settings = { ...state.settings, ...fields, calling: { ...former, ...calling } }
}
