import { NotFound, type Slice } from "@parley/domain/kernel"
import {
  ConsentChange,
  ContactHistory,
  type ContactId,
  ContactMerge,
  type ContactMergeId,
  type HistoryEntry
} from "@parley/domain/crm"
import { Effect, HashMap, Layer } from "effect"
import { descending, newestFirst } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import type { HistoryRow } from "./state.ts"
import { refuse, Store } from "../store/Store.ts"

const entriesOf = <Entry>(rows: ReadonlyArray<HistoryRow<Entry>>, contactId: ContactId): ReadonlyArray<Entry> =>
  rows.filter((row) => row.contactId === contactId).map(({ entry }) => entry)

const consentsOf = ({ consents }: Tenant, contactId: ContactId): ReadonlyArray<ConsentChange> =>
  consents.filter((row) => row.contactId === contactId).map(({ entry }) => new ConsentChange({ ...entry, contactId }))

const asEntry = ({ actor, at, evidence, id, purpose, runId, source, state }: ConsentChange): HistoryEntry => ({
  kind: "consent",
  id,
  at,
  actor,
  purpose,
  state,
  source,
  evidence,
  ...(runId !== undefined && { runId })
})

const page = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>, slice: Slice) =>
  descending(rows, ({ id }) => id, slice)

const handOver = <Entry>(rows: ReadonlyArray<HistoryRow<Entry>>, merge: ContactMerge) =>
  rows.map((row) =>
    row.contactId === merge.merged.id
      ? { ...row, contactId: merge.survivorId, handedBy: [...row.handedBy, merge.id] }
      : row
  )

/** Returns entries that a merge transferred to their source contact, even after later transfers. */
const handBack = <Entry>(rows: ReadonlyArray<HistoryRow<Entry>>, { id, merged }: ContactMerge) =>
  rows.map((row) =>
    row.handedBy.includes(id)
      ? { ...row, contactId: merged.id, handedBy: row.handedBy.slice(0, row.handedBy.indexOf(id)) }
      : row
  )

/** Returns the contact and all contacts merged into it, directly or indirectly. */
const absorbedBy = (merges: ReadonlyArray<ContactMerge>, contactId: ContactId): ReadonlySet<ContactId> => {
  const absorbed = new Set([contactId])
  for (const id of absorbed) {
    for (const { merged, survivorId, undoneAt } of merges) {
      if (survivorId === id && undoneAt === null) absorbed.add(merged.id)
    }
  }
  return absorbed
}

export const layer = Layer.effect(
  ContactHistory,
  Effect.map(Store, (store) => {
    const getMerge = (id: ContactMergeId) =>
      Effect.filterOrFail(
        store.readTenant(({ contactMerges }) => rowAt(contactMerges, id)),
        (merge) => merge !== null,
        () => new NotFound({ resource: "merge" })
      )

    return ContactHistory.of({
      appendConsent: (changes) =>
        store.writeTenant(({ consents }) => [
          undefined,
          { consents: [...consents, ...changes.map((entry) => ({ contactId: entry.contactId, handedBy: [], entry }))] }
        ]),
      note: (contactId, entry) =>
        store.writeTenant(({ contactNotes }) => [
          undefined,
          { contactNotes: [...contactNotes, { contactId, handedBy: [], entry }] }
        ]),
      consents: (contactId, slice) => store.readTenant((tenant) => page(consentsOf(tenant, contactId), slice)),
      timeline: (contactId, slice) =>
        store.readTenant((tenant) =>
          newestFirst<HistoryEntry>(
            [...consentsOf(tenant, contactId).map(asEntry), ...entriesOf(tenant.contactNotes, contactId)],
            slice
          )
        ),
      merge: (merge) =>
        store.writeTenant(({ consents, contactMerges, contactNotes }) => [
          undefined,
          {
            consents: handOver(consents, merge),
            contactNotes: handOver(contactNotes, merge),
            contactMerges: HashMap.set(contactMerges, merge.id, merge)
          }
        ]),
      getMerge,
      mergesInto: (contactId, limit) =>
        store.readTenant(({ contactMerges }) =>
          descending(
            HashMap.toValues(contactMerges).filter(
              ({ survivorId, undoneAt }) => survivorId === contactId && undoneAt === null
            ),
            ({ id }) => id,
            { limit, after: null }
          )
        ),
      survivorOf: (id) =>
        store.readTenant(({ contactMerges }) => {
          const found = HashMap.toValues(contactMerges).find(
            ({ merged, undoneAt }) => merged.id === id && undoneAt === null
          )
          return found === undefined ? null : { id: found.survivorId, mergeId: found.id }
        }),
      partsOf: (ids) =>
        store.readTenant(({ contactMerges }) => {
          const merges = HashMap.toValues(contactMerges)
          const absorbed = new Set(ids.flatMap((id) => [...absorbedBy(merges, id)]))
          return [...absorbed].filter((id) => !ids.includes(id))
        }),
      unmerge: (id, now) =>
        store.writeTenant(({ consents, contactMerges, contactNotes }) => {
          const merge = rowAt(contactMerges, id)
          if (merge === null || merge.undoneAt !== null) return refuse(new NotFound({ resource: "merge" }))
          return [
            undefined,
            {
              consents: handBack(consents, merge),
              contactNotes: handBack(contactNotes, merge),
              contactMerges: HashMap.set(contactMerges, id, new ContactMerge({ ...merge, undoneAt: now }))
            }
          ]
        }),
      rebase: (id, before) =>
        store.writeTenant(({ contactMerges }) => {
          const merge = rowAt(contactMerges, id)
          return [
            undefined,
            merge === null
              ? {}
              : { contactMerges: HashMap.set(contactMerges, id, new ContactMerge({ ...merge, before })) }
          ]
        }),
      erase: (contactId) =>
        store.writeTenant(({ consents, contactMerges, contactNotes }) => {
          const erased = absorbedBy(HashMap.toValues(contactMerges), contactId)
          return [
            undefined,
            {
              consents: consents.filter((row) => row.contactId !== contactId),
              contactNotes: contactNotes.filter((row) => row.contactId !== contactId),
              contactMerges: HashMap.filter(
                contactMerges,
                ({ merged, survivorId }) => !erased.has(survivorId) && !erased.has(merged.id)
              )
            }
          ]
        })
    })
  })
)
