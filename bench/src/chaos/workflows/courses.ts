import type { ContactId, WorkflowId } from "@parley/domain"
import type { Found, Move, Step } from "./watch.ts"

/** A run with its whole history. */
export interface Course {
  readonly organizationId: string
  readonly runId: string
  readonly workflowId: WorkflowId
  readonly contactId: ContactId
  readonly first: Move
  readonly last: Move
  readonly moves: ReadonlyArray<Move>
  readonly steps: ReadonlyArray<Step>
}

/** Groups items by a common property. */
export const grouped = <A>(all: Iterable<A>, keyOf: (one: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const one of all) {
    const before = found.get(keyOf(one))
    if (before === undefined) found.set(keyOf(one), [one])
    else before.push(one)
  }
  return found
}

/** Names a run. */
export const runKey = ({ organizationId, runId }: { readonly organizationId: string; readonly runId: string | null }) =>
  `${organizationId} ${runId}`

/** Every run that there was. */
export const coursesOf = ({ moves, steps }: Pick<Found, "moves" | "steps">): ReadonlyArray<Course> => {
  const stepsOf = grouped(steps, runKey)
  return Array.from(grouped(moves, runKey), ([key, its]): ReadonlyArray<Course> => {
    const [first, last] = [its[0], its.at(-1)]
    if (first === undefined || last === undefined) return []
    const { contactId, organizationId, runId, workflowId } = first
    return [{ organizationId, runId, workflowId, contactId, first, last, moves: its, steps: stepsOf.get(key) ?? [] }]
  }).flat()
}

/** A waiting run and its next state. */
export interface Rest {
  readonly course: Course
  readonly arrival: Move
  readonly next: Move | null
}

/** Each wait of a run in its node. A check without progress does not end it. */
export const restsOf = (course: Course): ReadonlyArray<Rest> => {
  const { moves } = course
  return moves.flatMap((arrival, place) => {
    const before = moves[place - 1]
    if (arrival.state !== "waiting" || (before?.state === "waiting" && before.node === arrival.node)) return []
    const next = moves.slice(place + 1).find(({ node, state }) => state !== "waiting" || node !== arrival.node) ?? null
    return [{ course, arrival, next }]
  })
}
