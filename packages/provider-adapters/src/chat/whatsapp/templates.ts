import {
  findPlaceholders,
  isNamedStyle,
  type ProviderTemplate,
  type TemplateComponents,
  type TemplateEdit,
  type TemplateSubmission,
  TimeToLive
} from "@parley/domain/messaging"
import { DateTime, Schema } from "effect"
import { idAt, listAt, numberAt, textAt } from "../../json.ts"
import { componentsIn } from "./templates/componentsIn.ts"
import { componentsOut } from "./templates/componentsOut.ts"
import { languageIn, languageOut } from "./templates/languages.ts"

const hasVariables = ({ body, cards = [], header }: TemplateComponents) =>
  [body?.text, header?.format === "text" ? header.text : "", ...cards.map((card) => card.body?.text)].some(
    (text) => findPlaceholders(text ?? "").length > 0
  )

const formatOut = (components: TemplateComponents) =>
  hasVariables(components) ? { parameter_format: isNamedStyle(components) ? "NAMED" : "POSITIONAL" } : {}

export const timeToLiveOut = (seconds: number | null) => (seconds === null ? {} : { message_send_ttl_seconds: seconds })

/** Builds the submission of a template. */
export const templateOut = ({
  category,
  components,
  handles,
  language,
  name,
  timeToLive
}: TemplateSubmission): Readonly<Record<string, unknown>> => ({
  name,
  language: languageOut(language),
  category: category.toUpperCase(),
  ...formatOut(components),
  ...(components.buttons?.some(({ type }) => type === "order_details") === true
    ? { display_format: "ORDER_DETAILS" }
    : {}),
  ...timeToLiveOut(timeToLive),
  components: componentsOut(components, handles)
})

/** Builds the edit of a submitted template. The provider finds the style of the variables in the components. */
export const editOut = ({
  category,
  components,
  handles,
  timeToLive
}: TemplateEdit): Readonly<Record<string, unknown>> => ({
  ...(category === null ? {} : { category: category.toUpperCase() }),
  ...timeToLiveOut(timeToLive),
  ...(components === null ? {} : { components: componentsOut(components, handles) })
})

/** Builds the call that archives or unarchives templates. */
export const archiveOut = (externalIds: ReadonlyArray<string>) => ({ hsm_ids: externalIds.join(",") })

const listedStatuses: ReadonlySet<ProviderTemplate["status"]> = new Set([
  "pending",
  "in_appeal",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "locked",
  "limit_exceeded",
  "archived",
  "pending_deletion",
  "deleted"
])

/** Reads the status of a listed template. An unknown status is never sendable. */
export const listedStatus = (status: string | null): ProviderTemplate["status"] => {
  const reported = status?.toLowerCase() ?? "pending"
  const found = [...listedStatuses].find((known) => known === reported)
  return found ?? "disabled"
}

export const templateCategory = (category: string | null): ProviderTemplate["category"] | null => {
  const known = (["marketing", "utility", "authentication"] as const).find((name) => name === category?.toLowerCase())
  return known ?? null
}

/** Quality rating of a number or a template. */
export const quality = (score: string | null): ProviderTemplate["quality"] => {
  const known = (["green", "yellow", "red"] as const).find((name) => name === score?.toLowerCase())
  return known ?? "unknown"
}

/** Reason of a rejection. The provider writes NONE if it has no reason. */
export const rejectionReason = (reason: string | null): string | null =>
  reason?.toUpperCase() === "NONE" ? null : reason

/** Latest date that the provider could report, in seconds. */
const latestSeconds = 253_402_300_799

const timeIn = (seconds: number | null) =>
  seconds === null || seconds <= 0 || seconds > latestSeconds ? null : DateTime.makeUnsafe(seconds * 1_000)

/** Fields of a template that are read. */
export const templateFields = [
  "id",
  "name",
  "language",
  "category",
  "parameter_format",
  "components",
  "status",
  "rejected_reason",
  "quality_score",
  "correct_category",
  "message_send_ttl_seconds",
  "library_template_name"
].join(",")

const isTimeToLive = Schema.is(TimeToLive)

/** Reads a template of the provider. Returns nothing if a required field is missing. */
export const templateIn = (template: unknown): ReadonlyArray<ProviderTemplate> => {
  const externalId = idAt(template, "id")
  const name = textAt(template, "name")
  const language = textAt(template, "language")
  const category = templateCategory(textAt(template, "category"))
  if (externalId === null || name === null || language === null || category === null) return []
  const announcedCategory = templateCategory(textAt(template, "correct_category"))
  const timeToLive = numberAt(template, "message_send_ttl_seconds")
  return [
    {
      externalId,
      name,
      language: languageIn(language),
      category,
      components: componentsIn(listAt(template, "components")),
      status: listedStatus(textAt(template, "status")),
      rejectionReason: rejectionReason(textAt(template, "rejected_reason")),
      quality: quality(textAt(template, "quality_score", "score")),
      qualityAt: timeIn(numberAt(template, "quality_score", "date")),
      announcedCategory: announcedCategory === category ? null : announcedCategory,
      timeToLive: isTimeToLive(timeToLive) ? timeToLive : null,
      libraryName: textAt(template, "library_template_name")
    }
  ]
}
