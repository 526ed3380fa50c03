import { DateTime, Schema } from "effect"
import { normalizeForSearch } from "../../kernel/index.ts"
import type { TriggerEvent } from "./triggers/Trigger.ts"

export const AutomationStatus = Schema.Literals(["enabled", "disabled"])
export type AutomationStatus = typeof AutomationStatus.Type

/** Sort order of automations; a minus is descending. */
export const AutomationSort = Schema.Literals([
  "createdAt",
  "-createdAt",
  "updatedAt",
  "-updatedAt",
  "name",
  "-name",
  "position",
  "-position"
])
export type AutomationSort = typeof AutomationSort.Type

/** Filter and order of automations; `null` matches any value. */
export interface AutomationQuery {
  /** Part of the name, without regard to case and accents. */
  readonly q: string | null
  readonly status: AutomationStatus | null
  /** Event of the trigger. */
  readonly event: TriggerEvent | null
  readonly sort: AutomationSort
}

export const allAutomations: AutomationQuery = { q: null, status: null, event: null, sort: "-createdAt" }

/** Fields that the orders use. */
interface ListedAutomation {
  readonly id: string
  readonly name: string
  readonly position: number
  readonly updatedAt: DateTime.Utc
}

/** Returns the cursor key of an automation in this order. */
export const automationCursorKey = (
  sort: AutomationSort,
  { id, name, position, updatedAt }: ListedAutomation
): ReadonlyArray<string> => {
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [id]
    case "updatedAt":
    case "-updatedAt":
      return [DateTime.formatIso(updatedAt), id]
    case "name":
    case "-name":
      return [normalizeForSearch(name), id]
    case "position":
    case "-position":
      return [String(position).padStart(9, "0"), id]
  }
}
