import { DateTime, Effect } from "effect"
import { Locks, transact } from "../kernel/index.ts"
import { MessageTemplateState } from "./Errors.ts"
import type { MessageTemplateId } from "./Ids.ts"
import type { MessageTemplate, TemplateStatus } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"

/** Longer than the provider takes to answer; whoever died with a template in hand is waited for no longer. */
const holdFor = { minutes: 5 }

const inHand = (allowed: ReadonlyArray<TemplateStatus>) => new MessageTemplateState({ status: "pending", allowed })

/** Refuses to change a template that somebody is handing to the provider. It is asked under the lock of templates. */
export const requireUnheld = Effect.fnUntraced(function* (
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>
) {
  if (yield* (yield* MessageTemplates).isHeld(id, yield* DateTime.now)) return yield* inHand(allowed)
})

const hold = Effect.fnUntraced(function* <E>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E>
) {
  const templates = yield* MessageTemplates
  yield* (yield* Locks).exclusive("message_templates")
  const template = yield* templates.get(id)
  yield* check(template)
  const now = yield* DateTime.now
  return (yield* templates.hold(id, now, DateTime.add(now, holdFor))) ? template : yield* inHand(allowed)
}, transact)

const letGo = Effect.fnUntraced(function* (id: MessageTemplateId) {
  yield* (yield* MessageTemplates).letGo(id)
}, transact)

/** Asks the provider about a template that passes the check. Nobody changes it until the answer is kept. */
export const withTemplateHeld = <E1, A, E, R>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E1>,
  use: (template: MessageTemplate) => Effect.Effect<A, E, R>
) => Effect.acquireUseRelease(hold(id, allowed, check), use, () => letGo(id))
