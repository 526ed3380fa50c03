import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { toEntitlements, nextMonth, Plans } from "../Plan.ts"
import { currentUsage } from "../Usage.ts"

/** Lists every feature and limit of the organization: allowance, usage, and the plans with more. */
export const getEntitlements = useCase(
  { name: "entitlements.get", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    return toEntitlements(yield* (yield* Plans).current(), yield* currentUsage, yield* nextMonth)
  })
)
