import { DateTime } from "effect"
import { addDays, instantAt, localDayOf } from "../../../../kernel/index.ts"
import { daysOfWeek } from "../../../../campaigns/index.ts"
import { type Hours, isOpenAt, statusAt } from "../../../schedules/index.ts"
import type { LocalMoment, WaitNode } from "../../graph/Wait.ts"

/** The schedule that a wait goes by, and its clock. */
export interface WaitSchedule {
  readonly hours: Hours
  readonly zone: DateTime.TimeZone
}

/** How often it is looked whether a schedule opens that opens at no time yet. */
const lookAgain = { days: 1 }

const weekDayOf = (date: string) =>
  daysOfWeek[(DateTime.getPartUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), "weekDay") + 6) % 7]

/** When clocks next show a time, from an instant on. What they skip counts as the next moment, and of two times the first one does. */
const nextShown = ({ days, localTime }: LocalMoment, zone: DateTime.TimeZone, from: DateTime.Utc): DateTime.Utc => {
  const today = localDayOf(from, zone)
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const date = addDays(today, ahead)
    const day = weekDayOf(date)
    if (days !== undefined && (day === undefined || !days.includes(day))) continue
    const shown = instantAt(date, localTime, zone)
    if (!DateTime.isLessThan(shown, from)) return shown
  }
  return from
}

/** When a schedule is next open, from an instant on. */
export const opening = ({ hours, zone }: WaitSchedule, from: DateTime.Utc): DateTime.Utc => {
  if (isOpenAt(hours, zone, from)) return from
  return statusAt(hours, zone, from).nextChangeAt ?? DateTime.add(from, lookAgain)
}

/** Until when a run rests in a wait that it comes to now: for so long, then until clocks show a time, then until the schedule is open. */
export const wakeTime = (
  { seconds = 0, until }: Pick<WaitNode, "seconds" | "until">,
  zone: DateTime.TimeZone,
  schedule: WaitSchedule | null,
  now: DateTime.Utc
): DateTime.Utc => {
  const waited = DateTime.add(now, { seconds })
  const shown = until === undefined ? waited : nextShown(until, zone, waited)
  return schedule === null ? shown : opening(schedule, shown)
}
