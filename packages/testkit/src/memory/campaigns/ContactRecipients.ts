import type { ContactId, ContactMergeId, MergeStep, UndoneMerge } from "@parley/domain/crm"
import type { ChatAccountId } from "@parley/domain/messaging"
import {
  Broadcast,
  type BroadcastId,
  type RecipientCountChange,
  ContactRecipients,
  type RecipientEntry,
  recipientIdAt,
  recipientPrefix
} from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "./state.ts"
import { Store } from "../store/Store.ts"
import { changedProgress, progressOf } from "./RecipientLedger.ts"
import { shownRecipients } from "./RecipientList.ts"

type Row = BroadcastRecipientRow

const isPending = ({ status }: Row) => status === "pending" || status === "waiting"

const counts = ({ status }: Row) => status !== "excluded" && status !== "never_sent"

const isInHand = ({ broadcastWindows }: Tenant, id: BroadcastId, { seq }: Row) =>
  broadcastWindows.some(({ broadcastId, calls }) => broadcastId === id && calls.some((call) => call.seq === seq))

/** Transfer that the undo of a merge reverses, with all later transfers. */
const without = (handedBy: ReadonlyArray<ContactMergeId>, mergeId: ContactMergeId) =>
  handedBy.slice(0, handedBy.indexOf(mergeId))

/** Marks these lists as changed, so concurrent freezes and claims detect it. */
const withNewLists = (tenant: Tenant, contactIds: ReadonlyArray<ContactId>) => {
  const ids = HashMap.toValues(tenant.broadcasts)
    .filter(
      ({ frozenAt, id, status }) =>
        (status === "sending" || status === "paused") &&
        (frozenAt === null ||
          (rowAt(tenant.broadcastRecipients, id) ?? []).some(({ contactId }) => contactIds.includes(contactId)))
    )
    .map(({ id }) => id)
    .toSorted()
  const after = ids.reduce<Tenant>(
    (current, id) =>
      Object.assign(current, changedProgress(current, id, { revision: progressOf(current, id).revision + 1 })),
    Object.assign({}, tenant)
  )
  return { ids, after }
}

/** Claims name the current contacts of their recipients. */
const withNamesInHand = (tenant: Tenant): Tenant => ({
  ...tenant,
  broadcastWindows: tenant.broadcastWindows.map((window) => ({
    ...window,
    calls: window.calls.map((call) => {
      const row = rowAt(tenant.broadcastRecipients, window.broadcastId)?.find(({ seq }) => seq === call.seq)
      return { ...call, contactId: row?.contactId ?? call.contactId }
    })
  }))
})

/** Changes recipients of these broadcasts. Each recipient is pending before or after the change. */
const withChanged = (
  tenant: Tenant,
  ids: ReadonlyArray<BroadcastId>,
  change: (id: BroadcastId, rows: ReadonlyArray<Row>) => ReadonlyArray<Row>
): readonly [ReadonlyArray<RecipientCountChange>, Tenant] => {
  const changed: Array<RecipientCountChange> = []
  let { broadcastRecipients, broadcasts } = tenant
  for (const broadcastId of ids) {
    const rows = rowAt(broadcastRecipients, broadcastId) ?? []
    const changes = new Map(change(broadcastId, rows).map((row) => [row.seq, row]))
    const broadcast = rowAt(broadcasts, broadcastId)
    if (changes.size === 0 || broadcast === null) continue
    const [pending, excluded] = Array.from(changes.values()).some(isPending)
      ? [changes.size, -changes.size]
      : [-changes.size, changes.size]
    const { stats } = broadcast
    const counted = { ...stats, pending: stats.pending + pending, excluded: stats.excluded + excluded }
    changed.push({ broadcastId, count: changes.size })
    broadcasts = HashMap.set(broadcasts, broadcastId, new Broadcast({ ...broadcast, stats: counted }))
    broadcastRecipients = HashMap.set(
      broadcastRecipients,
      broadcastId,
      rows.map((row) => changes.get(row.seq) ?? row)
    )
  }
  return [changed, { ...tenant, broadcasts, broadcastRecipients }]
}

const handedOver = (tenant: Tenant, { from, mergeId, to }: MergeStep) => {
  const { after, ids } = withNewLists(tenant, [from, to])
  const hand = (row: Row): Row =>
    row.contactId === from ? { ...row, contactId: to, handedBy: [...row.handedBy, mergeId] } : row
  const moved = withNamesInHand({
    ...after,
    broadcastRecipients: HashMap.map(after.broadcastRecipients, (rows) => rows.map(hand)),
    audienceSnapshots: HashMap.map(after.audienceSnapshots, (row) => ({
      ...row,
      contacts: row.contacts.map((each) =>
        each.holder === from ? { ...each, holder: to, handedBy: [...each.handedBy, mergeId] } : each
      )
    }))
  })
  return withChanged(moved, ids, (id, rows) => {
    const waits = (row: Row) => isPending(row) && !isInHand(moved, id, row)
    const rank = (row: Row) => (waits(row) ? 2 : 0) + (row.handedBy.includes(mergeId) ? 1 : 0)
    return rows
      .filter((row) => row.contactId === to && counts(row))
      .toSorted((one, other) => rank(one) - rank(other) || one.seq - other.seq)
      .slice(1)
      .filter(waits)
      .map((row): Row => ({ ...row, status: "excluded", reason: "duplicate" }))
  })
}

const handedBack = (tenant: Tenant, { from, mergeId, to }: UndoneMerge, now: DateTime.Utc) => {
  const { after, ids } = withNewLists(tenant, [from, to])
  const hand = (row: Row): Row =>
    row.contactId === from && row.handedBy.includes(mergeId)
      ? { ...row, contactId: to, handedBy: without(row.handedBy, mergeId) }
      : row
  const moved = withNamesInHand({
    ...after,
    broadcastRecipients: HashMap.map(after.broadcastRecipients, (rows) => rows.map(hand)),
    audienceSnapshots: HashMap.map(after.audienceSnapshots, (row) => ({
      ...row,
      contacts: row.contacts.map((each) =>
        each.holder === from && each.handedBy.includes(mergeId)
          ? { ...each, holder: to, handedBy: without(each.handedBy, mergeId) }
          : each
      )
    }))
  })
  return withChanged(moved, ids, (_, rows) =>
    [from, to].flatMap((contactId) => {
      const mine = rows.filter((row) => row.contactId === contactId)
      if (mine.some(counts)) return []
      const rank = ({ handedBy }: Row) => (handedBy.length > 0 ? 1 : 0)
      return mine
        .filter(({ reason }) => reason === "duplicate")
        .toSorted((one, other) => rank(one) - rank(other) || one.seq - other.seq)
        .slice(0, 1)
        .map((row): Row => ({ ...row, status: "waiting", reason: null, dueAt: row.dueAt ?? now }))
    })
  )
}

/** Whether it waits for quiet hours, a window or its local time, and not for a retry. */
const isRecallable = ({ attempts, dueAt, putOffUntil, status }: Row, now: DateTime.Utc) =>
  status === "waiting" &&
  dueAt !== null &&
  DateTime.isGreaterThan(dueAt, now) &&
  (attempts === 0 || (putOffUntil !== null && DateTime.Equivalence(dueAt, putOffUntil)))

const recalled = (tenant: Tenant, contactIds: ReadonlyArray<ContactId>, now: DateTime.Utc) => {
  const accounts = new Set<ChatAccountId>()
  let { broadcastProgress, broadcastRecipients } = tenant
  for (const { chatAccountId, id, status } of HashMap.values(tenant.broadcasts)) {
    const rows = rowAt(tenant.broadcastRecipients, id) ?? []
    const isMeant = (row: Row) =>
      contactIds.includes(row.contactId) && isRecallable(row, now) && !isInHand(tenant, id, row)
    if ((status !== "sending" && status !== "paused") || !rows.some(isMeant)) continue
    if (chatAccountId !== null) accounts.add(chatAccountId)
    const progress = progressOf(tenant, id)
    broadcastProgress = HashMap.set(broadcastProgress, id, { ...progress, revision: progress.revision + 1 })
    broadcastRecipients = HashMap.set(
      broadcastRecipients,
      id,
      rows.map((row) => (isMeant(row) ? { ...row, dueAt: now } : row))
    )
  }
  return [Array.from(accounts), { broadcastProgress, broadcastRecipients }] as const
}

const entriesOf = (tenant: Tenant, contactId: ContactId): ReadonlyArray<RecipientEntry> =>
  HashMap.toEntries(tenant.broadcastRecipients).flatMap(([id, rows]) =>
    rows.flatMap(({ contactId: each, optedOutAt, repliedAt, sentAt, seq, status }): ReadonlyArray<RecipientEntry> => {
      const broadcast = rowAt(tenant.broadcasts, id)
      if (each !== contactId || sentAt === null || status === "waiting" || broadcast === null) return []
      const recipientId = recipientIdAt(recipientPrefix(id), seq)
      const { name } = broadcast
      return [{ kind: "broadcast", id, at: sentAt, broadcastId: id, recipientId, name, status, repliedAt, optedOutAt }]
    })
  )

const keyOf = ({ at, id }: RecipientEntry) => `${DateTime.formatIso(at)} ${id}`

export const layer = Layer.effect(
  ContactRecipients,
  Effect.map(Store, (store) =>
    ContactRecipients.of({
      timeline: (contactId, { after, limit }) =>
        store.readTenant((tenant) =>
          entriesOf(tenant, contactId)
            .filter((entry) => after === null || keyOf(entry) < after.join(" "))
            .toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
            .slice(0, limit)
        ),
      list: (contactId, limit) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.broadcasts)
            .toSorted((one, other) => (one.id < other.id ? 1 : -1))
            .flatMap(({ id: broadcastId, name: broadcastName }) =>
              shownRecipients(tenant, broadcastId)
                .filter((row) => row.contactId === contactId)
                .toReversed()
                .map(({ contactId: _contactId, seq, ...recipient }) => {
                  const window = tenant.broadcastWindows.find(
                    (each) => each.broadcastId === broadcastId && each.calls.some((call) => call.seq === seq)
                  )
                  const row = rowAt(tenant.broadcastRecipients, broadcastId)?.find((each) => each.seq === seq)
                  const values = window?.calls.find((call) => call.seq === seq)?.values ?? row?.values ?? null
                  return { ...recipient, broadcastId, broadcastName, values }
                })
            )
            .slice(0, limit)
        ),
      handOver: (move) => store.writeTenant((tenant) => handedOver(tenant, move)),
      handBack: (undone, now) => store.writeTenant((tenant) => handedBack(tenant, undone, now)),
      recall: (contactIds, now) => store.writeTenant((tenant) => recalled(tenant, contactIds, now)),
      forget: (contactIds) =>
        store.writeTenant(({ audienceSnapshots, broadcastRecipients, broadcastWindows }) => [
          undefined,
          {
            audienceSnapshots: HashMap.map(audienceSnapshots, (row) => ({
              ...row,
              contacts: row.contacts.map((each) =>
                contactIds.includes(each.holder) ? { ...each, address: null } : each
              )
            })),
            broadcastRecipients: HashMap.map(broadcastRecipients, (rows) =>
              rows.map((row) =>
                contactIds.includes(row.contactId) ? { ...row, address: null, values: null, conversationId: null } : row
              )
            ),
            broadcastWindows: broadcastWindows.map((window) => ({
              ...window,
              calls: window.calls.map((call) => (contactIds.includes(call.contactId) ? { ...call, values: {} } : call))
            }))
          }
        ])
    })
  )
)
