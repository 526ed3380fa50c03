import { Effect, Schema } from "effect"
import { Afterwards, CurrentActor, transact } from "../../../kernel/index.ts"
import type { Action } from "./Action.ts"
import type { ActionCause } from "./ActionCause.ts"
import type { ActionFacts } from "./ActionFacts.ts"
import type { ActionError, TriedAction } from "./ActionResult.ts"
import { carry } from "./carryOut.ts"
import { refusalOf } from "./Errors.ts"
import { actorFor, type Performance } from "./performAction.ts"
import { renderAction } from "./renderAction.ts"

/** All that was to be tried was performed: so all of it is taken back. */
class Rehearsed extends Schema.TaggedError<Rehearsed>()("Rehearsed", {}) {}

/** Performs an action, or nothing of it, in a unit of work that is taken back. */
const rehearse = Effect.fnUntraced(function* (action: Action, { cause, facts }: Performance) {
  const { type } = action
  const refused = (rendered: Schema.Json, refusal: ActionError): TriedAction => ({ type, rendered, refusal })
  const made = yield* Effect.result(renderAction(action, facts))
  if (made._tag === "Failure") return refused(null, refusalOf(made.failure))
  const rendered = made.success as Schema.Json
  const tried: TriedAction = { type, rendered, refusal: null }
  return yield* carry(made.success, facts, cause).pipe(
    Effect.as(tried),
    transact,
    Effect.provideService(CurrentActor, actorFor(cause)),
    Effect.catch((error) => Effect.succeed(refused(rendered, refusalOf(error))))
  )
})

/**
 * What actions would do now one after the other, as the rules say today: they are performed, and all of it is taken back before anybody
 * sees it. `factsNow` is what is known before each, with what the former ones did. What would wait for the end of quiet hours is not
 * refused, and what comes after a refusal is tried all the same.
 */
export const tryActions = Effect.fnUntraced(function* <E, R>(
  actions: ReadonlyArray<Action>,
  cause: ActionCause,
  factsNow: Effect.Effect<ActionFacts, E, R>
) {
  const tried: Array<TriedAction> = []
  const all = Effect.gen(function* () {
    tried.length = 0
    for (const [index, action] of actions.entries()) {
      tried.push(yield* rehearse(action, { cause: { ...cause, step: String(index) }, facts: yield* factsNow }))
    }
    return yield* new Rehearsed()
  })
  yield* transact(all).pipe(
    // Nothing of it is committed, so nothing follows.
    Effect.provideService(Afterwards, []),
    Effect.catchIf(
      (error): error is Rehearsed => error instanceof Rehearsed,
      () => Effect.void
    )
  )
  const outcome: ReadonlyArray<TriedAction> = tried
  return outcome
})

/** What one action would do now. */
export const tryAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: Performance) {
  const [tried] = yield* tryActions([action], cause, Effect.succeed(facts))
  return tried ?? (yield* Effect.die(new Error("The action was not tried.")))
})
