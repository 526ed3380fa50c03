import { DateTime, Duration, Effect } from "effect"
import { asSystem, type CurrentOrganization, type OrganizationId, transact, type Transaction } from "../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  LaneQueue,
  laneWork,
  organizationLane,
  type WorkName
} from "../platform/background/index.ts"
import { Contacts } from "./Contacts.ts"

/** For how long one organization is worked for before another one's turn comes. */
const turn = Duration.seconds(3)

/** How much is looked after in one unit of work, which holds it for that long. */
const mostAtOnce = 500

const within = asSystem("refolding")

/**
 * What was stored under another folding of texts is searched under the present one, batch by batch. `refold` looks after the next
 * `limit` rows, and says whether there are more. The migration that changes the folding opens the lanes.
 */
export const refolding = <E, R>(
  name: WorkName,
  refold: (limit: number) => Effect.Effect<boolean, E, R | Transaction | CurrentOrganization>
) => {
  const batch = Effect.fnUntraced(function* (lane: LaneLease) {
    const queue = yield* LaneQueue
    const hasMore = yield* refold(mostAtOnce)
    yield* hasMore ? queue.hold(lane) : queue.close(lane)
    return hasMore
  }, transact)

  return laneWork({
    name,
    concurrency: 2,
    run: (lane) =>
      within(lane.organizationId)(
        Effect.gen(function* () {
          const end = DateTime.addDuration(yield* DateTime.now, turn)
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
const contactRefoldsWork: WorkName = "contact refolds"

/** Each organization has one lane. */
export const contactRefoldsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(contactRefoldsWork, organizationId)

/** Contacts that were stored under another folding are found under the present one. */
export const contactRefolds = refolding(contactRefoldsWork, (limit) =>
  Effect.flatMap(Contacts, (contacts) => contacts.refold(limit))
)
