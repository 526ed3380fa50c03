import { DateTime, Effect } from "effect"
import {
  invalid,
  Locks,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { lockContact } from "../Contacts.ts"
import { type ContactId, TagId } from "../Identity.ts"
import { checkTags, type NewTag, defaultTagColor, Tag, type TagPatch, Tags } from "../Tags.ts"
import { normalizeName } from "../contactSearch.ts"
import { appendEvent } from "../events.ts"
import { addTags, mergeTagsJob, removeTags } from "../tagging.ts"

export const createTag = useCase(
  { name: "tags.create", access: { permission: "contacts.manage" }, audit: "tag.created", emits: ["tag.created"] },
  Effect.fnUntraced(function* ({ color = defaultTagColor, name }: NewTag) {
    const now = yield* DateTime.now
    const id = yield* nextId(TagId)
    const tag = new Tag({ id, name, color, contactCount: 0, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* Tags).insert(tag)
    yield* recordAudit("tag.created", { kind: "tag", id }, { after: { name, color } })
    yield* appendEvent({ type: "tag.created", tagId: id })
    return tag
  }, transact)
)

export const getTag = useCase(
  { name: "tags.get", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: TagId }) {
    return yield* (yield* Tags).get(id)
  })
)

/** Lists the tags by name, optionally with a prefix. */
export const listTags = useCase(
  { name: "tags.list", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ q: beginning = "", page }: { readonly q?: string; readonly page: PageRequest }) {
    const tags = yield* Tags
    return yield* paged(
      "tags",
      page,
      (slice) => tags.list(normalizeName(beginning), slice),
      (tag) => [normalizeName(tag.name), tag.id]
    )
  })
)

export const updateTag = useCase(
  { name: "tags.update", access: { permission: "contacts.manage" }, audit: "tag.updated", emits: ["tag.updated"] },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: TagId; readonly ifVersion: number | null } & TagPatch) {
    const tags = yield* Tags
    yield* (yield* Locks).exclusive("tags")
    const before = yield* tags.get(id)
    yield* requireVersion(before, ifVersion)
    const { color = before.color, name = before.name } = patch
    if (name === before.name && color === before.color) return before
    const after = yield* tags.save(new Tag({ ...before, name, color, updatedAt: yield* DateTime.now }), ifVersion)
    yield* recordAudit(
      "tag.updated",
      { kind: "tag", id },
      { before: { name: before.name, color: before.color }, after: { name, color } }
    )
    yield* appendEvent({ type: "tag.updated", tagId: id })
    return after
  }, transact)
)

/** Deletes a tag. No contact has it from this commit on. */
export const deleteTag = useCase(
  { name: "tags.delete", access: { permission: "contacts.manage" }, audit: "tag.deleted", emits: ["tag.deleted"] },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: TagId; readonly ifVersion: number | null }) {
    const tags = yield* Tags
    const before = yield* tags.get(id)
    yield* tags.remove(id, ifVersion)
    yield* recordAudit("tag.deleted", { kind: "tag", id }, { before: { name: before.name, color: before.color } })
    yield* appendEvent({ type: "tag.deleted", tagId: id })
  }, transact)
)

/** Replaces one tag with another on every contact, in the background. */
export const mergeTags = useCase(
  { name: "tags.merge", access: { permission: "contacts.manage" }, audit: "tag.merged", emits: ["job.started"] },
  Effect.fnUntraced(function* ({ id: from, into: to }: { readonly id: TagId; readonly into: TagId }) {
    if (from === to) return yield* invalid("/into", "A tag cannot be merged with itself")
    const tags = yield* Tags
    const merged = yield* tags.get(from)
    const [into] = yield* tags.find([to])
    if (into === undefined) return yield* new NotFound({ resource: "tag", pointer: "/into" })
    const job = yield* startJob(mergeTagsJob, { from, to }, { total: merged.contactCount })
    yield* recordAudit(
      "tag.merged",
      { kind: "tag", id: from },
      { before: { name: merged.name }, after: { name: into.name } }
    )
    return job
  }, transact)
)

export const tagContact = useCase(
  {
    name: "contacts.tag",
    access: { permission: "contacts.manage" },
    audit: "contact.tagged",
    emits: ["contact.tagged"]
  },
  Effect.fnUntraced(function* ({ id, tags }: { readonly id: ContactId; readonly tags: ReadonlyArray<TagId> }) {
    const contact = yield* lockContact(id)
    yield* checkTags(tags, "/tags")
    return yield* addTags(contact, tags)
  }, transact)
)

export const untagContact = useCase(
  {
    name: "contacts.untag",
    access: { permission: "contacts.manage" },
    audit: "contact.untagged",
    emits: ["contact.untagged"]
  },
  Effect.fnUntraced(function* ({ id, tag: tags }: { readonly id: ContactId; readonly tag: ReadonlyArray<TagId> }) {
    const contact = yield* lockContact(id)
    yield* checkTags(tags, "/tag")
    return yield* removeTags(contact, tags)
  }, transact)
)
