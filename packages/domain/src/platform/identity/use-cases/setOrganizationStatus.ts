import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Organization, type OrganizationStatus } from "../Organization.ts"
import { Organizations } from "../Organizations.ts"

/** Suspends the current organization, or lets it go on. */
export const setOrganizationStatus = useCase(
  "identity.setOrganizationStatus",
  { access: "operator" },
  Effect.fnUntraced(function* (status: OrganizationStatus) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    if (before.status === status) return before
    const after = yield* organizations.save(new Organization({ ...before, status }), null)
    yield* record(
      "organization.status_changed",
      { kind: "organization", id: after.id },
      {
        before: { status: before.status },
        after: { status }
      }
    )
    yield* appendEvent({
      type: "organization.status_changed",
      organizationId: after.id,
      from: before.status,
      to: status
    })
    return after
  }, transact)
)
