import { Context, DateTime, Effect } from "effect"
import {
  Locks,
  type NotFound,
  type Slice,
  type TenantScoped,
  transact,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import type { ChatAccountId, MessageTemplateId } from "./ChatAccount.ts"
import type { MessageTemplate, TemplateStatus } from "./MessageTemplate.ts"
import { type MessageTemplateExists, MessageTemplateStatusInvalid } from "./errors.ts"
import { appendEvent } from "./events.ts"

/** Filters of templates; `null` matches all. */
export interface MessageTemplateQuery {
  readonly chatAccountId: ChatAccountId | null
  readonly status: TemplateStatus | null
  /** Prefix of the name. */
  readonly name: string | null
}

export class MessageTemplates extends Context.Service<
  MessageTemplates,
  TenantScoped<{
    readonly get: (id: MessageTemplateId) => Effect.Effect<MessageTemplate, NotFound>
    /** Returns the existing templates, in no order. */
    readonly find: (ids: ReadonlyArray<MessageTemplateId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** Sorted by name, language and id, which are the key of a row. */
    readonly list: (query: MessageTemplateQuery, slice: Slice) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** Returns all templates of these accounts, in no order. A provider stores a few hundred at most. */
    readonly ofAccounts: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    readonly insert: (template: MessageTemplate) => Effect.Effect<void, MessageTemplateExists, Transaction>
    /** Stores it with its version raised by one, if the stored version equals the expected one. Account, name and language stay. */
    readonly save: (
      template: MessageTemplate,
      expected: number | null
    ) => Effect.Effect<MessageTemplate, NotFound | VersionConflict, Transaction>
    /** Leases it until then, during a call of the provider; `false` if another process holds the lease. */
    readonly lease: (
      id: MessageTemplateId,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<boolean, never, Transaction>
    readonly release: (id: MessageTemplateId) => Effect.Effect<void, never, Transaction>
    readonly isLeased: (id: MessageTemplateId, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly remove: (
      id: MessageTemplateId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/messaging/chat/MessageTemplates") {}

/** Fails unless the template is in one of these statuses. */
export const requireTemplateStatus = ({ status }: MessageTemplate, allowed: ReadonlyArray<TemplateStatus>) =>
  allowed.includes(status) ? Effect.void : Effect.fail(new MessageTemplateStatusInvalid({ status, allowed }))

/** Stores a template that was read under the lock of templates, and appends the events of its changes. */
export const saveTemplate = Effect.fnUntraced(function* (before: MessageTemplate, after: MessageTemplate) {
  const saved = yield* Effect.catchTag(
    (yield* MessageTemplates).save(after, before.version),
    "VersionConflict",
    (error) => Effect.die(error)
  )
  const messageTemplateId = after.id
  yield* appendEvent(
    before.status === after.status
      ? { type: "message_template.updated", messageTemplateId }
      : { type: "message_template.status_changed", messageTemplateId, from: before.status, to: after.status }
  )
  return saved
})

/** Longer than a provider call. After this time the lease of a crashed process expires. */
const leaseTime = { minutes: 5 }

const submissionInProgress = (allowed: ReadonlyArray<TemplateStatus>) =>
  new MessageTemplateStatusInvalid({ status: "pending", allowed })

/** Refuses to change a template during its submission. Call it under the lock of templates. */
export const requireUnleased = Effect.fnUntraced(function* (
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>
) {
  if (yield* (yield* MessageTemplates).isLeased(id, yield* DateTime.now)) return yield* submissionInProgress(allowed)
})

const lease = Effect.fnUntraced(function* <E, R>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E, R>
) {
  const templates = yield* MessageTemplates
  yield* (yield* Locks).exclusive("message_templates")
  const template = yield* templates.get(id)
  yield* check(template)
  const now = yield* DateTime.now
  return (yield* templates.lease(id, now, DateTime.add(now, leaseTime)))
    ? template
    : yield* submissionInProgress(allowed)
}, transact)

const release = Effect.fnUntraced(function* (id: MessageTemplateId) {
  yield* (yield* MessageTemplates).release(id)
}, transact)

const leaseAll = <E, R>(
  ids: ReadonlyArray<MessageTemplateId>,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E, R>
) => transact(Effect.forEach(ids, (id) => lease(id, allowed, check)))

const releaseAll = (ids: ReadonlyArray<MessageTemplateId>) =>
  transact(Effect.forEach(ids, (id) => release(id), { discard: true }))

/** Leases templates that pass the check during one call of the provider, or none of them. */
export const withTemplateLeases = <E1, R1, A, E, R>(
  ids: ReadonlyArray<MessageTemplateId>,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E1, R1>,
  use: Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    leaseAll(ids, allowed, check),
    () => use,
    () => releaseAll(ids)
  )

/** Leases a template that passes the check during a call of the provider. No other change is possible until the answer is stored. */
export const withTemplateLease = <E1, R1, A, E, R>(
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>,
  check: (template: MessageTemplate) => Effect.Effect<void, E1, R1>,
  use: (template: MessageTemplate) => Effect.Effect<A, E, R>
) => Effect.acquireUseRelease(lease(id, allowed, check), use, () => release(id))
