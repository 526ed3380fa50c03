import type { InboundEvent } from "@parley/domain/messaging"
import { idAt, storableText, textAt } from "../../json.ts"
import { templateEvents } from "./assumptions.ts"
import { languageIn } from "./outgoing.ts"
import { anyTimeAt, type Place, unknownEvent } from "./readPlace.ts"
import { quality, rejectionReason, templateCategory } from "./templates.ts"

type TemplateEvent = Extract<InboundEvent, { readonly kind: "template" }>

type TemplateUpdate = Omit<TemplateEvent, "kind" | "businessId" | "externalId" | "name" | "language">

const nothingNew: TemplateUpdate = { status: null, reason: null, quality: null, category: null }

const optional = <const Key extends string, A>(key: Key, value: A | null) =>
  (value === null ? {} : { [key]: value }) as { readonly [K in Key]?: A }

const longestEvent = 100

const statusNews = (value: unknown): TemplateUpdate | null => {
  const event = storableText((textAt(value, "event") ?? "").toUpperCase(), longestEvent) || null
  const status = event === null ? undefined : templateEvents.get(event)
  if (event === null || status === undefined) return null
  const title = textAt(value, "other_info", "title")
  const description = textAt(value, "other_info", "description")
  const reason =
    rejectionReason(textAt(value, "reason")) ?? textAt(value, "rejection_info", "reason") ?? description ?? title
  return {
    ...nothingNew,
    status,
    reason: reason ?? (status === null ? event : null),
    category: templateCategory(textAt(value, "message_template_category")),
    event,
    ...optional("recommendation", textAt(value, "rejection_info", "recommendation")),
    ...optional("detail", title === null && description === null ? null : { title, description }),
    ...optional("disabledAt", anyTimeAt(value, "disable_info", "disable_date"))
  }
}

const qualityNews = (value: unknown): TemplateUpdate | null => {
  const score = textAt(value, "new_quality_score")
  const previous = textAt(value, "previous_quality_score")
  return score === null
    ? null
    : {
        ...nothingNew,
        quality: quality(score),
        ...optional("previousQuality", previous === null ? null : quality(previous))
      }
}

/** Reads a change of the category, or its announcement. The announcement repeats the present category. */
const categoryNews = (value: unknown): TemplateUpdate | null => {
  const category = templateCategory(textAt(value, "new_category"))
  const correct = templateCategory(textAt(value, "correct_category"))
  if (category === null && correct === null) return null
  return {
    ...nothingNew,
    category,
    ...optional("previousCategory", templateCategory(textAt(value, "previous_category"))),
    ...optional(
      "impendingCategory",
      correct === null ? null : { category: correct, at: anyTimeAt(value, "category_update_timestamp") }
    )
  }
}

const templateFields: ReadonlySet<string> = new Set([
  "message_template_status_update",
  "message_template_quality_update",
  "template_category_update",
  "template_correct_category_detection",
  "message_template_components_update"
])

/** Whether the field reports on templates. */
export const isTemplateField = (field: string): boolean => templateFields.has(field)

/** Reads an update of a template by its content, because the provider has sent quality updates under the field of statuses. */
export const templateIn = (place: Place, field: string, value: unknown): InboundEvent => {
  const news =
    field === "message_template_components_update"
      ? { ...nothingNew, hasNewComponents: true }
      : (qualityNews(value) ?? statusNews(value) ?? categoryNews(value))
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
