import { Effect, Schema } from "effect"
import { Afterwards, CurrentActor, transact } from "../../kernel/index.ts"
import type { Action } from "./Action.ts"
import type { ActionError, TriedAction } from "./ActionResult.ts"
import { carry } from "./carryOut.ts"
import { refusalOf } from "./Errors.ts"
import { actorFor, type Performance } from "./performAction.ts"
import { renderAction } from "./renderAction.ts"

/** The action would have been performed: so all of it is taken back. */
class Rehearsed extends Schema.TaggedError<Rehearsed>()("Rehearsed", {}) {}

/**
 * What an action would do now, as the rules say today: it is performed, and taken back before anybody sees it. What would wait for the end
 * of quiet hours is not refused.
 */
export const tryAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: Performance) {
  const { type } = action
  const refused = (rendered: Schema.Json, refusal: ActionError): TriedAction => ({ type, rendered, refusal })
  const made = yield* Effect.result(renderAction(action, facts))
  if (made._tag === "Failure") return refused(null, refusalOf(made.failure))
  const rendered = made.success as Schema.Json
  return yield* carry(made.success, facts, cause).pipe(
    Effect.andThen(Effect.fail(new Rehearsed())),
    transact,
    // Nothing of it is committed, so nothing follows.
    Effect.provideService(Afterwards, []),
    Effect.provideService(CurrentActor, actorFor(cause)),
    Effect.catch((error) =>
      Effect.succeed(
        error._tag === "Rehearsed" ? { type, rendered, refusal: null } : refused(rendered, refusalOf(error))
      )
    )
  )
})
