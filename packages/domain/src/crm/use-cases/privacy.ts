import { Effect } from "effect"
import { CurrentOrganization, NotFound, requireVersion, type Tenancy, transact, useCase } from "../../kernel/index.ts"
import { AuditLog, record } from "../../platform/audit/index.ts"
import { allMergesInto, ContactHistory, mostExported, timelineOf, wholeOf } from "../ContactHistory.ts"
import {
  type AnyHolding,
  ContactHoldings,
  type HeldOf,
  type HeldShape,
  type NeedsOf,
  readableHoldings
} from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Identity.ts"
import { listKeys, openListKey, releaseIdentities, Suppressions } from "../Suppressions.ts"
import { Tags } from "../Tags.ts"
import { duplicatesOf } from "../duplicatePairs.ts"
import { appendEvent } from "../events.ts"

const everything = { limit: mostExported + 1, after: null }

const trailOf = Effect.fnUntraced(function* (id: ContactId) {
  const asked = { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null }
  return yield* (yield* AuditLog).list(asked, everything)
})

const fitting = <A>(entries: ReadonlyArray<A>) => entries.slice(0, mostExported)

const allFit = (lists: ReadonlyArray<ReadonlyArray<unknown>>) => lists.every(({ length }) => length <= mostExported)

const exportedOf = <H extends AnyHolding>(holding: H, id: ContactId) =>
  holding.export(id, everything.limit) as Effect.Effect<HeldShape, never, NeedsOf<H> | Tenancy>

/** All that is held of the contact and may be read; of the rest, nothing. */
const heldOf = Effect.fnUntraced(function* <H extends AnyHolding>(holdings: ReadonlyArray<H>, id: ContactId) {
  const readable = yield* readableHoldings(holdings)
  const lists = Object.assign(
    {},
    ...holdings.map(({ nothing }) => nothing),
    ...(yield* Effect.forEach(readable, (holding) => exportedOf(holding, id)))
  ) as HeldShape
  return {
    held: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, fitting(list)])) as HeldOf<H> &
      HeldShape,
    isWhole: readable.length === holdings.length && allFit(Object.values(lists))
  }
})

/**
 * Reads everything that is known of one person, for that person; who may not read all of it gets it without that, and is told
 * that it is not complete. That it was read stands in the audit trail.
 */
export const exportContactOf = <H extends AnyHolding>(holdings: ReadonlyArray<H>) =>
  useCase(
    "contacts.exportOne",
    { access: { permission: "contacts.export" } },
    Effect.fnUntraced(function* (id: ContactId) {
      const contact = yield* (yield* Contacts).get(id)
      const consents = yield* (yield* ContactHistory).consents(id, everything)
      const timeline = yield* timelineOf(holdings, id, everything)
      const { held, isWhole } = yield* heldOf(holdings, id)
      const duplicates = yield* duplicatesOf(contact, everything)
      const merges = yield* allMergesInto(id, everything.limit)
      const trail = yield* Effect.forEach([id, ...merges.map(({ merged }) => merged.id)], trailOf)
      const audit = trail.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))
      yield* record("contact.exported", { kind: "contact", id })
      return {
        contact,
        tags: yield* (yield* Tags).find(contact.tags),
        consents: fitting(consents),
        timeline: fitting(timeline),
        ...held,
        duplicates: fitting(duplicates),
        merges: fitting(merges),
        audit: fitting(audit),
        complete: isWhole && allFit([consents, timeline, duplicates, merges, audit])
      }
    }, transact)
  )

const everHere = Effect.fnUntraced(function* (id: ContactId) {
  const [last] = yield* (yield* AuditLog).list(
    { actorId: null, targetKind: "contact", targetId: id, action: null, from: null, to: null },
    { limit: 1, after: null }
  )
  const said = yield* (yield* ContactHistory).consents(id, { limit: 1, after: null })
  return (last !== undefined && last.action !== "contact.erased") || said.length > 0
})

/** Whether somebody else is there of whom this one has become a part, by however many merges. */
const isPart = Effect.fnUntraced(function* (id: ContactId) {
  const whole = yield* wholeOf(id)
  return whole !== null && (yield* (yield* Contacts).find([whole])).length > 0
})

/**
 * Forgets a person for good, also one whose contact was deleted before: what is left is that somebody was erased, counts, and
 * of who had opted out digests that nobody can be known by.
 */
export const eraseContact = useCase(
  "contacts.erase",
  { access: { permission: "contacts.erase" } },
  Effect.fnUntraced(function* (id: ContactId, expectedVersion: number | null) {
    const contacts = yield* Contacts
    const [before] = yield* contacts.lock([id])
    if (before === undefined && (!(yield* everHere(id)) || (yield* isPart(id)))) {
      return yield* new NotFound({ resource: "contact" })
    }
    if (before !== undefined) {
      yield* requireVersion(before, expectedVersion)
      yield* releaseIdentities([{ contact: before, identities: before.identities }])
    }
    const everybody = [id, ...(yield* (yield* ContactHistory).partsOf([id]))]
    yield* (yield* ContactHoldings).forget(everybody, true)
    yield* contacts.remove([id])
    yield* (yield* ContactHistory).erase(id)
    const trail = yield* AuditLog
    yield* Effect.forEach(everybody, (each) => trail.forget({ kind: "contact", id: each }), { discard: true })
    yield* record("contact.erased", { kind: "contact", id })
    yield* appendEvent({ type: "contact.deleted", contactId: id, erased: true })
  }, transact)
)

/**
 * Seals the key of the organization's suppression list with the newest master key; says whether there is one. The key itself
 * stays, and with it all digests.
 */
export const resealSuppressions = useCase(
  "suppressions.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const suppressions = yield* Suppressions
    const sealed = yield* suppressions.key()
    if (sealed === null) return false
    const key = yield* openListKey(sealed)
    yield* suppressions.resealKey(yield* listKeys.seal("", key))
    yield* record("suppressions.resealed", { kind: "suppressions", id: (yield* CurrentOrganization).id })
    return true
  }, transact)
)
