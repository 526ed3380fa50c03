import { DateTime, Effect } from "effect"
import { CurrentActor, Permission, type Actor, transact, Transaction } from "../../../kernel/index.ts"
import type { Action } from "./Action.ts"
import type { ActionCause } from "./ActionCause.ts"
import { ActionEffects } from "./ActionEffects.ts"
import type { ActionFacts } from "./ActionFacts.ts"
import { type ActionResult, done } from "./ActionResult.ts"
import { carryOut } from "./carryOut.ts"
import { ActionRepeated, refusalOf } from "./Errors.ts"

/** What an action is performed for. */
export interface Performance {
  readonly cause: ActionCause
  readonly facts: ActionFacts
}

/** The actor who saved, enabled or started it held all required permissions. A later loss does not stop running work. */
const everything: ReadonlySet<Permission> = new Set(Permission.literals)

/** Who acts when an automation or a workflow does. */
export const actorFor = ({ id, kind }: ActionCause): Actor => ({
  kind: "delegate",
  for: { kind, id },
  permissions: everything
})

/** Has the effect that is in the unit of work known by its key. */
const keep = Effect.fnUntraced(function* (cause: ActionCause, result: ActionResult) {
  if (result.kind !== "done" || result.effect === null) return
  const isNew = yield* (yield* ActionEffects).add(cause, result.effect, yield* DateTime.now)
  if (!isNew) return yield* new ActionRepeated()
})

/**
 * Performs an action in the unit of work of whoever wants it to: all of it, or nothing. Performed once more for the same run, step and
 * visit, it has its effect no second time.
 */
export const performAction = Effect.fnUntraced(function* (action: Action, { cause, facts }: Performance) {
  yield* Transaction
  const effects = yield* ActionEffects
  const before = yield* effects.find(cause)
  if (before !== null) return done(before)
  return yield* carryOut(action, facts, cause).pipe(
    Effect.tap((result) => keep(cause, result)),
    transact,
    Effect.provideService(CurrentActor, actorFor(cause)),
    Effect.catchTag("ActionRepeated", () => Effect.map(effects.find(cause), done)),
    Effect.catch((error): Effect.Effect<ActionResult> => Effect.succeed({ kind: "refused", error: refusalOf(error) }))
  )
})
