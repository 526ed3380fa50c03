import { DateTime } from "effect"
import type { OrganizationId } from "../../kernel/index.ts"
import type { DueLane } from "./Lane.ts"

/** Every fourth turn prefers bulk lanes, because bulk work must not starve. */
const bulkTurnInterval = 4

const maxRememberedOrganizations = 10_000

interface Candidate {
  readonly lane: DueLane
  /** Number of lanes of the same organization that are ahead in the queue or running. */
  readonly before: number
}

/**
 * Fair scheduling: each due organization gets a turn before any organization gets a second one. Person lanes go before bulk lanes, except in every
 * fourth turn.
 */
export const makeFairQueue = () => {
  const servedAt = new Map<OrganizationId, number>()
  let turn = 0

  const serve = (id: OrganizationId) => {
    turn += 1
    // Insertion order is service order: the last served organization is last.
    servedAt.delete(id)
    servedAt.set(id, turn)
    if (servedAt.size <= maxRememberedOrganizations) return
    const [oldest] = servedAt.keys()
    if (oldest !== undefined) servedAt.delete(oldest)
  }

  const isOlder = (one: DueLane, other: DueLane) =>
    DateTime.Order(one.dueAt, other.dueAt) || (one.key < other.key ? -1 : 1)

  const isBefore = (one: Candidate, other: Candidate) =>
    one.before - other.before ||
    (servedAt.get(one.lane.organizationId) ?? 0) - (servedAt.get(other.lane.organizationId) ?? 0) ||
    isOlder(one.lane, other.lane)

  const inOrder = (lanes: ReadonlyArray<DueLane>, held: ReadonlyMap<OrganizationId, number>) => {
    const counts = new Map(held)
    return lanes
      .toSorted(isOlder)
      .map((lane): Candidate => {
        const before = counts.get(lane.organizationId) ?? 0
        counts.set(lane.organizationId, before + 1)
        return { lane, before }
      })
      .toSorted(isBefore)
      .map(({ lane }) => lane)
  }

  /** Selects the lanes to run next, at most `room`. `held` is the number of running lanes of each organization. */
  return (
    lanes: ReadonlyArray<DueLane>,
    held: ReadonlyMap<OrganizationId, number>,
    room: number
  ): ReadonlyArray<DueLane> => {
    const persons = inOrder(
      lanes.filter(({ priority }) => priority === "person"),
      held
    )
    const bulk = inOrder(
      lanes.filter(({ priority }) => priority === "bulk"),
      held
    )
    const chosen: Array<DueLane> = []
    while (chosen.length < room) {
      const isBulksTurn = turn % bulkTurnInterval === bulkTurnInterval - 1
      const next = (isBulksTurn ? bulk.shift() : persons.shift()) ?? persons.shift() ?? bulk.shift()
      if (next === undefined) break
      serve(next.organizationId)
      chosen.push(next)
    }
    return chosen
  }
}
