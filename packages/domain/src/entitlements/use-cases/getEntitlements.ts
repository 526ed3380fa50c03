import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { entitlementsOf } from "../Entitlements.ts"
import { nextMonth } from "../nextMonth.ts"
import { Plans } from "../Plans.ts"

/** Every feature and limit of the organization: allowed, used, and which plans have more. */
export const getEntitlements = useCase(
  "entitlements.get",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    const plans = yield* Plans
    return entitlementsOf(yield* plans.current(), yield* plans.usage(), yield* nextMonth)
  })
)
