import { DateTime, Effect } from "effect"
import {
  freshPhone,
  freshText,
  givenContact,
  givenContactField,
  givenImport,
  givenDuplicate,
  givenMerge,
  givenSegment,
  givenTag
} from "../tenants.ts"
import { nothing, type Recipe } from "../Recipe.ts"

const onContact =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenContact(tenant.organization), ({ id }) => ({ id, body }))

const onImport: Recipe = ({ tenant }) => Effect.map(givenImport(tenant.organization), ({ id }) => ({ id }))

const onTag =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenTag(tenant.organization), ({ id }) => ({ id, body }))

const onContactField =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenContactField(tenant.organization), ({ id }) => ({ id, body }))

const onSegment =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenSegment(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "contacts.list": nothing,
  "contacts.count": nothing,
  "contacts.create": ({ tenant }) =>
    Effect.map(givenTag(tenant.organization), ({ id }) => ({ body: { name: "Marie Curie", tags: [id] } })),
  "contacts.get": onContact(),
  "contacts.update": onContact({ name: "Marie Skłodowska-Curie" }),
  "contacts.delete": onContact(),
  "contacts.upsertByPhone": ({ tenant }) =>
    Effect.map(Effect.all([freshPhone, givenTag(tenant.organization)]), ([phone, tag]) => ({
      id: phone,
      body: { name: "Marie Curie", tags: [tag.id] }
    })),
  "contacts.tag": ({ tenant }) =>
    Effect.map(Effect.all([givenContact(tenant.organization), givenTag(tenant.organization)]), ([contact, tag]) => ({
      id: contact.id,
      body: { tags: [tag.id] }
    })),
  "contacts.untag": ({ tenant }) =>
    Effect.gen(function* () {
      const tag = yield* givenTag(tenant.organization)
      const { id } = yield* givenContact(tenant.organization, { tags: [tag.id] })
      return { id, query: `?tag=${tag.id}` }
    }),
  "contacts.bulk": ({ tenant }) =>
    Effect.map(Effect.all([givenContact(tenant.organization), givenTag(tenant.organization)]), ([contact, tag]) => ({
      body: { change: { action: "tag", tags: [tag.id] }, target: { ids: [contact.id] } }
    })),
  "contacts.merge": ({ tenant }) =>
    Effect.map(
      Effect.all([givenContact(tenant.organization), givenContact(tenant.organization)]),
      ([survivor, other]) => ({ id: survivor.id, body: { contactId: other.id } })
    ),
  "contacts.unmerge": ({ tenant }) =>
    Effect.map(givenMerge(tenant.organization), ({ mergeId, survivor }) => ({ id: survivor.id, body: { mergeId } })),
  "contacts.listDuplicates": onContact(),
  "contacts.dismissDuplicate": ({ tenant }) =>
    Effect.gen(function* () {
      const identity = { kind: "external", value: yield* freshText("known"), source: "api" } as const
      const addedAt = yield* DateTime.now
      const contact = yield* givenContact(tenant.organization, { identities: [{ ...identity, addedAt }] })
      const { id: otherId } = yield* givenDuplicate(tenant.organization, contact)
      return { id: contact.id, params: { otherId } }
    }),
  "contacts.timeline": onContact(),
  "contacts.listRuns": onContact(),
  "contacts.exportOne": onContact(),
  "contactTransfer.import": () =>
    Effect.succeed({ text: "name\r\nMarie Curie\r\n", headers: { "content-type": "text/csv" } }),
  "contactTransfer.getImport": onImport,
  "contactTransfer.importErrors": onImport,
  "contactTransfer.export": nothing,
  "tags.list": nothing,
  "tags.create": () => Effect.map(freshText("Tag"), (name) => ({ body: { name } })),
  "tags.get": onTag(),
  "tags.update": onTag({ color: "#d29922" }),
  "tags.delete": onTag(),
  "tags.merge": ({ tenant }) =>
    Effect.map(Effect.all([givenTag(tenant.organization), givenTag(tenant.organization)]), ([from, into]) => ({
      id: from.id,
      body: { into: into.id }
    })),
  "contactFields.list": nothing,
  "contactFields.filters": nothing,
  "contactFields.create": () =>
    Effect.map(freshText("f"), (text) => ({
      body: { key: text.replaceAll("-", "").slice(0, 40), name: "City", type: "text" }
    })),
  "contactFields.update": onContactField({ name: "Town" }),
  "contactFields.delete": onContactField(),
  "segments.list": nothing,
  "segments.create": () =>
    Effect.map(freshText("Segment"), (name) => ({ body: { name, filter: { field: "email", op: "is_set" } } })),
  "segments.get": onSegment(),
  "segments.update": onSegment({ filter: { field: "phone", op: "is_set" } }),
  "segments.delete": onSegment()
}
