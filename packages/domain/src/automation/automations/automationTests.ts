import { Effect, Option, Schema } from "effect"
import { StoreCarts, StoreOrders } from "../../commerce/index.ts"
import {
  AfterCommitHooks,
  CurrentActor,
  type NotFound,
  shownWith,
  Timestamp,
  transact,
  ValidationFailed
} from "../../kernel/index.ts"
import { Conversations, maskCodeOf, Messages, Notes } from "../../messaging/inbox/index.ts"
import { EventLog, type LoggedEvent, makeEventDecoder } from "../../platform/events/index.ts"
import { AutomationDefinition } from "./Automation.ts"
import type { Action, ActionTemplate, AutomationAction } from "./actions/Action.ts"
import {
  type ActionCause,
  type ActionError,
  type ActionFacts,
  type ActionResult,
  TriedAction
} from "./actions/ActionResult.ts"
import { toActionError } from "./actions/errors.ts"
import { actorFor, executeAction, type ActionExecution } from "./actions/performAction.ts"
import { renderAction } from "./actions/renderAction.ts"
import { type CallAnswer, answerIssue, CallAnswers, endCall } from "./requests/callAnswers.ts"
import { type StepVariables, usesSteps, withSteps } from "./runs/stepVariables.ts"
import { DueTest } from "./dueTests.ts"
import { ConditionExplanation } from "./conditions/ConditionInput.ts"
import { AnySourceEvent } from "./facts/eventFacts.ts"
import { AbortReason } from "./runs/AutomationRun.ts"
import { resolveCurrentContacts, eventContact } from "./runs/newRuns.ts"
import type { SourceEvent, Trigger } from "./triggers/Trigger.ts"
import { sourceEventTypes } from "./triggers/triggerEvents.ts"

const { if: condition, then, when } = AutomationDefinition.fields

/** Position of an event in the feed. */
export const FeedPosition = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { message: "Expected a position of the feed" })
)

export const AutomationTest = Schema.Struct({
  position: Schema.optionalKey(FeedPosition).annotateKey({
    description:
      "Position of an event in the feed, of any age. For a timer, the event that it counts from. Either this or `due`."
  }),
  due: Schema.optionalKey(DueTest).annotateKey({
    description:
      "Contact and time of an assumed occurrence, for an automation with a schedule or a date; it needs no earlier start."
  }),
  draft: Schema.optionalKey(
    Schema.Struct({
      when: Schema.optionalKey(when),
      if: Schema.optionalKey(condition),
      then: Schema.optionalKey(then)
    })
  ).annotateKey({ description: "Draft to test; missing fields use the saved values." }),
  answers: Schema.optionalKey(CallAnswers).annotateKey({
    description:
      "Assumed answers of HTTP requests and plugin actions, by the `id` of the action. Without one, the action is done without an answer."
  })
}).annotate({ identifier: "AutomationTest" })
export type AutomationTest = typeof AutomationTest.Type

/** Resource of an event whose facts conditions and texts read. */
const EventResource = Schema.Literals(["conversation", "message", "note", "order", "cart"])
type EventResource = typeof EventResource.Type

/** Preview of an automation for an event. */
export const AutomationTestResult = Schema.Struct({
  wouldRun: Schema.Boolean.annotateKey({
    description:
      "Whether the actions would run: the event and the conditions match, and nothing aborts the run. Always false for blocked contacts, imports and bulk changes, and with `due` for contacts outside of the audience."
  }),
  dueAt: Schema.NullOr(Timestamp)
    .annotateKey({
      description:
        "Time of the tested occurrence; null for the test of an event. It can show the time zone of the contact."
    })
    .pipe(shownWith("contacts.read")),
  abortReason: Schema.NullOr(AbortReason).annotateKey({
    description: "Why the run would be aborted; `null` if it would not be aborted."
  }),
  deletedResources: Schema.Array(EventResource).annotateKey({
    description:
      "Resources of the event that no longer exist. Conditions and texts see none of their values, so the result differs from that of a run at the time of the event."
  }),
  conditions: Schema.NullOr(ConditionExplanation).annotateKey({
    description: "Each condition with its value and result; `null` if the contact was deleted."
  }),
  actions: Schema.Array(TriedAction).annotateKey({
    description:
      "Result of each action after the previous ones, even if the automation would not run; empty if the contact was deleted."
  })
}).annotate({ identifier: "AutomationTestResult" })
export type AutomationTestResult = typeof AutomationTestResult.Type

const read = makeEventDecoder({ schema: AnySourceEvent })

/** Loads the event at a position if the trigger accepts it. */
export const sourceAt = Effect.fnUntraced(function* (position: number, when: Trigger, pointer = "/position") {
  const refused = (message: string) => new ValidationFailed({ errors: [{ pointer, message }] })
  const [found] = yield* (yield* EventLog).at([position])
  if (found === undefined) return yield* refused("There is no event at this position")
  const types: ReadonlyArray<string> = sourceEventTypes(when)
  const [logged] = types.includes(found.event.type) ? yield* read([found]) : []
  return logged ?? (yield* refused(`Expected the position of one of: ${types.join(", ")}`))
})

const isGone = <A, R>(found: Effect.Effect<A, NotFound, R>) => Effect.map(Effect.option(found), Option.isNone)

/** Finds the resources of an event that are deleted. */
export const findDeletedResources = Effect.fnUntraced(function* ({ event }: LoggedEvent<SourceEvent>) {
  const deleted: Array<EventResource> = []
  if ("conversationId" in event) {
    if (yield* isGone((yield* Conversations).get(event.conversationId))) deleted.push("conversation")
    const hasMessage = "messageId" in event
    if (hasMessage && (yield* isGone((yield* Messages).get(event.conversationId, event.messageId)))) {
      deleted.push("message")
    }
    if ("noteId" in event && (yield* isGone((yield* Notes).get(event.conversationId, event.noteId)))) {
      deleted.push("note")
    }
  }
  if ("orderId" in event && (yield* isGone((yield* StoreOrders).get(event.orderId)))) deleted.push("order")
  if ("cartId" in event && (yield* isGone((yield* StoreCarts).get(event.cartId)))) deleted.push("cart")
  const found: ReadonlyArray<EventResource> = deleted
  return found
})

const findEventContact = Effect.fnUntraced(function* (logged: LoggedEvent<SourceEvent>) {
  if (logged.event.type !== "cart.abandoned") return yield* eventContact(logged)
  const cart = yield* Effect.option((yield* StoreCarts).get(logged.event.cartId))
  return cart._tag === "None" ? null : cart.value.contactId
})

/** Finds the current contact of an event. A cart can have been linked later, and a contact can have been merged. */
export const currentContact = Effect.fnUntraced(function* (logged: LoggedEvent<SourceEvent>) {
  const id = yield* findEventContact(logged)
  return id === null ? null : ((yield* resolveCurrentContacts(new Set([id]))).get(id)?.id ?? null)
})

/** Rolls back the unit of work after a successful preview. */
class RehearsalDone extends Schema.TaggedError<RehearsalDone>()("Rehearsed", {}) {}

/** Runs a preview in a unit of work that is rolled back. Nothing is committed, so no hook runs. */
export const rolledBack = Effect.fnUntraced(function* <A, E, R>(preview: Effect.Effect<A, E, R>) {
  const last = { result: Option.none<A>() }
  const all = Effect.gen(function* () {
    last.result = Option.some(yield* preview)
    return yield* new RehearsalDone()
  })
  yield* transact(all).pipe(
    Effect.provideService(AfterCommitHooks, []),
    Effect.catchIf(
      (error): error is RehearsalDone => error instanceof RehearsalDone,
      () => Effect.void
    )
  )
  return Option.getOrThrow(last.result)
})

/** Preview of an action, and its result. */
export interface RehearsedAction {
  readonly tried: TriedAction
  readonly result: ActionResult
}

const maskTemplate = Effect.fnUntraced(function* (template: ActionTemplate) {
  return { ...template, values: yield* maskCodeOf(template.id, template.values ?? {}) }
})

/** Returns a rendered action without its one-time code. */
const withoutCode = Effect.fnUntraced(function* (action: Action) {
  if (action.type === "send_template") return { ...action, template: yield* maskTemplate(action.template) }
  if (action.type !== "send_message" || action.whenClosed === undefined) return action
  return { ...action, whenClosed: yield* maskTemplate(action.whenClosed) }
})

/** Performs an action in a nested unit of work. The caller rolls its effects back. */
export const rehearseAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: ActionExecution) {
  const { type } = action
  const refused = (rendered: Schema.Json, error: ActionError): RehearsedAction => ({
    tried: { type, rendered, refusal: error },
    result: { kind: "refused", error }
  })
  const made = yield* Effect.result(renderAction(action, facts))
  if (made._tag === "Failure") return refused(null, toActionError(made.failure))
  const rendered = (yield* withoutCode(made.success)) as Schema.Json
  return yield* executeAction(made.success, facts, cause).pipe(
    Effect.map((result): RehearsedAction => ({ tried: { type, rendered, refusal: null }, result })),
    transact,
    Effect.provideService(CurrentActor, actorFor(cause)),
    Effect.catch((error) => Effect.succeed(refused(rendered, toActionError(error))))
  )
})

const noAnswers: Readonly<Record<string, CallAnswer>> = {}

const answerOf = (answers: Readonly<Record<string, CallAnswer>>, id: string | undefined): CallAnswer | undefined =>
  id !== undefined && Object.hasOwn(answers, id) ? answers[id] : undefined

/** Fails for an answer of an action that is no call. */
export const checkAnswers = Effect.fnUntraced(function* (
  actions: ReadonlyArray<AutomationAction>,
  answers: Readonly<Record<string, CallAnswer>> = noAnswers
) {
  const errors = Object.entries(answers).flatMap(([name, answer]) => {
    const pointer = `/answers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
    return (
      answerIssue(
        actions.find(({ id }) => id === name),
        answer,
        pointer
      ) ?? []
    )
  })
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
})

/** Performs an action in the unit of work of a preview. A call ends with its assumed answer. */
const rehearseStep = Effect.fnUntraced(function* (
  action: AutomationAction,
  execution: ActionExecution,
  answer: CallAnswer | undefined
) {
  const { result: rehearsed, tried } = yield* rehearseAction(action, execution)
  const { output, result } = endCall(rehearsed, answer)
  const error = result.kind === "refused" ? result.error : null
  const effect = result.kind === "done" ? result.effect : null
  const step: StepVariables = { state: error === null ? "done" : "failed", effect, error, output }
  return { tried: { ...tried, refusal: error }, step }
})

/**
 * Previews actions in order with the current rules, and rolls back all effects. `factsNow` returns the facts before
 * each action, including earlier effects. Quiet hours do not refuse an action. The preview continues after a refusal. Nothing is called: `answers` are
 * the assumed answers of calls.
 */
export const tryActions = <E, R>(
  actions: ReadonlyArray<AutomationAction>,
  cause: ActionCause,
  factsNow: Effect.Effect<ActionFacts, E, R>,
  answers: Readonly<Record<string, CallAnswer>> = noAnswers
) =>
  rolledBack(
    Effect.gen(function* () {
      const tried: Array<TriedAction> = []
      const steps: Record<string, StepVariables> = {}
      for (const [index, action] of actions.entries()) {
        const facts = yield* factsNow
        const execution = {
          cause: { ...cause, step: String(index) },
          facts: usesSteps(action) ? withSteps(facts, { ...steps }) : facts
        }
        const rehearsed = yield* rehearseStep(action, execution, answerOf(answers, action.id))
        tried.push(rehearsed.tried)
        if (action.id !== undefined) steps[action.id] = rehearsed.step
      }
      const outcome: ReadonlyArray<TriedAction> = tried
      return outcome
    })
  )

/** Previews one action. */
export const tryAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: ActionExecution) {
  const [tried] = yield* tryActions([action], cause, Effect.succeed(facts))
  return tried ?? (yield* Effect.die(new Error("The action was not tried.")))
})
