import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, type PlanName, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Organization } from "../Organization.ts"
import { Organizations } from "../Organizations.ts"

/** Puts the current organization on another plan. */
export const setOrganizationPlan = useCase(
  "identity.setOrganizationPlan",
  { access: "operator" },
  Effect.fnUntraced(function* (plan: PlanName) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    if (before.plan === plan) return before
    const after = yield* organizations.save(new Organization({ ...before, plan }), null)
    yield* record(
      "organization.plan_changed",
      { kind: "organization", id: after.id },
      {
        before: { plan: before.plan },
        after: { plan }
      }
    )
    yield* appendEvent({
      type: "organization.plan_changed",
      organizationId: after.id,
      from: before.plan,
      to: plan
    })
    return after
  }, transact)
)
