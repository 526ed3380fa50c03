import type { InboundEvent } from "@parley/domain"
import { idAt, listAt, textAt } from "../../json.ts"
import { accountEvents, banStates } from "./assumptions.ts"
import { languageIn } from "./outgoing.ts"
import { phoneIn } from "./readDetails.ts"
import { type Place, unknownEvent } from "./readMessages.ts"
import { quality, rejectionReason, templateCategory, templateStatus } from "./templates.ts"

type TemplateUpdate = Pick<
  Extract<InboundEvent, { readonly kind: "template" }>,
  "status" | "reason" | "quality" | "category"
>

const nothingNew: TemplateUpdate = { status: null, reason: null, quality: null, category: null }

const templateEvent = (place: Place, value: unknown, field: string, news: TemplateUpdate | null): InboundEvent => {
  const externalId = idAt(value, "message_template_id")
  const name = textAt(value, "message_template_name")
  const language = textAt(value, "message_template_language")
  return news === null || externalId === null || name === null || language === null
    ? unknownEvent(place, field)
    : {
        kind: "template",
        businessId: place.businessId,
        externalId,
        name,
        language: languageIn(language),
        ...news
      }
}

const statusNews = (value: unknown): TemplateUpdate | null => {
  const event = textAt(value, "event")
  const status = templateStatus(event)
  if (status === undefined) return null
  const reason =
    rejectionReason(textAt(value, "reason")) ??
    textAt(value, "rejection_info", "reason") ??
    textAt(value, "other_info", "description") ??
    textAt(value, "other_info", "title")
  return {
    ...nothingNew,
    status,
    reason: reason ?? (status === null ? event : null),
    category: templateCategory(textAt(value, "message_template_category"))
  }
}

const qualityNews = (value: unknown): TemplateUpdate | null => {
  const score = textAt(value, "new_quality_score")
  return score === null ? null : { ...nothingNew, quality: quality(score) }
}

const categoryNews = (value: unknown): TemplateUpdate | null => {
  const category = templateCategory(textAt(value, "new_category"))
  return category === null ? null : { ...nothingNew, category }
}

const eventQuality: ReadonlyMap<string, "green" | "red"> = new Map([
  ["FLAGGED", "red"],
  ["UNFLAGGED", "green"]
])

const numberEvent = ({ businessId, phoneId }: Place, value: unknown): InboundEvent => ({
  kind: "number",
  businessId,
  phoneId,
  displayPhone: phoneIn(textAt(value, "display_phone_number")),
  quality: eventQuality.get(textAt(value, "event") ?? "") ?? null,
  messagingLimit: textAt(value, "current_limit")
})

const capability = ({ businessId }: Place, value: unknown): InboundEvent => ({
  kind: "number",
  businessId,
  phoneId: null,
  displayPhone: null,
  quality: null,
  messagingLimit: idAt(value, "max_daily_conversations_per_business") ?? idAt(value, "max_daily_conversation_per_phone")
})

const accountEvent = (place: Place, value: unknown, field: string): InboundEvent => {
  const event = textAt(value, "event") ?? textAt(value, "alert_info", "alert_type") ?? textAt(value, "alert_type")
  if (event === null) return unknownEvent(place, field)
  const ban = textAt(value, "ban_info", "waba_ban_state") ?? ""
  const [restriction] = listAt(value, "restriction_info")
  return {
    kind: "account",
    businessId: place.businessId,
    event,
    sending: banStates.get(ban) ?? accountEvents.get(event) ?? null,
    reason:
      textAt(restriction, "restriction_type") ??
      textAt(value, "violation_info", "violation_type") ??
      textAt(value, "alert_info", "alert_description") ??
      textAt(value, "alert_description") ??
      (ban === "" ? null : ban)
  }
}

/** Contents of a delivery about templates, numbers and accounts. */
export const accountFieldIn = (place: Place, field: string, value: unknown): InboundEvent => {
  switch (field) {
    case "message_template_status_update":
      return templateEvent(place, value, field, statusNews(value))
    case "message_template_quality_update":
      return templateEvent(place, value, field, qualityNews(value))
    case "template_category_update":
      return templateEvent(place, value, field, categoryNews(value))
    case "message_template_components_update":
      return templateEvent(place, value, field, nothingNew)
    case "phone_number_quality_update":
      return numberEvent(place, value)
    case "business_capability_update":
      return capability(place, value)
    case "account_update":
    case "account_alerts":
      return accountEvent(place, value, field)
    default:
      return unknownEvent(place, field)
  }
}
