import { transact } from "@parley/domain/kernel"
import { type ContactId, Contacts, type TagId, Tags } from "@parley/domain/crm"
import { Effect } from "effect"
import { evening } from "./given.ts"

export const tag = (ids: ReadonlyArray<ContactId>, tags: ReadonlyArray<TagId>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.tag(ids, tags, evening)))

export const untag = (ids: ReadonlyArray<ContactId>, tags: ReadonlyArray<TagId>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.untag(ids, tags, evening)))

export const move = (from: TagId, to: TagId, limit: number) =>
  Effect.flatMap(Tags, (tags) => transact(tags.move(from, to, limit, evening)))

export const removeTag = (id: TagId) => Effect.flatMap(Tags, (tags) => transact(tags.remove(id, null)))

export const countOf = (id: TagId) =>
  Effect.flatMap(Tags, (tags) => Effect.map(tags.get(id), ({ contactCount }) => contactCount))
