import { DateTime, Duration, Effect } from "effect"
import { asSystem, type CurrentOrganization, type OrganizationId, transact, type Transaction } from "../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  LaneQueue,
  defineLaneWorker,
  organizationLane,
  type TaskName
} from "../platform/background/index.ts"
import { Contacts } from "./Contacts.ts"

/** Duration of one organization's turn before the next organization's turn. */
const turnDuration = Duration.seconds(3)

/** Number of rows in one unit of work, which they keep open. */
const batchSize = 500

const asReindexSystem = asSystem("refolding")

/**
 * Updates search texts that were stored with an earlier folding, in batches. `refold` processes the next `limit` rows and returns whether more
 * remain. The migration that changes the folding creates the lanes.
 */
export const searchReindex = <E, R>(
  name: TaskName,
  refold: (limit: number) => Effect.Effect<boolean, E, R | Transaction | CurrentOrganization>
) => {
  const batch = Effect.fnUntraced(function* (lane: LaneLease) {
    const queue = yield* LaneQueue
    const hasMore = yield* refold(batchSize)
    yield* hasMore ? queue.hold(lane) : queue.close(lane)
    return hasMore
  }, transact)

  return defineLaneWorker({
    name,
    concurrency: 2,
    run: (lane) =>
      asReindexSystem(lane.organizationId)(
        Effect.gen(function* () {
          const end = DateTime.addDuration(yield* DateTime.now, turnDuration)
          while (yield* batch(lane)) {
            if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return undefined
          }
          return "closed" as const
        })
      ),
    nextDue: () => DateTime.now
  })
}

/** Name of the background task that updates the search texts of contacts. */
const contactReindexTaskName: TaskName = "contact refolds"

/** Returns the lane of an organization. */
export const contactReindexLane = (organizationId: OrganizationId): Lane =>
  organizationLane(contactReindexTaskName, organizationId)

/** Updates contacts that were stored with an earlier folding. */
export const contactReindex = searchReindex(contactReindexTaskName, (limit) =>
  Effect.flatMap(Contacts, (contacts) => contacts.refold(limit))
)
