import { AuditLog, EventLog, type Organization } from "@parley/domain/platform"
import { eventPermissions } from "@parley/domain/composition"
import { Effect } from "effect"
import { inside } from "./tenants.ts"

const everything = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

/** Number of changes of the organization so far: entries in its audit trail, and events. */
export const countEffects = Effect.fnUntraced(function* (organization: Organization) {
  const slice = { limit: 1_000, after: null }
  const audited = yield* (yield* AuditLog).list(everything, slice).pipe(inside(organization))
  const events = yield* (yield* EventLog).list(Object.keys(eventPermissions), slice).pipe(inside(organization))
  return { audited: audited.length, events: events.length }
})
