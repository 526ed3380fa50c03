import type { LineHealth } from "@parley/domain"
import { throughputLevels } from "./assumptions.ts"
import { at, listAt, numberAt, textAt } from "../../json.ts"
import { reasonOf } from "./refusals.ts"
import { quality } from "./templates.ts"

/** What is asked of a number. */
export const healthFields = [
  "display_phone_number",
  "verified_name",
  "quality_rating",
  "throughput",
  "whatsapp_business_manager_messaging_limit",
  "health_status"
].join(",")

const sending: ReadonlyMap<string, LineHealth["sending"]> = new Map([
  ["AVAILABLE", "available"],
  ["LIMITED", "limited"],
  ["BLOCKED", "blocked"]
])

const issuesOf = (entity: unknown): LineHealth["issues"] =>
  listAt(entity, "errors").flatMap((error) => {
    const code = numberAt(error, "error_code") ?? numberAt(error, "code")
    return code === null ? [] : [{ code, reason: textAt(error, "error_description") ?? reasonOf(error, []) }]
  })

/** How a number is doing, and the business round it. */
export const healthIn = (body: unknown): LineHealth | null => {
  const displayPhone = textAt(body, "display_phone_number")
  if (displayPhone === null) return null
  return {
    displayPhone,
    verifiedName: textAt(body, "verified_name"),
    quality: quality(textAt(body, "quality_rating")),
    messagingLimit: textAt(body, "whatsapp_business_manager_messaging_limit"),
    throughputPerSecond: throughputLevels.get(textAt(body, "throughput", "level") ?? "") ?? null,
    sending: sending.get(textAt(body, "health_status", "can_send_message") ?? "") ?? "unknown",
    issues: listAt(at(body, "health_status"), "entities").flatMap(issuesOf)
  }
}
