import { type OrganizationId, type SendLease, SendQueue } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer, Option } from "effect"
import { type SendRow, type State, tenantOf, withTenant } from "../store/State.ts"
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
            .filter(({ row }) => DateTime.isLessThanOrEqualTo(row.runnableAt, now))
            .toSorted(comesFirst)
            .slice(0, limit)
            .map(({ organizationId, row }) => ({
              organizationId,
              interrupted: row.hasBegun,
              row: { ...row, sender, attempts: row.attempts + 1, runnableAt: until }
            }))
          return [
            claimed.map(
              ({ interrupted, organizationId, row: { attempts, chatAccountId, conversationId, messageId } }) => ({
                organizationId,
                messageId,
                conversationId,
                chatAccountId,
                sender,
                attempts,
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
      nextDue: store.read((state) =>
        Option.getOrNull(
          Option.map(Option.fromNullishOr(firsts(state).toSorted(comesFirst)[0]), ({ row }) => row.runnableAt)
        )
      ),
      awaitNews: store.awaitSends
    })
  )
)
