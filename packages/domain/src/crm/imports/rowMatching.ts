import { DateTime, Effect, Schema } from "effect"
import { nextId } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { PlanLimitReached, Plans, plans } from "../../platform/entitlements/index.ts"
import { hasConsentChanged } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import { ContactId, TagId } from "../Identity.ts"
import { findSuppressed, releaseIdentities } from "../Suppressions.ts"
import { NewTag, defaultTagColor, Tag, Tags } from "../Tags.ts"
import { recordConsents, propagateOptOuts } from "../consentRecords.ts"
import { checkCompleteness } from "../contactChanges.ts"
import { normalizeName } from "../contactSearch.ts"
import { recordDuplicates } from "../duplicatePairs.ts"
import { appendEvent } from "../events.ts"
import type { StoredImport } from "./ContactImport.ts"
import { type MatchedRow, RowMatcher } from "./RowMatcher.ts"
import type { RowDetails, RowIssue } from "./rowReading.ts"
import { missingTagIssue } from "./tagNames.ts"

/** A concurrent write used the remaining capacity during the step. */
export class CapacityLost extends Schema.TaggedError<CapacityLost>()("RoomTaken", {}) {}

const isTagName = Schema.is(NewTag.fields.name)

const addTag = Effect.fnUntraced(function* (name: string) {
  const now = yield* DateTime.now
  const id = yield* nextId(TagId)
  const tag = new Tag({ id, name, color: defaultTagColor, contactCount: 0, createdAt: now, updatedAt: now, version: 1 })
  yield* (yield* Tags).insert(tag)
  yield* recordAudit("tag.created", { kind: "tag", id }, { after: { name, color: defaultTagColor } })
  yield* appendEvent({ type: "tag.created", tagId: id })
  return id
})

/** Tags that rows name. */
interface ResolvedTags {
  /** By folded name; `null` if a dry run would add the tag. */
  readonly ids: ReadonlyMap<string, TagId | null>
  /** Name that makes a row bad, regardless of tags of other rows: it may be several names, and no such tag exists. */
  readonly doubtful: (row: RowDetails) => string | undefined
}

/** Resolves the tags of the rows. Adds missing tags if requested, except tags of bad rows. */
const resolveTags = Effect.fnUntraced(function* (order: StoredImport, rows: ReadonlyArray<RowDetails>) {
  const names = [...new Set(rows.flatMap(({ tagNames }) => tagNames))]
  const found = names.length === 0 ? [] : yield* (yield* Tags).findByName(names)
  const known = new Set(found.map(({ name }) => normalizeName(name)))
  const ids = new Map<string, TagId | null>(found.map(({ id, name }) => [normalizeName(name), id]))
  const doubtful = ({ doubtfulTags }: RowDetails) => doubtfulTags.find((name) => !known.has(normalizeName(name)))
  if (!order.createTags) return { ids, doubtful } satisfies ResolvedTags
  const wanted = new Map<string, string>()
  for (const name of rows.flatMap((row) => (doubtful(row) === undefined ? row.tagNames : []))) {
    if (!wanted.has(normalizeName(name))) wanted.set(normalizeName(name), name)
  }
  for (const [key, name] of Array.from(wanted).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (!ids.has(key) && isTagName(name)) ids.set(key, order.dryRun ? null : yield* addTag(name))
  }
  return { ids, doubtful } satisfies ResolvedTags
})

/** Locks the contacts that the rows can match, to prevent concurrent changes. */
const lockMatchingContacts = Effect.fnUntraced(function* ({ dryRun }: StoredImport, rows: ReadonlyArray<RowDetails>) {
  const contacts = yield* Contacts
  const known = yield* contacts.findByIdentity(rows.flatMap(({ identities }) => identities))
  const ids = [...new Set([...known.map(({ id }) => id), ...rows.flatMap(({ id }) => id ?? [])])]
  if (ids.length === 0) return []
  return yield* dryRun ? contacts.find(ids) : contacts.lock(ids)
})

const contactIssue = (contact: Contact) =>
  Effect.match(checkCompleteness(contact), {
    onSuccess: () => null,
    onFailure: ({ errors }): RowIssue => ({
      column: null,
      ofContacts: true,
      reason: errors.map(({ message }) => message).join(". ")
    })
  })

const saveMatches = Effect.fnUntraced(function* (placing: RowMatcher, max: number) {
  const contacts = yield* Contacts
  const now = yield* DateTime.now
  yield* contacts.saveAll(placing.altered)
  for (const { ids, tags } of placing.tagged) yield* contacts.tag(ids, tags, now)
  if (placing.added.length > 0) {
    const { count } = yield* contacts.insert(placing.added)
    if (count > max) return yield* new CapacityLost()
  }
  yield* releaseIdentities(placing.left)
  yield* recordConsents(placing.consents)
  const all = placing.all
  yield* recordDuplicates(placing.identityPairs, all, "import")
  const changed = new Set(
    placing.consents.flatMap(({ after, before, contactId }) => (hasConsentChanged(before, after) ? [contactId] : []))
  )
  yield* propagateOptOuts(
    all.filter(({ id }) => changed.has(id)),
    "import"
  )
})

/** Result of rows. */
export interface RowMatchResult {
  readonly placed: ReadonlyArray<MatchedRow>
  /** Number of rows about contacts who have opted out and stay opted out. */
  readonly suppressed: number
  /** Number of rows with an id of no contact. */
  readonly unknownIds: number
}

/** Matches the rows in order and returns their results. Stores them except in a dry run. */
export const matchRows = Effect.fnUntraced(function* (
  order: StoredImport,
  rows: ReadonlyArray<RowDetails>,
  createdBefore: number
) {
  const found = yield* lockMatchingContacts(order, rows)
  const known = [...rows, ...found].flatMap(({ identities }) => identities)
  const placing = new RowMatcher(found, yield* findSuppressed(known), yield* DateTime.now)
  const { doubtful, ids: tags } = yield* resolveTags(order, rows)
  const max = plans[yield* (yield* Plans).current()].limits.contacts
  const count = (yield* (yield* Contacts).count()) + (order.dryRun ? createdBefore : 0)
  let room = max - count

  const place = Effect.fnUntraced(function* (
    row: RowDetails
  ): Effect.fn.Return<MatchedRow, never, Effect.Services<ReturnType<typeof nextId<ContactId>>>> {
    const several = doubtful(row)
    const missing = several ?? row.tagNames.find((name) => !tags.has(normalizeName(name)))
    if (missing !== undefined) {
      return { column: row.tagColumn, reason: missingTagIssue(missing, several !== undefined, order.createTags) }
    }
    const wanted = [...order.tags, ...row.tagNames.flatMap((name) => tags.get(normalizeName(name)) ?? [])]
    const mine = [...new Set(wanted)]
    const before = placing.subjectOf(row)
    if (before !== null && "reason" in before) return before
    if (before !== null && order.onExisting === "skip") return "unchanged"
    const id = before === null ? yield* nextId(ContactId) : before.id
    const { after, isSuppressed } = placing.heeding(before, row, (input) =>
      before === null ? placing.drafted(id, input, mine) : placing.changed(before, input, mine)
    )
    if (isSuppressed) placing.suppressed += 1
    const isTagAdded = before !== null && row.tagNames.some((name) => tags.get(normalizeName(name)) === null)
    if (after === before) return isTagAdded ? "updated" : "unchanged"
    const fault = yield* contactIssue(after)
    if (fault !== null) return fault
    if (before === null) {
      if (room <= 0) {
        const { message } = new PlanLimitReached({ limit: "contacts", current: max - room, max })
        return { column: null, ofContacts: true, reason: message }
      }
      room -= 1
    }
    placing.keep(before, after, row)
    return before === null ? "created" : "updated"
  })

  const unknownIds = rows.filter((row) => placing.saysUnknownId(row)).length
  const placed = yield* Effect.forEach(rows, place)
  if (!order.dryRun) yield* saveMatches(placing, max)
  return { placed, suppressed: placing.suppressed, unknownIds } satisfies RowMatchResult
})
