import { DateTime, Option } from "effect"
import { refusePlainly } from "../checks.ts"
import type { AccountState } from "../world/AccountState.ts"

const day = 24 * 3_600_000
const lookBack = 90 * day
const maxTemplates = 10

/** Allowed lengths of a comparison, in days. */
const comparedDays: ReadonlySet<number> = new Set([7, 30, 60, 90])

const metrics: ReadonlySet<string> = new Set(["SENT", "DELIVERED", "READ", "CLICKED", "COST"])
const products: ReadonlySet<string> = new Set(["CLOUD_API", "MARKETING_MESSAGES_API_FOR_WHATSAPP"])

/** A list in a query: `[1,2]` or `1,2`. */
const listIn = (query: URLSearchParams, name: string): ReadonlyArray<string> =>
  (query.get(name) ?? "")
    .replaceAll(/[[\]"\s]/gu, "")
    .split(",")
    .filter((text) => text !== "")

/** A time in a query: seconds since 1970, or a date. */
const timeIn = (query: URLSearchParams, name: string): number => {
  const text = query.get(name) ?? ""
  if (/^\d+$/u.test(text)) return Number(text) * 1_000
  const date = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? DateTime.make(`${text}T00:00:00Z`) : Option.none()
  return Option.match(date, {
    onNone: () => refusePlainly(100, `(#100) Param ${name} must be a time in seconds or a date.`),
    onSome: DateTime.toEpochMillis
  })
}

const checkRange = (query: URLSearchParams, now: number) => {
  const start = timeIn(query, "start")
  if (start >= timeIn(query, "end")) refusePlainly(100, "(#100) Param start must be before end.")
  if (start < now - lookBack) refusePlainly(100, "(#100) Param start must be within the last 90 days.")
}

/** Checks a question for the analytics of templates. `isOwn` knows the ids of the account's templates. */
export const checkAnalytics = (
  account: AccountState,
  query: URLSearchParams,
  now: number,
  isOwn: (templateId: string) => boolean
): void => {
  if (!account.isInsightsEnabled) refusePlainly(100, "(#100) Template insights are not enabled for the account.")
  checkRange(query, now)
  if (query.get("granularity")?.toUpperCase() !== "DAILY") refusePlainly(100, "(#100) Param granularity must be DAILY.")
  const ids = listIn(query, "template_ids")
  if (ids.length === 0 || ids.length > maxTemplates) {
    refusePlainly(100, `(#100) Param template_ids must have 1 to ${maxTemplates} ids.`)
  }
  if (!ids.every(isOwn))
    refusePlainly(100, "(#100) Param template_ids has an id that is not a template of the account.")
  const unknown = listIn(query, "metric_types").find((metric) => !metrics.has(metric.toUpperCase()))
  if (unknown !== undefined) refusePlainly(100, `(#100) Param metric_types has the unknown metric ${unknown}.`)
  const product = query.get("product_type")
  if (product !== null && !products.has(product.toUpperCase())) {
    refusePlainly(100, `(#100) Param product_type must be one of {${[...products].join(", ")}}.`)
  }
}

/** Checks a comparison with one other template of the account; returns its id. */
export const checkComparison = (
  query: URLSearchParams,
  templateId: string,
  isOwn: (templateId: string) => boolean
): string => {
  const [other, ...more] = listIn(query, "template_ids")
  if (other === undefined || more.length > 0 || other === templateId || !isOwn(other)) {
    return refusePlainly(100, "(#100) Param template_ids must have the id of another template of the account.")
  }
  if (!comparedDays.has((timeIn(query, "end") - timeIn(query, "start")) / day)) {
    refusePlainly(100, "(#100) The period from start to end must be 7, 30, 60 or 90 days.")
  }
  return other
}
