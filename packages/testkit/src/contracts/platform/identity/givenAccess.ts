import { transact } from "@parley/domain/kernel"
import { Organization, Organizations, type OrganizationStatus } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { inside } from "../../given.ts"

export const setStatus = (organization: Organization, status: OrganizationStatus) =>
  Effect.flatMap(Organizations, (organizations) =>
    transact(organizations.save(new Organization({ ...organization, status }), null))
  ).pipe(inside(organization))

export const justBefore = (at: DateTime.Utc) => DateTime.subtract(at, { milliseconds: 1 })
