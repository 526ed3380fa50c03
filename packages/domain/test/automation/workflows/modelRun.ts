import { ContactId } from "@parley/domain/crm"
import {
  type ActionResult,
  type Graph,
  NodeId,
  WorkflowId,
  type WorkflowNode,
  WorkflowRun,
  WorkflowRunId
} from "@parley/domain/automation"
import { DateTime } from "effect"
import { findCurrentNode, type LoadedWorkflow } from "../../../src/automation/workflows/runs/runContext.ts"
import {
  type RunCommand,
  type RunInput,
  type RunState,
  toRunState
} from "../../../src/automation/workflows/runs/runState.ts"
import type { stepRun } from "../../../src/automation/workflows/runs/step.ts"
import { type Draw, drawsOf } from "../../campaigns/draws.ts"

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`

const start = Date.parse("2026-11-20T09:00:00Z")

const hour = 3_600_000

const newRun = (): RunState => {
  const startedAt = DateTime.makeUnsafe(start)
  const contactId = ContactId.make(uuid(1))
  const ids = { id: WorkflowRunId.make(uuid(2)), workflowId: WorkflowId.make(uuid(3)), contactId, key: contactId }
  const none = { reason: null, node: null, wakeAt: null, goals: [], event: null, causation: null, endedAt: null }
  const origin = { startedBy: null, conditions: null, rerunOf: null, endedBy: null, input: {} }
  return toRunState({
    run: new WorkflowRun({ ...ids, ...none, ...origin, workflowVersion: 1, state: "running", startedAt }),
    progress: {
      dueAt: null,
      isResting: false,
      visits: {},
      places: 0,
      subject: null,
      from: 0,
      since: 0,
      attempts: 0,
      heldSince: null
    }
  })
}

/** Names of nodes. The last one is in no graph. */
const names = ["a", "b", "c", "d", "e", "gone"].map((name) => NodeId.make(name))

const drawNode = (draw: Draw, id: NodeId): WorkflowNode => {
  const next = () => names[draw(draw(8) === 0 ? names.length : names.length - 1)] ?? id
  switch (draw(8)) {
    case 0:
      return { id, kind: "wait", seconds: 60 * (1 + draw(100)), next: next() }
    case 1:
      return {
        id,
        kind: "wait_for",
        event: { event: "contact.created" },
        timeoutSeconds: 3_600,
        next: next(),
        timeout: next()
      }
    case 2:
      return { id, kind: "branch", branches: [{ if: {}, next: next() }], else: next() }
    case 3:
      return {
        id,
        kind: "split",
        paths: [
          { percent: 50, next: next() },
          { percent: 50, next: next() }
        ]
      }
    case 4:
      return { id, kind: "end" }
    default: {
      const onError = (["end", "continue", { to: next() }] as const)[draw(3)] ?? "end"
      return { id, kind: "action", action: { type: "add_note", text: "Note" }, onError, next: next() }
    }
  }
}

const drawCourse = (draw: Draw): LoadedWorkflow => {
  const nodes = names.slice(0, -1).map((id) => drawNode(draw, id))
  const graph: Graph = { entry: { event: null, next: NodeId.make("a") }, nodes }
  return { graph, nodes: new Map(nodes.map((node) => [node.id, node])), schedules: [] }
}

const isWaitingIn = ({ progress, run }: RunState, node: NodeId) =>
  run.state === "waiting" && progress.isResting && run.node === node

/** A run on a model of everything outside: nodes, actions, events, members and the clock. Draws decide all of it. */
export class ModelRun {
  readonly faults = new Set<string>()
  readonly draw: Draw
  readonly course: LoadedWorkflow
  readonly #step: typeof stepRun
  now = start
  state = newRun()
  #actions = 0

  constructor(seed: number, stepOf: typeof stepRun) {
    this.#step = stepOf
    this.draw = drawsOf(seed)
    this.course = drawCourse(this.draw)
  }

  #goals() {
    const left = names.filter((name) => !this.state.run.goals.includes(name))
    const goals = this.draw(10) === 0 ? left.slice(0, 1) : []
    const exit = { reason: this.draw(2) === 0 ? ("goal" as const) : ("exit" as const), id: NodeId.make("mark") }
    return { goals, leaves: this.draw(40) === 0 ? exit : null }
  }

  /** A wait of the graph that the run is probably not in. */
  #anyWait() {
    return this.course.graph.nodes.find((each) => each.kind === "wait" || each.kind === "wait_for") ?? null
  }

  #result(): ActionResult {
    const until = DateTime.makeUnsafe(this.now + this.draw(10) * hour)
    switch (this.draw(6)) {
      case 0:
        return { kind: "refused", error: { code: "template_not_approved", detail: null } }
      case 1:
        return { kind: "wait", until, reason: "quiet_hours" }
      case 2:
        return { kind: "wait", until, reason: "retry" }
      default:
        return { kind: "done", effect: null }
    }
  }

  /** Result of a command; `null` for a command without a result. */
  answer(command: RunCommand): RunInput | null {
    const now = DateTime.makeUnsafe(this.now)
    switch (command._tag) {
      case "CheckGoals":
        return this.draw(60) === 0 ? { _tag: "ContactMissing", now } : { _tag: "GoalsChecked", now, ...this.#goals() }
      case "PerformAction":
        this.#actions += 1
        if (this.#actions > 1) this.faults.add("two actions are performed in one unit of work")
        return { _tag: "ActionDone", now, result: this.#result(), missing: this.draw(2) === 0 ? "template" : null }
      case "PlanWait":
        return { _tag: "WaitPlanned", now, until: DateTime.makeUnsafe(this.now + (this.draw(20) - 1) * hour) }
      case "AwaitEvent":
        return { _tag: "EventAwaited", now, since: 0, subject: null }
      case "CheckUnread":
        return { _tag: "UnreadChecked", now, hasUnread: this.draw(4) === 0 }
      case "EvaluateBranches":
        return { _tag: "BranchesEvaluated", now, results: [{ held: this.draw(2) === 0 }] }
      case "Save":
      case "OpenLane":
        return null
    }
  }

  /** Input from outside, or the due time. */
  drawInput(): RunInput {
    const now = DateTime.makeUnsafe(this.now)
    const node = findCurrentNode(this.course, this.state.run)
    const target = names[this.draw(names.length - 1)] ?? null
    switch (this.draw(42)) {
      case 40:
      case 41: {
        const wait = node?.kind === "wait" || node?.kind === "wait_for" ? node : this.#anyWait()
        const as = this.draw(2) === 0 ? "event" : "timeout"
        return wait === null ? { _tag: "Cancelled", now } : { _tag: "Continued", now, node: wait, as }
      }
      case 0:
        return { _tag: "Cancelled", now }
      case 1:
        return { _tag: "ContactBlocked", now }
      case 2:
        return { _tag: "Moved", now, version: 2, node: this.draw(8) === 0 ? null : target, stay: null }
      case 3:
        return { _tag: "Crashed", now, node: node?.kind === "action" ? node : null, result: this.#result() }
      case 4:
      case 5:
      case 6: {
        const received = node?.kind === "wait_for" ? { node, conditions: { held: true } } : null
        return {
          _tag: "EventArrived",
          now,
          event: { position: 1, type: "contact.created" },
          ...this.#goals(),
          received
        }
      }
      default: {
        const dueAt = this.state.progress.dueAt === null ? this.now : DateTime.toEpochMillis(this.state.progress.dueAt)
        this.now = Math.max(this.now, dueAt) + (this.draw(50) === 0 ? 30 * hour : 0)
        return { _tag: "Woken", now: DateTime.makeUnsafe(this.now) }
      }
    }
  }

  /** Applies an input in one unit of work; returns whether the run was stored. */
  apply(first: RunInput): boolean {
    this.#actions = 0
    let isSaved = false
    let input: RunInput | null = first
    this.state = toRunState(this.state)
    while (input !== null) {
      const { commands, state } = this.#step(this.course, this.state, input)
      this.#check(this.state, state, input)
      this.state = state
      if (isSaved && commands.length > 0) this.faults.add("a command follows the storage of the run")
      input = null
      for (const command of commands) {
        if (command._tag === "Save") isSaved = true
        input = this.answer(command)
      }
    }
    return isSaved
  }

  #check(before: RunState, { progress, run, steps }: RunState, input: RunInput) {
    const { endedAt, state, wakeAt } = run
    const isOver = ["completed", "exited", "failed", "cancelled"].includes(state)
    const sum = Object.values(progress.visits).reduce((all, count) => all + count, 0)
    const leaves = input._tag === "GoalsChecked" || input._tag === "EventArrived" ? input.leaves : null
    const faults = {
      "an ended run has no end time, or a live run has one": (endedAt !== null) !== isOver,
      "an ended run is due": isOver && (progress.dueAt !== null || progress.isResting),
      "a run has a wake time without waiting": wakeAt !== null && state !== "waiting" && state !== "held",
      "a run rests without waiting": progress.isResting && state === "running",
      "a run enters too many nodes": progress.places > 1_000,
      "visits do not add up": sum !== progress.places,
      "a run stays after a goal or an exit":
        before.run.endedAt === null && leaves !== null && run.reason !== leaves.reason,
      "a run leaves a node that it does not wait in":
        input._tag === "Continued" && !isWaitingIn(before, input.node.id) && run !== before.run,
      "a continued run stays in its wait":
        input._tag === "Continued" && isWaitingIn(before, input.node.id) && (progress.isResting || steps.length === 0),
      "a continued wait for an event leaves at the wrong exit":
        input._tag === "Continued" &&
        input.node.kind === "wait_for" &&
        isWaitingIn(before, input.node.id) &&
        endedAt === null &&
        run.node !== (input.as === "event" ? input.node.next : input.node.timeout),
      "a goal is reached twice": new Set(run.goals).size < run.goals.length,
      "steps are out of order": steps.some(({ place }, index) => place < (steps[index - 1]?.place ?? 0)),
      "a step has a later place than the run": steps.some(({ place }) => place > progress.places)
    }
    for (const [fault, isFound] of Object.entries(faults)) if (isFound) this.faults.add(fault)
  }
}
