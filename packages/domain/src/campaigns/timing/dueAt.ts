import { DateTime } from "effect"
import { atOffset, instantOf } from "./localTime.ts"
import type { Schedule } from "./Schedule.ts"

type Moment = Pick<Schedule, "at" | "localAt" | "zone">

/** How far the first clocks of the world are ahead of UTC, and how far the last ones are behind. */
const firstClocks = 14
const lastClocks = -12

/** How late a broadcast may start without having missed those who are due first. */
const grace = "5 minutes"

/** When a broadcast starts; `null` if nothing is said of that, so that it starts at once. */
export const startOf = ({ at, localAt, zone }: Moment, organizationZone: DateTime.TimeZone): DateTime.Utc | null => {
  if (localAt === undefined) return at ?? null
  return zone === "contact" ? atOffset(localAt, firstClocks) : instantOf(localAt, organizationZone)
}

/** When the last contacts are due. */
export const lastDueOf = (moment: Moment, organizationZone: DateTime.TimeZone): DateTime.Utc | null =>
  moment.localAt !== undefined && moment.zone === "contact"
    ? atOffset(moment.localAt, lastClocks)
    : startOf(moment, organizationZone)

/**
 * Due time of a contact; `null` for the start of the broadcast. With several possible zones, the contact is due when all of them have reached the
 * local time. A message can be late in one zone, but never early.
 */
export const dueAt = (
  moment: Moment,
  contactZones: ReadonlyArray<DateTime.TimeZone>,
  organizationZone: DateTime.TimeZone
): DateTime.Utc | null => {
  const { localAt, zone } = moment
  if (localAt === undefined || zone !== "contact") return startOf(moment, organizationZone)
  const [first = organizationZone, ...others] = contactZones
  return others.map((each) => instantOf(localAt, each)).reduce(DateTime.max, instantOf(localAt, first))
}

/** Whether a contact's time was over when the broadcast started, so that one that skips those passes it by. */
export const hasPassed = (due: DateTime.Utc, startedAt: DateTime.Utc): boolean =>
  DateTime.isLessThan(DateTime.addDuration(due, grace), startedAt)

/** The latest time at which the broadcast may start. */
export const notAfterOf = ({ notAfter }: Schedule, start: DateTime.Utc): DateTime.Utc =>
  notAfter ?? DateTime.add(start, { hours: 24 })

/** When the broadcast ends, whoever is left. */
export const endByOf = ({ endBy }: Schedule, start: DateTime.Utc): DateTime.Utc =>
  endBy ?? DateTime.add(start, { days: 30 })
