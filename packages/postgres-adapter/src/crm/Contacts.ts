import { NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import { type Contact, type ContactId, Contacts, identityKey, type IdentityRef } from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { RecentReads } from "../kernel/RecentReads.ts"
import { currentLevel, type UnitOfWorkLevel } from "../kernel/UnitOfWorkLevel.ts"
import { isOneOf } from "../kernel/isOneOf.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { contactInserts } from "./contactInserts.ts"
import { contactColumns, contactOf, type ContactRow, recordColumns, recordOf } from "./contactRow.ts"
import { contactCounts } from "./contactCounts.ts"
import { claimsOf, identities, without } from "./identities.ts"
import { asContacts, asRendered, contactLists } from "./contactLists.ts"
import { contactMatches } from "./contactMatches.ts"
import { contactRefold } from "./contactRefold.ts"
import { contactTags } from "./contactTags.ts"
import { conjuncts } from "./drivers.ts"
import { words } from "./words.ts"

const notFound = () => new NotFound({ resource: "contact" })

type Before = Pick<Contact, "id" | "identities" | "name" | "version">

/** Whether a contact has the same identities as before. */
const isKnownAs = (before: Pick<Contact, "id" | "identities">, after: Contact) => {
  const [had, has] = [claimsOf(before), claimsOf(after)]
  return had.length === has.length && without(has, had).length === 0
}

const isKnownByAny = (contact: Contact, refs: ReadonlyArray<IdentityRef>) =>
  contact.identities.some((mine) =>
    refs.some((ref) => ref.kind === mine.kind && identityKey(ref) === identityKey(mine))
  )

export const layer = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const known = identities(sql)
    const spoken = words(sql)
    const counts = contactCounts(sql)
    const tags = contactTags(sql)
    const add = contactInserts(sql)
    const list = contactLists(sql, asContacts(sql))
    const render = contactLists(sql, asRendered(sql))
    const refold = contactRefold(sql)
    const countMatches = contactMatches(sql)
    const extentOf = yield* recent.remember(counts.extent)

    // A single contact is also found by key. A plan from a time with few rows can prefer a scan of the organization.
    const among = (ids: ReadonlyArray<ContactId>) => isOneOf(sql, "c.id", ids)

    // No other transaction can change a contact that this unit of work has locked. The earlier read needs no second lock. Changes by this unit of
    // work show in the version.
    const taken = new WeakMap<UnitOfWorkLevel, Contact>()

    const take = Effect.fnUntraced(function* (organizationId: OrganizationId, condition: Statement.Fragment) {
      const work = yield* currentLevel
      const rows = yield* sql<ContactRow>`
        SELECT ${contactColumns(sql, organizationId)} FROM contacts AS c
        WHERE c.organization_id = ${organizationId} AND ${condition} ORDER BY c.id FOR UPDATE OF c`
      const contacts = rows.map(contactOf)
      const [contact] = contacts
      if (contact !== undefined && contacts.length === 1) taken.set(work, contact)
      return contacts
    })

    /** Locks contacts, always in the same order, and reads what a change needs. */
    const lock = (organizationId: OrganizationId, ids: ReadonlyArray<ContactId>) => sql<Before>`
      SELECT id, name, version, identities FROM contacts
      WHERE organization_id = ${organizationId} AND ${isOneOf(sql, "id", ids)} ORDER BY id FOR UPDATE`

    const moveIdentities = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      before: ReadonlyArray<Pick<Contact, "id" | "identities">>,
      after: ReadonlyArray<Contact>
    ) {
      const [had, has] = [before.flatMap(claimsOf), after.flatMap(claimsOf)]
      const whose = new Map(had.map(({ contactId, key, kind }) => [`${kind} ${key}`, contactId]))
      const isKept = ({ contactId, key, kind }: (typeof has)[number]) => whose.get(`${kind} ${key}`) === contactId
      const claimed = has.filter((claim) => !isKept(claim))
      const released = [...without(had, has), ...claimed.filter(({ key, kind }) => whose.has(`${kind} ${key}`))]
      if (claimed.length === 0) return yield* known.release(organizationId, released)
      yield* known
        .release(organizationId, released)
        .pipe(Effect.andThen(known.claim(organizationId, claimed)), sql.withTransaction)
    })

    /** Stores contacts and the words of their names. Contacts with another stored version stay unchanged. */
    const store = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      before: ReadonlyArray<Before>,
      after: ReadonlyArray<Contact>
    ) {
      const known = new Map(before.map((contact) => [contact.id, contact]))
      const marks = spoken.changed(after.map(({ id, name }) => ({ was: known.get(id)?.name ?? null, is: name })))
      const records = after.map((contact) => ({ ...recordOf(contact), known: known.get(contact.id)?.version }))
      return yield* sql<ContactRow>`
        WITH changed AS (
          UPDATE contacts AS c SET name = r.name, name_key = r.name_key, phone = r.phone, email = r.email,
            username = r.username, identities = r.identities, locale = r.locale, timezone = r.timezone, attributes = r.attributes,
            marketing = r.marketing, consent_source = r.consent_source, consent_changed_at = r.consent_changed_at,
            blocked_at = r.blocked_at, last_seen_at = r.last_seen_at, last_inbound_at = r.last_inbound_at,
            updated_at = r.updated_at, search = r.search, version = c.version + 1
          FROM json_to_recordset(${PgTypes.json(records)}) AS r (${sql.literal(recordColumns)}, known integer)
          WHERE c.organization_id = ${organizationId} AND ${among(after.map(({ id }) => id))} AND c.id = r.id
            AND c.version = r.known
          RETURNING ${contactColumns(sql, organizationId)}
        ),
        spoken AS (${spoken.marking(organizationId, marks, sql`EXISTS (SELECT FROM changed)`)})
        SELECT * FROM changed`
    })

    return tenantPort(Contacts, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM contacts AS c
          WHERE c.organization_id = ${organization.id} AND c.id = ${id}`
        return row === undefined ? yield* notFound() : contactOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM contacts AS c
          WHERE c.organization_id = ${organization.id} AND ${among(ids)} ORDER BY c.id`
        return rows.map(contactOf)
      }),
      // Selected before the sort: in the order of the ids all contacts would be read.
      withDays: Effect.fnUntraced(function* (organization, field, days, { after, limit }) {
        const rows = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM (
            SELECT * FROM contacts AS o
            WHERE o.organization_id = ${organization.id}
              AND contact_days(o.attributes) && ${days.map((day) => `${field} ${day}`)}::text[] AND o.blocked_at IS NULL
              ${after === null ? sql`` : sql`AND o.id > ${after[0]}::uuid`}
            OFFSET 0) AS c
          WHERE c.organization_id = ${organization.id} ORDER BY c.id LIMIT ${limit}`
        return rows.map(contactOf)
      }),
      names: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return new Map()
        const rows = yield* sql<Pick<Contact, "id" | "name">>`
          SELECT c.id, c.name FROM contacts AS c WHERE c.organization_id = ${organization.id} AND ${among(ids)}`
        return new Map(rows.map(({ id, name }) => [id, name]))
      }),
      findByIdentity: Effect.fnUntraced(function* (organization, refs) {
        if (refs.length === 0) return []
        const rows = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM contacts AS c
          WHERE c.organization_id = ${organization.id} AND c.id IN (${known.owners(organization.id, refs)})
          ORDER BY c.id`
        return rows.map(contactOf)
      }),
      lock: Effect.fnUntraced(function* (organization, ids) {
        return yield* take(organization.id, among(ids))
      }),
      lockByIdentity: Effect.fnUntraced(function* (organization, refs) {
        if (refs.length === 0) return []
        const contacts = yield* take(organization.id, sql`c.id IN (${known.owners(organization.id, refs)})`)
        // A contact can have changed during the lock wait. Its identities were read before.
        return contacts.filter((contact) => isKnownByAny(contact, refs))
      }),
      list: Effect.fnUntraced(function* (organization, query, slice) {
        return yield* list(organization.id, extentOf(organization.id), query, slice)
      }),
      render: Effect.fnUntraced(function* (organization, query, slice) {
        return yield* render(organization.id, extentOf(organization.id), query, slice)
      }),
      wordsLike: Effect.fnUntraced(function* (organization, word) {
        return yield* spoken.like(organization.id, word)
      }),
      forgetWords: Effect.fnUntraced(function* (organization, limit) {
        return yield* spoken.settle(organization.id, limit)
      }),
      refold: Effect.fnUntraced(function* (organization, limit) {
        return yield* refold(organization.id, limit)
      }),
      countOf: Effect.fnUntraced(function* (organization, query) {
        const isEverybody = query.search === null && conjuncts(query.filter).length === 0
        return isEverybody ? (yield* counts.extent(organization.id)).count : yield* countMatches(organization.id, query)
      }),
      count: Effect.fnUntraced(function* (organization) {
        return (yield* counts.extent(organization.id)).count
      }),
      insert: Effect.fnUntraced(function* (organization, contacts) {
        return yield* add(organization.id, contacts)
      }),
      save: Effect.fnUntraced(function* (organization, contact, expected) {
        const work = yield* currentLevel
        const mine = taken.get(work)
        if (mine?.id === contact.id && (expected ?? mine.version) === mine.version && isKnownAs(mine, contact)) {
          const [row] = yield* store(organization.id, [mine], [contact])
          if (row !== undefined) return contactOf(row)
        }
        const [before] = yield* lock(organization.id, [contact.id])
        if (before === undefined) return yield* notFound()
        if (expected !== null && before.version !== expected) {
          return yield* new VersionConflict({ current: before.version })
        }
        yield* moveIdentities(organization.id, [before], [contact])
        const [row] = yield* store(organization.id, [before], [contact])
        return row === undefined ? yield* notFound() : contactOf(row)
      }),
      saveAll: Effect.fnUntraced(function* (organization, contacts) {
        if (contacts.length === 0) return
        const before = yield* lock(
          organization.id,
          contacts.map(({ id }) => id)
        )
        const there = new Set(before.map(({ id }) => id))
        const after = contacts.filter(({ id }) => there.has(id))
        yield* moveIdentities(organization.id, before, after)
        yield* store(organization.id, before, after)
      }),
      remove: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const before = yield* lock(organization.id, ids)
        if (before.length === 0) return []
        const removed = before.map(({ id }) => id)
        yield* spoken.doubt(
          organization.id,
          before.map(({ name }) => name)
        )
        yield* tags.unlinkAll(organization.id, removed)
        yield* sql`
          DELETE FROM contacts WHERE organization_id = ${organization.id} AND id = ANY(${removed}::uuid[])`
        yield* known.release(organization.id, before.flatMap(claimsOf))
        yield* counts.subtract(organization.id, removed.length)
        return removed
      }),
      tag: Effect.fnUntraced(function* (organization, ids, wanted, now) {
        return yield* tags.add(organization.id, ids, wanted, now)
      }),
      untag: Effect.fnUntraced(function* (organization, ids, unwanted, now) {
        return yield* tags.remove(organization.id, ids, unwanted, now)
      }),
      clearAttribute: Effect.fnUntraced(function* (organization, key, limit, now) {
        const cleared = yield* sql`
          WITH holders AS MATERIALIZED (
            SELECT id FROM contacts WHERE organization_id = ${organization.id} AND attributes ? ${key}
            ORDER BY id LIMIT ${limit} FOR UPDATE
          )
          UPDATE contacts AS c SET attributes = c.attributes - ${key}::text, updated_at = ${stamp(now)},
            version = c.version + 1
          FROM holders WHERE c.organization_id = ${organization.id} AND c.id = holders.id RETURNING 1`.unprepared
        return cleared.length
      })
    })
  })
)
