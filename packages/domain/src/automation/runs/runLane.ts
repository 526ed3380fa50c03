import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { Lanes, type LaneLease, type WorkName } from "../../work/index.ts"

/** What performing runs is called among the works. */
export const runsWork: WorkName = "automation runs"

/** How many lanes an organization has: in each, the runs of some contacts are performed. It must never change. */
export const laneCount = 16

/** The lane of a contact: the last digit of an id is drawn. */
export const laneOf = (contactId: ContactId): number => Number.parseInt(contactId.slice(-1), laneCount)

/** Which lane a lease is of. */
export const laneNumber = ({ key }: LaneLease): number => Number(key)

/** Has somebody go on with what waits in these lanes, now or then. */
export const openRunLanes = Effect.fnUntraced(function* (lanes: Iterable<number>, dueAt: DateTime.Utc | null = null) {
  const at = dueAt ?? (yield* DateTime.now)
  const port = yield* Lanes
  for (const lane of [...new Set(lanes)].toSorted((one, other) => one - other)) {
    yield* port.open({ work: runsWork, key: String(lane), priority: "person", dueAt: at })
  }
})

/** Has somebody go on with all of it, as after a time in which nothing was performed. */
export const openAllRunLanes = openRunLanes(Array.from({ length: laneCount }, (_, lane) => lane))
