import { chooseSplitPath } from "@parley/domain"
import { check, type Check } from "../verdict.ts"
import type { ProviderLog } from "../sends/control.ts"
import { type Course, coursesOf, grouped, runKey } from "./courses.ts"
import { half } from "./graphs.ts"
import { judgeWaits } from "./judgeWaits.ts"
import type { Found, Step, Written } from "./watch.ts"
import type { World } from "./world.ts"

/** Why an organization's other workflow may not be entered: the contact is in it, or it is paused. */
const refusals: ReadonlySet<string | null> = new Set(["contact_in_workflow", "workflow_not_active"])

/** Possible numbers of accepted calls of a message at the provider, by its final status. */
const accepted: Readonly<Record<string, ReadonlyArray<number>>> = {
  sent: [1],
  delivered: [1],
  read: [1],
  in_doubt: [0, 1]
}

/** The part of a node's name that is the same in each version. */
const partOf = (node: string) => node.replace(/-\d+$/u, "")

/** Paths to the end, by their labels. */
const ways: ReadonlyArray<ReadonlyArray<string>> = [
  ["begin", "rest", "answer", "thank", "call"],
  ["begin", "rest", "answer", "silent"],
  ["tag", "rest", "half", "greet"],
  ["tag", "rest", "half", "remark"],
  ["first", "rest", "second"]
]

const counted = (counts: ReadonlyMap<string, ReadonlyArray<unknown>>, key: string) => counts.get(key)?.length ?? 0

/** Compares runs, their effects and their waits with the log of events, the database's own history and the provider's log. */
export const judge = (
  all: ReadonlyArray<World>,
  found: Found,
  provided: ProviderLog
): { readonly courses: ReadonlyArray<Course>; readonly checks: ReadonlyArray<Check> } => {
  const { happenings, versions, written } = found
  const worlds = new Map(all.map((world): readonly [string, World] => [world.organizationId, world]))
  const courses = coursesOf(found)
  const ofWorkflow = (pick: (world: World) => string) =>
    courses.filter(({ organizationId, workflowId }) => {
      const world = worlds.get(organizationId)
      return world !== undefined && pick(world) === workflowId
    })
  const eventKey = ({
    organizationId,
    position
  }: {
    readonly organizationId: string
    readonly position: number | null
  }) => `${organizationId} ${position}`
  const begunBy = (course: Course) =>
    `${eventKey({ organizationId: course.organizationId, position: course.first.eventPosition })} ${course.contactId}`

  const [welcomes, cares, calls] = [
    ofWorkflow(({ welcomingId }) => welcomingId),
    ofWorkflow(({ caringId }) => caringId),
    ofWorkflow(({ care }) => care.calledId)
  ]
  const tagged = (pick: (world: World) => string) =>
    happenings.filter(({ organizationId, tagIds, type }) => {
      const world = worlds.get(organizationId)
      return type === "contact.tagged" && world !== undefined && tagIds.includes(pick(world))
    })
  const created = happenings.filter(({ type }) => type === "contact.created")
  const starts = tagged(({ care }) => care.start)
  const [welcomesBy, caresBy] = [grouped(welcomes, begunBy), grouped(cares, begunBy)]
  const caresOf = grouped(cares, ({ contactId, organizationId }) => `${organizationId} ${contactId}`)
  const eventsByKey = (type: string) =>
    grouped(
      happenings.filter((each) => each.type === type),
      runKey
    )
  const [toldStarts, toldEnds] = [eventsByKey("workflow.run_started"), eventsByKey("workflow.run_ended")]

  /** Whether a run was active when the event was logged. Then the event started no run. */
  const isUnderWay = ({ organizationId, contactId, position }: (typeof happenings)[number]) =>
    (caresOf.get(`${organizationId} ${contactId}`) ?? []).some((course) => {
      const end = toldEnds.get(runKey(course))?.[0]?.position ?? Number.POSITIVE_INFINITY
      return course.first.begunBy < position && end > position
    })

  const nodesOf = new Map(versions.map(({ nodes, number, workflowId }) => [`${workflowId} ${number}`, new Set(nodes)]))
  const effects = courses.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.effectKind === "note" || step.effectKind === "message" ? [step] : []))
  )
  const effectKey = ({ effectId, effectKind, organizationId }: Step) => `${organizationId} ${effectKind} ${effectId}`
  const writtenKey = ({ id, kind, organizationId }: Written) => `${organizationId} ${kind} ${id}`
  const [stepsBy, writtenBy] = [grouped(effects, effectKey), grouped(written, writtenKey)]
  const courseOf = new Map(courses.map((course) => [runKey(course), course]))
  const labelled = written.filter(({ text }) => /^(?:begin|thank|silent) /u.test(text))
  const stepOf = (one: Written) => stepsBy.get(writtenKey(one))?.[0] ?? null
  const enteringSteps = cares.flatMap(({ steps }) => steps.filter(({ effectKind }) => effectKind === "workflow_run"))
  const messages = written.filter(({ kind }) => kind === "message")
  const acceptedOf = grouped(provided.accepted, ({ reference }) => reference ?? "nobody's")
  const messageIds = new Set(messages.map(({ id }) => id))

  const checks = [
    check("each contact that is new has entered once", created, (event) => {
      const count = counted(welcomesBy, `${eventKey(event)} ${event.contactId}`)
      return count === 1 ? null : `${event.position} of ${event.organizationId} has begun ${count} runs`
    }),
    check("each tagging has started one run, or none next to a live run", starts, (event) => {
      const count = counted(caresBy, `${eventKey(event)} ${event.contactId}`)
      if (count === 1 || (count === 0 && isUnderWay(event))) return null
      return `${event.position} of ${event.organizationId} has begun ${count} runs`
    }),
    check("nothing else has begun runs", [...welcomes, ...cares], (course) => {
      const { contactId, first, organizationId, runId, workflowId } = course
      const events = workflowId === worlds.get(organizationId)?.caringId ? starts : created
      const by = events.find(
        (event) => event.organizationId === organizationId && event.position === first.eventPosition
      )
      return by?.contactId === contactId ? null : `${runId} was begun by ${first.eventPosition}`
    }),
    check("each start and each end is published once", courses, (course) => {
      const [begun, ended] = [counted(toldStarts, runKey(course)), counted(toldEnds, runKey(course))]
      return begun === 1 && ended === (course.last.isOver ? 1 : 0)
        ? null
        : `${course.runId} has ${begun} start events and ${ended} end events`
    }),
    check("every run is over, and none has failed", courses, ({ last: { node, reason, state }, runId }) =>
      state === "completed" || state === "exited" || state === "cancelled"
        ? null
        : `${runId} is ${state} in ${node}: ${reason}`
    ),
    check("nothing happens to a run after its end, and nothing unseen before", courses, ({ moves, runId }) => {
      const isWhole = moves.every(({ isOver, revision }, place) => {
        const isLast = place === moves.length - 1
        return revision === place + 1 && isOver === (isLast && isOver)
      })
      return isWhole ? null : `${runId}: ${moves.map(({ revision, state }) => `${revision} ${state}`).join(", ")}`
    }),
    check("each run keeps to its version", courses, ({ first, moves, runId, steps, workflowId }) => {
      const nodes = nodesOf.get(`${workflowId} ${first.version}`)
      const isOther = (node: string | null) => node !== null && nodes?.has(node) !== true
      const other = moves.find(({ node, version }) => version !== first.version || isOther(node))
      const strange = steps.find(({ node }) => isOther(node))
      return other === undefined && strange === undefined
        ? null
        : `${runId} of the version ${first.version} is in ${other?.node ?? strange?.node} of ${other?.version}`
    }),
    check(
      "each ended run has taken a valid path",
      courses.filter(({ last }) => last.state === "completed"),
      ({ runId, steps }) => {
        const taken = steps.map(({ node }) => partOf(node)).join(" ")
        return ways.some((way) => way.join(" ") === taken) ? null : `${runId}: ${taken}`
      }
    ),
    check("each step is done", courses, ({ runId, steps }) => {
      const undone = steps.find(
        ({ errorCode, node, state }) =>
          !(state === "done" || (state === "failed" && partOf(node) === "call" && refusals.has(errorCode)))
      )
      const isLeft = undone?.state === "waiting" && undone === steps.at(-1)
      return undone === undefined || isLeft ? null : `${runId}: ${undone.node} is ${undone.state}, ${undone.errorCode}`
    }),
    check("each step has written once", effects, (step) => {
      const [by, there] = [counted(stepsBy, effectKey(step)), counted(writtenBy, effectKey(step))]
      return by === 1 && there === 1 ? null : `${effectKey(step)} is there ${there} times, by ${by} steps`
    }),
    check("nothing was written but by a step", written, (one) =>
      stepOf(one) === null ? `"${one.text}", a ${one.kind} for ${one.contactId}` : null
    ),
    check("each note belongs to its run, version and event", labelled, (one) => {
      const step = stepOf(one)
      const course = step === null ? undefined : courseOf.get(runKey(step))
      // Texts write numbers as people do.
      const [part, version, position] = one.text.replaceAll(",", "").split(" ")
      if (step === null || course === undefined) return `"${one.text}" is of no run`
      const isOfEvent = part !== "begin" || Number(position) === course.first.eventPosition
      return isOfEvent && step.node === `${part}-${version}` && course.contactId === one.contactId
        ? null
        : `"${one.text}" by ${step.node} of ${course.runId}`
    }),
    check(
      "nothing was written twice",
      grouped(labelled, ({ organizationId, text }) => `${organizationId} ${text}`),
      ([key, its]) => (its.length === 1 ? null : `${key} ${its.length} times`)
    ),
    check(
      "each contact was tagged once",
      grouped(
        tagged(({ welcomed }) => welcomed),
        ({ contactId, organizationId }) => `${organizationId} ${contactId}`
      ),
      ([key, its]) => (its.length === 1 ? null : `${key} ${its.length} times`)
    ),
    check("each contact keeps its path of the split", welcomes, ({ contactId, runId, steps, workflowId }) => {
      const taken = steps.find(({ node }) => node === "greet" || node === "remark")?.node
      const path = chooseSplitPath(half, workflowId, contactId)
      return taken === undefined || path?.next === taken ? null : `${runId} took ${taken}, not ${path?.next}`
    }),
    check("each entering of another workflow has begun one run", enteringSteps, (step) => {
      const [by, there] = [
        enteringSteps.filter((other) => effectKey(other) === effectKey(step)).length,
        calls.filter(({ organizationId, runId }) => organizationId === step.organizationId && runId === step.effectId)
          .length
      ]
      return by === 1 && there === 1 ? null : `${step.effectId} is there ${there} times, by ${by} steps`
    }),
    ...judgeWaits(worlds, courses, found),
    check("no message is accepted twice", acceptedOf, ([id, its]) =>
      its.length === 1 ? null : `${id} was accepted ${its.length} times`
    ),
    check("each accepted message was written by a step", acceptedOf.keys(), (id) => (messageIds.has(id) ? null : id)),
    check("each message ends as the provider has seen it", messages, ({ id, status }) =>
      (accepted[status] ?? []).includes(counted(acceptedOf, id))
        ? null
        : `${id} is ${status}, and was accepted ${counted(acceptedOf, id)} times`
    )
  ]
  return { courses, checks }
}
