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

/** For how long one organization is worked for before another one's turn comes. */
const turnDuration = Duration.seconds(3)

/** How much is looked after in one unit of work, which holds it for that long. */
const batchSize = 500

const asReindexSystem = asSystem("refolding")

/**
 * What was stored under another folding of texts is searched under the present one, batch by batch. `refold` looks after the next
 * `limit` rows, and says whether there are more. The migration that changes the folding opens the lanes.
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

/** What bringing the search texts of contacts up to date is called among the works. */
const contactReindexTaskName: TaskName = "contact refolds"

/** Each organization has one lane. */
export const contactReindexLane = (organizationId: OrganizationId): Lane =>
  organizationLane(contactReindexTaskName, organizationId)

/** Contacts that were stored under another folding are found under the present one. */
export const contactReindex = searchReindex(contactReindexTaskName, (limit) =>
  Effect.flatMap(Contacts, (contacts) => contacts.refold(limit))
)
