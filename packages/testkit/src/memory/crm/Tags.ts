import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { Contact, normalizeName, NameTaken, Tag, type TagId, Tags } from "@parley/domain/crm"
import { Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { refuse, Refused, Store } from "../store/Store.ts"
import { withTags } from "./rows.ts"

const counted = (tenant: Tenant, tag: Tag): Tag =>
  new Tag({
    ...tag,
    contactCount: HashMap.toValues(tenant.contacts).filter(({ tags }) => tags.includes(tag.id)).length
  })

const stored = (tenant: Tenant, id: TagId, expected: number | null): Tag | Refused<NotFound | VersionConflict> => {
  const tag = rowAt(tenant.tags, id)
  if (tag === null) return refuse(new NotFound({ resource: "tag" }))
  if (expected !== null && tag.version !== expected) return refuse(new VersionConflict({ current: tag.version }))
  return tag
}

const taken = (tenant: Tenant, tag: Tag): Refused<NameTaken> | null => {
  const other = HashMap.toValues(tenant.tags).find(
    ({ id, name }) => id !== tag.id && normalizeName(name) === normalizeName(tag.name)
  )
  return other === undefined ? null : refuse(new NameTaken({ resource: "tag", id: other.id }))
}

const keyOf = ({ id, name }: Tag): ReadonlyArray<string> => [normalizeName(name), id]

const inOrder: Order.Order<Tag> = Order.mapInput(byKeys, keyOf)

const changed = (tenant: Tenant, contacts: ReadonlyArray<Contact>) =>
  contacts.reduce((rows, contact) => HashMap.set(rows, contact.id, contact), tenant.contacts)

export const layer = Layer.effect(
  Tags,
  Effect.map(Store, (store) =>
    Tags.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => {
            const tag = rowAt(tenant.tags, id)
            return tag === null ? null : counted(tenant, tag)
          }),
          (tag) => tag !== null,
          () => new NotFound({ resource: "tag" })
        ),
      find: (ids) =>
        store.readTenant((tenant) =>
          [...new Set(ids)].flatMap((id) => rowAt(tenant.tags, id) ?? []).map((tag) => counted(tenant, tag))
        ),
      findByName: (names) => {
        const wanted = new Set(names.map(normalizeName))
        return store.readTenant((tenant) =>
          HashMap.toValues(tenant.tags)
            .filter(({ name }) => wanted.has(normalizeName(name)))
            .map((tag) => counted(tenant, tag))
        )
      },
      list: (beginning, { after, limit }) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.tags)
            .filter(
              (tag) =>
                normalizeName(tag.name).startsWith(beginning) && (after === null || byKeys(keyOf(tag), after) > 0)
            )
            .toSorted(inOrder)
            .slice(0, limit)
            .map((tag) => counted(tenant, tag))
        ),
      insert: (tag) =>
        store.writeTenant(
          (tenant) => taken(tenant, tag) ?? [undefined, { tags: HashMap.set(tenant.tags, tag.id, tag) }]
        ),
      save: (tag, expected) =>
        store.writeTenant<Tag, NotFound | VersionConflict | NameTaken>((tenant) => {
          const before = stored(tenant, tag.id, expected)
          if (before instanceof Refused) return before
          const clash = taken(tenant, tag)
          if (clash !== null) return clash
          const after = new Tag({ ...tag, createdAt: before.createdAt, version: before.version + 1 })
          return [counted(tenant, after), { tags: HashMap.set(tenant.tags, tag.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          if (before instanceof Refused) return before
          const contacts = HashMap.map(tenant.contacts, (contact) =>
            contact.tags.includes(id)
              ? withTags(
                  contact,
                  contact.tags.filter((tag) => tag !== id)
                )
              : contact
          )
          return [undefined, { tags: HashMap.remove(tenant.tags, id), contacts }]
        }),
      move: (from, to, limit, now) =>
        store.writeTenant((tenant) => {
          const into = HashMap.has(tenant.tags, to) ? [to] : []
          const moved = HashMap.toValues(tenant.contacts)
            .filter(({ tags }) => tags.includes(from))
            .slice(0, limit)
            .map((contact) => {
              const tags = [...contact.tags.filter((tag) => tag !== from), ...into]
              return new Contact({ ...withTags(contact, tags), updatedAt: now, version: contact.version + 1 })
            })
          return [moved.length, { contacts: changed(tenant, moved) }]
        }),
      // Nothing is left of a tag that was removed.
      clear: () => Effect.succeed(0)
    })
  )
)
