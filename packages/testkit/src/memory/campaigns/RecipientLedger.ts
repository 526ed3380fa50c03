import type { ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  type NextClaim,
  type NextClaimResult,
  Broadcast,
  type BroadcastId,
  type BroadcastStats,
  type BroadcastWindow,
  type Candidate,
  type Claim,
  counterOf,
  type FoundCandidates,
  hasEnded,
  ListChanged,
  type ListedRecipient,
  type PlannedCap,
  RecipientLedger,
  type RecipientResult,
  type CandidateSearch
} from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, type Tenant } from "../store/State.ts"
import type { BroadcastProgressRow, BroadcastRecipientRow } from "./state.ts"
import { refuse, Store, type Written } from "../store/Store.ts"
import { owns } from "../platform/background/laneRows.ts"

type Counter = Exclude<keyof BroadcastStats, "matched">

const unmoved: BroadcastProgressRow = {
  frozenAfter: null,
  listed: 0,
  mark: 0,
  revision: 0,
  stoppedAt: null,
  doubtedAt: null,
  claimedAt: null,
  toldAt: null,
  isRecalled: false,
  fence: 0,
  deletedAt: null
}

export const progressOf = ({ broadcastProgress }: Tenant, id: BroadcastId) => rowAt(broadcastProgress, id) ?? unmoved

const recipientsOf = ({ broadcastRecipients }: Tenant, id: BroadcastId) => rowAt(broadcastRecipients, id) ?? []

export const changedProgress = (
  tenant: Tenant,
  id: BroadcastId,
  change: Partial<BroadcastProgressRow>
): Partial<Tenant> => ({
  broadcastProgress: HashMap.set(tenant.broadcastProgress, id, { ...progressOf(tenant, id), ...change })
})

/** Moves this number of recipients from one counter to others. */
const counted = (
  tenant: Tenant,
  id: BroadcastId,
  moves: ReadonlyArray<readonly [Counter, number]>
): Partial<Tenant> => {
  const broadcast = rowAt(tenant.broadcasts, id)
  if (broadcast === null) return {}
  const stats = { ...broadcast.stats }
  for (const [counter, by] of moves) Object.assign(stats, { [counter]: stats[counter] + by })
  return { broadcasts: HashMap.set(tenant.broadcasts, id, new Broadcast({ ...broadcast, stats })) }
}

const changedRecipients = (
  tenant: Tenant,
  id: BroadcastId,
  changes: ReadonlyMap<number, (row: BroadcastRecipientRow) => BroadcastRecipientRow>
): Partial<Tenant> => ({
  broadcastRecipients: HashMap.set(
    tenant.broadcastRecipients,
    id,
    recipientsOf(tenant, id).map((row) => changes.get(row.seq)?.(row) ?? row)
  )
})

const isInHand = ({ broadcastWindows }: Tenant, id: BroadcastId) =>
  broadcastWindows.some(({ broadcastId }) => broadcastId === id)

/** Returns the places of the recipients in flight. */
const inHandOf = ({ broadcastWindows }: Tenant, id: BroadcastId) =>
  new Set(broadcastWindows.flatMap(({ broadcastId, calls }) => (broadcastId === id ? calls.map(({ seq }) => seq) : [])))

const isPending = ({ status }: BroadcastRecipientRow) => status === "pending" || status === "waiting"

/** Whether it waits for the end of a postponement, and not for its due time or a retry. */
const isPutOff = ({ dueAt, putOffUntil, status }: BroadcastRecipientRow, now: DateTime.Utc) =>
  status === "waiting" &&
  dueAt !== null &&
  putOffUntil !== null &&
  DateTime.Equivalence(dueAt, putOffUntil) &&
  DateTime.isGreaterThan(dueAt, now)

/** Whether the contact has another place on the list that is further. */
const isSecond = (
  { contactId, seq }: BroadcastRecipientRow,
  rows: ReadonlyArray<BroadcastRecipientRow>,
  inHand: ReadonlySet<number>
) =>
  rows.some(
    (other) =>
      other.contactId === contactId &&
      other.seq !== seq &&
      other.status !== "excluded" &&
      other.status !== "never_sent" &&
      (!isPending(other) || other.seq < seq || inHand.has(other.seq))
  )

/** Listed recipient and the merges that transferred the place to the contact. */
export interface HandedRecipient extends ListedRecipient {
  readonly handedBy?: ReadonlyArray<ContactMergeId>
}

/** Recipients excluded by the plan limit were drawn before the exclusion. */
const isDrawn = ({ left }: ListedRecipient) => left?.kind !== "excluded" || left.reason === "plan_limit"

const rowOf = (
  recipient: HandedRecipient,
  seq: number,
  { holdOut, startedAt }: Pick<Broadcast, "holdOut" | "startedAt">
): BroadcastRecipientRow => {
  const { address, contactId, dueAt, handedBy = [], left, variant } = recipient
  return {
    seq,
    contactId,
    handedBy,
    address,
    variant,
    status: left?.kind ?? (dueAt === null ? "pending" : "waiting"),
    dueAt,
    drawnFor: holdOut > 0 && isDrawn(recipient) ? (dueAt ?? startedAt) : null,
    putOffUntil: null,
    attempts: 0,
    reason: left?.kind === "excluded" ? left.reason : null,
    error: null,
    providerMessageId: null,
    values: null,
    calledAt: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    repliedAt: null,
    optedOutAt: null,
    conversationId: null
  }
}

export const listed = (
  tenant: Tenant,
  id: BroadcastId,
  recipients: ReadonlyArray<HandedRecipient>
): Partial<Tenant> => {
  const before = recipientsOf(tenant, id)
  const broadcast = rowAt(tenant.broadcasts, id)
  if (broadcast === null) return {}
  const rows = recipients.map((recipient, place) => rowOf(recipient, before.length + place + 1, broadcast))
  const stats = { ...broadcast.stats, matched: broadcast.stats.matched + rows.length }
  for (const row of rows) {
    const counter = isPending(row) ? "pending" : row.status === "held_out" ? "heldOut" : "excluded"
    stats[counter] += 1
  }
  return {
    ...changedProgress(tenant, id, { listed: before.length + rows.length }),
    broadcasts: HashMap.set(tenant.broadcasts, id, new Broadcast({ ...broadcast, stats })),
    broadcastRecipients: HashMap.set(tenant.broadcastRecipients, id, [...before, ...rows])
  }
}

const begun = (tenant: Tenant, claim: Claim): Partial<Tenant> => {
  const { excluded, mark, postponed, window } = claim
  const { broadcastId: id } = window
  const changes = new Map<number, (row: BroadcastRecipientRow) => BroadcastRecipientRow>()
  for (const { reason, seq } of excluded) changes.set(seq, (row) => ({ ...row, status: "excluded", reason }))
  for (const { dueAt, seq } of postponed)
    changes.set(seq, (row) => ({ ...row, status: "waiting", dueAt, putOffUntil: dueAt }))
  const calls = window.calls.length
  return {
    ...counted(tenant, id, [
      ["pending", -calls - excluded.length],
      ["inFlight", calls],
      ["excluded", excluded.length]
    ]),
    ...changedRecipients(tenant, id, changes),
    ...changedProgress(tenant, id, {
      mark: Math.max(mark, progressOf(tenant, id).mark),
      stoppedAt: null,
      ...(calls === 0 ? {} : { claimedAt: window.claimedAt })
    }),
    broadcastWindows: calls === 0 ? tenant.broadcastWindows : [...tenant.broadcastWindows, window]
  }
}

const reported =
  ({ at, outcome }: RecipientResult, { calls, claimedAt }: BroadcastWindow, isOver: boolean) =>
  (row: BroadcastRecipientRow): BroadcastRecipientRow => {
    const values = calls.find(({ seq }) => seq === row.seq)?.values ?? null
    const attempts = row.attempts + (outcome.kind === "pending" && !outcome.counts ? 0 : 1)
    const called = { ...row, attempts, calledAt: claimedAt, values }
    switch (outcome.kind) {
      case "sent":
        return { ...called, status: "sent", sentAt: at, providerMessageId: outcome.providerMessageId }
      case "failed":
        return { ...called, status: "failed", failedAt: at, error: outcome.error }
      case "in_doubt":
        return { ...called, status: "in_doubt" }
      case "pending":
        return isOver
          ? { ...row, attempts, status: "never_sent" }
          : { ...row, attempts, status: "waiting", dueAt: outcome.dueAt }
    }
  }

const latest = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

const settled = (tenant: Tenant, id: BroadcastId, results: ReadonlyArray<RecipientResult>): Partial<Tenant> => {
  const status = rowAt(tenant.broadcasts, id)?.status
  const isOver = status === undefined || hasEnded(status)
  let { doubtedAt } = progressOf(tenant, id)
  let windows = tenant.broadcastWindows
  const changes = new Map<number, (row: BroadcastRecipientRow) => BroadcastRecipientRow>()
  const moves: Array<readonly [Counter, number]> = []
  for (const result of results) {
    const window = windows.find((each) => each.id === result.windowId)
    if (window === undefined || !window.calls.some(({ seq }) => seq === result.seq)) continue
    const calls = window.calls.filter(({ seq }) => seq !== result.seq)
    windows = windows.flatMap((each) => (each !== window ? [each] : calls.length === 0 ? [] : [{ ...each, calls }]))
    changes.set(result.seq, reported(result, window, isOver))
    const { kind } = result.outcome
    moves.push(["inFlight", -1], [kind === "pending" && isOver ? "neverSent" : counterOf[kind], 1])
    if (kind === "in_doubt") doubtedAt = latest(doubtedAt, result.at)
  }
  return {
    ...counted(tenant, id, moves),
    ...changedRecipients(tenant, id, changes),
    ...changedProgress(tenant, id, { doubtedAt }),
    broadcastWindows: windows
  }
}

/** Whose turn has come. */
const found = (tenant: Tenant, id: BroadcastId, { limit, now }: CandidateSearch): FoundCandidates => {
  const { listed, mark, revision } = progressOf(tenant, id)
  const inHand = inHandOf(tenant, id)
  const rows = recipientsOf(tenant, id)
  const waiting = rows
    .flatMap((row) => {
      const { dueAt, seq, status } = row
      const isDue = dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, now)
      return status === "waiting" && isDue && !inHand.has(seq) ? [{ row, dueAt }] : []
    })
    .toSorted((one, other) => DateTime.Order(one.dueAt, other.dueAt) || one.row.seq - other.row.seq)
    .slice(0, limit)
    .map(({ row }) => row)
  const room = limit - waiting.length
  const fresh = rows.filter(({ seq, status }) => seq > mark && status === "pending").slice(0, room)
  const isThrough = fresh.length < room
  return {
    candidates: [...waiting, ...fresh].map((row): Candidate => {
      const { address, attempts, contactId, dueAt, seq, variant } = row
      return { seq, contactId, address, variant, dueAt, attempts, isSecond: isSecond(row, rows, inHand) }
    }),
    mark: isThrough ? listed : (fresh.at(-1)?.seq ?? mark),
    revision
  }
}

/** Why a claim is void; `null` where it is not. */
const voidBy = (tenant: Tenant, state: State, { contacts, lane, revision, window }: NextClaim) => {
  const progress = progressOf(tenant, window.broadcastId)
  if (rowAt(tenant.broadcasts, window.broadcastId)?.status !== "sending") return "not_sending"
  if (progress.fence > window.fence || !owns(state, lane, null)) return "lease_lost"
  const isKnown = contacts.every(({ id, version }) => rowAt(tenant.contacts, id)?.version === version)
  return progress.revision === revision && isKnown ? null : "list_changed"
}

const advanced = (tenant: Tenant, state: State, what: NextClaim): Written<NextClaimResult, Partial<Tenant>> => {
  const { ahead, results, window } = what
  const { broadcastId: id, fence } = window
  const outcome = voidBy(tenant, state, what)
  const before: Tenant = { ...tenant, ...settled(tenant, id, results) }
  if (outcome !== null) return [{ outcome }, before]
  const claimed: Tenant = { ...before, ...begun(before, { ...what, excluded: [], postponed: [] }) }
  const after: Tenant = { ...claimed, ...changedProgress(claimed, id, { fence }) }
  return [{ outcome: "begun", ahead: found(after, id, ahead) }, after]
}

/** Counts the marketing messages of automations and workflows to the contact since then. Failed messages do not count. */
const automatedMarketing = (
  { conversations, messages, messageTemplates }: Tenant,
  contactId: ContactId,
  since: DateTime.Utc
) =>
  HashMap.toValues(messages).filter(({ message: { at, author, conversationId, status, template } }) => {
    const isMarketing = template !== null && rowAt(messageTemplates, template.id)?.category === "marketing"
    const isTheirs = rowAt(conversations, conversationId)?.conversation.contactId === contactId
    const isOurs = author.kind === "automation" && status !== "failed"
    return isMarketing && isTheirs && isOurs && DateTime.isGreaterThan(at, since)
  }).length

export const layer = Layer.effect(
  RecipientLedger,
  Effect.map(Store, (store) =>
    RecipientLedger.of({
      list: (id, recipients) => store.writeTenant((tenant) => [undefined, listed(tenant, id, recipients)]),
      active: (account) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.broadcasts)
            .filter(
              ({ chatAccountId, id, status }) =>
                chatAccountId === account && ((status !== "draft" && !hasEnded(status)) || isInHand(tenant, id))
            )
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .map(({ frozenAt, id, stats, status, version }) => {
              const { claimedAt, doubtedAt, isRecalled, listed, mark, toldAt } = progressOf(tenant, id)
              const inHand = inHandOf(tenant, id)
              const [next] = recipientsOf(tenant, id)
                .flatMap(({ dueAt, putOffUntil, seq, status }) =>
                  status === "waiting" && dueAt !== null && !inHand.has(seq) ? [{ dueAt, putOffUntil }] : []
                )
                .toSorted((one, other) => DateTime.Order(one.dueAt, other.dueAt))
              const isFrozen = frozenAt !== null
              return {
                broadcastId: id,
                status,
                version,
                stats,
                isFrozen,
                listed,
                mark,
                nextDueAt: next?.dueAt ?? null,
                isNextPutOff: next?.putOffUntil != null && DateTime.Equivalence(next.dueAt, next.putOffUntil),
                doubtedAt,
                claimedAt,
                toldAt,
                isRecalled
              }
            })
        ),
      next: (id, search) => store.readTenant((tenant) => found(tenant, id, search)),
      capped: (contactIds, caps, now) =>
        store.readTenant((tenant) => {
          const countOf = (contactId: ContactId, { automated, days, of }: PlannedCap) => {
            const since = DateTime.subtract(now, { days })
            const reported = of.flatMap((id) =>
              recipientsOf(tenant, id).filter(
                ({ calledAt, contactId: each, status }) =>
                  each === contactId &&
                  ["in_doubt", "sent", "delivered", "read"].includes(status) &&
                  calledAt !== null &&
                  DateTime.isGreaterThan(calledAt, since)
              )
            )
            const inHand = tenant.broadcastWindows.filter(
              ({ broadcastId, calls }) => of.includes(broadcastId) && calls.some((call) => call.contactId === contactId)
            )
            return reported.length + inHand.length + (automated ? automatedMarketing(tenant, contactId, since) : 0)
          }
          return new Set(contactIds.filter((id) => caps.some((cap) => countOf(id, cap) >= cap.max)))
        }),
      begin: (claim) =>
        store.writeTenant((tenant) => {
          const { broadcastId } = claim.window
          if (rowAt(tenant.broadcasts, broadcastId)?.status !== "sending") return [false, {}]
          const { revision } = progressOf(tenant, broadcastId)
          return revision === claim.revision ? [true, begun(tenant, claim)] : refuse(new ListChanged())
        }),
      advance: (what) => store.writeTenant((tenant, state) => advanced(tenant, state, what)),
      recallAll: () =>
        store.writeTenant((tenant) => {
          const running = HashMap.toValues(tenant.broadcasts).filter(
            ({ status }) => status === "sending" || status === "paused"
          )
          const broadcastProgress = running.reduce(
            (all, { id }) => HashMap.set(all, id, { ...progressOf(tenant, id), isRecalled: true }),
            tenant.broadcastProgress
          )
          const accounts = running.flatMap(({ chatAccountId }) => chatAccountId ?? [])
          return [Array.from(new Set(accounts)), { broadcastProgress }]
        }),
      recall: (id, now, limit) =>
        store.writeTenant((tenant) => {
          const put = recipientsOf(tenant, id)
            .filter((row) => isPutOff(row, now))
            .slice(0, limit)
          const changes = new Map(
            put.map(({ seq }) => [seq, (row: BroadcastRecipientRow) => ({ ...row, dueAt: now })] as const)
          )
          return [
            undefined,
            {
              ...changedRecipients(tenant, id, changes),
              ...changedProgress(tenant, id, { isRecalled: put.length === limit })
            }
          ]
        }),
      fenceOff: (account, fence) =>
        store.writeTenant((tenant) => {
          let broadcastProgress = tenant.broadcastProgress
          for (const { chatAccountId, id } of HashMap.values(tenant.broadcasts)) {
            const progress = progressOf(tenant, id)
            if (chatAccountId !== account || progress.fence >= fence) continue
            broadcastProgress = HashMap.set(broadcastProgress, id, { ...progress, fence })
          }
          return [undefined, { broadcastProgress }]
        }),
      settle: (id, results) => store.writeTenant((tenant) => [undefined, settled(tenant, id, results)]),
      takeOver: (account, fence, now) =>
        store.writeTenant((before) => {
          const left = before.broadcastWindows.filter(
            (window) => window.fence < fence && rowAt(before.broadcasts, window.broadcastId)?.chatAccountId === account
          )
          const tenant = left.reduce<Tenant>(
            (current, { broadcastId, calls, id }) => {
              const results = calls.map(({ seq }): RecipientResult => {
                return { windowId: id, seq, at: now, outcome: { kind: "in_doubt" } }
              })
              return Object.assign(current, settled(current, broadcastId, results))
            },
            Object.assign({}, before)
          )
          return [left.reduce((count, { calls }) => count + calls.length, 0), tenant]
        }),
      end: (id) =>
        store.writeTenant((tenant) => {
          const pending = rowAt(tenant.broadcasts, id)?.stats.pending ?? 0
          return [
            undefined,
            counted(tenant, id, [
              ["pending", -pending],
              ["neverSent", pending]
            ])
          ]
        }),
      isStopped: (id) =>
        store.readTenant((tenant) => progressOf(tenant, id).stoppedAt !== null || !isInHand(tenant, id)),
      stop: (id, fence, stoppedAt) =>
        store.writeTenant((tenant) => [
          undefined,
          progressOf(tenant, id).fence > fence ? {} : changedProgress(tenant, id, { stoppedAt })
        ]),
      wait: (id, waiting) =>
        store.writeTenant(({ broadcasts }) => {
          const before = rowAt(broadcasts, id)
          return before === null
            ? [undefined, {}]
            : [undefined, { broadcasts: HashMap.set(broadcasts, id, new Broadcast({ ...before, waiting })) }]
        }),
      tell: (id, toldAt) => store.writeTenant((tenant) => [undefined, changedProgress(tenant, id, { toldAt })])
    })
  )
)
