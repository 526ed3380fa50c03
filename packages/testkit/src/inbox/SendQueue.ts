import { type OrganizationId, type SendingAccount, type SendLease, SendQueue } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { type ChatAccountRow, rowAt, type SendRow, type State, tenantOf, withTenant } from "../store/State.ts"
import { Store, type Written } from "../store/Store.ts"

interface Waiting {
  readonly organizationId: OrganizationId
  readonly row: SendRow
}

/** Of each conversation, the message that goes next. */
const firsts = (state: State): ReadonlyArray<Waiting> =>
  HashMap.toEntries(state.tenants).flatMap(([organizationId, { sends }]) => {
    const conversations = new Set<string>()
    return sends.flatMap((row) => {
      if (conversations.has(row.conversationId)) return []
      conversations.add(row.conversationId)
      return [{ organizationId, row }]
    })
  })

const comesFirst = (one: Waiting, other: Waiting) =>
  DateTime.Order(one.row.runnableAt, other.row.runnableAt) || (one.row.messageId < other.row.messageId ? -1 : 1)

const accountOf = (state: State, { chatAccountId, organizationId }: SendingAccount) =>
  rowAt(tenantOf(state, organizationId).chatAccounts, chatAccountId)

/** When it can be claimed: not while its account rests, unless the provider was called already. */
const dueAt = (state: State, { organizationId, row: { chatAccountId, hasBegun, runnableAt } }: Waiting) => {
  const restsUntil = accountOf(state, { chatAccountId, organizationId })?.restsUntil ?? null
  return restsUntil === null || hasBegun ? runnableAt : DateTime.max(restsUntil, runnableAt)
}

const changeAccount =
  (account: SendingAccount, change: (row: ChatAccountRow) => Partial<ChatAccountRow>) =>
  (state: State): Written<ChatAccountRow | null, State> => {
    const before = accountOf(state, account)
    if (before === null) return [null, state]
    const after = { ...before, ...change(before) }
    const { chatAccounts } = tenantOf(state, account.organizationId)
    return [
      after,
      withTenant(state, account.organizationId, {
        chatAccounts: HashMap.set(chatAccounts, account.chatAccountId, after)
      })
    ]
  }

const withRow = (state: State, organizationId: OrganizationId, row: SendRow): State =>
  withTenant(state, organizationId, {
    sends: tenantOf(state, organizationId).sends.map((each) => (each.messageId === row.messageId ? row : each))
  })

const leased = (state: State, { attempts, messageId, organizationId, sender }: SendLease): SendRow | null =>
  tenantOf(state, organizationId).sends.find(
    (row) => row.messageId === messageId && row.sender === sender && row.attempts === attempts
  ) ?? null

const underLease =
  (lease: SendLease, change: (row: SendRow) => SendRow) =>
  (state: State): Written<boolean, State> => {
    const row = leased(state, lease)
    return row === null ? [false, state] : [true, withRow(state, lease.organizationId, change(row))]
  }

export const layer = Layer.effect(
  SendQueue,
  Effect.map(Store, (store) =>
    SendQueue.of({
      claim: ({ limit, now, sender, until }) =>
        store.write((state) => {
          const claimed = firsts(state)
            .filter((waiting) => DateTime.isLessThanOrEqualTo(dueAt(state, waiting), now))
            .toSorted(comesFirst)
            .slice(0, limit)
            .map(({ organizationId, row }) => ({
              organizationId,
              interrupted: row.hasBegun,
              failures: accountOf(state, { chatAccountId: row.chatAccountId, organizationId })?.failures ?? 0,
              row: { ...row, sender, attempts: row.attempts + 1, runnableAt: until }
            }))
          return [
            claimed.map(
              ({
                failures,
                interrupted,
                organizationId,
                row: { attempts, chatAccountId, conversationId, messageId }
              }) => ({
                organizationId,
                messageId,
                conversationId,
                chatAccountId,
                sender,
                attempts,
                failures,
                interrupted
              })
            ),
            claimed.reduce((state, { organizationId, row }) => withRow(state, organizationId, row), state)
          ]
        }),
      renew: (lease, until) => store.write(underLease(lease, (row) => ({ ...row, runnableAt: until }))),
      begin: (lease, until) => store.write(underLease(lease, (row) => ({ ...row, hasBegun: true, runnableAt: until }))),
      settle: (lease) =>
        store.write((state) => {
          if (leased(state, lease) === null) return [false, state]
          const { sends } = tenantOf(state, lease.organizationId)
          const left = sends.filter(({ messageId }) => messageId !== lease.messageId)
          return [true, withTenant(state, lease.organizationId, { sends: left })]
        }),
      postpone: (lease, until) =>
        store.write(underLease(lease, (row) => ({ ...row, sender: null, hasBegun: false, runnableAt: until }))),
      giveBack: (lease, from) =>
        store.write(
          underLease(lease, (row) => ({
            ...row,
            sender: null,
            hasBegun: false,
            attempts: row.attempts - 1,
            runnableAt: from
          }))
        ),
      callFailed: (account, most) =>
        Effect.map(
          store.write(
            changeAccount(account, ({ failures }) => ({ failures: Math.max(failures, Math.min(failures + 1, most)) }))
          ),
          (row) => row?.failures ?? 0
        ),
      callAnswered: (account) =>
        Effect.asVoid(store.write(changeAccount(account, () => ({ failures: 0, restsUntil: null })))),
      rest: (account, until) =>
        Effect.asVoid(
          store.write(
            changeAccount(account, ({ restsUntil }) => ({
              restsUntil: restsUntil === null ? until : DateTime.max(restsUntil, until)
            }))
          )
        ),
      nextDue: store.read((state) => {
        const [next] = firsts(state)
          .map((waiting) => dueAt(state, waiting))
          .toSorted(DateTime.Order)
        return next ?? null
      }),
      awaitNews: store.awaitSends
    })
  )
)
