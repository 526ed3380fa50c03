import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { MessageTemplateState } from "./Errors.ts"
import type { MessageTemplateId } from "./Ids.ts"
import type { MessageTemplate, TemplateStatus } from "./MessageTemplate.ts"
import { MessageTemplates } from "./MessageTemplates.ts"

/** Longer than the provider takes to answer. The lease of a process that died expires after this time. */
const leaseTime = { minutes: 5 }

const beingSubmitted = (allowed: ReadonlyArray<TemplateStatus>) =>
  new MessageTemplateState({ status: "pending", allowed })

/** Refuses to change a template that is being submitted. Call it under the lock of templates. */
export const requireUnleased = Effect.fnUntraced(function* (
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>
) {
  if (yield* (yield* MessageTemplates).isLeased(id, yield* DateTime.now)) return yield* beingSubmitted(allowed)
})

const lease = Effect.fnUntraced(function* <E>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E>
) {
  const templates = yield* MessageTemplates
  yield* (yield* Locks).exclusive("message_templates")
  const template = yield* templates.get(id)
  yield* check(template)
  const now = yield* DateTime.now
  return (yield* templates.lease(id, now, DateTime.add(now, leaseTime))) ? template : yield* beingSubmitted(allowed)
}, transact)

const release = Effect.fnUntraced(function* (id: MessageTemplateId) {
  yield* (yield* MessageTemplates).release(id)
}, transact)

/** Leases a template that passes the check while the provider is asked about it. Nobody changes it until the answer is stored. */
export const withTemplateLease = <E1, A, E, R>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E1>,
  use: (template: MessageTemplate) => Effect.Effect<A, E, R>
) => Effect.acquireUseRelease(lease(id, allowed, check), use, () => release(id))
