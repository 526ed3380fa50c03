import { DateTime, Effect, Result } from "effect"
import { Contacts } from "../../crm/index.ts"
import {
  CurrentOrganization,
  invalid,
  NotFound,
  RateLimits,
  requireReach,
  transact,
  useCase
} from "../../kernel/index.ts"
import {
  type ChannelFailure,
  fillTemplate,
  MessageTemplates,
  type FilledTemplate,
  validateOfferExpiry,
  withTemplateFiles
} from "../../messaging/chat/index.ts"
import { AccountPaces, ChatAccountDisconnected, TemplateNotApproved } from "../../messaging/inbox/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { type Broadcast, broadcastMessages, type VariantKey } from "../Broadcast.ts"
import {
  reserveTestRecipients,
  toFailedTestResult,
  type NewBroadcastTest,
  loadTestRefusals,
  sendTestMessage
} from "../BroadcastTest.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { BroadcastTestsThrottled } from "../errors.ts"
import { loadSendContext, type SendContext } from "../sending/SendContext.ts"

const quota = { limit: 20, windowMillis: 60 * 60_000 }

/** A contact without data, so only constants and fallbacks remain. */
const emptyContact = { name: null, phone: null, email: null, locale: null, attributes: {} }

const spend = Effect.fnUntraced(function* (count: number) {
  const { id } = yield* CurrentOrganization
  const limits = yield* RateLimits
  const bucket = `broadcast-tests:${id}`
  const { granted, resetsAt } = yield* limits.spend(bucket, quota, count)
  if (granted >= count) return
  yield* limits.refund(bucket, quota, granted)
  const millis = DateTime.toEpochMillis(resetsAt) - DateTime.toEpochMillis(yield* DateTime.now)
  return yield* new BroadcastTestsThrottled({ retryAfterSeconds: Math.max(1, Math.ceil(millis / 1_000)) })
})

/** Fails with the problems of messages that cannot be sent. */
const rejectUnsendableMessages = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const messages = broadcastMessages(broadcast)
  const found = yield* (yield* MessageTemplates).find(messages.flatMap(({ templateId }) => templateId ?? []))
  const refused = found.find(({ status }) => status !== "approved")
  if (refused !== undefined) return yield* new TemplateNotApproved({ status: refused.status })
  const lacking = messages.find(({ templateId }) => !found.some(({ id }) => id === templateId))
  if (lacking !== undefined) return yield* invalid(`${lacking.pointer}/templateId`, "Expected a message template")
  return yield* invalid(broadcast.variants === null ? "/variables" : "/variants", "Expected existing files")
})

const requireSendContext = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const context = yield* loadSendContext(broadcast, new Map())
  if (context.unfit === undefined) return context
  switch (context.unfit) {
    case "template":
      return yield* rejectUnsendableMessages(broadcast)
    case "chat_account_removed":
      return yield* invalid("/chatAccountId", "Expected an existing chat account")
    default:
      return yield* new ChatAccountDisconnected()
  }
})

const isChannelFailure = (error: { readonly _tag: string }): error is ChannelFailure =>
  error._tag === "ChannelRefused" || error._tag === "ChannelUnreachable"

const loadContact = (id: NewBroadcastTest["contactId"]) =>
  id === undefined
    ? Effect.succeed(emptyContact)
    : Effect.mapError(
        Effect.flatMap(Contacts, (contacts) => contacts.get(id)),
        ({ resource }) => new NotFound({ resource, pointer: "/contactId" })
      )

const isTemplateFilling = (filled: ReturnType<typeof fillTemplate>): filled is FilledTemplate => !Array.isArray(filled)

/** Fills the message for the contact. */
const fillMessage = Effect.fnUntraced(function* (
  { contactId, variant }: NewBroadcastTest,
  broadcast: Broadcast,
  { files, messages }: SendContext
) {
  const key: VariantKey | null = variant ?? broadcastMessages(broadcast)[0]?.variant ?? null
  const message = messages.get(key)
  if (message === undefined) return yield* invalid("/variant", "Expected a variant of the broadcast")
  const { missing, values } = message.render(yield* loadContact(contactId))
  if (missing !== null) {
    return yield* invalid("/contactId", `Expected a contact with values for these variables: ${missing.join(", ")}`)
  }
  const filled = fillTemplate(message.template, values, "/variables")
  const ended = validateOfferExpiry(values, "/variables", yield* DateTime.now)
  if (!isTemplateFilling(filled) || ended.length > 0)
    return yield* invalid("/contactId", "Expected a contact with values that fit the template")
  return withTemplateFiles(filled, (mediaId) => files.get(mediaId))
})

/**
 * Sends a broadcast to a few numbers with the values of one contact. Only the daily limit of the business counts it. Only blocked and opted-out
 * contacts are excluded.
 */
export const testBroadcast = useCase(
  {
    name: "broadcasts.test",
    access: { permission: "broadcasts.send" },
    actsThrough: "broadcast",
    audit: "broadcast.tested"
  },
  Effect.fnUntraced(function* ({ id, ...test }: { readonly id: BroadcastId } & NewBroadcastTest) {
    // The test recipients read the values of the contact, and a refused number shows a block or an opt-out.
    yield* requireReach(["contacts.read"])
    const broadcast = yield* (yield* Broadcasts).get(id)
    const read = yield* Effect.result(requireSendContext(broadcast))
    // The provider rejected the file of the message.
    if (Result.isFailure(read)) {
      const { failure } = read
      if (isChannelFailure(failure)) return { results: test.to.map(toFailedTestResult(failure)) }
      return yield* failure
    }
    const context = read.success
    const filling = yield* fillMessage(test, broadcast, context)
    const refusal = yield* loadTestRefusals(test.to)
    yield* spend(test.to.length)
    yield* transact(recordAudit("broadcast.tested", { kind: "broadcast", id }, { after: { numbers: test.to.length } }))
    const { account } = context
    const pace = yield* (yield* AccountPaces).here(account.id)
    yield* pace.allow(account.throughputPerSecond)
    const results = yield* Effect.forEach(test.to, (to) => {
      const error = refusal(to)
      return error === null
        ? sendTestMessage(to, filling, context, pace)
        : Effect.succeed({ to, status: "refused" as const, error })
    })
    const reached = results.filter(({ status }) => status === "sent" || status === "in_doubt")
    yield* reserveTestRecipients(
      account,
      reached.map(({ to }) => to)
    )
    return { results }
  })
)
