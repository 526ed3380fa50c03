import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import type { RunInput } from "../../../src/automation/workflows/runs/runState.ts"
import { stepRun } from "../../../src/automation/workflows/runs/step.ts"
import { ModelRun } from "./modelRun.ts"

type StepOf = typeof stepRun

/** A run of 1,000 nodes takes less. */
const maxInputs = 5_000

const begin = (model: ModelRun, aborted: "too_deep" | null = null): RunInput => {
  const now = DateTime.makeUnsafe(model.now)
  const { entry } = model.course.graph
  if (entry === undefined) throw new Error("The graph has no entry.")
  return { _tag: "Started", now, dueAt: now, node: entry.next, aborted }
}

/** Runs a random history until the run ends, and some inputs longer. Returns the violations. */
const faultsOf = (seed: number, stepOf: StepOf = stepRun): ReadonlyArray<string> => {
  const model = new ModelRun(seed, stepOf)
  if (!model.apply(begin(model))) model.faults.add("a started run is not stored")
  for (let count = 0; model.state.run.endedAt === null; count += 1) {
    if (count > maxInputs) model.faults.add("the run does not end")
    if (model.faults.size > 0) return [...model.faults]
    const input = model.drawInput()
    const isSaved = model.apply(input)
    if (!isSaved && input._tag === "Woken") model.faults.add("a due run is not stored")
  }
  const { progress, run } = model.state
  for (let count = 0; count < 20; count += 1) {
    if (model.apply(model.drawInput())) model.faults.add("an ended run is stored")
    if (model.state.run !== run || model.state.progress !== progress) model.faults.add("an ended run changes")
  }
  return [...model.faults]
}

const withBug =
  (change: (next: ReturnType<StepOf>, input: RunInput, before: Parameters<StepOf>[1]) => ReturnType<StepOf>): StepOf =>
  (course, state, input) =>
    change(stepRun(course, state, input), input, state)

const stepsWithBugs: Readonly<Record<string, StepOf>> = {
  "a second action is performed in one unit of work": withBug(({ commands, state }) => ({
    commands,
    state: { ...state, hasActed: false }
  })),
  "a goal does not end the run": (course, state, input) =>
    stepRun(course, state, input._tag === "GoalsChecked" ? { ...input, leaves: null } : input),
  "visits are not counted": withBug(({ commands, state }) => ({
    commands,
    state: { ...state, progress: { ...state.progress, places: 1 } }
  })),
  "the end of a run is not final": (course, state, input) =>
    stepRun(course, state.run.endedAt === null ? state : new ModelRun(1, stepRun).state, input),
  "a continued run stays in its wait": withBug((next, input, before) =>
    input._tag === "Continued" ? { ...next, state: before } : next
  ),
  "a run waits twice for its event": withBug((next, input, before) =>
    input._tag === "EventArrived" && input.received !== null && next.state.run.endedAt === null
      ? { ...next, state: { ...next.state, progress: { ...before.progress } } }
      : next
  )
}

const seeds = { seed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })) }

/** A bug is found among this many histories. */
const mostHistories = 300

describe("a workflow run", () => {
  it.prop(
    "ends once, respects its limits, and leaves immediately at a goal or an exit",
    seeds,
    ({ seed }) => assert.deepStrictEqual(faultsOf(seed), []),
    { arbitrary: { runs: 300, seed: "workflow runs" } }
  )

  it("never starts if its causation is too deep", () => {
    const model = new ModelRun(1, stepRun)
    assert.isTrue(model.apply(begin(model, "too_deep")))
    const { node, reason, state } = model.state.run
    assert.deepStrictEqual({ node, reason, state }, { node: null, reason: "too_deep", state: "exited" })
  })

  it("reaches every end in random histories", () => {
    const ends = new Set<string>()
    for (let seed = 1; seed <= mostHistories; seed += 1) {
      const model = new ModelRun(seed, stepRun)
      model.apply(begin(model))
      while (model.state.run.endedAt === null) model.apply(model.drawInput())
      ends.add(`${model.state.run.state} ${model.state.run.reason}`)
    }
    for (const end of [
      "cancelled null",
      "completed null",
      "exited blocked",
      "exited contact_gone",
      "exited exit",
      "exited goal",
      "exited late",
      "exited node_gone",
      "failed action_failed",
      "failed node_gone",
      "failed step_limit"
    ]) {
      assert.isTrue(ends.has(end), end)
    }
  })

  it.each(Object.entries(stepsWithBugs))("does not with a bug: %s", (_, stepOf) => {
    const isFound = Array.from({ length: mostHistories }, (_, place) => place + 1).some(
      (seed) => faultsOf(seed, stepOf).length > 0
    )
    assert.isTrue(isFound)
  })
})
