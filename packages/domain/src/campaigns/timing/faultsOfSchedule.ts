import { DateTime } from "effect"
import type { Fault } from "../../kernel/index.ts"
import { lastDueOf, notAfterOf, startOf } from "./dueAt.ts"
import type { Schedule } from "./Schedule.ts"

interface Surroundings {
  readonly now: DateTime.Utc
  readonly organizationZone: DateTime.TimeZone
  /** Whether the broadcast starts at once, so that its schedule says no time. */
  readonly startsNow: boolean
}

const farthest = { days: 365 }

const earlier = DateTime.isLessThan
const notLater = DateTime.isLessThanOrEqualTo

const ofMoment = (schedule: Schedule, { now, organizationZone, startsNow }: Surroundings): ReadonlyArray<Fault> => {
  const { at, localAt } = schedule
  const start = startOf(schedule, organizationZone)
  const last = lastDueOf(schedule, organizationZone)
  const pointer = at === undefined ? "/localAt" : "/at"
  if (start === null || last === null) {
    return startsNow ? [] : [{ pointer: "", message: "Expected a time to send at: at, or localAt" }]
  }
  if (startsNow) return [{ pointer, message: "Expected no time: the broadcast starts now" }]
  if (at !== undefined && localAt !== undefined) {
    return [{ pointer: "/localAt", message: "Expected either at or localAt, not both" }]
  }
  if (earlier(last, now)) return [{ pointer, message: "Expected a time that has not passed" }]
  if (schedule.notAfter === undefined && earlier(notAfterOf(schedule, start), now)) {
    const message = "Expected a time that the first clocks showed less than 24 hours ago, or notAfter"
    return [{ pointer, message }]
  }
  return earlier(DateTime.add(now, farthest), start) ? [{ pointer, message: "Expected a time within 365 days" }] : []
}

/** Every fault of a schedule that its schema does not see, each with where it is below the schedule. */
export const faultsOfSchedule = (schedule: Schedule, surroundings: Surroundings): ReadonlyArray<Fault> => {
  const { endBy, notAfter } = schedule
  const { now, organizationZone } = surroundings
  const planned = startOf(schedule, organizationZone) ?? now
  // One whose first contacts have had their time starts at once.
  const start = DateTime.max(planned, now)
  const end = endBy ?? null
  return [
    ...ofMoment(schedule, surroundings),
    ...(notAfter !== undefined && earlier(notAfter, start)
      ? [{ pointer: "/notAfter", message: "Expected a time that is not before the start" }]
      : []),
    ...(end !== null && notLater(end, start) ? [{ pointer: "/endBy", message: "Expected a time after the start" }] : [])
  ]
}
