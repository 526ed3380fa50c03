import type { OwnedShard } from "@parley/domain/platform"
import { type ChatAccountId, type SendLease, SendQueue, type PendingMessageRow } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, type Tenant } from "../../store/State.ts"
import type { ChatAccountRow, SendRow } from "../state.ts"
import { Store, type Written } from "../../store/Store.ts"

/** Of each conversation over the account, the message that goes next. */
const firsts = ({ sends }: Tenant, account: ChatAccountId): ReadonlyArray<SendRow> => {
  const conversations = new Set<string>()
  return sends.filter(({ chatAccountId, conversationId }) => {
    const isFirst = !conversations.has(conversationId)
    conversations.add(conversationId)
    return isFirst && chatAccountId === account
  })
}

const comesFirst = (one: SendRow, other: SendRow) =>
  DateTime.Order(one.runnableAt, other.runnableAt) || (one.messageId < other.messageId ? -1 : 1)

/** Returns the earliest send time. A pause of the account delays it unless the provider was already called. */
const dueAt = (tenant: Tenant, { chatAccountId, hasBegun, runnableAt }: SendRow) => {
  const restsUntil = rowAt(tenant.chatAccounts, chatAccountId)?.restsUntil ?? null
  return restsUntil === null || hasBegun ? runnableAt : DateTime.max(restsUntil, runnableAt)
}

const isOwned = ({ workShards }: State, { fence, shard, task }: OwnedShard) =>
  workShards.some((row) => row.task === task && row.shard === shard && row.fence === fence)

/**
 * Once a call has begun, only its sender knows what came of it. Until then it may be unknown whether it was stored that one
 * begins: if it was, that was this one, and none has been made.
 */
const isLeased = (state: State, { hasBegun, lane, messageId, reader, revision }: SendLease, row: SendRow) =>
  row.messageId === messageId &&
  (hasBegun
    ? row.revision === revision
    : (row.revision === revision && isOwned(state, lane)) ||
      (row.revision === revision + 1 && row.hasBegun && row.begunBy === reader))

const changeAccount =
  (id: ChatAccountId, change: (row: ChatAccountRow) => Partial<ChatAccountRow>) =>
  ({ chatAccounts }: Tenant): Written<ChatAccountRow | null, Partial<Tenant>> => {
    const before = rowAt(chatAccounts, id)
    if (before === null) return [null, {}]
    const after = { ...before, ...change(before) }
    return [after, { chatAccounts: HashMap.set(chatAccounts, id, after) }]
  }

/** Changes the row of the lease and returns whether it exists. */
const underLease =
  (lease: SendLease, change: (row: SendRow) => Partial<SendRow>) =>
  ({ sends }: Tenant, state: State): Written<boolean, Partial<Tenant>> => {
    const before = sends.find((row) => isLeased(state, lease, row))
    if (before === undefined) return [false, {}]
    const after = { ...before, revision: before.revision + 1, ...change(before) }
    return [true, { sends: sends.map((row) => (row === before ? after : row)) }]
  }

export const layer = Layer.effect(
  SendQueue,
  Effect.map(Store, (store) =>
    SendQueue.of({
      next: (lane, { except, limit, now, reader }) =>
        store.readTenant((tenant) =>
          firsts(tenant, lane.key as ChatAccountId)
            .filter((row) => DateTime.isLessThanOrEqualTo(dueAt(tenant, row), now) && !except.includes(row.messageId))
            .toSorted(comesFirst)
            .slice(0, limit)
            .map(({ attempts, chatAccountId, conversationId, hasBegun, messageId, revision }) => ({
              lane,
              reader,
              messageId,
              conversationId,
              chatAccountId,
              revision,
              attempts: attempts + 1,
              failures: rowAt(tenant.chatAccounts, chatAccountId)?.failures ?? 0,
              interrupted: hasBegun,
              hasBegun: false
            }))
        ),
      nextDue: (id) =>
        store.readTenant((tenant) => {
          const [next] = firsts(tenant, id)
            .map((row) => dueAt(tenant, row))
            .toSorted(DateTime.Order)
          return next ?? null
        }),
      read: (leases) =>
        store.readTenant(({ chatAccounts, contacts, conversations, messages }) =>
          leases.flatMap(({ messageId }): ReadonlyArray<PendingMessageRow> => {
            const message = rowAt(messages, messageId)?.message
            const conversation = message && rowAt(conversations, message.conversationId)?.conversation
            if (message === undefined || conversation === undefined) return []
            const provider = rowAt(chatAccounts, conversation.chatAccountId)?.account.provider ?? null
            return [{ message, conversation, provider, contact: rowAt(contacts, conversation.contactId) }]
          })
        ),
      beginAll: (leases) =>
        store.writeTenant((tenant, state) => {
          const begun = leases.filter((lease) =>
            tenant.sends.some((row) => isLeased(state, lease, row) && !row.hasBegun)
          )
          const readers = new Map(begun.map(({ messageId, reader }) => [messageId, reader]))
          const sends = tenant.sends.map((row) => {
            const begunBy = readers.get(row.messageId)
            return begunBy === undefined ? row : { ...row, revision: row.revision + 1, hasBegun: true, begunBy }
          })
          return [begun.map((lease) => ({ ...lease, revision: lease.revision + 1, hasBegun: true })), { sends }]
        }),
      settleAll: (leases) =>
        store.writeTenant((tenant, state) => {
          const settled = new Set(
            leases
              .filter((lease) => tenant.sends.some((row) => isLeased(state, lease, row)))
              .map(({ messageId }) => messageId)
          )
          return [settled, { sends: tenant.sends.filter(({ messageId }) => !settled.has(messageId)) }]
        }),
      postpone: (lease, until) =>
        store.writeTenant(
          underLease(lease, ({ attempts }) => ({ attempts: attempts + 1, hasBegun: false, runnableAt: until }))
        ),
      giveBack: (lease, from) => store.writeTenant(underLease(lease, () => ({ hasBegun: false, runnableAt: from }))),
      standing: (id) =>
        store.readTenant(({ chatAccounts }) => {
          const row = rowAt(chatAccounts, id)
          return { failures: row?.failures ?? 0, restsUntil: row?.restsUntil ?? null }
        }),
      callFailed: (id, most) =>
        Effect.map(
          store.writeTenant(
            changeAccount(id, ({ failures }) => ({ failures: Math.max(failures, Math.min(failures + 1, most)) }))
          ),
          (row) => row?.failures ?? 0
        ),
      callAnswered: (id, many) =>
        Effect.asVoid(
          store.writeTenant(
            changeAccount(id, ({ failures, restsUntil }) => ({
              failures: 0,
              restsUntil: failures < many ? restsUntil : null
            }))
          )
        ),
      rest: (id, until) =>
        Effect.asVoid(
          store.writeTenant(
            changeAccount(id, ({ restsUntil }) => ({
              restsUntil: restsUntil === null ? until : DateTime.max(restsUntil, until)
            }))
          )
        )
    })
  )
)
