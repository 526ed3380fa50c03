import {
  cancelWorkflowRun,
  listWorkflowRuns,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  startWorkflowRun,
  tagContact,
  updateWorkflow
} from "@parley/domain"
import { Effect } from "effect"
import { tagAnew } from "../../automations/given.ts"
import { within } from "../../campaigns/given.ts"
import type { Drawing } from "../drawing.ts"
import type { Control } from "../sends/control.ts"
import { caring } from "./graphs.ts"
import type { Person, World } from "./world.ts"

/** People act while connections are cut off. The log has the results in the end. */
const attempted = <A, E, R>(act: Effect.Effect<A, E, R>) => Effect.exit(Effect.sandbox(act))

/** Each contact can get ten messages an hour: one welcome message, and one for each start and answer. */
const mostBeginnings = 8

/** Contacts start, answer, buy and leave, one act after the other, until interrupted. */
export const live = Effect.fnUntraced(function* (
  draws: Drawing,
  control: Control,
  worlds: ReadonlyArray<{ readonly world: World; readonly people: ReadonlyArray<Person> }>
) {
  const beginnings = new Map<string, number>()
  while (true) {
    yield* Effect.sleep(draws.between(2, 30))
    const { people, world } = draws.pick(worlds)
    const { care, line, organizationId } = world
    const { contactId, phone } = draws.pick(people)
    const lot = draws.between(1, 100)
    if (lot <= 55) {
      const before = beginnings.get(contactId) ?? 0
      if (before >= mostBeginnings) continue
      beginnings.set(contactId, before + 1)
      yield* attempted(tagAnew(organizationId, contactId, care.start))
    } else if (lot <= 90) {
      yield* attempted(control.write(line.phoneId, phone))
    } else if (lot <= 97) {
      yield* attempted(tagAnew(organizationId, contactId, care.bought))
    } else if (lot <= 98) {
      yield* attempted(tagContact(contactId, [care.gone]).pipe(within(organizationId)))
    } else {
      yield* attempted(startWorkflowRun(care.calledId, { contactId }).pipe(within(organizationId)))
    }
  }
})

/** Publishes the next version of the care again and again. */
export const publishAgain = Effect.fnUntraced(function* (draws: Drawing, worlds: ReadonlyArray<World>) {
  for (let version = 2; ; version += 1) {
    yield* Effect.sleep(draws.between(3_000, 8_000))
    for (const { care, caringId, organizationId } of worlds) {
      const graph = caring(version, care)
      const published = Effect.andThen(
        updateWorkflow(caringId, { graph }, null),
        publishWorkflow(caringId, null).pipe(Effect.asVoid)
      )
      // A version that was published although its answer was lost would be published twice.
      yield* attempted(published.pipe(within(organizationId)))
    }
  }
})

/** Pauses and resumes workflows called by others. */
export const pauseAgain = Effect.fnUntraced(function* (draws: Drawing, worlds: ReadonlyArray<World>) {
  while (true) {
    yield* Effect.sleep(draws.between(1_000, 5_000))
    const { care, organizationId } = draws.pick(worlds)
    yield* attempted(pauseWorkflow(care.calledId, null).pipe(within(organizationId)))
    yield* Effect.sleep(draws.between(500, 3_000))
    yield* attempted(resumeWorkflow(care.calledId, null).pipe(within(organizationId)))
  }
})

/** Resumes all paused workflows. */
export const letGo = Effect.fnUntraced(function* (worlds: ReadonlyArray<World>) {
  for (const { care, organizationId } of worlds) {
    yield* attempted(resumeWorkflow(care.calledId, null).pipe(within(organizationId)))
  }
})

/** Ends runs where they are, at drawn moments. */
export const cancelAgain = Effect.fnUntraced(function* (draws: Drawing, worlds: ReadonlyArray<World>) {
  while (true) {
    yield* Effect.sleep(draws.between(500, 2_000))
    const { caringId, organizationId } = draws.pick(worlds)
    const cancel = Effect.gen(function* () {
      const { data } = yield* listWorkflowRuns(caringId, { state: "waiting" }, { limit: 20, cursor: null })
      if (data.length > 0) yield* cancelWorkflowRun(caringId, draws.pick(data).id)
    })
    yield* attempted(cancel.pipe(within(organizationId)))
  }
})
