import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import {
  type ActionResult,
  type AutomationAction,
  AutomationId,
  AutomationRun,
  AutomationRunId
} from "@parley/domain/automation"
import { DateTime, Schema } from "effect"
import {
  type AutomationRunCommand,
  type AutomationRunInput,
  stepAutomationRun
} from "../../../src/automation/automations/runs/runSteps.ts"
import { type Draw, drawsOf } from "../../campaigns/draws.ts"

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`

const now = DateTime.makeUnsafe("2026-11-20T09:00:00Z")

const newRun = (size: number) =>
  new AutomationRun({
    id: AutomationRunId.make(uuid(1)),
    automationId: AutomationId.make(uuid(2)),
    automationVersion: 1,
    state: "queued",
    reason: null,
    event: { position: 1, type: "contact.created" },
    contactId: ContactId.make(uuid(3)),
    causation: null,
    conditions: null,
    actions: Array.from({ length: size }, (_, index) => ({
      index,
      type: "add_note",
      state: "pending",
      error: null,
      effect: null,
      attempts: 0,
      until: null
    })),
    createdAt: now,
    startedAt: null,
    rerunOf: null,
    finishedAt: null
  })

const drawResult = (draw: Draw): ActionResult => {
  switch (draw(6)) {
    case 0:
      return { kind: "refused", error: { code: "no_conversation", detail: null } }
    case 1:
      return { kind: "wait", until: DateTime.add(now, { hours: 1 }), reason: draw(2) === 0 ? "quiet_hours" : "retry" }
    case 2:
      return { kind: "calling", effect: { kind: "plugin_call", id: "x" } }
    default:
      return { kind: "done", effect: null }
  }
}

const drawInput = (
  draw: Draw,
  { actions }: AutomationRun,
  command: AutomationRunCommand | null,
  then: ReadonlyArray<AutomationAction>
): AutomationRunInput => {
  const ending = (["RuleMissing", "ContactMissing", "Cancelled"] as const)[draw(30)]
  if (ending !== undefined) return { _tag: ending, now }
  if (command?._tag === "PerformAction") {
    return { _tag: "ActionDone", now, index: command.index, result: drawResult(draw), then }
  }
  const called = actions.find(({ state }) => state === "calling")
  if (called !== undefined) {
    const result: ActionResult = { kind: "done", effect: null }
    return { _tag: "CallEnded", now, index: called.index, result, then, attempts: 1 + draw(3) }
  }
  return {
    _tag: "Evaluated",
    now,
    start: { conditions: { held: draw(5) > 0 }, isWithinLimit: draw(5) > 0 }
  }
}

const isOver = ({ finishedAt }: AutomationRun) => finishedAt !== null

const isLeft = ({ state }: AutomationRun["actions"][number]) =>
  state === "pending" || state === "waiting" || state === "calling"

/** Violations of one step. */
const faultsOf = (
  before: AutomationRun,
  { _tag }: AutomationRunInput,
  { command, run }: ReturnType<typeof stepAutomationRun>
) => {
  const left = run.actions.filter(isLeft)
  const faults = {
    "an ended run changes": isOver(before) && run !== before,
    "an ended run has a command": isOver(run) && command !== null,
    "an ended run has an action left": isOver(run) && left.length > 0,
    "a live run has no action left": !isOver(run) && left.length === 0,
    "the state differs from the end": isOver(run) === (run.state === "queued" || run.state === "running"),
    "the next action is not the first one left": command?._tag === "PerformAction" && left[0]?.index !== command.index,
    "a cancelled run continues": _tag === "Cancelled" && !isOver(before) && run.state !== "cancelled",
    "a run is cancelled by another input": _tag !== "Cancelled" && !isOver(before) && run.state === "cancelled",
    "an ended action changes": before.actions.some(
      (action) => !isLeft(action) && run.actions[action.index]?.state !== action.state
    )
  }
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [fault] : []))
}

const seeds = { seed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })) }

describe("an automation run", () => {
  it.prop(
    "performs its actions in order, ends once, and never changes after its end",
    seeds,
    ({ seed }) => {
      const draw = drawsOf(seed)
      const then = Array.from({ length: draw(6) }, (): AutomationAction => ({
        type: "add_note",
        text: "Note",
        onError: draw(2) === 0 ? "stop" : "continue"
      }))
      let run = newRun(then.length)
      let command: AutomationRunCommand | null = null
      for (let count = 0; count < 60; count += 1) {
        const input = drawInput(draw, run, command, then)
        const decision = stepAutomationRun(run, input)
        assert.deepStrictEqual(faultsOf(run, input, decision), [])
        run = decision.run
        command = decision.command
      }
    },
    { arbitrary: { runs: 300, seed: "automation runs" } }
  )

  it("skips the remaining actions after a refusal that stops", () => {
    const then: ReadonlyArray<AutomationAction> = [
      { type: "add_note", text: "One", onError: "stop" },
      { type: "add_note", text: "Two" }
    ]
    const start = { conditions: { held: true }, isWithinLimit: true }
    const started = stepAutomationRun(newRun(2), { _tag: "Evaluated", now, start })
    assert.deepStrictEqual(started.command, { _tag: "PerformAction", index: 0 })
    const result: ActionResult = { kind: "refused", error: { code: "no_conversation", detail: null } }
    const { command, run } = stepAutomationRun(started.run, { _tag: "ActionDone", now, index: 0, result, then })
    assert.isNull(command)
    assert.strictEqual(run.state, "failed")
    assert.deepStrictEqual(
      run.actions.map(({ state }) => state),
      ["failed", "skipped"]
    )
  })

  it("is cancelled during a wait, with its completed actions", () => {
    const then: ReadonlyArray<AutomationAction> = [
      { type: "add_note", text: "One" },
      { type: "add_note", text: "Two" }
    ]
    const done: ActionResult = { kind: "done", effect: { kind: "note", id: uuid(5) } }
    const wait: ActionResult = { kind: "wait", until: DateTime.add(now, { hours: 1 }), reason: "quiet_hours" }
    const inputs: ReadonlyArray<AutomationRunInput> = [
      { _tag: "Evaluated", now, start: { conditions: { held: true }, isWithinLimit: true } },
      { _tag: "ActionDone", now, index: 0, result: done, then },
      { _tag: "ActionDone", now, index: 1, result: wait, then },
      { _tag: "Cancelled", now }
    ]
    const run = inputs.reduce((before, input) => stepAutomationRun(before, input).run, newRun(2))
    assert.deepStrictEqual([run.state, run.reason, run.finishedAt], ["cancelled", null, now])
    assert.deepStrictEqual(
      run.actions.map(({ effect, state, until }) => [state, effect?.kind ?? null, until]),
      [
        ["done", "note", null],
        ["skipped", null, null]
      ]
    )
  })

  it("is aborted above the hourly limit, with its conditions", () => {
    const start = { conditions: { held: true }, isWithinLimit: false }
    const { command, run } = stepAutomationRun(newRun(1), { _tag: "Evaluated", now, start })
    assert.isNull(command)
    const { conditions, reason, state } = run
    assert.deepStrictEqual(
      { conditions, reason, state },
      { conditions: { held: true }, reason: "rate", state: "aborted" }
    )
  })
})
