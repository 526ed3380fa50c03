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

/** Which templates to read; `null` is all of them. */
export interface MessageTemplateQuery {
  readonly chatAccountId: ChatAccountId | null
  readonly status: TemplateStatus | null
  /** What the name begins with. */
  readonly name: string | null
}

/** The message templates of the organization. */
export class MessageTemplates extends Context.Service<
  MessageTemplates,
  TenantScoped<{
    readonly get: (id: MessageTemplateId) => Effect.Effect<MessageTemplate, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<MessageTemplateId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** By name, then language, then id, which are the key of a row. */
    readonly list: (query: MessageTemplateQuery, slice: Slice) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    /** Every template of these accounts, in no order: a provider keeps some hundreds at most. */
    readonly ofAccounts: (ids: ReadonlyArray<ChatAccountId>) => Effect.Effect<ReadonlyArray<MessageTemplate>>
    readonly insert: (template: MessageTemplate) => Effect.Effect<void, MessageTemplateExists, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one. Account, name and language stay. */
    readonly save: (
      template: MessageTemplate,
      expected: number | null
    ) => Effect.Effect<MessageTemplate, NotFound | VersionConflict, Transaction>
    /** Leases it until then, while the provider is asked about it; `false` if somebody else has the lease. */
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

/** Refuses what can be done to a template only while it is in one of these states. */
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

/** Longer than the provider takes to answer. The lease of a process that died expires after this time. */
const leaseTime = { minutes: 5 }

const submissionInProgress = (allowed: ReadonlyArray<TemplateStatus>) =>
  new MessageTemplateStatusInvalid({ status: "pending", allowed })

/** Refuses to change a template that is being submitted. Call it under the lock of templates. */
export const requireUnleased = Effect.fnUntraced(function* (
  id: MessageTemplateId,
  allowed: ReadonlyArray<TemplateStatus>
) {
  if (yield* (yield* MessageTemplates).isLeased(id, yield* DateTime.now)) return yield* submissionInProgress(allowed)
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
  return (yield* templates.lease(id, now, DateTime.add(now, leaseTime)))
    ? template
    : yield* submissionInProgress(allowed)
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
