import type { ChatAccountRestriction, InboundEvent, NoticeTopic } from "@parley/domain/messaging"
import { idAt, listAt, storableText, textAt } from "../../json.ts"
import { banStates, connectionEvents, restrictionScopes, upgradedThroughput } from "./assumptions.ts"
import { phoneIn } from "./readDetails.ts"
import { anyTimeAt, type Place, unknownEvent } from "./readPlace.ts"

const longestText = 200

const short = (text: string) => storableText(text, longestText)

const eventQuality: ReadonlyMap<string, "green" | "red"> = new Map([
  ["FLAGGED", "red"],
  ["UNFLAGGED", "green"]
])

const limitKeys = ["max_daily_conversations_per_business", "max_daily_conversation_per_phone", "current_limit"]

/** Reads the messaging limit, as a tier or as a number. After a throughput upgrade `current_limit` is the throughput. */
const limitIn = (value: unknown, isUpgrade: boolean): string | null => {
  const keys = isUpgrade ? limitKeys.slice(0, 2) : limitKeys
  const limit = keys.map((key) => idAt(value, key)).find((found) => found !== null)
  return limit === undefined ? null : short(limit)
}

const numberIn = ({ businessId, phoneId }: Place, value: unknown): InboundEvent => {
  const event = textAt(value, "event") ?? ""
  const isUpgrade = event === "THROUGHPUT_UPGRADE"
  return {
    kind: "number",
    businessId,
    phoneId,
    displayPhone: phoneIn(textAt(value, "display_phone_number")),
    quality: eventQuality.get(event) ?? null,
    messagingLimit: limitIn(value, isUpgrade),
    ...(isUpgrade && { throughputPerSecond: upgradedThroughput })
  }
}

/** Reads the limits of a business: always its daily limit, and one limit of numbers. */
const capabilityIn = ({ businessId }: Place, value: unknown): InboundEvent => ({
  kind: "number",
  businessId,
  phoneId: null,
  displayPhone: null,
  quality: null,
  messagingLimit: limitIn(value, false)
})

const restrictionsIn = (value: unknown): ReadonlyArray<ChatAccountRestriction> =>
  listAt(value, "restriction_info").flatMap((restriction): ReadonlyArray<ChatAccountRestriction> => {
    const type = textAt(restriction, "restriction_type")
    if (type === null) return []
    return [
      {
        type: short(type),
        scopes: restrictionScopes.get(type) ?? ["unknown"],
        expiresAt: anyTimeAt(restriction, "expiration")
      }
    ]
  })

const stopsMessages = ({ scopes }: ChatAccountRestriction) =>
  scopes.includes("business_initiated_messages") || scopes.includes("customer_initiated_messages")

/** The texts at these paths that exist, in their order; `null` without any. */
const joined = (value: unknown, ...paths: ReadonlyArray<ReadonlyArray<string>>): string | null =>
  paths.flatMap((path) => textAt(value, ...path) ?? []).join(", ") || null

/** Reads the cause of an event, or its new values in the words of the provider. */
const reasonIn = (value: unknown): string | null => {
  const [restriction] = listAt(value, "restriction_info")
  const tier = ["pricing_category", "region", "tier", "effective_month"]
  return (
    joined(value, ["disconnection_info", "reason"], ["disconnection_info", "initiated_by"]) ??
    textAt(restriction, "restriction_type") ??
    textAt(value, "violation_info", "violation_type") ??
    joined(value, ["ban_info", "waba_ban_state"], ["ban_info", "waba_ban_date"]) ??
    joined(value, ...tier.map((key) => ["volume_tier_info", key])) ??
    textAt(value, "country")
  )
}

const accountIn = (place: Place, value: unknown, field: string): InboundEvent => {
  const event = textAt(value, "event")
  if (event === null) return unknownEvent(place, field)
  const restrictions = restrictionsIn(value)
  const isRestriction = event === "ACCOUNT_RESTRICTION"
  const ban = banStates.get(textAt(value, "ban_info", "waba_ban_state") ?? "") ?? null
  const connection = connectionEvents.get(event)
  const displayPhone = phoneIn(textAt(value, "phone_number"))
  const reason = reasonIn(value)
  const appId = idAt(value, "waba_info", "partner_app_id")
  return {
    kind: "account",
    businessId: place.businessId,
    ...(displayPhone !== null && { displayPhone }),
    event: short(event),
    sending: ban ?? (restrictions.some(stopsMessages) ? "stopped" : null),
    ...(connection !== undefined && { connection, ...(appId !== null && { appId }) }),
    ...(isRestriction && { restrictions }),
    reason: reason === null ? null : short(reason)
  }
}

/** Subjects of the fields that only inform. */
const noticeTopics: ReadonlyMap<string, NoticeTopic> = new Map([
  ["account_alerts", "alert"],
  ["account_review_update", "review"],
  ["business_username_update", "username"],
  ["payment_configuration_update", "payment"],
  ["phone_number_name_update", "name"],
  ["security", "security"]
])

const eventKeys = [["event"], ["decision"], ["status"], ["alert_info", "alert_type"], ["alert_type"]]

const detailKeys = [
  ["rejection_reason"],
  ["requested_verified_name"],
  ["username"],
  ["configuration_name"],
  ["requester"]
]

const firstOf = (value: unknown, paths: ReadonlyArray<ReadonlyArray<string>>) =>
  paths.map((path) => textAt(value, ...path)).find((text) => text !== null) ?? null

/** Reads the severity and the text of an alert. */
const alertIn = (value: unknown): string | null => {
  const severity = textAt(value, "alert_info", "alert_severity")
  const description = textAt(value, "alert_info", "alert_description") ?? textAt(value, "alert_description")
  return severity === null || description === null ? (description ?? severity) : `${severity}: ${description}`
}

const noticeIn = (place: Place, topic: NoticeTopic, field: string, value: unknown): InboundEvent => {
  const event = firstOf(value, eventKeys)
  const detail = topic === "alert" ? alertIn(value) : firstOf(value, detailKeys)
  return event === null
    ? unknownEvent(place, field)
    : {
        kind: "notice",
        ...place,
        displayPhone: phoneIn(textAt(value, "display_phone_number")),
        topic,
        event: short(event),
        detail: detail === null ? null : short(detail)
      }
}

/**
 * Returns the id of the business account that a change is about. Events about partners name the portfolio of the partner as the entry, and the
 * account in the value.
 */
export const businessOf = (entryId: string, change: unknown): string =>
  textAt(change, "field") === "account_update" ? (idAt(change, "value", "waba_info", "waba_id") ?? entryId) : entryId

/** Returns the id of the number that an alert is about; `null` for other changes, and for alerts about the portfolio or a profile. */
export const alertedNumber = (change: unknown): string | null =>
  textAt(change, "field") === "account_alerts" && textAt(change, "value", "entity_type") === "PHONE_NUMBER"
    ? idAt(change, "value", "entity_id")
    : null

/** Contents of a delivery about numbers and accounts. */
export const accountFieldIn = (place: Place, field: string, value: unknown): InboundEvent => {
  switch (field) {
    case "phone_number_quality_update":
      return numberIn(place, value)
    case "business_capability_update":
      return capabilityIn(place, value)
    case "account_update":
      return accountIn(place, value, field)
    default: {
      const topic = noticeTopics.get(field)
      return topic === undefined ? unknownEvent(place, field) : noticeIn(place, topic, field, value)
    }
  }
}
