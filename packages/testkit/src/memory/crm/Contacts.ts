import { NotFound, type Slice, VersionConflict } from "@parley/domain/kernel"
import {
  Contact,
  type ContactExists,
  type ContactId,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  editDistance,
  matchesSearch,
  type IdentityRef,
  matchesFilter,
  searchableNameWords,
  contactSearchText,
  type TagId
} from "@parley/domain/crm"
import { type DateTime, Effect, HashMap, Layer, Order } from "effect"
import { knownIn } from "../contactConditions.ts"
import { byKeys } from "../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { renders } from "../store/renders.ts"
import { refuse, Refused, Store } from "../store/Store.ts"
import { placeOf, withContacts, withoutContacts, withTags } from "./rows.ts"

const present = (tenant: Tenant, ids: ReadonlyArray<ContactId>): ReadonlyArray<Contact> =>
  [...new Set(ids)].flatMap((id) => rowAt(tenant.contacts, id) ?? [])

const knownBy = (tenant: Tenant, identities: ReadonlyArray<IdentityRef>) =>
  present(
    tenant,
    identities.flatMap((identity) => rowAt(tenant.contactIdentities, placeOf(identity)) ?? [])
  )

const isOnDay = (value: unknown, days: ReadonlyArray<string>): boolean =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(value) && days.includes(value.slice(5))

const inOrder = (rows: ReadonlyArray<Contact>, { sort }: ContactQuery) => {
  const ascending: Order.Order<Contact> = Order.mapInput(byKeys, (contact: Contact) => contactCursorKey(sort, contact))
  return rows.toSorted(sort.startsWith("-") ? Order.flip(ascending) : ascending)
}

const isAfter = ({ sort }: ContactQuery, contact: Contact, after: ReadonlyArray<string> | null): boolean => {
  if (after === null) return true
  const order = byKeys(contactCursorKey(sort, contact), after)
  return sort.startsWith("-") ? order < 0 : order > 0
}

const listed = (tenant: Tenant, query: ContactQuery, { after, limit }: Slice): ReadonlyArray<Contact> =>
  inOrder(
    HashMap.toValues(tenant.contacts).filter(
      (contact) =>
        isAfter(query, contact, after) &&
        matchesFilter(query.filter, contact, knownIn(tenant)) &&
        (query.search === null || matchesSearch(contactSearchText(contact), query.search))
    ),
    query
  ).slice(0, limit)

const rendered = renders(Contact)

const wordsOf = (tenant: Tenant): ReadonlyArray<string> => [
  ...new Set(HashMap.toValues(tenant.contacts).flatMap(({ name }) => searchableNameWords(name)))
]

/** Skips deleted tags. */
const alive = ({ tags }: Tenant, wanted: ReadonlyArray<TagId>): ReadonlyArray<TagId> =>
  wanted.filter((tag) => HashMap.has(tags, tag))

const raised = (before: Contact, after: Contact): Contact =>
  new Contact({ ...after, tags: before.tags, createdAt: before.createdAt, version: before.version + 1 })

const retagged = (
  tenant: Tenant,
  ids: ReadonlyArray<ContactId>,
  now: DateTime.Utc,
  tagsOf: (contact: Contact) => ReadonlyArray<TagId>
) => {
  const changed = present(tenant, ids).flatMap((contact) => {
    const after = withTags(contact, tagsOf(contact))
    return after.tags.length === contact.tags.length
      ? []
      : [new Contact({ ...after, updatedAt: now, version: contact.version + 1 })]
  })
  const contacts = changed.reduce((rows, contact) => HashMap.set(rows, contact.id, contact), tenant.contacts)
  return [changed.map(({ id }) => id), { contacts }] as const
}

export const layer = Layer.effect(
  Contacts,
  Effect.map(Store, (store) =>
    Contacts.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ contacts }) => rowAt(contacts, id)),
          (contact) => contact !== null,
          () => new NotFound({ resource: "contact" })
        ),
      find: (ids) => store.readTenant((tenant) => present(tenant, ids)),
      withDays: (field, days, { after, limit }) =>
        store.readTenant(({ contacts }) =>
          HashMap.toValues(contacts)
            .filter(({ attributes, blockedAt }) => blockedAt === null && isOnDay(attributes[field], days))
            .filter(({ id }) => after === null || id > (after[0] ?? ""))
            .toSorted(Order.mapInput(Order.String, ({ id }: Contact) => id))
            .slice(0, limit)
        ),
      names: (ids) => store.readTenant((tenant) => new Map(present(tenant, ids).map(({ id, name }) => [id, name]))),
      findByIdentity: (identities) => store.readTenant((tenant) => knownBy(tenant, identities)),
      lock: (ids) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => present(tenant, ids))
        ),
      lockByIdentity: (identities) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => knownBy(tenant, identities))
        ),
      list: (query, slice) => store.readTenant((tenant) => ({ rows: listed(tenant, query, slice), resume: null })),
      render: (query, slice) =>
        store.readTenant((tenant) => ({
          rows: listed(tenant, query, slice).map((contact) => ({
            rendered: rendered(contact),
            key: contactCursorKey(query.sort, contact)
          })),
          resume: null
        })),
      countOf: ({ filter, search }) =>
        store.readTenant(
          (tenant) =>
            HashMap.toValues(tenant.contacts).filter(
              (contact) =>
                matchesFilter(filter, contact, knownIn(tenant)) &&
                (search === null || matchesSearch(contactSearchText(contact), search))
            ).length
        ),
      // The words always equal the words of the names.
      forgetWords: () => Effect.succeed(0),
      // Texts are folded when they are searched.
      refold: () => Effect.succeed(false),
      wordsLike: (word) =>
        store.readTenant((tenant) =>
          wordsOf(tenant)
            .map((other) => ({ other, far: editDistance(word, other, 3) }))
            .filter(({ far }) => far <= 3)
            .toSorted((one, two) => one.far - two.far)
            .slice(0, 20)
            .map(({ other }) => other)
        ),
      count: () => store.readTenant(({ contacts }) => HashMap.size(contacts)),
      insert: (contacts) =>
        store.writeTenant((tenant) => {
          const rows = withContacts(
            tenant,
            contacts.map((contact) => withTags(contact, alive(tenant, contact.tags)))
          )
          return rows instanceof Refused
            ? rows
            : [{ count: HashMap.size(rows.contacts), suppressionKey: tenant.suppressionKey }, rows]
        }),
      save: (contact, expected) =>
        store.writeTenant<Contact, NotFound | VersionConflict | ContactExists>((tenant) => {
          const before = rowAt(tenant.contacts, contact.id)
          if (before === null) return refuse(new NotFound({ resource: "contact" }))
          if (expected !== null && expected !== before.version) {
            return refuse(new VersionConflict({ current: before.version }))
          }
          const after = raised(before, contact)
          const rows = withContacts(withoutContacts(tenant, [contact.id]), [after])
          return rows instanceof Refused ? rows : [after, rows]
        }),
      saveAll: (contacts) =>
        store.writeTenant((tenant) => {
          const after = contacts.flatMap((contact) => {
            const before = rowAt(tenant.contacts, contact.id)
            return before === null ? [] : [raised(before, contact)]
          })
          const left = withoutContacts(
            tenant,
            after.map(({ id }) => id)
          )
          const rows = withContacts(left, after)
          return rows instanceof Refused ? rows : [undefined, rows]
        }),
      remove: (ids) =>
        store.writeTenant((tenant) => {
          const removed = present(tenant, ids).map(({ id }) => id)
          return [removed, withoutContacts(tenant, removed)]
        }),
      tag: (ids, tags, now) =>
        store.writeTenant((tenant) => {
          const added = alive(tenant, tags)
          return retagged(tenant, ids, now, (contact) => [...contact.tags, ...added])
        }),
      untag: (ids, tags, now) =>
        store.writeTenant((tenant) =>
          retagged(tenant, ids, now, (contact) => contact.tags.filter((tag) => !tags.includes(tag)))
        ),
      clearAttribute: (key, limit, now) =>
        store.writeTenant((tenant) => {
          const cleared = HashMap.toValues(tenant.contacts)
            .filter(({ attributes }) => Object.hasOwn(attributes, key))
            .slice(0, limit)
            .map((contact) => {
              const { [key]: _, ...attributes } = contact.attributes
              return new Contact({ ...contact, attributes, updatedAt: now, version: contact.version + 1 })
            })
          const contacts = cleared.reduce((rows, contact) => HashMap.set(rows, contact.id, contact), tenant.contacts)
          return [cleared.length, { contacts }]
        })
    })
  )
)
