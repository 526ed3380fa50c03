import { Cause, Effect } from "effect"
import {
  asSystem,
  type CurrentActor,
  type CurrentOrganization,
  isAway,
  type OrganizationId
} from "../../kernel/index.ts"
import { OrganizationIds } from "./OrganizationIds.ts"
import { sweep, type Work } from "./Work.ts"

const pageSize = 1_000

const within = asSystem("housekeeping")

/**
 * Deletes what has expired, organization by organization, so that each statement names one. If one of them cannot be swept, the
 * others are; a storage that is away ends the round. It must tolerate running in several processes at once.
 */
export const sweepTenants = <E, R>(
  name: string,
  run: Effect.Effect<unknown, E, R>,
  wake: "housekeeping" | "hourly" = "hourly"
): Work<OrganizationIds | Exclude<Exclude<R, CurrentOrganization>, CurrentActor>> => {
  const sweepOne = (id: OrganizationId) =>
    Effect.catchCauseIf(
      within(id)(run),
      (cause) => !Cause.hasInterrupts(cause) && !isAway(cause),
      (cause) => Effect.logError(`The sweep of ${name} of the organization ${id} failed; it goes on`, cause)
    )
  const sweepAll = Effect.gen(function* () {
    const organizations = yield* OrganizationIds
    let last: OrganizationId | null = null
    while (true) {
      const ids: ReadonlyArray<OrganizationId> = yield* organizations.after(last, pageSize)
      for (const id of ids) yield* sweepOne(id)
      if (ids.length < pageSize) return
      last = ids.at(-1) ?? null
    }
  })
  return { ...sweep(name, sweepAll), wake }
}
