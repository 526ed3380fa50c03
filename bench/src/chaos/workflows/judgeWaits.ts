import { check, type Check } from "../verdict.ts"
import { type Course, grouped, type Rest, restsOf } from "./courses.ts"
import type { Found, Happening } from "./watch.ts"
import type { World } from "./world.ts"

/** Between the write of an event and its arrival in the database, a deadline can pass. */
const momentMillis = 250

/** It has left instead of going on. */
const hasLeft = ({ next }: Rest) => next?.state === "exited" || next?.state === "cancelled"

/** Reads its clock in milliseconds, as the service does. */
const clockMillis = 1

const isCare = (worlds: ReadonlyMap<string, World>, { organizationId, workflowId }: Course) =>
  worlds.get(organizationId)?.caringId === workflowId

const nameOf = ({ course: { contactId, runId } }: Rest) => `${runId} of ${contactId}`

/** Waits, goals and exits, compared with the log of events and with when it was followed. */
export const judgeWaits = (
  worlds: ReadonlyMap<string, World>,
  courses: ReadonlyArray<Course>,
  { follows, happenings }: Found
): ReadonlyArray<Check> => {
  const rests = courses.flatMap(restsOf)
  const answers = grouped(
    happenings.filter(({ type }) => type === "message.received"),
    ({ contactId, organizationId }) => `${organizationId} ${contactId}`
  )
  const followsOf = grouped(follows, ({ organizationId }) => organizationId)
  const care = courses.filter((course) => isCare(worlds, course))
  const careOf = grouped(care, ({ contactId, organizationId }) => `${organizationId} ${contactId}`)

  /** Possible wake-ups of a run, in order. */
  const awaited = ({ arrival, course }: Rest): ReadonlyArray<Happening> =>
    (answers.get(`${course.organizationId} ${course.contactId}`) ?? []).filter(
      ({ at, position }) => position > arrival.since && at < (arrival.wakeAt ?? 0)
    )
  const isAwaiting = ({ arrival }: Rest) => arrival.node?.startsWith("answer-") === true
  const goesOnBy = ({ course }: Rest, node: string) => course.steps.some((step) => step.node.startsWith(`${node}-`))

  const passed = ({ organizationId, position }: Happening) =>
    followsOf.get(organizationId)?.find((follow) => follow.position >= position) ?? null
  const leaving = happenings.filter(({ organizationId, tagIds, type }) => {
    const { bought, gone } = worlds.get(organizationId)?.care ?? {}
    return type === "contact.tagged" && tagIds.some((id) => id === bought || id === gone)
  })

  return [
    check("each rest has ended", rests, (rest) =>
      rest.next === null ? `${nameOf(rest)} rests in ${rest.arrival.node}` : null
    ),
    check("no run continues before its time", rests, (rest) => {
      const { arrival, next } = rest
      if (isAwaiting(rest) || next === null || hasLeft(rest) || arrival.wakeAt === null) return null
      return next.at >= arrival.wakeAt - clockMillis ? null : `${nameOf(rest)} ${arrival.wakeAt - next.at} ms too soon`
    }),
    check(
      "a run with an answer in time continues after the first answer",
      rests.filter((rest) => isAwaiting(rest) && goesOnBy(rest, "thank")),
      (rest) => {
        const [first] = awaited(rest)
        return first?.position === rest.next?.eventPosition
          ? null
          : `${nameOf(rest)} goes on by ${rest.next?.eventPosition}, not by ${first?.position}`
      }
    ),
    check(
      "a run with a timeout had no answer before",
      rests.filter((rest) => isAwaiting(rest) && goesOnBy(rest, "silent")),
      (rest) => {
        const missed = awaited(rest).find(({ loggedAt }) => loggedAt < (rest.arrival.wakeAt ?? 0) - momentMillis)
        return missed === undefined
          ? null
          : `${nameOf(rest)} missed ${missed.position}, ${(rest.arrival.wakeAt ?? 0) - missed.loggedAt} ms before the end`
      }
    ),
    check("runs of buyers and removed contacts have exited by then", leaving, (happening) => {
      const follow = passed(happening)
      if (follow === null) return `${happening.position} of ${happening.organizationId} was never followed`
      const late = (careOf.get(`${happening.organizationId} ${happening.contactId}`) ?? []).find(
        ({ first, last }) => first.begunBy < happening.position && (!last.isOver || last.at > follow.at)
      )
      return late === undefined ? null : `${late.runId} went on after ${happening.position}: ${late.last.state}`
    })
  ]
}

/** Delays of due runs in milliseconds. */
export const latenessOf = (courses: ReadonlyArray<Course>): ReadonlyArray<number> =>
  courses.flatMap(restsOf).flatMap((rest) => {
    const { arrival, next } = rest
    if (next === null || hasLeft(rest) || arrival.wakeAt === null || next.at < arrival.wakeAt) return []
    return [next.at - arrival.wakeAt]
  })
