import { DateTime, Effect, type Schema } from "effect"
import { type Contact, Contacts } from "../../../crm/index.ts"
import type { Facts } from "../../automations/index.ts"
import type { StoredWorkflowRun } from "../runs/WorkflowRuns.ts"
import { factsForRun } from "../runs/goals.ts"
import { type LoadedWorkflow, requireNotMerged } from "../runs/runContext.ts"
import { type RunInputOf, type RunState, toRunState } from "../runs/runState.ts"

/** Encoded steps: the latest step of each node. A step never changes, so each is encoded once. */
export interface StepVariables {
  readonly byNode: Readonly<Record<string, Schema.Json>>
  /** Number of encoded steps of the session. */
  readonly encoded: number
}

/** Session of a run in one unit of work. The interpreter replaces its state after each input. */
export interface RunSession {
  readonly course: LoadedWorkflow
  state: RunState
  /** Run as stored. */
  kept: StoredWorkflowRun
  /** Facts for its last event, loaded on demand. */
  facts: Facts | null
  /** Template variables of the steps, loaded on demand. */
  variables: StepVariables | null
}

export const startRunSession = (course: LoadedWorkflow, kept: StoredWorkflowRun): RunSession => ({
  course,
  kept,
  state: toRunState(kept),
  facts: null,
  variables: null
})

/** Loads the facts; `null` if the contact is deleted. */
export const sessionFacts = Effect.fnUntraced(function* (session: RunSession) {
  session.facts ??= yield* factsForRun(session.state.run, session.course.schedules)
  return session.facts
})

/** Loads only the contact; `null` if it is deleted. */
export const sessionContact = Effect.fnUntraced(function* ({ facts, state }: RunSession) {
  const nobody: Contact | null = null
  const { contactId } = state.run
  if (facts !== null) return facts.contact
  const [contact] = contactId === null ? [] : yield* (yield* Contacts).find([contactId])
  return contact ?? nobody
})

/** Reports a deleted contact. Fails if it was merged into another one. */
export const contactMissing = Effect.fnUntraced(function* ({ state }: RunSession) {
  yield* requireNotMerged(state.run.contactId)
  return { _tag: "ContactMissing", now: yield* DateTime.now } satisfies RunInputOf<"ContactMissing">
})
