import { type Fields, listAt, objectAt, oneOf, refusePlainly } from "../checks.ts"
import type { KeptTemplate } from "../World.ts"
import { sendTtlAt } from "./checkSubmission.ts"

const day = 24 * 3_600_000
const editable: ReadonlySet<string> = new Set(["APPROVED", "REJECTED", "PAUSED"])

interface Editing {
  readonly now: number
  readonly check: (
    category: KeptTemplate["category"],
    components: ReadonlyArray<Fields>,
    format: KeptTemplate["parameterFormat"]
  ) => ReadonlyArray<Fields>
  readonly review: () => void
}

const checkEditLimits = (template: KeptTemplate, now: number) => {
  template.edits = template.edits.filter((at) => at > now - 30 * day)
  if (template.edits.length >= 10 || template.edits.some((at) => at > now - day)) {
    refusePlainly(100, "(#100) An approved template can be edited once in 24 hours and 10 times in 30 days.")
  }
}

/** Edits a template: components are replaced as a whole. */
export const editTemplate = (template: KeptTemplate, fields: Fields, { check, now, review }: Editing): object => {
  const { category, components, message_send_ttl_seconds: ttl } = fields
  if (category === undefined && components === undefined && ttl === undefined) {
    return refusePlainly(100, "(#100) One of category, components and message_send_ttl_seconds is required.")
  }
  if (!editable.has(template.status)) {
    return refusePlainly(100, "(#100) Only approved, rejected and paused templates can be edited.")
  }
  if (template.status === "APPROVED") checkEditLimits(template, now)
  const changed =
    category === undefined
      ? template.category
      : oneOf(String(category).toUpperCase(), "category", ["MARKETING", "UTILITY", "AUTHENTICATION"])
  if (template.status === "APPROVED" && changed !== template.category) {
    return refusePlainly(100, "(#100) The category of an approved template cannot be changed.")
  }
  const parts =
    components === undefined
      ? template.components
      : check(
          changed,
          listAt(components, "components", 20).map((component) => objectAt(component, "component")),
          template.parameterFormat
        )
  template.sendTtlSeconds = ttl === undefined ? template.sendTtlSeconds : sendTtlAt(ttl, changed)
  template.category = changed
  template.components = parts
  if (template.status === "APPROVED") template.edits = [...template.edits, now]
  if (template.status === "REJECTED") {
    template.status = "PENDING"
    template.rejectedReason = "NONE"
    review()
  } else template.status = "APPROVED"
  return { success: true }
}
