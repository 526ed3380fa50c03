import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { Lanes, type LaneLease, type WorkName } from "../../../platform/background/index.ts"

/** How many lanes an organization has: in each, what is to be done for some contacts is done. It must never change. */
const laneCount = 16

/** The lane of a contact: the last digit of an id is drawn. */
export const laneOf = (contactId: ContactId): number => Number.parseInt(contactId.slice(-1), laneCount)

/** Which lane a lease is of. */
export const laneNumber = ({ key }: LaneLease): number => Number(key)

/** The lanes of a work that is done contact by contact. */
export const contactLanes = (work: WorkName) => {
  /** Has somebody go on with what waits in these lanes, now or then. */
  const open = Effect.fnUntraced(function* (lanes: Iterable<number>, dueAt: DateTime.Utc | null = null) {
    const at = dueAt ?? (yield* DateTime.now)
    const port = yield* Lanes
    for (const lane of [...new Set(lanes)].toSorted((one, other) => one - other)) {
      yield* port.open({ work, key: String(lane), priority: "person", dueAt: at })
    }
  })
  /** Has somebody go on with all of it, as after a time in which nothing was done. */
  const openAll = open(Array.from({ length: laneCount }, (_, lane) => lane))
  return { open, openAll }
}
