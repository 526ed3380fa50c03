import { Effect, Schema } from "effect"
import { type Contact, type ContactId, Contacts } from "../../../crm/index.ts"
import { NotFound, ValidationFailed, type ValidationIssue } from "../../../kernel/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import {
  answerIssue,
  CallAnswer,
  currentContact,
  type SourceEvent,
  sourceAt,
  type Trigger,
  type WorkflowId
} from "../../automations/index.ts"
import { Workflows } from "../Workflow.ts"
import type { Graph, WorkflowEntry } from "../graph/Graph.ts"
import type { NodeId, WaitForNode } from "../graph/Node.ts"
import { validateForTest, validateWorkflowGraph } from "../workflowChecks.ts"
import type { LoadedAnswer } from "./walk.ts"
import type { WaitAnswer, WorkflowTest } from "./WorkflowTest.ts"

const issue = (pointer: string, message: string): ValidationIssue => ({ pointer, message })

/** Issue of a contact that does not exist. */
export const unknownContact = issue("/contactId", new NotFound({ resource: "contact" }).message)

const pointerTo = (name: string) => `/answers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

/** Graph of a version; the draft without one. */
export const loadTestGraph = Effect.fnUntraced(function* (id: WorkflowId, version: number | undefined) {
  const workflows = yield* Workflows
  const { graph } = yield* workflows.get(id)
  if (version === undefined) return graph
  const found = yield* Effect.option(workflows.version(id, version))
  if (found._tag === "Some") return found.value.graph
  const errors = [issue("/version", "There is no published version with this number")]
  return yield* new ValidationFailed({ errors })
})

/** An event that belongs to the contact and fits the trigger, or its issues. */
const loadEvent = Effect.fnUntraced(function* (
  position: number,
  trigger: Trigger,
  contactId: ContactId,
  pointer: string
) {
  const source = yield* Effect.result(sourceAt(position, trigger, pointer))
  if (source._tag === "Failure") return { event: null, errors: source.failure.errors }
  const isTheirs = (yield* currentContact(source.success)) === contactId
  const errors = isTheirs ? [] : [issue(pointer, "Expected an event about the contact")]
  return { event: source.success, errors }
})

type LoadedEvent = Effect.Success<ReturnType<typeof loadEvent>>

const noEvent: LoadedEvent = { event: null, errors: [] }

const loadSource = Effect.fnUntraced(function* (
  { contactId, position }: WorkflowTest,
  entry: WorkflowEntry | undefined
) {
  if (position === undefined || entry === undefined) return noEvent
  const trigger = entry.event ?? null
  if (trigger !== null) return yield* loadEvent(position, trigger, contactId, "/position")
  return { event: null, errors: [issue("/position", "Expected no position. Only calls start this workflow")] }
})

const isCallAnswer = Schema.is(CallAnswer)

/** Loads the event of an answer. */
const loadAnswer = Effect.fnUntraced(function* (
  [name, answer]: readonly [string, WaitAnswer],
  node: WaitForNode | undefined,
  contactId: ContactId
) {
  const none: LoadedAnswer | null = null
  const pointer = pointerTo(name)
  if (node === undefined) {
    return { answer: none, errors: [issue(pointer, "The workflow has no wait for an event with this id")] }
  }
  if (typeof answer === "string") return { answer: answer === "event" ? answer : none, errors: [] }
  const { errors, event } = yield* loadEvent(answer.position, node.event, contactId, `${pointer}/position`)
  return { answer: event, errors }
})

/** Everything that a test needs. */
export interface LoadedTest {
  readonly version: number | null
  readonly graph: Graph
  readonly entry: WorkflowEntry
  readonly contact: Contact
  readonly source: LoggedEvent<SourceEvent> | null
  readonly answers: ReadonlyMap<NodeId, LoadedAnswer>
  /** Assumed answers of calls. */
  readonly callAnswers: ReadonlyMap<NodeId, CallAnswer>
  readonly input: NonNullable<WorkflowTest["input"]>
  /** Validation errors of a draft. */
  readonly faults: ReadonlyArray<ValidationIssue>
}

/** Loads the contact, the start event and the answers of a test. Fails with all errors of the request, and of the conditions and schedules in the graph. */
export const loadTest = Effect.fnUntraced(function* (graph: Graph, test: WorkflowTest) {
  const { contactId } = test
  const [contact] = yield* (yield* Contacts).find([contactId])
  const { entry, nodes } = graph
  const waits = new Map(nodes.flatMap((node) => (node.kind === "wait_for" ? [[node.id as string, node] as const] : [])))
  const source = contact === undefined ? noEvent : yield* loadSource(test, entry)
  const answers = new Map<NodeId, LoadedAnswer>()
  const errors: Array<ValidationIssue> = contact === undefined ? [unknownContact] : [...source.errors]
  const callAnswers = new Map<NodeId, CallAnswer>()
  for (const [name, answer] of Object.entries(test.answers ?? {})) {
    if (isCallAnswer(answer)) {
      const called = nodes.find(({ id }) => id === name)
      const issue = answerIssue(called?.kind === "action" ? called.action : undefined, answer, pointerTo(name))
      if (issue !== null) errors.push(issue)
      else if (called !== undefined) callAnswers.set(called.id, answer)
      continue
    }
    const node = waits.get(name)
    if (contact === undefined && node !== undefined) continue
    const loaded = yield* loadAnswer([name, answer], node, contactId)
    errors.push(...loaded.errors)
    if (node !== undefined && loaded.answer !== null) answers.set(node.id, loaded.answer)
  }
  const blocking = yield* validateForTest(graph)
  const faults = test.version === undefined ? yield* validateWorkflowGraph(graph) : blocking
  if (blocking.length > 0) errors.push(...faults)
  if (entry === undefined) errors.push(issue("/graph/entry", "Expected an entry"))
  if (contact === undefined || entry === undefined || errors.length > 0) return yield* new ValidationFailed({ errors })
  const loaded: LoadedTest = {
    version: test.version ?? null,
    graph,
    entry,
    contact,
    source: source.event,
    answers,
    callAnswers,
    input: test.input ?? {},
    faults
  }
  return loaded
})
