import { DateTime, Effect } from "effect"
import type { Contact } from "../../../../crm/index.ts"
import { Organizations } from "../../../../platform/identity/index.ts"
import { WeeklySchedules, type ScheduleId } from "../../../schedules/index.ts"
import { contactZoneOf } from "../../../../campaigns/index.ts"
import type { WaitNode } from "../../graph/Wait.ts"
import { enter, rest, stepIn } from "../moving/moves.ts"
import { opening, type WaitSchedule, wakeTime } from "../moving/wakeTime.ts"
import { after, type Leg, withContact } from "./Leg.ts"

/** What is gone is not waited for. */
const scheduleWith = Effect.fnUntraced(function* (id: ScheduleId | undefined) {
  const none: WaitSchedule | null = null
  if (id === undefined) return none
  const found = yield* Effect.option((yield* WeeklySchedules).get(id))
  if (found._tag === "None") return none
  const { timezone } = yield* (yield* Organizations).current()
  const schedule: WaitSchedule = {
    hours: found.value,
    zone: DateTime.zoneMakeNamedUnsafe(found.value.timezone ?? timezone)
  }
  return schedule
})

const goOn = (leg: Leg, node: WaitNode, now: DateTime.Utc): Leg => {
  const { kept } = leg.trip
  return after(leg, { kept: enter(kept, node.next, now), steps: stepIn(kept, { state: "done" }, now) })
}

/** Whose clock shows the moment until which it is waited. */
const zoneWith = Effect.fnUntraced(function* ({ until }: WaitNode, contact: Contact) {
  if (until === undefined) return "UTC"
  const { timezone } = yield* (yield* Organizations).current()
  return until.zone === "contact" ? contactZoneOf(contact, timezone) : timezone
})

/** Until when a contact rests in a wait that it came to then. */
export const waitUntil = Effect.fnUntraced(function* (node: WaitNode, contact: Contact, arrival: DateTime.Utc) {
  const zone = yield* zoneWith(node, contact)
  return wakeTime(node, DateTime.zoneMakeNamedUnsafe(zone), yield* scheduleWith(node.scheduleId), arrival)
})

/** Comes to a wait: it rests there, unless its time is now. */
export const beginWait = Effect.fnUntraced(function* (before: Leg, node: WaitNode) {
  const now = yield* DateTime.now
  const { contact, leg } = yield* withContact(before)
  if (contact === null) return leg
  const { kept } = leg.trip
  const until = yield* waitUntil(node, contact, now)
  if (DateTime.isLessThanOrEqualTo(until, now)) return goOn(leg, node, now)
  return after(leg, { kept: rest(kept, until), steps: stepIn(kept, { state: "waiting" }, now) })
})

/** Its time has come; where the schedule was changed meanwhile and is closed now, it waits on. */
export const endWait = Effect.fnUntraced(function* (leg: Leg, node: WaitNode) {
  const now = yield* DateTime.now
  const schedule = yield* scheduleWith(node.scheduleId)
  const opens = schedule === null ? now : opening(schedule, now)
  if (DateTime.isLessThanOrEqualTo(opens, now)) return goOn(leg, node, now)
  return after(leg, { kept: rest(leg.trip.kept, opens), steps: [] })
})
