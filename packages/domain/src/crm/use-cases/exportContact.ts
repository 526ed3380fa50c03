import { Effect } from "effect"
import { AuditLog, record } from "../../platform/audit/index.ts"
import { type Tenancy, transact, useCase } from "../../kernel/index.ts"
import type { AnyHolding, HeldOf, HeldShape, NeedsOf } from "../ContactHolding.ts"
import { ContactHistory, mostExported } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { Tags } from "../Tags.ts"
import { duplicatesOf } from "../duplicates/duplicatesOf.ts"
import { allMergesInto } from "../merges/allMergesInto.ts"
import { readableHoldings } from "../timeline/readableHoldings.ts"
import { timelineOf } from "../timeline/timelineOf.ts"

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
