import { Effect, Equal } from "effect"
import { record } from "../../audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Organization, type OrganizationPatch } from "../Organization.ts"
import { Organizations } from "../Organizations.ts"

const settings = ({ currency, locale, name, timezone }: Organization) => ({ currency, locale, name, timezone })

/** Changes settings of the current organization. */
export const updateOrganization = useCase(
  "identity.updateOrganization",
  { access: { permission: "organization.manage" } },
  Effect.fnUntraced(function* (patch: OrganizationPatch, expectedVersion: number | null) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    const changed = new Organization({ ...before, ...patch })
    yield* requireVersion(before, expectedVersion)
    if (Equal.equals(settings(before), settings(changed))) return before
    const after = yield* organizations.save(changed, expectedVersion)
    yield* record(
      "organization.updated",
      { kind: "organization", id: after.id },
      {
        before: settings(before),
        after: settings(after)
      }
    )
    yield* appendEvent({ type: "organization.updated", organizationId: after.id })
    return after
  }, transact)
)
